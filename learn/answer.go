package learn

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/solver"
)

// An answer is what a method hands over, in its own vertices and scale.
type answer struct {
	model     innerModel   // with what was learned of it
	weights   *graph.Graph // before the cut
	graph     *graph.Graph // after it
	codes     *sparse.Code
	codedOn   *graph.Graph     // the graph whose dictionary the codes are on
	residuals residualEnergies // of the codes
	residual  float64
	objective float64
	threshold innerThreshold
	rounds    int
	status    solver.Status
	certified bool
	proved    bool // the weights are; the edges reported may be others, as asked for

	unexplained int // signals above rounding
	entries     int // numbers per signal that codes and weights have to explain, on average

	large             bool
	commonModeRemoved bool
	path              []innerPathPoint
	scores            []innerKernelScore
}

// endedBy returns the answer with what ended the work on it: nil or, which marks it as
// the best so far, errInterrupted.
func (a *answer) endedBy(err error) (*answer, error) {
	if err != nil {
		a.status = solver.Interrupted
	}
	return a, err
}

// An innerThreshold is the cut that was made.
type innerThreshold struct {
	Rule  graph.CutRule
	Value float64 // the lightest weight kept; 0 for an empty graph
	Gap   float64 // ratio of the lightest normalised weight kept to the heaviest dropped, about 100 where none is dropped
}

// weakGap is the ratio below which the automatic cut is only a guess.
const weakGap = 2

// clearGap says whether a gap after the edges kept is clear: it is large, or there
// is a good part of the edges after it.
func clearGap(weights, kept *graph.Graph, ratio float64) bool {
	dropped := weights.EdgeCount() - kept.EdgeCount()
	return ratio >= largeGap || ratio >= weakGap && 5*dropped >= kept.EdgeCount()
}

// largeGap is the gap that is clear even where there is little after it.
const largeGap = 5

// cut applies a rule to weights and says what it did.
func cut(weights *graph.Graph, c graph.Cut) (*graph.Graph, innerThreshold) {
	kept := c.Apply(weights)
	return kept, thresholdOf(weights, kept, c.Rule)
}

// thresholdOf describes a cut that was made.
func thresholdOf(weights, kept *graph.Graph, rule graph.CutRule) innerThreshold {
	return innerThreshold{Rule: rule, Value: lightest(kept), Gap: weights.GapAfter(kept.EdgeCount())}
}

// noise estimates the amplitude of the noise, as a share of the signals': the
// residual is noise in as many dimensions as neither codes nor weights take up.
func (a *answer) noise() float64 {
	_, m := a.codes.Dims()
	if a.unexplained == 0 || a.residual <= 0 || 50*a.unexplained <= m-a.unexplained {
		return 0 // what is left are a few signals that no code explains
	}
	entries := float64(m * a.entries)
	spare := entries - float64(a.codes.NonZeros()+a.graph.EdgeCount())
	return math.Sqrt(min(a.residual*entries/max(spare, 1), 1))
}

// An innerPathPoint is a graph on the pruning path.
type innerPathPoint struct {
	Edges int
	// CodeError is ‖Y − DX‖²/‖Y‖² of signals that the weights were not fitted to; on
	// large graphs, where nothing is held out, of all.
	CodeError float64
	// Prediction is the share of the variance of a vertex, beyond the mean of the
	// others, that the others predict, in the same signals; not a number on large graphs.
	Prediction float64
	Graph      *graph.Graph
}

// An innerKernelScore says how well the graph that some kernels lead to predicts.
type innerKernelScore struct {
	Kernels           []string
	Sparsity          int
	CommonModeRemoved bool    // with each signal's mean over the vertices taken out
	Prediction        float64 // as of innerPathPoint, before any cut

	model innerModel // with the kernels themselves
}

// signals returns the signals that the score is of.
func (k innerKernelScore) signals(data prepared) prepared {
	if k.CommonModeRemoved {
		return data.withoutCommonMode()
	}
	return data
}
