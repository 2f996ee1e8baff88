package baseline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/method"
)

// Glasso learns the graph of a Gaussian model of the signals: with S the
// correlation matrix of the vertices, that is the covariance of their signals
// after those of each were brought to mean 0 and variance 1, it minimises
//
//	−log det Θ + tr(SΘ) + ρ Σ_{i≠j} |Θ_ij|   over positive definite Θ
//
// ([banerjee2008], [friedman2008]). The diagonal is not penalised. The minimum
// exists and is unique for every ρ > 0, also with fewer signals than vertices, so
// nothing is added to S.
//
// The weight of edge ij is the partial correlation −Θ_ij/√(Θ_ii Θ_jj) where it is
// positive: the sign that Θ has if it is a Laplacian. With Absolute it is the
// absolute value. There is no other cut: the zeros of Θ are exact.
//
// A ρ not given is chosen from 40 values between max |S_ij|, i ≠ j, and a hundredth
// of it: the one of least extended BIC of the unpenalised fit on the support of Θ
// ([foygel2010]) or, with Folds, the one of most held-out likelihood. If that is the
// smallest, the search goes on below while the criterion falls, to a thousandth at
// most; a warning says if it ends there. With M ≤ N, or by folds, values below half of
// the best so far are not looked at. Values are ranked by what 20 sweeps each lead to.
// Neither criterion depends on the order of signals. The BIC is the default because it
// finds edges better: the likelihood of a penalised fit asks for a smaller ρ than the
// right edges do. The method of the result has the ρ that was used.
//
// Rounds counts sweeps over all vertices, those spent on choosing ρ included.
// Status is that of the Θ returned: Converged means that its duality gap is at
// most N·Tolerance. If ctx ends, the best graph so far comes with the cause.
//
// Columns of Θ⁻¹ are updated in turn ([friedman2008]), from a start that is feasible
// for the dual problem, so that every step raises it. Within a column only entries that
// are not zero are worked with.
type Glasso struct {
	// Penalty is ρ.
	Penalty float64 `param:"rho" about:"penalty on the off-diagonal entries, on the scale of correlations; 0 means chosen"`
	// Gamma is γ of the extended BIC that chooses ρ. For the plain BIC give a tiny one.
	Gamma float64 `param:"gamma,omitzero" about:"how strongly eBIC favours few edges when it chooses rho; 0 means 0.5"`
	// Folds is at least 2 for cross-validation.
	Folds    int  `param:"folds,omitzero" about:"choose rho by cross-validation with this many folds; 0 means by eBIC"`
	Absolute bool `param:"absolute" about:"1 to keep negative partial correlations as edges, 0 to drop them"`

	Tolerance float64 // duality gap per vertex at which to stop; 0 means 1e-10
	MaxSweeps int     // sweeps over all vertices allowed for one ρ; 0 means 5000
}

var glassoEntry = registry.Add(method.Entry{
	Default: Glasso{}, Source: "friedman2008",
	About:        "graphical lasso: partial correlations from a sparse inverse correlation matrix",
	MostVertices: mostVertices,
})

// Name returns "glasso".
func (Glasso) Name() string { return "glasso" }

// Learn keeps the contract of [method.Method].
func (m Glasso) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return glassoEntry.Run(ctx, m, p, m.learn)
}

// resolve fills in defaults.
func (m Glasso) resolve(signals int) (Glasso, error) {
	var faults []error
	fault := func(field input.Field, format string, args ...any) {
		faults = append(faults, input.Errorf(m.Name(), field, format, args...))
	}
	if !(m.Tolerance >= 0) || math.IsInf(m.Tolerance, 0) {
		fault("tolerance", "got %g, want a number of at least 0", m.Tolerance)
	}
	if m.Folds == 1 || m.Folds > signals {
		fault(input.Folds, "got %d, want 0 or 2 to %d, the number of signals", m.Folds, signals)
	}
	if m.MaxSweeps < 0 {
		fault("sweeps", "got %d, want at least 0", m.MaxSweeps)
	}
	m.Tolerance, m.MaxSweeps = cmp.Or(m.Tolerance, 1e-10), cmp.Or(m.MaxSweeps, 5000)
	switch {
	case m.Penalty > 0:
		m.Gamma, m.Folds = 0, 0 // there is nothing to choose
	case m.Folds > 0:
		m.Gamma = 0
	default:
		m.Gamma = cmp.Or(m.Gamma, defaultGamma)
	}
	return m, errors.Join(faults...)
}

func (m Glasso) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, signals := p.Y.Dims()
	m, err := m.resolve(signals)
	if err != nil {
		return nil, err
	}
	u := standardised(p.Y)
	model := newPrecision(secondMoments(u))
	r := &method.Result{}
	if m.Penalty == 0 {
		var choice penaltyChoice
		if m.Folds > 0 {
			choice = crossValidate(ctx, u, model, m)
		} else {
			choice = leastEBIC(ctx, model, signals, m)
		}
		m.Penalty, model = choice.rho, choice.model
		r.Rounds, r.Warnings = choice.sweeps, choice.warnings
	}
	end := model.solve(ctx, m.Penalty, m.Tolerance, m.MaxSweeps)
	r.Method, r.Status = m, end.status
	r.Rounds += end.sweeps
	r.Weights = fromPairs(n, model.edgeWeights(m.Absolute))
	if end.status != method.Converged && end.status != method.Interrupted {
		r.Warnings = append(r.Warnings, fmt.Sprintf("at rho = %.3g the duality gap is %.2g after %d sweeps, above %.2g",
			m.Penalty, end.gap, end.sweeps, float64(n)*m.Tolerance))
	}
	return r, nil
}
