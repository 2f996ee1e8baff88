package gsp

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/kernel"
)

// An oracleCase is what PyGSP 0.6.1 and SciPy 1.17.1 say of signals on a graph.
type oracleCase struct {
	Laplacian   string `json:"laplacian_type"`
	Weights     [][]float64
	Signals     [][]float64
	Eigenvalues []float64
	Largest     float64     `json:"lmax"`
	Fourier     [][]float64 `json:"abs_fourier"`
	Dirichlet   []float64   `json:"dirichlet_energy"`
	Heat        struct {
		Tau                                         float64
		Exact, Chebyshev5, Chebyshev15, Chebyshev30 [][]float64
	}
	MexicanHat struct {
		Scale float64
		Exact [][]float64
	} `json:"mexican_hat"`
	Tikhonov struct {
		Tau    float64
		Values [][]float64
	}
	Masked struct {
		Tau    float64
		Known  []bool
		Values []float64
	} `json:"tikhonov_masked"`
	Interpolated struct {
		Known  []bool
		Values []float64
	}
}

func oracleCases(t *testing.T) []oracleCase {
	t.Helper()
	text, err := os.ReadFile("testdata/graph_signal.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct{ Cases []oracleCase }
	if err := json.Unmarshal(text, &oracle); err != nil {
		t.Fatal(err)
	}
	if len(oracle.Cases) == 0 {
		t.Fatal("no cases")
	}
	return oracle.Cases
}

func (c oracleCase) laplacian(t *testing.T) *Laplacian {
	t.Helper()
	g, err := graph.FromWeights(graph.DefaultNames(len(c.Weights)), symmetric(c.Weights))
	if err != nil {
		t.Fatal(err)
	}
	return laplacian(t, g, map[string]Variant{"combinatorial": Combinatorial, "normalized": Normalized}[c.Laplacian])
}

func (c oracleCase) masked(known []bool) *mat.Dense {
	y := mat.NewDense(len(known), 1, nil)
	for i, isKnown := range known {
		y.Set(i, 0, math.NaN())
		if isKnown {
			y.Set(i, 0, c.Signals[i][0])
		}
	}
	return y
}

func symmetric(rows [][]float64) *mat.SymDense {
	s := mat.NewSymDense(len(rows), nil)
	for i, row := range rows {
		for j := i; j < len(row); j++ {
			s.SetSym(i, j, row[j])
		}
	}
	return s
}

func dense(rows [][]float64) *mat.Dense {
	d := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		d.SetRow(i, row)
	}
	return d
}

func column(values []float64) *mat.Dense { return mat.NewDense(len(values), 1, values) }

// near fails if matrices differ, and NaN is not NaN.
func near(t *testing.T, what string, got, want mat.Matrix, tolerance float64) {
	t.Helper()
	r, c := want.Dims()
	if gr, gc := got.Dims(); gr != r || gc != c {
		t.Fatalf("%s: got %d×%d, want %d×%d", what, gr, gc, r, c)
	}
	for i := range r {
		for j := range c {
			a, b := got.At(i, j), want.At(i, j)
			if math.IsNaN(a) != math.IsNaN(b) || math.Abs(a-b) > tolerance {
				t.Fatalf("%s: entry (%d, %d) is %v, want %v", what, i, j, a, b)
			}
		}
	}
}

const tolerance = 1e-9 // of the README of the oracles

func TestSpectrumIsThatOfOtherSoftware(t *testing.T) {
	for _, c := range oracleCases(t) {
		l, y := c.laplacian(t), dense(c.Signals)
		s, err := l.Spectrum()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "eigenvalues", column(s.Values), column(c.Eigenvalues), tolerance)
		waves := must(s.Transform(y))(t)
		waves.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, waves)
		near(t, "transform", waves, dense(c.Fourier), tolerance)
		var product mat.Dense
		product.MulElem(y, must(l.Mul(y))(t))
		for m, want := range c.Dirichlet {
			if got := mat.Sum(product.ColView(m)); math.Abs(got-want) > tolerance {
				t.Errorf("signal %d: smoothness sᵀLs is %g, want %g", m, got, want)
			}
		}
	}
}

func TestFiltersAreThoseOfOtherSoftware(t *testing.T) {
	for _, c := range oracleCases(t) {
		heat := must(kernel.Heat(c.Heat.Tau, 15, kernel.Taylor))(t).Value
		hat := func(e float64) float64 { return c.MexicanHat.Scale * e * portable.Exp(-c.MexicanHat.Scale*e) }
		y := dense(c.Signals)
		for degree, want := range map[int][][]float64{5: c.Heat.Chebyshev5, 15: c.Heat.Chebyshev15, 30: c.Heat.Chebyshev30} {
			p := must(polynomial(filterOp, heat, degree, c.Largest))(t)
			near(t, "Chebyshev", must(c.laplacian(t).applySeries(t.Context(), y, p.Series(), c.Largest))(t), dense(want), tolerance)
		}
		eachWay(t, c.laplacian(t), func(t *testing.T, l *Laplacian) {
			near(t, "heat", must(l.Filter(t.Context(), y, heat))(t).Y, dense(c.Heat.Exact), tolerance)
			near(t, "Mexican hat", must(l.Filter(t.Context(), y, hat))(t).Y, dense(c.MexicanHat.Exact), tolerance)
		})
	}
}

func TestDenoisingAndFillingAreThoseOfOtherSoftware(t *testing.T) {
	for _, c := range oracleCases(t) {
		eachWay(t, c.laplacian(t), func(t *testing.T, l *Laplacian) {
			d := must(l.Denoise(t.Context(), dense(c.Signals), DenoiseOptions{Tau: c.Tikhonov.Tau}))(t)
			near(t, "denoised", d.Y, dense(c.Tikhonov.Values), tolerance)
			f := must(l.Fill(t.Context(), c.masked(c.Masked.Known), FillOptions{Tau: c.Masked.Tau}))(t)
			near(t, "smoothed", f.Smooth, column(c.Masked.Values), tolerance)
			f = must(l.Fill(t.Context(), c.masked(c.Interpolated.Known), FillOptions{}))(t)
			near(t, "harmonic", f.Y, column(c.Interpolated.Values), tolerance)
			near(t, "harmonic", f.Smooth, column(c.Interpolated.Values), tolerance)
		})
	}
}
