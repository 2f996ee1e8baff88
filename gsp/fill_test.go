package gsp

import (
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// Between known values on a path the harmonic filling is a straight line.
func TestHarmonicFillingOfAPathIsALine(t *testing.T) {
	g := grid2(t, 1, 11)
	y := mat.NewDense(11, 1, slices.Repeat([]float64{math.NaN()}, 11))
	y.Set(0, 0, 5)
	y.Set(10, 0, -5)
	want := mat.NewDense(11, 1, nil)
	for i := range 11 {
		want.Set(i, 0, 5-float64(i))
	}
	eachWay(t, laplacian(t, g, Combinatorial), func(t *testing.T, l *Laplacian) {
		f := must(l.Fill(t.Context(), y, FillOptions{}))(t)
		near(t, "filled", f.Y, want, 1e-9)
		if f.Missing != 9 || f.Filled != 9 || f.Unreached != nil || !math.IsNaN(f.HiddenError) {
			t.Errorf("got %+v", f)
		}
	})
}

// x solves (diag(m) + τL)x = diag(m)y for every signal, with gaps of its own; known
// values stay in Y.
func TestFilledSignalsSolveTheirEquations(t *testing.T) {
	gappy := withGaps(noise("filled", 24, 40), 0.3)
	for k := range 40 { // every component has something
		for _, v := range []int{3, 20, 23} {
			gappy.Set(v, k, float64(k))
		}
	}
	eachVariant(t, islands(t), func(t *testing.T, l *Laplacian) {
		for _, tau := range []float64{1e-6, 0.3, 50} {
			f := must(l.Fill(t.Context(), gappy, FillOptions{Tau: tau}))(t)
			product := must(l.Mul(f.Smooth))(t)
			for i := range 24 {
				for k := range 40 {
					left, right := tau*product.At(i, k), 0.0
					if y := gappy.At(i, k); !math.IsNaN(y) {
						left, right = left+f.Smooth.At(i, k), y
						if f.Y.At(i, k) != y {
							t.Fatalf("a known value became %g, was %g", f.Y.At(i, k), y)
						}
					} else if f.Y.At(i, k) != f.Smooth.At(i, k) {
						t.Fatal("a gap is not filled with x")
					}
					if math.Abs(left-right) > 1e-7*max(1, tau) {
						t.Fatalf("τ = %g, vertex %d, signal %d: %g, want %g", tau, i, k, left, right)
					}
				}
			}
		}
	})
}

// A component without a known value is told, not filled; others are.
func TestComponentsWithoutAKnownVertexStayMissing(t *testing.T) {
	y := noise("unreached", 24, 3)
	for v := 14; v < 23; v++ { // the second component, in the middle signal
		y.Set(v, 1, math.NaN())
	}
	y.Set(23, 2, math.NaN()) // the vertex that is alone
	y.Set(0, 1, math.NaN())
	eachVariant(t, islands(t), func(t *testing.T, l *Laplacian) {
		for _, tau := range []float64{0, 0.5} {
			f := must(l.Fill(t.Context(), y, FillOptions{Tau: tau}))(t)
			if f.Missing != 11 || f.Filled != 1 || !slices.Equal(f.Unreached, []int{14, 15, 16, 17, 18, 19, 20, 21, 22, 23}) {
				t.Errorf("τ = %g: %d of %d filled, not %v", tau, f.Filled, f.Missing, f.Unreached)
			}
			if !math.IsNaN(f.Y.At(14, 1)) || !math.IsNaN(f.Y.At(23, 2)) || math.IsNaN(f.Y.At(0, 1)) || matrix.Missing(f.Smooth) != 10 {
				t.Errorf("τ = %g: %d values are missing", tau, matrix.Missing(f.Smooth))
			}
		}
	})
}

// Levels of vertices are kept apart from what varies; one that is not known is taken
// from the neighbours'.
func TestLevelsAreFilledToo(t *testing.T) {
	g := grid2(t, 1, 5)
	y := mat.NewDense(5, 4, nil)
	for i := range 5 {
		for k := range 4 {
			y.Set(i, k, 100*float64(i*i)+[]float64{-1, 1, 2, -2}[k])
		}
	}
	y.Set(1, 3, math.NaN())
	for k := range 4 {
		y.Set(3, k, math.NaN())
	}
	eachWay(t, laplacian(t, g, Combinatorial), func(t *testing.T, l *Laplacian) {
		f := must(l.Fill(t.Context(), y, FillOptions{Center: true}))(t)
		// Vertex 1 has mean 100 + 2/3; its neighbours are 2 below their means.
		if got, want := f.Y.At(1, 3), 100+2.0/3-2; math.Abs(got-want) > 1e-9 {
			t.Errorf("vertex 1: got %g, want %g", got, want)
		}
		// Vertex 3 lies between levels of 400 and 1600, and rises by 1 in signal 1.
		if got, want := f.Y.At(3, 1), 1000.0+1; math.Abs(got-want) > 1e-9 {
			t.Errorf("vertex 3: got %g, want %g", got, want)
		}
	})
}

func TestNothingToHideIsTold(t *testing.T) {
	y := mat.NewDense(3, 1, []float64{1, math.NaN(), math.NaN()})
	_, err := laplacian(t, grid2(t, 1, 3), Combinatorial).Fill(t.Context(), y, FillOptions{Choose: true})
	if input.Find(err) == nil {
		t.Errorf("got %v, want an input.Error", err)
	}
	edgeless := must(graph.New(graph.DefaultNames(3), nil))(t)
	if _, err := laplacian(t, edgeless, Combinatorial).Fill(t.Context(), y, FillOptions{}); input.Find(err) == nil {
		t.Errorf("no edges: got %v, want an input.Error", err)
	}
}
