package gsp

import (
	"math"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"
)

// x = (I + τL)⁻¹y solves (I + τL)x = y, whichever way it was found.
func TestDenoisedSignalsSolveTheirEquations(t *testing.T) {
	g, y := islands(t), noise("denoise", 24, 20)
	eachVariant(t, g, func(t *testing.T, l *Laplacian) {
		for _, tau := range []float64{0.01, 1, 300} {
			x := must(l.Denoise(t.Context(), y, DenoiseOptions{Tau: tau}))(t).Y
			back := must(l.Mul(x))(t)
			back.Scale(tau, back)
			back.Add(back, x)
			near(t, "(I + τL)x", back, y, 1e-8)
		}
	})
}

// GCV by its formula, with inverses and traces of matrices.
func TestGCVIsItsFormula(t *testing.T) {
	g, y := islands(t), noise("GCV", 24, 6)
	l := laplacian(t, g, Combinatorial)
	taus := []float64{0.1, 1, 10}
	got := must(l.exactGCV(t.Context(), y, taus))(t)
	for k, tau := range taus {
		var a, h, gone mat.Dense
		a.Scale(tau, g.CombinatorialLaplacian())
		for i := range 24 {
			a.Set(i, i, a.At(i, i)+1)
		}
		if err := h.Inverse(&a); err != nil {
			t.Fatal(err)
		}
		gone.Mul(&h, y)
		gone.Sub(y, &gone)
		freedom := 1 - mat.Trace(&h)/24
		if want := total(&gone, &gone) / (24 * 6) / (freedom * freedom); math.Abs(got[k]-want) > 1e-10*want {
			t.Errorf("τ = %g: got %g, want %g", tau, got[k], want)
		}
	}
}

func TestTheEndsOfTheGridAreTold(t *testing.T) {
	l := laplacian(t, grid2(t, 8, 8), Combinatorial)
	smooth := must(l.Filter(t.Context(), noise("very smooth", 64, 20), func(e float64) float64 { return 1 / (1 + 1e4*e*e) }))(t).Y
	if d := must(l.Denoise(t.Context(), smooth, DenoiseOptions{}))(t); d.End != AtLeast {
		t.Errorf("signals without noise: τ = %g, end %q", d.Tau, d.End)
	}
	if d := must(l.Denoise(t.Context(), noise("white", 64, 400), DenoiseOptions{}))(t); d.End != AtMost {
		t.Errorf("noise without signals: τ = %g, end %q", d.Tau, d.End)
	}
}

func TestMeansOfVerticesStay(t *testing.T) {
	g, y := islands(t), noise("levels", 24, 30)
	for i := range 24 {
		row := y.RawRowView(i)
		for k := range row {
			row[k] += 100 * float64(i)
		}
	}
	rest, means := Center(y)
	eachVariant(t, g, func(t *testing.T, l *Laplacian) {
		d := must(l.Denoise(t.Context(), y, DenoiseOptions{Center: true}))(t)
		for i, row := range matrix.DescribeRows(d.Y) {
			if math.Abs(row.Mean-means[i]) > 1e-7 {
				t.Errorf("vertex %d has mean %g, want %g", i, row.Mean, means[i])
			}
		}
		about := must(l.Denoise(t.Context(), rest, DenoiseOptions{}))(t)
		if about.Tau != d.Tau || math.Abs(about.Removed-d.Removed) > 1e-12 {
			t.Errorf("levels change τ from %g to %g", about.Tau, d.Tau)
		}
	})
}
