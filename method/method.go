// Package method is the contract that every way of learning a graph keeps, the
// sparse learner of package learn and those of package baseline alike: what it is
// given, what it returns, what it is called and what it can do.
//
// A method is a value whose fields are its options, so that
//
//	baseline.Glasso{Penalty: 0.1}.Learn(ctx, problem)
//
// is a typed call. A [Registry] finds methods by name, [Entry.WithParams] sets
// their fields from text for command lines, and [Entry.Run] does what all of them
// have in common.
package method

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/signals"
)

// A Method is a way to learn a graph, with its options set. It is a struct, and
// its zero value is valid.
type Method interface {
	// Learn learns a graph from the columns of p.Y. A vertex that does not vary is
	// left isolated, with a warning. Signals or options that cannot be used are an
	// [*input.Error]. If ctx ends, the best graph so far comes with the cause, or no
	// result at all.
	Learn(ctx context.Context, p Problem) (*Result, error)

	// Name is the name in the registry, such as "glasso".
	Name() string
}

// A Problem is what every method is given. Signals are the columns of Y.
type Problem struct {
	Y       *mat.Dense      // vertices × signals; NaN where a value is missing; never modified
	Names   []string        // of the vertices; nil means v0, v1, …
	Kernels []kernel.Kernel // for methods that use them; nil means the method's own, if it has any
	Known   Known           // edges that are known beforehand; only for methods with [UsesKnown]
	Cut     graph.Cut       // the zero cut is the method's own
	Seed    uint64          // every random draw comes from it
	Threads int             // zero means all cores, for methods that can use several; the result does not depend on it

	// Progress, if not nil, is called after each step of methods that have any. It
	// must not keep the step: its weights move on.
	Progress func(Step)
}

// A Phase says what a method at work has just done, in its own terms.
type Phase string

// A Step is a look at a method at work.
type Step struct {
	Phase     Phase   // what was just done
	Start     int     // from 1
	Round     int     // from 1, within the start
	Residual  float64 // ‖Y − DX‖²/‖Y‖² for methods with codes
	Objective float64 // what the phase minimises
	Edges     int     // pairs of positive weight
	Share     float64 // of the phase that is done, where it takes long
	Weights   func() *graph.Graph
}

// A Result is a graph and how it was found.
type Result struct {
	// Method is the method as it was run. What it chose by itself is filled in, so
	// that it chooses the same again on other signals, and options that had no effect
	// are zero: [Values] lists what there is to report.
	Method  Method
	Graph   *graph.Graph // after the cut
	Weights *graph.Graph // before it: all positive weights
	Cut     graph.CutRule

	Rounds   int // iterations; 0 for closed forms
	Status   Status
	Warnings []string        // all of them, those about vertices set aside first
	Aside    []signals.Aside // vertices set aside, and why
	Filled   int             // missing values that were drawn from what the other vertices suggest

	// Own is what only this method has to say: a *learn.Result for the sparse
	// method, nil for most others.
	Own any
}

// BySignal is a [Result.Own] that has something to say of each signal. Independent signals are
// learned from in an order of their own: Reorder puts what is said of signal columns[k] at k.
type BySignal interface {
	Reorder(columns []int)
}

// ByVertex is a [Result.Own] that has something to say of each vertex. Signals are learned from
// without vertices that have nothing to say: OnVertices returns the same of all those named, where
// vertex k is vertex vertices[k]. The others are those set aside.
type ByVertex interface {
	OnVertices(vertices []int, names []string, aside []signals.Aside) any
}

// OwnCut is the rule of a graph that its method cut by itself.
const OwnCut graph.CutRule = "own"

// A Capability is something a method can do, or takes into account. A caller that
// knows them needs to know no method by name.
type Capability string

// The capabilities.
const (
	UsesKernels Capability = "kernels"       // the result depends on Problem.Kernels
	UsesKnown   Capability = "known edges"   // the result depends on Problem.Known
	UsesMeans   Capability = "means"         // the means of the vertices say something, and are not removed inside
	UsesScales  Capability = "scales"        // the scales of the vertices say something, and are not removed inside
	UsesOrder   Capability = "order in time" // the order of the signals says something
	// CutUsesOrder: the method's own cut depends on the order of the signals, so that those alike because they
	// follow each other do not count twice; its weights do not.
	CutUsesOrder  Capability = "order of its own cut"
	TakesMissing  Capability = "missing values" // missing values are left out of the fit, not filled in
	HasCodes      Capability = "codes"          // it explains every signal: the Own of its result is an [Explainer]
	SignedEdges   Capability = "signed edges"   // edges may have negative weights, between vertices that move against each other
	DirectedEdges Capability = "directed edges"
	TakesScores   Capability = "normal scores" // signals are a Gaussian field, of which normal scores say what values would
	// DirectOnly: only vertices that depend on each other directly have an edge, as many as held-out signals ask for.
	DirectOnly Capability = "direct edges"
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

// Status says how a run ended. Not converging is a status, never an error.
type Status string

const (
	// Converged means the method's own optimality or fit test was met.
	Converged Status = "converged"
	// MaxRounds means the allowed number of rounds was used up.
	MaxRounds Status = "max_rounds"
	// Stalled means rounds no longer improved the objective, yet the fit test was not met.
	Stalled Status = "stalled"
	// Interrupted means the context ended; the best answer so far is returned.
	Interrupted Status = "interrupted"
)

// CommonMode is what a method wants done about a mode that all vertices have in common,
// before it learns.
type CommonMode int

// What can be done about it.
const (
	KeepCommonMode   CommonMode = iota // it is kept, with a warning: methods differ in what they make of it
	RemoveCommonMode                   // it is removed: the kernels are low-pass
	OwnCommonMode                      // the method itself removes it where that predicts better
	// NeedsCommonMode keeps it because without it a high-pass kernel explains the rest vertex by
	// vertex: edges of measured sets went from half right to none.
	NeedsCommonMode
	// OrderedCommonMode keeps it because the method learns from the order of the signals, and
	// what drives all vertices is part of that.
	OrderedCommonMode
)

// A CommonModeUser is a method that says what to do about a common mode of signals; that
// of the others is kept.
type CommonModeUser interface {
	CommonMode(y *mat.Dense, kernels []kernel.Kernel) CommonMode
}

// CommonModeOf returns what a method wants done about a common mode of signals.
func CommonModeOf(m Method, y *mat.Dense, kernels []kernel.Kernel) CommonMode {
	if Has(m, UsesOrder) {
		return OrderedCommonMode
	}
	if user, ok := m.(CommonModeUser); ok {
		return user.CommonMode(y, kernels)
	}
	return KeepCommonMode
}
