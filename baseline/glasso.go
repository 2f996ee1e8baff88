package baseline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
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
// most N·Tolerance. On the way there Θ⁻¹ is found to 1000·Tolerance, so that the order of the vertices
// does not decide about edges near zero. If ctx ends, the best graph so far comes with the cause.
//
// More than 5,000 vertices are solved component by component of the graph of |S_ij| > ρ, which
// a spanning tree of the |S_ij| tells for every ρ at once ([witten2011]). A ρ at which one of
// them has more than 5,000 vertices is refused, and not among those to choose from; Folds are
// for fewer vertices.
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
}

var glassoEntry = register(method.Entry{
	Default: Glasso{}, Source: "friedman2008", MostVertices: mostByBlocks, MostCompared: mostPairsCompared,
	About: "graphical lasso: partial correlations from a sparse inverse correlation matrix",
})

// Name returns "glasso".
func (Glasso) Name() string { return "glasso" }

// Learn keeps the contract of [method.Method].
func (m Glasso) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return glassoEntry.Run(ctx, m, p, m.learn)
}

const (
	// glassoTolerance is the duality gap per vertex unless another is given.
	glassoTolerance = 1e-10
	// glassoSweeps bounds the sweeps over all vertices for one ρ.
	glassoSweeps = 5000
)

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
	m.Tolerance = cmp.Or(m.Tolerance, glassoTolerance)
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
	if n > mostVertices {
		return m.byComponents(ctx, p, u)
	}
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
	end := model.solve(ctx, m.Penalty, m.Tolerance, glassoSweeps)
	r.Method, r.Status = m, end.status
	r.Rounds += end.sweeps
	r.Weights = fromPairs(n, model.edgeWeights(m.Absolute))
	r.Warnings = append(r.Warnings, m.unfinished(end, n)...)
	return r, nil
}

// unfinished returns a warning if the minimum was not reached.
func (m Glasso) unfinished(end ending, n int) []string {
	if end.status == method.Converged || end.status == method.Interrupted {
		return nil
	}
	return []string{fmt.Sprintf("at rho = %.3g the duality gap is %.2g after %d sweeps, above %.2g",
		m.Penalty, end.gap, end.sweeps, float64(n)*m.Tolerance)}
}

// Penalties are only ranked on the way, so that their solutions need not be exact:
// what sweeps leave undone is for the next penalty, which starts from there.
const (
	pathTolerance = 1e-5 // duality gap per vertex
	pathSweeps    = 20

	refitTolerance = 1e-5 // of correlations, for the fit without penalty
	refitSweeps    = 50
)

// A penaltyChoice is a ρ and a Θ near the minimum there.
type penaltyChoice struct {
	rho      float64
	model    *precision
	sweeps   int
	warnings []string
}

// The values to choose from begin with one that leaves no edge, and each is 11 %
// less than the one before. All of the first are tried, down to a hundredth; the
// rest, down to a thousandth, only while each is better than the one before.
const (
	pathFirst = 40
	pathMost  = 60
)

// penalties lists these values.
func penalties(s linalg.Dense) []float64 {
	largest := 0.0
	eachPair(s.Rows, func(_, i, j int) { largest = max(largest, math.Abs(s.Data[i*s.Rows+j])) })
	return penaltiesFrom(largest)
}

// penaltiesFrom lists them from max |S_ij| on.
func penaltiesFrom(largest float64) []float64 {
	if largest == 0 {
		return []float64{1} // any will do
	}
	path := make([]float64, pathMost)
	for k := range path {
		path[k] = largest * math.Pow(0.01, float64(k)/(pathFirst-1))
	}
	return path
}

// patience is how many penalties may pass without a better one before a search in
// haste ends: ρ is then half of the best.
const patience = 6

// search sets c to the penalty of the least score. rank returns the score of a
// penalty, and false if ctx ended before there was one; keep returns Θ at the
// penalty just ranked.
func (c *penaltyChoice) search(path []float64, haste bool, rank func(rho float64) (float64, bool), keep func(rho float64) *precision) {
	c.rho = path[0]
	least, worse := math.Inf(1), 0
	for k, rho := range path {
		if k >= pathFirst && worse > 0 || haste && worse == patience {
			return
		}
		score, ok := rank(rho)
		if !ok {
			return
		}
		if worse++; score < least {
			least, worse = score, 0
			c.rho, c.model = rho, keep(rho)
		}
	}
	if worse == 0 && len(path) > 1 {
		c.warnings = append(c.warnings, fmt.Sprintf("rho is the smallest tried (%.3g): a smaller one, given as a "+
			"parameter, may fit better", c.rho))
	}
}

// leastEBIC returns the ρ with the least
//
//	M (tr(SΩ) − log det Ω) + E log M + 4 γ E log N
//
// where Ω is the unpenalised fit on the support of Θ, E counts edges, M signals and
// N vertices ([foygel2010]). If S is singular, it is shrunk as for [GGM], so that Ω exists.
// With no more signals than vertices the search does not go on past a minimum; with
// more it does, because strongly correlated signals have several. Where even the fit
// with all edges would not pay for those of Θ, Ω is not computed.
func leastEBIC(ctx context.Context, start *precision, signals int, o Glasso) penaltyChoice {
	choice := penaltyChoice{model: start}
	model, fit := start.clone(), newSupportFit(start.s, signals, o.Gamma)
	least := math.Inf(1)
	rank := func(rho float64) (float64, bool) {
		end := model.solve(ctx, rho, max(pathTolerance, o.Tolerance), pathSweeps)
		choice.sweeps += end.sweeps
		if end.status == method.Interrupted {
			return 0, false
		}
		if bound := fit.lowest(model.edges()); bound > least {
			return bound, true
		}
		score := fit.ebic(model.theta)
		least = min(least, score)
		return score, ctx.Err() == nil
	}
	choice.search(penalties(start.s), signals <= start.s.Rows, rank, func(float64) *precision { return model.clone() })
	return choice
}

