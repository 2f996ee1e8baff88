package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/solver"
)

// gaussianMethods lists the methods of this file.
func gaussianMethods() []Method {
	return []Method{{
		Name:   "glasso",
		Source: "friedman2008",
		About:  "partial correlations from a sparse inverse of the correlation matrix",
		Params: []Param{
			{"rho", "penalty of the off-diagonal entries, as a correlation; 0 = choose"},
			{"gamma", "how much choosing rho by eBIC favours few edges; 0 = 0.5"},
			{"folds", "choose rho by cross-validation with so many folds; 0 = by eBIC"},
			{"absolute", "1 = negative partial correlations are edges too, 0 = they are not"},
		},
		run: func(ctx context.Context, p Problem, params Params) (*Result, error) {
			o, err := graphicalLassoOptions(params)
			if err != nil {
				return nil, err
			}
			o.Cut = p.Cut
			return graphicalLasso(ctx, p.Y, o)
		},
	}}
}

// GraphicalLassoOptions tune GraphicalLasso. The zero value is valid.
type GraphicalLassoOptions struct {
	Penalty   float64   // ρ, in units of correlation; 0 means chosen from the signals
	Gamma     float64   // γ of the extended BIC that chooses ρ; 0 means 0.5. For the plain BIC give a tiny one
	Folds     int       // 0 means that the extended BIC chooses ρ, k ≥ 2 that k-fold cross-validation does
	Absolute  bool      // edges are |partial correlation|; otherwise negative ones are left out
	Tolerance float64   // duality gap per vertex at which to stop; 0 means 1e-10
	MaxSweeps int       // sweeps over all vertices allowed for one ρ; 0 means 5000
	Cut       graph.Cut // zero means none: the zeros of Θ are exact
}

// GraphicalLasso learns the graph of a Gaussian model of the columns of y: with S
// the correlation matrix of the vertices, that is the covariance of the rows of y
// after each was brought to mean 0 and variance 1, it minimises
//
//	−log det Θ + tr(SΘ) + ρ Σ_{i≠j} |Θ_ij|   over positive definite Θ
//
// ([banerjee2008], [friedman2008]). The diagonal is not penalised. The minimum
// exists and is unique for every ρ > 0, also with fewer signals than vertices, so
// nothing is added to S.
//
// The weight of edge ij is the partial correlation −Θ_ij/√(Θ_ii Θ_jj) where it is
// positive: the sign that Θ has if it is a Laplacian. With o.Absolute it is the
// absolute value.
// Because rows are standardised, the scale and mean of a vertex do not matter.
//
// A ρ not given is chosen from 40 values between max |S_ij|, i ≠ j, and a hundredth
// of it: the one of least extended BIC of the unpenalised fit on the support of Θ
// ([foygel2010]) or, with o.Folds, the one of most held-out likelihood. If that is the
// smallest, the search goes on below while the criterion falls, to a thousandth at
// most; a warning says if it ends there. With M ≤ N, or by folds, values below half of
// the best so far are not looked at. Values are ranked by what 20 sweeps each lead to.
// Neither criterion depends on the order of signals. The BIC is the default because it
// finds edges better: the likelihood of a penalised fit asks for a smaller ρ than the
// right edges do. Params has "rho" as used, and "gamma" or "folds" if it was chosen.
//
// Iterations counts sweeps over all vertices, those spent on choosing ρ included.
// Status is that of the Θ returned: Converged means that its duality gap is at
// most N·Tolerance. y is not modified. Vertices that do not vary are left isolated,
// with a warning. If ctx ends, the best graph so far comes with the cause.
//
// Departure from [friedman2008]: columns of Θ are updated and not of Θ⁻¹, which
// keeps Θ positive definite and symmetric at every moment and never lets the
// objective rise ([mazumder2012]). The minimum is the same.
func GraphicalLasso(ctx context.Context, y *mat.Dense, o GraphicalLassoOptions) (*Result, error) {
	m := Method{Name: "glasso", run: func(ctx context.Context, p Problem, _ Params) (*Result, error) {
		return graphicalLasso(ctx, p.Y, o)
	}}
	return m.Learn(ctx, Problem{Y: y, Cut: o.Cut}, nil)
}

