package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/solver"
)

// pathTolerance is the duality gap per vertex at which penalties are compared.
const pathTolerance = 1e-5

// A penaltyChoice is a ρ and a Θ near the minimum there.
type penaltyChoice struct {
	rho      float64
	model    *precision
	sweeps   int
	warnings []string
}

// penalties lists the values to choose from, largest first: the first leaves no
// edge, and each is 11 % less than the one before.
func penalties(s linalg.Dense) []float64 {
	const count, span = 40, 0.01
	largest := 0.0
	eachPair(s.Rows, func(_, i, j int) { largest = max(largest, math.Abs(s.Data[i*s.Rows+j])) })
	if largest == 0 {
		return []float64{1} // any will do
	}
	path := make([]float64, count)
	for k := range path {
		path[k] = largest * math.Pow(span, float64(k)/(count-1))
	}
	return path
}

// patience is how many penalties may pass without a better one before the search
// ends: ρ is then half of the best.
const patience = 6

// leastEBIC returns the ρ with the least
//
//	M (tr(SΩ) − log det Ω) + E log M + 4 γ E log N
//
// where Ω is the unpenalised fit on the support of Θ, E counts edges, M signals and
// N vertices ([foygel2010]). Ω is what some sweeps lead to: where there is no such fit,
// as with equal vertices, the likelihood stays finite. With no more signals than
// vertices it soon has no bound, so that the search does not go on past a minimum;
// with more it does, because strongly correlated signals have several.
func leastEBIC(ctx context.Context, start *precision, signals int, o GraphicalLassoOptions) penaltyChoice {
	const refitSweeps = 50
	n, m := float64(start.s.Rows), float64(signals)
	path := penalties(start.s)
	choice := penaltyChoice{rho: path[0], model: start}
	least, failures, worse := math.Inf(1), 0, 0
	model := start.clone()
	for _, rho := range path {
		end := model.solve(ctx, rho, max(pathTolerance, o.Tolerance), o.MaxSweeps)
		choice.sweeps += end.sweeps
		if end.status == solver.MaxRounds || end.status == solver.Stalled {
			failures++
		}
		fit := model.clone()
		end = fit.refit(ctx, max(pathTolerance, o.Tolerance), refitSweeps)
		choice.sweeps += end.sweeps
		if end.status == solver.Interrupted {
			break
		}
		ebic := m*fit.loss(fit.s) + float64(model.edges())*(math.Log(m)+4*o.Gamma*math.Log(n))
		if worse++; ebic < least {
			least, choice.rho, choice.model, worse = ebic, rho, model.clone(), 0
		}
		if worse == patience && signals <= start.s.Rows {
			break
		}
	}
	choice.warn(failures)
	return choice
}

// crossValidate returns the ρ with the least tr(SΘ) − log det Θ on held-out signals,
// summed over folds. Signals are dealt to folds in the order of their norms, so that
// their own order does not matter and folds are alike.
func crossValidate(ctx context.Context, u linalg.Dense, start *precision, o GraphicalLassoOptions) penaltyChoice {
	path := penalties(start.s)
	choice := penaltyChoice{rho: path[0], model: start}
	models, tests := folds(u, o.Folds)
	least, failures, worse := math.Inf(1), 0, 0
	for _, rho := range path {
		loss := 0.0
		for f, model := range models {
			end := model.solve(ctx, rho, max(pathTolerance, o.Tolerance), o.MaxSweeps)
			choice.sweeps += end.sweeps
			switch end.status {
			case solver.Interrupted:
				return choice
			case solver.MaxRounds, solver.Stalled:
				failures++
			}
			test := tests[f]
			loss += model.loss(test.moments) * float64(test.signals)
		}
		if worse++; loss < least {
			least, choice.rho, worse = loss, rho, 0
		}
		if worse == patience {
			break
		}
	}
	choice.warn(failures)
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

func (c *penaltyChoice) warn(failures int) {
	if failures > 0 {
		c.warnings = append(c.warnings, fmt.Sprintf("rho was chosen from solutions of which %d had not converged", failures))
	}
}

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
