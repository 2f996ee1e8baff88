package assess

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/signals"
)

// mostHeldApart is how many signals the test of edges between many vertices looks at.
const mostHeldApart = 4000

// holdOutApart is [HoldOut] for more vertices than a Gaussian on their edges can be fitted to: each vertex
// is regressed on its neighbours, and the gain of a signal is that of its pseudo-likelihood, the sum of
// the log-likelihoods of each vertex given its neighbours ([besag1975]). That is what neighbours
// predict of held-out signals: it is no likelihood of these, but edges by chance gain nothing in the mean.
func holdOutApart(ctx context.Context, y *mat.Dense, learn Learner, threads int) (*HeldOut, error) {
	y, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	y = withoutShared(y)
	n, m := y.Dims()
	if m > mostHeldApart { // consecutive ones, so that halves are of signals that follow each other
		m = mostHeldApart
		y = mat.DenseCopyOf(y.Slice(0, n, 0, m))
	}
	held := &HeldOut{}
	for f := range HalvesHeldOut {
		first, last := f*m/HalvesHeldOut, (f+1)*m/HalvesHeldOut
		train, test := without(y, first, last), mat.DenseCopyOf(y.Slice(0, n, first, last))
		g, _, err := learn(ctx, train)
		if err != nil {
			return nil, err
		}
		held.Edges += float64(g.EdgeCount()) / HalvesHeldOut
		held.addApart(ctx, train, test, g, threads)
		if run.Ended(ctx) != nil {
			return nil, context.Cause(ctx)
		}
	}
	return held, nil
}

// withoutShared returns signals less what all vertices share, if that has most of their energy: any two
// vertices predict each other by it, whether they have an edge or not.
func withoutShared(y *mat.Dense) *mat.Dense {
	if n, _ := y.Dims(); n > MostTestedVertices { // some of them tell, without a copy of all signals
		some := make([]int, MostTestedVertices)
		for k := range some {
			some[k] = k * n / len(some)
		}
		if part := matrix.Rows(y, some); withoutShared(part) == part {
			return y
		}
	}
	rest := rowsOf(y)
	standardiseRows(rest)
	if removeShared(rest) < mostlyShared {
		return y
	}
	return mat.NewDense(rest.Rows, rest.Cols, rest.Data)
}

// addApart puts the signals of a half on record. If ctx ends, that means nothing.
func (r *HeldOut) addApart(ctx context.Context, train, test *mat.Dense, g *graph.Graph, threads int) {
	sums := FitApart(ctx, train, g, threads).held(ctx, test, threads)
	r.Gain, r.Error, r.Energy = append(r.Gain, sums.gain...), append(r.Error, sums.left...), append(r.Energy, sums.energy...)
}
