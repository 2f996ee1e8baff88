package gsp

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
)

// A filter is the function of the matrix: on a path, e^(−tL) by its power series.
func TestHeatIsTheExponentialOfTheLaplacian(t *testing.T) {
	g := islands(t)
	heat := must(kernel.Heat(0.7, 15, kernel.Chebyshev))(t).Value
	y := noise("heat", 24, 3)
	for v, matrix := range map[Variant]*mat.SymDense{Combinatorial: g.CombinatorialLaplacian(), Normalized: g.Laplacian()} {
		var exponent, power, want mat.Dense
		exponent.Scale(-0.7, matrix)
		power.Exp(&exponent)
		want.Mul(&power, y)
		eachWay(t, laplacian(t, g, v), func(t *testing.T, l *Laplacian) {
			f := must(l.Filter(t.Context(), y, heat))(t)
			near(t, "heat", f.Y, &want, 1e-8)
			if l.IsExact() == (f.ApproximationError > 0) {
				t.Errorf("exact: %t, approximation error: %g", l.IsExact(), f.ApproximationError)
			}
		})
	}
}

// The error that a rough response makes is within the bound that is reported.
func TestApproximationErrorBoundsTheError(t *testing.T) {
	l := laplacian(t, islands(t), Combinatorial)
	step := func(e float64) float64 {
		if e < 1.3 {
			return 1
		}
		return 0
	}
	y := noise("step", 24, 20)
	exact := must(l.Filter(t.Context(), y, step))(t)
	l.mostExact = 0
	series := must(l.Filter(t.Context(), y, step))(t)
	var off mat.Dense
	off.Sub(exact.Y, series.Y)
	for m, square := range dots(off.RawMatrix(), off.RawMatrix()) {
		if norm := mat.Norm(y.ColView(m), 2); math.Sqrt(square) > series.ApproximationError*norm {
			t.Errorf("signal %d is off by %g, beyond %g of %g", m, math.Sqrt(square), series.ApproximationError, norm)
		}
	}
	if series.ApproximationError < 0.1 {
		t.Errorf("a step is approximated to %g, which no polynomial does", series.ApproximationError)
	}
}

func TestAGraphWithoutEdgesFiltersByTheResponseToItsDiagonal(t *testing.T) {
	g := must(graph.New(graph.DefaultNames(4), nil))(t)
	y := noise("edgeless", 4, 2)
	response := func(e float64) float64 { return 3 - e }
	eachVariant(t, g, func(t *testing.T, l *Laplacian) {
		var want mat.Dense
		want.Scale(response(l.MeanFrequency()), y)
		near(t, "filtered", must(l.Filter(t.Context(), y, response))(t).Y, &want, 1e-12)
	})
}

func TestThreadsDoNotChangeAnyBit(t *testing.T) {
	g := grid2(t, 6, 6)
	y := noise("threads", 36, 40)
	gappy := withGaps(y, 0.2)
	eachVariant(t, g, func(t *testing.T, l *Laplacian) {
		var first []*mat.Dense
		for _, threads := range []int{0, 3} {
			fresh := laplacian(t, g, l.Variant)
			fresh.Threads, fresh.mostExact = threads, l.mostExact
			answers := []*mat.Dense{
				must(fresh.Filter(t.Context(), y, func(e float64) float64 { return 1 / (1 + e*e) }))(t).Y,
				must(fresh.Denoise(t.Context(), y, DenoiseOptions{Center: true}))(t).Y,
				must(fresh.Fill(t.Context(), gappy, FillOptions{Choose: true, Center: true}))(t).Y,
			}
			for k := range first {
				near(t, "an answer", answers[k], first[k], 0)
			}
			first = answers
		}
	})
}

func TestAnEndedContextEndsTheWork(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	y := noise("interrupted", 30, 40)
	eachVariant(t, grid2(t, 5, 6), func(t *testing.T, l *Laplacian) {
		_, filtered := l.Filter(ctx, y, func(float64) float64 { return 1 })
		_, denoised := l.Denoise(ctx, y, DenoiseOptions{})
		_, filled := l.Fill(ctx, withGaps(y, 0.1), FillOptions{Choose: true})
		for k, err := range []error{filtered, denoised, filled} {
			if !errors.Is(err, stop) {
				t.Errorf("task %d: got %v, want the cause", k, err)
			}
		}
	})
}
