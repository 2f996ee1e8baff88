package learn_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
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

// Beyond the size at which atoms are whole, signals of the model are explained but for
// what the cut atoms lack, with missing values, too.
func TestEncodeOnALargeGraph(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: learn.MostPredictedVertices + 116, Seed: 1},
		learn.PaperModel().Kernels, synth.SignalSpec{Count: 20, Sparsity: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	n, m := truth.Signals.Dims()
	if n <= learn.MostPredictedVertices {
		t.Fatalf("%d vertices are not large", n)
	}
	gaps := mat.DenseCopyOf(truth.Signals)
	for k := range m {
		for i := k; i < n; i += 50 {
			gaps.Set(i, k, math.NaN())
		}
	}
	for name, y := range map[string]*mat.Dense{"whole": truth.Signals, "gaps": gaps} {
		_, explained, err := learn.Encode(truth.Graph, learn.PaperModel(), y, 1)
		if err != nil {
			t.Fatal(err)
		}
		var left, all float64
		for i := range n {
			for k, v := range y.RawRowView(i) {
				if !math.IsNaN(v) {
					d := v - explained.At(i, k)
					left, all = left+d*d, all+v*v
				}
			}
		}
		if share := left / all; !(share < 0.02) {
			t.Errorf("%s: %g of the energy is left", name, share)
		}
	}
}