// graphicalLassoOptions reads the parameters of the method.
func graphicalLassoOptions(params Params) (GraphicalLassoOptions, error) {
	o := GraphicalLassoOptions{Penalty: params["rho"], Gamma: params["gamma"]}
	var faults []error
	if v := params["folds"]; v == math.Trunc(v) && v <= math.MaxInt32 {
		o.Folds = int(v)
	} else {
		faults = append(faults, &input.Error{Op: "glasso", Field: input.Field("folds"), Msg: fmt.Sprintf("got %g, want a whole number", v)})
	}
	switch v := params["absolute"]; v {
	case 0, 1:
		o.Absolute = v == 1
	default:
		faults = append(faults, &input.Error{Op: "glasso", Field: input.Field("absolute"), Msg: fmt.Sprintf("got %g, want 0 or 1", v)})
	}
	return o, errors.Join(faults...)
}

// resolve fills in defaults.
func (o GraphicalLassoOptions) resolve(signals int) (GraphicalLassoOptions, error) {
	var faults []error
	number := func(name string, x *float64, byDefault float64) {
		switch {
		case math.IsNaN(*x) || math.IsInf(*x, 0) || *x < 0:
			faults = append(faults, &input.Error{Op: "glasso", Field: input.Field(name), Msg: fmt.Sprintf("got %g, want a number of at least 0", *x)})
		case *x == 0:
			*x = byDefault
		}
	}
	number("rho", &o.Penalty, 0)
	number("gamma", &o.Gamma, 0.5)
	number("tolerance", &o.Tolerance, 1e-10)
	if o.Folds < 0 || o.Folds == 1 || o.Folds > signals {
		faults = append(faults, &input.Error{Op: "glasso", Field: input.Field("folds"), Msg: fmt.Sprintf("got %d, want 0 or 2 to %d, the number of signals", o.Folds, signals)})
	}
	switch {
	case o.MaxSweeps < 0:
		faults = append(faults, &input.Error{Op: "glasso", Field: input.Field("sweeps"), Msg: fmt.Sprintf("got %d, want at least 0", o.MaxSweeps)})
	case o.MaxSweeps == 0:
		o.MaxSweeps = 5000
	}
	return o, errors.Join(faults...)
}

// graphicalLasso is GraphicalLasso for signals already checked.
func graphicalLasso(ctx context.Context, y *mat.Dense, o GraphicalLassoOptions) (*Result, error) {
	n, signals := y.Dims()
	o, err := o.resolve(signals)
	if err != nil {
		return nil, err
	}
	u := standardised(y)
	model := newPrecision(secondMoments(u))
	r := &Result{Params: Params{"rho": o.Penalty, "absolute": 0}}
	if o.Absolute {
		r.Params["absolute"] = 1
	}
	rho := o.Penalty
	if rho == 0 {
		var choice penaltyChoice
		if o.Folds > 0 {
			r.Params["folds"] = float64(o.Folds)
			choice = crossValidate(ctx, u, model, o)
		} else {
			r.Params["gamma"] = o.Gamma
			choice = leastEBIC(ctx, model, signals, o)
		}
		rho, model = choice.rho, choice.model
		r.Iterations, r.Warnings = choice.sweeps, choice.warnings
		r.Params["rho"] = rho
	}
	end := model.solve(ctx, rho, o.Tolerance, o.MaxSweeps)
	r.Iterations += end.sweeps
	r.Status = end.status
	r.Weights = fromPairs(n, model.edgeWeights(o.Absolute))
	r.Graph = r.Weights
	if o.Cut != (graph.Cut{}) {
		r.Graph = o.Cut.Apply(r.Weights)
	}
	if end.status == solver.Interrupted {
		return r, fmt.Errorf("baseline: glasso: %w", context.Cause(ctx))
	}
	if end.status != solver.Converged {
		r.Warnings = append(r.Warnings, fmt.Sprintf("at rho = %.3g the duality gap is %.2g after %d sweeps, above %.2g", rho, end.gap, end.sweeps, float64(n)*o.Tolerance))
	}
	return r, nil
}

// secondMoments returns U·Uᵀ over the number of columns, exactly symmetric.
func secondMoments(u linalg.Dense) linalg.Dense {
	s := linalg.NewDense(u.Rows, u.Rows)
	linalg.MulTransB(s, u, u)
	floats.Scale(1/float64(u.Cols), s.Data)
	mirror(s)
	return s
}
