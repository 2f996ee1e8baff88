package pages

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// What a law says of the spectrum is what its signals have, and its root is the Laplacian.
func TestFieldLawsAreThoseOfTheirSignals(t *testing.T) {
	g, _, err := squareGrid(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range fieldLaws() {
		y, err := l.draw(g, 20000)
		if err != nil {
			t.Fatal(err)
		}
		var s mat.SymDense
		s.SymOuterK(1.0/20000, y)
		root, err := spectral(&s, l.frequency)
		if err != nil {
			t.Fatal(err)
		}
		laplacian := g.CombinatorialLaplacian()
		for i := range 9 {
			for j := range i {
				if off := root.At(i, j) - laplacian.At(i, j); math.Abs(off) > 0.1 {
					t.Errorf("%s: the root has %g at %d, %d, want %g", l.name, root.At(i, j), i, j, laplacian.At(i, j))
				}
			}
		}
		for _, lambda := range []float64{0, 0.5, 3} {
			ridge := figureRidge
			if l.order == 0 {
				ridge = 0
			}
			if back := l.frequency(l.variance(lambda)); math.Abs(back-lambda-ridge) > 1e-12 {
				t.Errorf("%s: frequency %g comes back as %g", l.name, lambda, back)
			}
		}
	}
}

func TestVariancesAboveTheNoise(t *testing.T) {
	edge := math.Pow(1+math.Sqrt(0.1), 2) - 1 // of ten signals for each vertex
	if got := aboveNoise([]float64{edge * 1.01, edge * 0.99, 5}, 1); got != 2 {
		t.Errorf("%d are above the noise, want 2", got)
	}
	if got := aboveNoise([]float64{1e-9, 1}, 0); got != 2 {
		t.Errorf("without noise %d of 2 are left", got)
	}
}
