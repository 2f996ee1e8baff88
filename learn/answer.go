package learn

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/solver"
)

// An answer is what a method hands over, in its own vertices and scale.
type answer struct {
	model     Model        // with what was learned of it
	weights   *graph.Graph // before the cut
	graph     *graph.Graph // after it
	codes     *sparse.Code
	codedOn   *graph.Graph     // the graph whose dictionary the codes are on
	residuals residualEnergies // of the codes
	residual  float64
	objective float64
	threshold Threshold
	rounds    int
	status    solver.Status
	certified bool
	proved    bool // the weights are; the edges reported may be others, as asked for

	unexplained int // signals above rounding
	entries     int // numbers per signal that codes and weights have to explain, on average

	large             bool
	commonModeRemoved bool
	path              []PathPoint
	scores            []KernelScore
}

// endedBy returns the answer with what ended the work on it: nil or, which marks it as
// the best so far, errInterrupted.
func (a *answer) endedBy(err error) (*answer, error) {
	if err != nil {
		a.status = solver.Interrupted
	}
	return a, err
}

// cut applies a rule to weights and says what it did.
func cut(weights *graph.Graph, c graph.Cut) (*graph.Graph, Threshold) {
	kept := c.Apply(weights)
	return kept, thresholdOf(weights, kept, c.Rule)
}

// thresholdOf describes a cut that was made.
func thresholdOf(weights, kept *graph.Graph, rule graph.CutRule) Threshold {
	return Threshold{Rule: rule, Value: lightest(kept), Gap: weights.GapAfter(kept.EdgeCount())}
}

// result puts an answer back into the vertices and the scale of the input.
func (t task) result(a *answer) *Result {
	for k, p := range a.path {
		a.path[k].Graph = t.progress.embed(p.Graph)
	}
	t.options.RemoveCommonMode = t.options.RemoveCommonMode || a.commonModeRemoved
	r := &Result{
		Graph:   t.progress.embed(a.graph),
		Weights: t.progress.embed(a.weights),
		Codes:   t.data.embedCodes(a.codes, len(t.options.Names)),
		CodedOn: t.progress.embed(a.codedOn),
		Model:   a.model, Options: t.options,
		Residual: a.residual, Noise: a.noise(), Objective: a.objective, Threshold: a.threshold,
		Rounds: a.rounds, Starts: t.progress.start, Gradients: t.progress.gradients,
		Status: a.status, Certified: a.certified, Unexplained: a.unexplained, Large: a.large,
		Aside: t.aside, Warnings: append(t.warnings, t.doubts(a)...),
		History: t.progress.history, Path: a.path, KernelScores: a.scores, paper: t.paper,
	}
	if t.side.allowed != nil {
		r.AllowedPairs = t.side.allowed.count()
	}
	return r
}
