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

func TestTransformCommutesWithRelabelling(t *testing.T) {
	g, y := islands(t), noise("relabelled", 24, 4)
	order := stream("order").Perm(24)
	moved := must(g.Permuted(order))(t)
	rows := mat.NewDense(24, 4, nil)
	for k, i := range order {
		rows.SetRow(k, y.RawRowView(i))
	}
	for _, v := range Variants() {
		before := must(must(laplacian(t, g, v).Spectrum())(t).Energy(y))(t)
		after := must(must(laplacian(t, moved, v).Spectrum())(t).Energy(rows))(t)
		if v == Combinatorial { // the three of frequency zero are in the order of the vertices
			slices.Sort(before[:3])
			slices.Sort(after[:3])
		} else {
			slices.Sort(before[:2])
			slices.Sort(after[:2])
		}
		near(t, string(v), column(after), column(before), 1e-10)
	}
}

func TestWhatIsNotOnTheGraphIsRefused(t *testing.T) {
	g := islands(t)
	l := laplacian(t, g, Combinatorial)
	s := must(l.Spectrum())(t)
	short, gappy := mat.NewDense(3, 2, nil), mat.NewDense(24, 2, nil)
	gappy.Set(3, 1, math.NaN())
	infinite := mat.NewDense(24, 1, nil)
	infinite.Set(0, 0, math.Inf(-1))
	ctx := t.Context()
	flat := func(float64) float64 { return 1 }
	for name, do := range map[string]func() error{
		"no graph":              func() error { _, err := New(nil, Combinatorial); return err },
		"no vertices":           func() error { _, err := New(must(graph.New(nil, nil))(t), Combinatorial); return err },
		"an unknown Laplacian":  func() error { _, err := New(g, "random walk"); return err },
		"too few vertices":      func() error { _, err := l.Filter(ctx, short, flat); return err },
		"no signals":            func() error { _, err := l.Denoise(ctx, nil, DenoiseOptions{}); return err },
		"gaps":                  func() error { _, err := l.Denoise(ctx, gappy, DenoiseOptions{}); return err },
		"infinity":              func() error { _, err := l.Fill(ctx, infinite, FillOptions{}); return err },
		"a negative tau":        func() error { _, err := l.Denoise(ctx, infinite, DenoiseOptions{Tau: -1}); return err },
		"tau is not a number":   func() error { _, err := l.Fill(ctx, gappy, FillOptions{Tau: math.NaN()}); return err },
		"one fold":              func() error { _, err := l.Fill(ctx, gappy, FillOptions{Folds: 1}); return err },
		"a transform too short": func() error { _, err := s.Transform(short); return err },
		"an inverse too short":  func() error { _, err := s.Inverse(short); return err },
		"a product too short":   func() error { _, err := l.Mul(short); return err },
	} {
		if err := do(); input.Find(err) == nil {
			t.Errorf("%s: got %v, want an input.Error", name, err)
		}
	}
	l.mostExact = 5
	if _, err := l.Spectrum(); input.Find(err) == nil {
		t.Errorf("a component that is too large: got %v, want an input.Error", err)
	}
	edgeless := laplacian(t, must(graph.New(graph.DefaultNames(24), nil))(t), Combinatorial)
	if _, err := edgeless.Denoise(ctx, mat.NewDense(24, 1, nil), DenoiseOptions{}); input.Find(err) == nil {
		t.Errorf("no edges: got %v, want an input.Error", err)
	}
}

// A directed graph has the Laplacian of its edges without their direction.
func TestDirectionIsLeftOut(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	g, err := graph.NewDirected(names, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 0, Weight: 2}, {I: 2, J: 1, Weight: 3}, {I: 2, J: 3, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	y := mat.NewDense(4, 1, []float64{1, 2, -1, 3})
	for _, v := range Variants() {
		var found [2]*mat.Dense
		for k, g := range []*graph.Graph{g, g.Undirected()} {
			l, err := New(g, v)
			if err != nil {
				t.Fatal(err)
			}
			d, err := l.Denoise(t.Context(), y, DenoiseOptions{Tau: 0.7})
			if err != nil {
				t.Fatal(err)
			}
			found[k] = d.Y
		}
		if !mat.Equal(found[0], found[1]) {
			t.Errorf("%s: with direction %v, without %v", v, found[0], found[1])
		}
	}
}
