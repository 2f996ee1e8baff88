package baseline

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// SmoothLog learns the graph on which signals are smooth and no vertex is
// isolated: it minimises
//
//	2θ z·w − Σ_i log (S·w)_i + ‖w‖²   over w ≥ 0,
//
// where z_e = ‖y_i − y_j‖² for the pair e = (i, j), divided by its mean over the
// pairs, and S·w are the degrees ([kalofolias2016], the log model). Larger θ gives
// fewer edges. The penalty is b‖w‖² with b = 1, where some packages mean half of it.
//
// With general weights, 2 z·w − a Σ log S·w + b‖w‖², the minimiser is that for
// θ = 1/√(ab) times √(a/b), so only θ shapes the graph. Of these multiples you
// get the one with mean degree 1.
//
// For a wanted degree, θ is chosen before the solve from the sorted distances of
// each vertex ([kalofolias2019]); a warning says if the degree that
// came out is far from it.
//
// The dual has one variable a vertex and is solved by the fast dual proximal
// gradient method, until every degree agrees with its multiplier to 1e-9
// (or to rounding, if some vertices are very much farther off than others).
//
// The method's own cut drops the edges below 1e-4 of the mean positive weight. If
// ctx ends, the weights so far come with the cause.
type SmoothLog struct {
	// Degree is the wanted mean number of neighbours k, at least 1. More than N−1
	// means N−1. It is used only if Theta is zero.
	Degree float64 `param:"degree,omitzero" about:"target mean number of neighbours k; 0 means 6"`
	// Theta is θ. Zero means the one expected to give the wanted degree.
	Theta float64 `param:"theta" about:"factor θ on the squared distances, whose mean is 1; 0 means set by degree"`
}

var smoothLogEntry = registry.Add(method.Entry{
	Default: SmoothLog{}, Source: "kalofolias2016",
	About:        "smooth signals, with a logarithmic barrier on the degrees that keeps every vertex connected",
	MostVertices: mostVertices,
})

// Name returns "smooth-log".
func (SmoothLog) Name() string { return "smooth-log" }

// Capabilities keeps the contract of [method.Capable].
func (SmoothLog) Capabilities() []method.Capability {
	return []method.Capability{method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m SmoothLog) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return smoothLogEntry.Run(ctx, m, p, m.learn)
}

func (m SmoothLog) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if err := checkSmooth(m); err != nil {
		return nil, err
	}
	n, _ := p.Y.Dims()
	z := unitDistances(p.Y)
	wanted := 0.0
	if m.Theta == 0 {
		var err error
		if wanted, err = resolveDegree(m.Name(), m.Degree, n); err != nil {
			return nil, err
		}
		m.Theta = thetaForDegree(sortedDistances(n, z), wanted)
	}
	m.Degree = wanted
	floats.Scale(m.Theta, z)
	q := newLogProblem(n, z)
	run := q.solve(ctx)
	w := q.weights()
	if sum := portable.Sum(w); sum > 0 {
		floats.Scale(float64(n)/2/sum, w)
	}
	r := smoothResult(m, n, w, run)
	if wanted > 0 && r.Status != method.Interrupted {
		r.Warnings = missed(r.Weights, wanted)
	}
	return r, nil
}
