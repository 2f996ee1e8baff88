package baseline

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

// SmoothL2Options tune SmoothL2.
type SmoothL2Options struct {
	// Degree is the wanted mean number of neighbours k, at least 1; zero means
	// 6. More than N−1 means N−1. It is used only if Spread is zero.
	Degree float64
	// Spread is a, in units of the mean squared distance between two vertices.
	// Zero means the one expected to give the wanted degree.
	Spread float64
	// Cut turns the weights into the graph. Zero drops the edges below 1e-4 of
	// the mean positive weight.
	Cut graph.Cut
}

// SmoothL2 learns the graph on which the columns of y are smooth, its weights
// spread over the edges by a squared penalty: it minimises
//
//	2 z·w + (a/2)(2‖w‖² + ‖S·w‖²)   over w ≥ 0, Σw = N/2,
//
// where z_e = ‖y_i − y_j‖² for the pair e = (i, j) and S·w are the degrees
// ([kalofolias2016], the ℓ2 model; the degrees sum to N). Vertices far from all
// others may stay isolated. Larger a gives more edges and more even weights.
//
// The programme is strictly convex, and w its only minimiser to at least six
// digits. y is not modified. If ctx ends, the weights so far come with the cause.
//
// Departures from the paper: a is in units of the mean of z, so that the scale
// of y does not matter; and a can be chosen for a wanted degree, by a rule of
// our own in the manner of [kalofolias2019], see spreadForDegree.
func SmoothL2(ctx context.Context, y *mat.Dense, o SmoothL2Options) (*Result, error) {
	if err := (Problem{Y: y, Cut: o.Cut}).check(methodSmoothL2, 1); err != nil {
		return nil, err
	}
	return learnSmoothL2(ctx, y, o)
}

// learnSmoothL2 is SmoothL2 for signals already checked.
func learnSmoothL2(ctx context.Context, y *mat.Dense, o SmoothL2Options) (*Result, error) {
	if err := checkSmooth(methodSmoothL2, Params{"degree": o.Degree, "spread": o.Spread}); err != nil {
		return nil, err
	}
	n, _ := y.Dims()
	z := unitDistances(y)
	params := Params{"spread": o.Spread}
	if o.Spread == 0 {
		k, err := resolveDegree(methodSmoothL2, o.Degree, n)
		if err != nil {
			return nil, err
		}
		params["degree"], params["spread"] = k, spreadForDegree(sortedDistances(n, z), k)
	}
	for e := range z {
		z[e] *= 2
	}
	q := newSpreadProblem(n, z, params["spread"]/2)
	run := q.solve(ctx)
	r := smoothResult(n, q.w, o.Cut, params, run)
	if k := params["degree"]; k > 0 && run.cause(ctx) == nil {
		r.Warnings = missed(r.Weights, k)
	}
	return r, run.cause(ctx)
}