// A supportFit fits Gaussian models without penalty to the supports of a path of Θ.
type supportFit struct {
	model    *linalg.Completion
	signals  float64
	price    float64 // of an edge
	complete float64 // log det of the covariance of the fit with all edges
	scratch  linalg.Dense
}

// priceOfEdge returns what an edge costs in the extended BIC.
func priceOfEdge(signals, vertices int, gamma float64) float64 {
	return math.Log(float64(signals)) + 4*gamma*math.Log(float64(vertices))
}

func newSupportFit(s linalg.Dense, signals int, gamma float64) *supportFit {
	f := &supportFit{
		signals: float64(signals), scratch: linalg.NewDense(s.Rows, s.Rows),
		price: priceOfEdge(signals, s.Rows, gamma),
	}
	if f.complete = f.logDet(s); math.IsInf(f.complete, -1) {
		s = linalg.Dense{Rows: s.Rows, Cols: s.Cols, Stride: s.Stride, Data: slices.Clone(s.Data)}
		shrinkMoments(s, signals)
		f.complete = f.logDet(s)
	}
	f.model = linalg.NewCompletion(s)
	return f
}

func (f *supportFit) logDet(w linalg.Dense) float64 {
	copy(f.scratch.Data, w.Data)
	logDet, _ := linalg.Threads(1).LogDet(f.scratch)
	return logDet
}

// lowest returns a bound of the criterion for any support with that many edges.
func (f *supportFit) lowest(edges int) float64 {
	return f.signals*(float64(f.model.S.Rows)+f.complete) + float64(edges)*f.price
}

// ebic returns the criterion of the support of Θ: where the fit agrees with S on the
// support, tr(SΩ) = N.
func (f *supportFit) ebic(theta linalg.Dense) float64 {
	edges := 0
	eachPair(theta.Rows, func(_, i, j int) {
		if theta.Data[i*theta.Rows+j] != 0 {
			f.model.Join(i, j)
			edges++
		} else {
			f.model.Part(i, j)
		}
	})
	f.model.Solve(refitTolerance, refitSweeps)
	return f.score(edges)
}

// score returns the criterion of the model as it stands, with that many edges.
func (f *supportFit) score(edges int) float64 {
	return f.signals*(float64(f.model.S.Rows)+f.logDet(f.model.W)) + float64(edges)*f.price
}

// crossValidate returns the ρ with the least tr(SΘ) − log det Θ on held-out signals,
// summed over folds. Signals are dealt to folds in the order of their norms, so that
// their own order does not matter and folds are alike.
func crossValidate(ctx context.Context, u linalg.Dense, start *precision, o Glasso) penaltyChoice {
	choice := penaltyChoice{model: start}
	models, tests := folds(u, o.Folds)
	solve := func(model *precision, rho float64) bool {
		end := model.solve(ctx, rho, max(pathTolerance, o.Tolerance), pathSweeps)
		choice.sweeps += end.sweeps
		return end.status != method.Interrupted
	}
	rank := func(rho float64) (float64, bool) {
		loss := 0.0
		for f, model := range models {
			if !solve(model, rho) {
				return 0, false
			}
			loss += model.loss(tests[f].moments) * float64(tests[f].signals)
		}
		return loss, true
	}
	full := start.clone()
	choice.search(penalties(start.s), true, rank, func(rho float64) *precision {
		solve(full, rho)
		return full.clone()
	})
	return choice
}

// A heldOut fold is its covariance and size.
type heldOut struct {
	moments linalg.Dense
	signals int
}

// folds returns for each fold a start on the signals outside it, and those in it.
func folds(u linalg.Dense, count int) (models []*precision, tests []heldOut) {
	fold := deal(u, count)
	for f := range count {
		kept, held := splitSignals(u, fold, f)
		s := secondMoments(kept)
		for i := range s.Rows { // a vertex may not vary in what is kept
			s.Data[i*s.Rows+i] = max(s.Data[i*s.Rows+i], leastVariance)
		}
		models = append(models, newPrecision(s))
		tests = append(tests, heldOut{secondMoments(held), held.Cols})
	}
	return models, tests
}

// leastVariance is what the variance of a vertex within folds is raised to, as a
// share of its variance in all signals.
const leastVariance = 1e-3

// deal returns the fold of each column of u.
func deal(u linalg.Dense, folds int) []int {
	norm := make([]float64, u.Cols)
	for i := range u.Rows {
		for k, v := range linalg.Row(u, i) {
			norm[k] += v * v
		}
	}
	fold := make([]int, u.Cols)
	for rank, k := range matrix.Sorted(u.Cols, func(a, b int) int { return cmp.Compare(norm[a], norm[b]) }) {
		fold[k] = rank % folds
	}
	return fold
}

// splitSignals returns the columns outside fold f and those in it.
func splitSignals(u linalg.Dense, fold []int, f int) (kept, held linalg.Dense) {
	count := 0
	for _, g := range fold {
		if g == f {
			count++
		}
	}
	kept, held = linalg.NewDense(u.Rows, u.Cols-count), linalg.NewDense(u.Rows, count)
	for i := range u.Rows {
		a, b := linalg.Row(kept, i)[:0], linalg.Row(held, i)[:0]
		for k, v := range linalg.Row(u, i) {
			if fold[k] == f {
				b = append(b, v)
			} else {
				a = append(a, v)
			}
		}
	}
	return kept, held
}
