package gsp

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
)

// conditional returns E[field | known values of a signal] by the formula for Gaussian vectors,
// S_xk (S_kk + σ²I)⁻¹ y_k with S = ĝ(L)².
func conditional(t *testing.T, l *Laplacian, p *Prior, y []float64) []float64 {
	t.Helper()
	n := l.Vertices()
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
	}
	cov := must(must(l.Spectrum())(t).Filter(one, func(e float64) float64 { return p.Response(e) * p.Response(e) }))(t)
	var known []int
	for i, v := range y {
		if !math.IsNaN(v) {
			known = append(known, i)
		}
	}
	a, b := mat.NewDense(len(known), len(known), nil), mat.NewVecDense(len(known), nil)
	for r, i := range known {
		b.SetVec(r, y[i])
		for c, j := range known {
			a.Set(r, c, cov.At(i, j))
		}
		a.Set(r, r, a.At(r, r)+p.Noise*p.Noise)
	}
	var w mat.VecDense
	if err := w.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	x := make([]float64, n)
	for i := range x {
		for r, j := range known {
			x[i] += cov.At(i, j) * w.AtVec(r)
		}
	}
	return x
}

func TestPriorExpectsTheConditionalMean(t *testing.T) {
	l := laplacian(t, islands(t), Normalized)
	gappy := withGaps(noise("prior", 24, 30), 0.3)
	for k := range 30 { // every component has something
		for _, v := range []int{3, 20, 23} {
			gappy.Set(v, k, float64(k)/10)
		}
	}
	response := func(e float64) float64 { return 2 / (0.3 + e) }
	for _, sigma := range []float64{0.5, 0} {
		p := &Prior{L: l, Response: response, Noise: sigma}
		f := must(l.Fill(t.Context(), gappy, FillOptions{Prior: p}))(t)
		if !f.ByPrior || f.Tau != 0 || !math.IsNaN(f.HiddenError) || f.Unreached != nil {
			t.Errorf("got %+v", f)
		}
		for k := range 30 {
			want := conditional(t, l, p, mat.Col(nil, k, gappy))
			for i, x := range want {
				if got := f.Smooth.At(i, k); math.Abs(got-x) > 1e-7 {
					t.Fatalf("σ = %g, vertex %d, signal %d: %g, want %g", sigma, i, k, got, x)
				}
				if v := gappy.At(i, k); !math.IsNaN(v) && f.Y.At(i, k) != v {
					t.Fatalf("a known value became %g, was %g", f.Y.At(i, k), v)
				}
			}
		}
	}
}

// Without gaps it is the filter ĝ²/(ĝ² + σ²) of Wiener.
func TestPriorDenoisesByWienersFilter(t *testing.T) {
	l := laplacian(t, islands(t), Normalized)
	y := noise("wiener", 24, 5)
	response := func(e float64) float64 { return math.Exp(-2 * e) }
	d := must(l.Denoise(t.Context(), y, DenoiseOptions{Prior: &Prior{L: l, Response: response, Noise: 0.4}}))(t)
	want := must(l.Filter(t.Context(), y, func(e float64) float64 { return math.Exp(-4*e) / (math.Exp(-4*e) + 0.16) }))(t)
	near(t, "denoised", d.Y, want.Y, 1e-12)
	if d.Tau != 0 || d.After >= d.Before || d.Removed <= 0 {
		t.Errorf("got %+v", d)
	}
	// In units of its own, a vertex may have any.
	big := mat.DenseCopyOf(y)
	big.Apply(func(i, _ int, v float64) float64 { return v * float64(i+1) }, y)
	p := &Prior{L: l, Response: response, Noise: 0.4, Scaled: true}
	one, other := must(l.Denoise(t.Context(), y, DenoiseOptions{Prior: p}))(t), must(l.Denoise(t.Context(), big, DenoiseOptions{Prior: p}))(t)
	one.Y.Apply(func(i, _ int, v float64) float64 { return v * float64(i+1) }, one.Y)
	near(t, "in other units", other.Y, one.Y, 1e-9)
}

// The prior of the field that signals are predicts hidden values better than any τ, and a
// wrong one is not taken.
func TestPriorIsChosenIfItPredictsBest(t *testing.T) {
	g := grid2(t, 7, 8)
	l, normalised := laplacian(t, g, Combinatorial), laplacian(t, g, Normalized)
	response := func(e float64) float64 { return math.Pow(0.1+e, -2) }
	y := must(must(normalised.Spectrum())(t).Filter(noise("chosen", 56, 60), response))(t)
	gappy := withGaps(y, 0.2)
	right := must(l.Fill(t.Context(), gappy, FillOptions{Choose: true, Prior: &Prior{L: normalised, Response: response}}))(t)
	wrong := must(l.Fill(t.Context(), gappy, FillOptions{Choose: true, Prior: &Prior{L: normalised, Response: func(e float64) float64 { return e * e }, Noise: 1}}))(t)
	without := must(l.Fill(t.Context(), gappy, FillOptions{Choose: true}))(t)
	if !right.ByPrior || wrong.ByPrior || without.ByPrior || wrong.Tau != without.Tau || wrong.HiddenError != without.HiddenError {
		t.Errorf("got %+v and %+v, without %+v", right, wrong, without)
	}
	if a, b := meanSquare(right.Y, y), meanSquare(without.Y, y); !(a < 0.8*b) {
		t.Errorf("error %g by the prior and %g without", a, b)
	}
}

func TestPriorsAreChecked(t *testing.T) {
	l, other := laplacian(t, islands(t), Normalized), laplacian(t, grid2(t, 2, 2), Normalized)
	one := func(float64) float64 { return 1 }
	y := noise("checked", 24, 2)
	for name, c := range map[string]struct {
		p   *Prior
		tau float64
	}{
		"other vertices":  {&Prior{L: other, Response: one}, 0},
		"negative noise":  {&Prior{L: l, Response: one, Noise: -1}, 0},
		"a τ and a prior": {&Prior{L: l, Response: one}, 1},
	} {
		for _, err := range []error{
			second(l.Denoise(t.Context(), y, DenoiseOptions{Prior: c.p, Tau: c.tau})), second(l.Fill(t.Context(), y, FillOptions{Prior: c.p, Tau: c.tau})),
		} {
			if input.Find(err) == nil {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }
