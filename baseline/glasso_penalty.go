package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

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
		c.warnings = append(c.warnings, fmt.Sprintf("rho is the smallest tried (%.3g): a smaller one, given as a parameter, may fit better", c.rho))
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
		end := model.solve(ctx, rho, max(pathTolerance, o.Tolerance), min(pathSweeps, o.MaxSweeps))
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

func newSupportFit(s linalg.Dense, signals int, gamma float64) *supportFit {
	f := &supportFit{
		signals: float64(signals), scratch: linalg.NewDense(s.Rows, s.Rows),
		price: math.Log(float64(signals)) + 4*gamma*math.Log(float64(s.Rows)),
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
		end := model.solve(ctx, rho, max(pathTolerance, o.Tolerance), min(pathSweeps, o.MaxSweeps))
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
	norm, order := make([]float64, u.Cols), make([]int, u.Cols)
	for i := range u.Rows {
		for k, v := range linalg.Row(u, i) {
			norm[k] += v * v
		}
	}
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(norm[a], norm[b]) })
	fold := make([]int, u.Cols)
	for rank, k := range order {
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
