package gsp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// gammas are the values that are tried.
var gammas = []float64{1e-2, 1e-2 * math.Sqrt2 * math.Sqrt(5), 1e-1, 1e-1 * math.Sqrt2 * math.Sqrt(5), 1, math.Sqrt2 * math.Sqrt(5), 10}

// predict returns K(q)_(all,l)·(K_ll + γI)⁻¹·y for all label vectors.
func (p *combineProblem) predict(s *solution) *mat.Dense {
	all := make([]int, p.n)
	for i := range all {
		all[i] = i
	}
	f := mat.NewDense(p.n, s.solved.Cols, nil)
	p.threads.Mul(f.RawMatrix(), p.mixed(s.q, all, s.labelled), s.solved)
	return f
}

// chooseGamma hides labelled vertices a fold at a time and takes the γ that predicts
// their labels best.
func (p *combineProblem) chooseGamma(ctx context.Context, labelled []int, o CombineOptions, r *Combination) error {
	folds := min(o.Folds, len(labelled))
	fold := make([]int, p.n)
	for k, at := range rng.Stream(o.Seed, "hidden labels").Perm(len(labelled)) {
		fold[labelled[at]] = k % folds
	}
	start := make([][]float64, folds) // the weights found last
	best, least := -1, math.Inf(1)
	for k, gamma := range gammas {
		var left, energy float64
		for f := range folds {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			var seen []int
			for _, v := range labelled {
				if fold[v] != f {
					seen = append(seen, v)
				}
			}
			s := p.minimise(ctx, seen, gamma, start[f])
			start[f] = s.q
			predicted := p.predict(s)
			for _, v := range labelled {
				if fold[v] == f {
					y, x := p.labels.RawRowView(v), predicted.RawRowView(v)
					energy += linalg.Dot(y, y)
					for m := range y {
						left += (y[m] - x[m]) * (y[m] - x[m])
					}
				}
			}
		}
		if left/energy < least {
			best, least = k, left/energy
		}
	}
	r.Gamma, r.HiddenError, r.AtEnd = gammas[best], least, best == 0 || best == len(gammas)-1
	return nil
}
