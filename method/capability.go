package method

import "slices"

// A Capability is something a method can do, or takes into account. A caller that
// knows them needs to know no method by name.
type Capability string

// The capabilities.
const (
	UsesKernels   Capability = "kernels"              // the result depends on Problem.Kernels
	UsesKnown     Capability = "known edges"          // the result depends on Problem.Known
	UsesMeans     Capability = "means"                // the means of the vertices say something, and are not removed inside
	UsesScales    Capability = "scales"               // the scales of the vertices say something, and are not removed inside
	UsesOrder     Capability = "order in time"        // the order of the signals says something
	CutUsesOrder  Capability = "order of its own cut" // the method's own cut depends on the order of the signals, so that those alike because they follow each other do not count twice; its weights do not
	TakesMissing  Capability = "missing values"       // missing values are left out of the fit, not filled in
	HasCodes      Capability = "codes"                // it explains every signal: the Own of its result is an [Explainer]
	SignedEdges   Capability = "signed edges"
	DirectedEdges Capability = "directed edges"
	DirectOnly    Capability = "direct edges" // only vertices that depend on each other directly have an edge, as many as held-out signals ask for
)

// Capable is implemented by methods that have capabilities. One that does not has none.
type Capable interface {
	Capabilities() []Capability
}

// Has reports whether a method has a capability.
func Has(m Method, c Capability) bool {
	capable, ok := m.(Capable)
	return ok && slices.Contains(capable.Capabilities(), c)
}
