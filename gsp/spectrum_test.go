package gsp

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
)

// vectors returns U, N×N, the eigenvectors in columns in the order of Values.
func (s *Spectrum) vectors() *mat.Dense {
	u := mat.NewDense(len(s.Values), len(s.Values), nil)
	for _, b := range s.blocks {
		for i, v := range b.vertices {
			for k, x := range linalg.Row(b.vectors, i) {
				u.Set(v, b.place[k], x)
			}
		}
	}
	return u
}

func TestSpectrumDecomposesTheLaplacian(t *testing.T) {
	g := islands(t)
	for v, want := range map[Variant]*mat.SymDense{Combinatorial: g.CombinatorialLaplacian(), Normalized: g.Laplacian()} {
		l := laplacian(t, g, v)
		s := must(l.Spectrum())(t)
		u := s.vectors()
		n := len(s.Values)
		var product, identity mat.Dense
		product.Mul(u, mat.NewDiagDense(n, s.Values))
		product.Mul(&product, u.T())
		near(t, "U·diag(e)·Uᵀ", &product, want, 1e-12)
		identity.Mul(u.T(), u)
		near(t, "UᵀU", &identity, mat.NewDiagDense(n, slices.Repeat([]float64{1}, n)), 1e-12)
		if !slices.IsSorted(s.Values) || s.Values[n-1] > l.bound*(1+1e-12) {
			t.Errorf("%s: frequencies %v with bound %g", v, s.Values, l.bound)
		}
		var sum float64
		for _, e := range s.Values {
			sum += e
		}
		if math.Abs(sum/float64(n)-l.MeanFrequency()) > 1e-12 {
			t.Errorf("%s: mean frequency %g, want %g", v, l.MeanFrequency(), sum/float64(n))
		}
		for k := range n {
			wave := mat.Col(nil, k, u)
			largest := 0
			for i, x := range wave {
				if math.Abs(x) > math.Abs(wave[largest])*(1+1e-9) {
					largest = i
				}
			}
			if wave[largest] <= 0 {
				t.Errorf("%s: wave %d has %g at vertex %d, the first of its largest", v, k, wave[largest], largest)
			}
		}
	}
}

// There is a frequency of exactly zero for each component, and its wave is the
// constant on it. A vertex that is alone has frequency 1 by convention in the
// normalised one.
func TestComponentsHaveFrequencyZero(t *testing.T) {
	for v, want := range map[Variant]int{Combinatorial: 3, Normalized: 2} {
		s := must(laplacian(t, islands(t), v).Spectrum())(t)
		zeros := 0
		for _, e := range s.Values {
			if e == 0 {
				zeros++
			}
		}
		if zeros != want {
			t.Errorf("%s: %d frequencies are zero, want %d", v, zeros, want)
		}
	}
	first := mat.Col(nil, 0, must(laplacian(t, islands(t), Combinatorial).Spectrum())(t).vectors())
	for i, x := range first {
		want := 0.0
		if i < 14 {
			want = 1 / math.Sqrt(14)
		}
		if math.Abs(x-want) > 1e-12 {
			t.Errorf("vertex %d: %g, want %g", i, x, want)
		}
	}
}

func TestInverseUndoesTransform(t *testing.T) {
	s := must(laplacian(t, islands(t), Combinatorial).Spectrum())(t)
	y := noise("inverse", 24, 5)
	near(t, "inverse", must(s.Inverse(must(s.Transform(y))(t)))(t), y, 1e-12)
	energy := must(s.Energy(y))(t)
	var sum float64
	for _, e := range energy {
		sum += e
	}
	if want := total(y, y) / 5; math.Abs(sum-want) > 1e-10 {
		t.Errorf("energy %g, want %g as of the signals (Parseval)", sum, want)
	}
}

func TestWhatIsNotOnTheGraphIsRefused(t *testing.T) {
	l := laplacian(t, islands(t), Combinatorial)
	short, gappy, infinite := mat.NewDense(3, 2, nil), mat.NewDense(24, 2, nil), mat.NewDense(24, 1, nil)
	gappy.Set(3, 1, math.NaN())
	infinite.Set(0, 0, math.Inf(-1))
	ctx := t.Context()
	flat := func(float64) float64 { return 1 }
	negative := weighted(t, [][]float64{{0, -1}, {-1, 0}})
	large := laplacian(t, islands(t), Combinatorial)
	large.mostExact = 5
	for name, err := range map[string]error{
		"no graph":              second(New(nil, Combinatorial)),
		"an unknown Laplacian":  second(New(islands(t), "random walk")),
		"negative edges":        second(New(negative, Normalized)),
		"too few vertices":      second(l.Filter(ctx, short, flat)),
		"no signals":            second(l.Denoise(ctx, nil, DenoiseOptions{})),
		"gaps":                  second(l.Denoise(ctx, gappy, DenoiseOptions{})),
		"infinity":              second(l.Fill(ctx, infinite, FillOptions{})),
		"a negative tau":        second(l.Denoise(ctx, mat.NewDense(24, 1, nil), DenoiseOptions{Tau: -1})),
		"tau is not a number":   second(l.Fill(ctx, gappy, FillOptions{Tau: math.NaN()})),
		"one fold":              second(l.Fill(ctx, gappy, FillOptions{Folds: 1})),
		"a transform too short": second(must(l.Spectrum())(t).Transform(short)),
		"a large component":     second(large.Spectrum()),
		"no edges":              second(laplacian(t, must(graph.New(graph.DefaultNames(24), nil))(t), Combinatorial).Denoise(ctx, mat.NewDense(24, 1, nil), DenoiseOptions{})),
	} {
		if input.Find(err) == nil {
			t.Errorf("%s: got %v, want an input.Error", name, err)
		}
	}
}

// A directed graph has the Laplacian of its edges without their direction.
func TestDirectionIsLeftOut(t *testing.T) {
	g := must(graph.NewDirected([]string{"a", "b", "c"}, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 0, Weight: 2}, {I: 2, J: 1, Weight: 3}}))(t)
	y := mat.NewDense(3, 1, []float64{1, 2, -1})
	for _, v := range Variants() {
		near(t, string(v), must(laplacian(t, g, v).Mul(y))(t), must(laplacian(t, g.Undirected(), v).Mul(y))(t), 0)
	}
}
