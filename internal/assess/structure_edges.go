package assess

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/signals"
)

const (
	// mostTested is how many signals a test of edges looks at, and half of that if there
	// are more values than testedValues: then each says more.
	mostTested   = 400
	testedValues = 200_000
	// MostTestedVertices is the most vertices for which methods are compared by Gaussians on the edges
	// of each, which take the cube of their number.
	MostTestedVertices = 1000
	// mostTestedTogether is the most vertices for which the edges of one method are tested by a Gaussian.
	mostTestedTogether = 500
	// leastTested is the fewest signals of which a half can be held out.
	leastTested = 10
	// HalvesHeldOut is how many parts of the signals are held out in turn.
	HalvesHeldOut = 2
	// clearScore is the standard errors from which on edges are more than chance.
	clearScore = 2
)

// TestEdges tests the edges that a method finds, whatever its model: they are learned
// from each half of the signals, a Gaussian that has no other edges is fitted to that
// half, and the other half must be likelier by it than without edges. It is the test for
// methods that do not explain signals by codes. Of very many signals it looks at some,
// at equal distances. With more than 500 vertices, each is predicted by its neighbours
// alone: see holdOutApart. Too few signals are an *input.Error.
func TestEdges(ctx context.Context, y *mat.Dense, learn Learner, o StructureOptions) (*StructureTest, error) {
	n, m := y.Dims()
	if m < leastTested {
		return nil, input.Errorf("assess", input.Signals, "got %d, want at least %d for held-out tests", m, leastTested)
	}
	if err := checkThreads(o.Threads); err != nil {
		return nil, err
	}
	held, err := holdEdgesOut(ctx, y, learn, n > mostTestedTogether, o)
	if err != nil {
		return nil, err
	}
	t := &StructureTest{HeldOut: len(held.Gain), Gain: held.MeanGain(), Prediction: held.Explained()}
	if math.IsNaN(t.Gain.Mean) || math.IsInf(t.Gain.Mean, 0) || math.IsNaN(t.Prediction) {
		return nil, errOverflow
	}
	if t.Gain.StdErr > 0 {
		t.PredictionScore = t.Gain.Mean / t.Gain.StdErr
	}
	t.Structure = t.PredictionScore > clearScore
	return t, nil
}

// holdEdgesOut holds halves of the signals out.
func holdEdgesOut(ctx context.Context, y *mat.Dense, learn Learner, large bool, o StructureOptions) (*HeldOut, error) {
	if large {
		return holdOutApart(ctx, y, learn, o.Threads)
	}
	y, err := Halvable(ctx, y)
	if err != nil {
		return nil, err
	}
	return HoldOut(ctx, y, learn, HeldOutOptions{Folds: HalvesHeldOut, Seed: o.Seed})
}

// Clear reports whether the evidence for a graph is beyond chance, not only likely. Codes that
// fit shuffled signals as well speak against a graph that vertices predict each other by.
func (t *StructureTest) Clear() bool {
	switch {
	case t.Pair > 0:
		return false
	case t.Coded:
		return t.Structure && t.FitsBetter()
	}
	return t.Structure && t.PredictionScore > sureScore
}

// FitsBetter reports whether codes fit held-out signals better than shuffled ones.
func (t *StructureTest) FitsBetter() bool { return t.CodeError < t.Shuffled || t.Shuffled == 0 }

// Explained returns the share of what is left without the graph that it explains: of hidden
// values, or of the residual of shuffled signals, whichever is more.
func (t *StructureTest) Explained() float64 {
	explained := max(t.Prediction, 0)
	if math.IsNaN(explained) {
		explained = 0
	}
	if t.Coded && t.Shuffled > 0 {
		explained = max(explained, 1-t.CodeError/t.Shuffled)
	}
	return explained
}

// Halvable returns some of the signals, complete and at equal distances, on the vertices
// that vary in both halves of them: the others say nothing about edges.
func Halvable(ctx context.Context, y *mat.Dense) (*mat.Dense, error) {
	y, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	n, m := y.Dims()
	count := mostTested
	if n*count > testedValues {
		count /= 2
	}
	if m > count {
		some := make([]int, count)
		for k := range some {
			some[k] = k * m / count
		}
		y, m = matrix.Columns(y, some), count
	}
	var rows []float64
	kept := 0
	for _, row := range matrix.Each(y) {
		if varies(row[:m/2]) && varies(row[m/2:]) {
			rows = append(rows, row...)
			kept++
		}
	}
	if kept == 0 {
		return y, nil
	}
	return mat.NewDense(kept, m, rows), nil
}

func varies(values []float64) bool { return floats.Max(values) > floats.Min(values) }

// EdgesAlone makes a [Learner] of a function that learns a graph.
func EdgesAlone(learn func(context.Context, *mat.Dense) (*graph.Graph, error)) Learner {
	return func(ctx context.Context, y *mat.Dense) (*graph.Graph, SignalModel, error) {
		g, err := learn(ctx, y)
		return g, nil, err
	}
}
