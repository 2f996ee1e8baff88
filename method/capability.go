package method

// A Capability is something a method can do, or takes into account. A caller that
// knows them needs to know no method by name.
type Capability string

// The capabilities.
const (
	UsesKernels   Capability = "kernels"              // the result depends on Problem.Kernels
	UsesMeans     Capability = "means"                // the means of the vertices say something, and are not removed inside
	UsesScales    Capability = "scales"               // the scales of the vertices say something, and are not removed inside
	UsesOrder     Capability = "order in time"        // the order of the signals says something
	CutUsesOrder  Capability = "order of its own cut" // the method's own cut depends on the order of the signals, so that those alike because they follow each other do not count twice; its weights do not
	TakesMissing  Capability = "missing values"       // missing values are left out of the fit, not filled in
	ExplainsSelf  Capability = "codes"                // its result explains every signal: codes, a residual, a proof
	SignedEdges   Capability = "signed edges"
	DirectedEdges Capability = "directed edges"
)
