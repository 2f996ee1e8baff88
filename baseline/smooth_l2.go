package baseline

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/method"
)

// SmoothL2 learns the graph on which signals are smooth, its weights spread over
// the edges by a squared penalty: it minimises
//
//	2 z·w + (a/2)(2‖w‖² + ‖S·w‖²)   over w ≥ 0, Σw = N/2,
//
// where z_e = ‖y_i − y_j‖² for the pair e = (i, j) and S·w are the degrees
// ([kalofolias2016], the ℓ2 model; the degrees sum to N). Vertices far from all
// others may stay isolated. Larger a gives more edges and more even weights.
//
// The programme is strictly convex, and w its only minimiser to at least six
// digits. The method's own cut drops the edges below 1e-4 of the mean positive
// weight. If ctx ends, the weights so far come with the cause.
//
// Departures from the paper: a is in units of the mean of z, so that the scale
// of the signals does not matter; and a can be chosen for a wanted degree, by a
// rule of our own in the manner of [kalofolias2019], see spreadForDegree.
type SmoothL2 struct {
	// Degree is the wanted mean number of neighbours k, at least 1. More than N−1
	// means N−1. It is used only if Spread is zero.
	Degree float64 `param:"degree,omitzero" about:"target mean number of neighbours k; 0 means 6"`
	// Spread is a. Zero means the one expected to give the wanted degree.
	Spread float64 `param:"spread" about:"weight a of the penalty, in units of the mean squared distance; 0 means set by degree"`
}

var smoothL2Entry = registry.Add(method.Entry{
	Default: SmoothL2{}, Source: "kalofolias2016",
	About:        "smooth signals, with a squared penalty that spreads the weights",
	MostVertices: mostVertices,
})

// Name returns "smooth-l2".
func (SmoothL2) Name() string { return "smooth-l2" }

// Capabilities keeps the contract of [method.Capable].
func (SmoothL2) Capabilities() []method.Capability {
	return []method.Capability{method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m SmoothL2) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return smoothL2Entry.Run(ctx, m, p, m.learn)
}

func (m SmoothL2) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if err := checkSmooth(m); err != nil {
		return nil, err
	}
	n, _ := p.Y.Dims()
	z := unitDistances(p.Y)
	wanted := 0.0
	if m.Spread == 0 {
		var err error
		if wanted, err = resolveDegree(m.Name(), m.Degree, n); err != nil {
			return nil, err
		}
		m.Spread = spreadForDegree(sortedDistances(n, z), wanted)
	}
	m.Degree = wanted
	floats.Scale(2, z)
	q := newSpreadProblem(n, z, m.Spread/2)
	run := q.solve(ctx)
	r := smoothResult(m, n, q.w, run)
	if wanted > 0 && r.Status != method.Interrupted {
		r.Warnings = missed(r.Weights, wanted)
	}
	return r, nil
}
