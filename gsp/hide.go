package gsp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// The values of τ that are tried to fill gaps, besides zero, in units of 1/mean(e),
// and on how many signals.
const (
	hideLeast, hideMost = 1e-3, 1e3
	hideCount           = 13
	hideValues          = 10000
	fewest, most        = 4, 100
)

// An interpolation fills gaps in one way.
type interpolation func(ctx context.Context, y *mat.Dense, a accuracy) (*mat.Dense, error)

// way returns what fills gaps by a prior, or else with some τ.
func (l *Laplacian) way(byPrior bool, tau float64, p *Prior) interpolation {
	return func(ctx context.Context, y *mat.Dense, a accuracy) (*mat.Dense, error) {
		if byPrior {
			return p.interpolate(ctx, y)
		}
		return l.interpolate(ctx, y, tau, a)
	}
}

// chooseByHiding hides known values a fold at a time and takes the τ that predicts
// them best, or the prior if that does.
func (l *Laplacian) chooseByHiding(ctx context.Context, y *mat.Dense, o FillOptions, f *Filling) error {
	n, m := y.Dims()
	some := matrix.Columns(y, evenly(m, min(most, max(fewest, hideValues/n))))
	hidden := hide(some, o)
	taus := append([]float64{0}, grid(hideLeast/l.MeanFrequency(), hideMost/l.MeanFrequency(), hideCount)...)
	best, least := -1, math.Inf(1)
	ways := make([]interpolation, len(taus))
	for k, tau := range taus {
		ways[k] = l.way(false, tau, nil)
	}
	if o.Prior != nil {
		ways = append(ways, l.way(true, 0, o.Prior))
	}
	for k, way := range ways {
		left, energy, err := l.hiddenError(ctx, some, hidden, o, way)
		if err != nil {
			return err
		}
		if energy == 0 {
			return input.Errorf(fillOp, fieldTau, "no known value can be hidden and predicted from others: give a value")
		}
		if share := left / energy; share < least {
			best, least = k, share
		}
	}
	f.HiddenError = least
	if f.ByPrior = best == len(taus); f.ByPrior {
		return nil
	}
	if f.Tau = taus[best]; best > 0 {
		f.End = endOf(best-1, hideCount)
	}
	return nil
}

// hide draws the fold in which each known value is hidden: those of every signal
// are spread evenly over the folds.
func hide(y *mat.Dense, o FillOptions) [][]int {
	n, m := y.Dims()
	fold := make([][]int, n)
	for i := range fold {
		fold[i] = make([]int, m)
	}
	draw := rng.Stream(o.Seed, "hidden values")
	next := 0
	for k := range m {
		for _, i := range draw.Perm(n) {
			if !math.IsNaN(y.At(i, k)) {
				fold[i][k] = next % o.Folds
				next++
			}
		}
	}
	return fold
}

// hiddenError returns the sum of the squared errors of hidden values and of their
// squares, about the mean of what is seen of their vertex if o.Center. What is hidden
// from all of a component is left out.
func (l *Laplacian) hiddenError(ctx context.Context, y *mat.Dense, fold [][]int, o FillOptions,
	way interpolation,
) (left, energy float64, err error) {
	n, m := y.Dims()
	for f := range o.Folds {
		seen := mat.DenseCopyOf(y)
		for i := range n {
			for k := range m {
				if fold[i][k] == f {
					seen.Set(i, k, math.NaN())
				}
			}
		}
		means := make([]float64, n)
		if o.Center {
			if means, err = l.levels(ctx, seen); err != nil {
				return 0, 0, err
			}
			seen, _ = Center(seen)
		}
		x, err := way(ctx, seen, rough)
		if err != nil {
			return 0, 0, err
		}
		for i := range n {
			for k := range m {
				v, predicted := y.At(i, k)-means[i], x.At(i, k)
				if fold[i][k] == f && !math.IsNaN(v) && !math.IsNaN(predicted) {
					left += (predicted - v) * (predicted - v)
					energy += v * v
				}
			}
		}
	}
	return left, energy, nil
}
