package learn_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/learn"
)

// Codes on the true graph explain signals of the model, nine in ten at least and in
// any unit, and what they stand for is D·X.
func TestEncodeExplainsSignalsOfTheModel(t *testing.T) {
	truth := small(t)
	d, err := dictionary.Dense(truth.Graph.Laplacian(), learn.PaperModel().Kernels)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1, 1e-180, 3e150} {
		var y, product mat.Dense
		y.Scale(unit, truth.Signals)
		codes, explained, err := learn.Encode(truth.Graph, learn.PaperModel(), &y, 1)
		if err != nil {
			t.Fatal(err)
		}
		product.Mul(d, codes.Dense())
		if e := largestDifference(explained, &product) / unit; e > 1e-9 {
			t.Errorf("unit %g: the signals differ from D·X by %g", unit, e)
		}
		n, m := y.Dims()
		exact := 0
		for s := range m {
			if largestDifference(explained.Slice(0, n, s, s+1), y.Slice(0, n, s, s+1)) < 1e-6*unit {
				exact++
			}
		}
		if 10*exact < 9*m { // the search for codes is not exhaustive
			t.Errorf("unit %g: %d of %d signals are explained", unit, exact, m)
		}
	}
}

func largestDifference(a, b mat.Matrix) float64 {
	n, m := a.Dims()
	var most float64
	for i := range n {
		for k := range m {
			most = max(most, math.Abs(a.At(i, k)-b.At(i, k)))
		}
	}
	return most
}
