package baseline

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// vanishing is the share of the mean positive weight below which the own cut of
// the methods for smooth signals drops an edge.
const vanishing = 1e-4

// withoutVanishing drops the edges of vanishing weight.
func withoutVanishing(g *graph.Graph) *graph.Graph {
	if g.EdgeCount() == 0 {
		return g
	}
	return g.Above(vanishing * portable.Sum(g.Degrees()) / 2 / float64(g.EdgeCount()))
}

// smoothResult returns the result of m for weights w over the pairs of n vertices.
func smoothResult(m method.Method, n int, w []float64, run smoothEnding) *method.Result {
	g := fromPairs(n, w)
	return &method.Result{Method: m, Weights: g, Graph: withoutVanishing(g), Rounds: run.iterations, Status: run.status}
}

// A smoothEnding is how an inner run ended.
type smoothEnding struct {
	iterations int
	status     method.Status
}

// smoothLargest bounds the parameters, and one over them: beyond it lies a
// limiting case that floating point does not tell from its neighbours.
const smoothLargest = 1e9

// checkSmooth reports the parameter of m that is out of bounds.
func checkSmooth(m method.Method) error {
	for _, v := range method.Values(m) {
		if v.Value != 0 && !(v.Value >= 1/smoothLargest && v.Value <= smoothLargest) {
			return input.Errorf(m.Name(), input.Field(v.Name), "got %g, want 0 or a number from %g to %g", v.Value, 1/smoothLargest, smoothLargest)
		}
	}
	return nil
}
