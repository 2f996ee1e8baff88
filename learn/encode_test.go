package learn_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// Codes on the true graph explain signals of the model, nine in ten at least and in
// any unit, and what they stand for is D·X.
func TestEncodeExplainsSignalsOfTheModel(t *testing.T) {
	truth := small(t)
	d := must(dictionary.Dense(truth.Graph.Laplacian(), learn.PaperModel().Kernels))
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
	truth := must(synth.Generate(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: learn.MostPredictedVertices + 116, Seed: 1},
		learn.PaperModel().Kernels, synth.SignalSpec{Count: 20, Sparsity: 3, Seed: 1}))
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

// Signals that were learned from are coded as they were then, in any unit, and with a
// floor for noise the codes of others keep less of it.
func TestEncodeStopsAtNoise(t *testing.T) {
	slow(t)
	const count = 200
	draw := func(of uint64) *synth.Truth {
		truth := must(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: *seed}, learn.PaperModel().Kernels,
			synth.SignalSpec{Count: count, Sparsity: 3, Noise: 0.2, Seed: of}))
		return truth
	}
	first, second := draw(1), draw(2)
	const unit = 1e-180
	var y, other mat.Dense
	y.Scale(unit, first.Signals)
	other.Scale(unit, second.Signals)
	r := fit(t, &y, learn.PaperModel(), learn.Options{Starts: 1})
	codes, _, err := learn.Encode(r.Graph, r.Model, &y, 1)
	if err != nil {
		t.Fatal(err)
	}
	alike := 0
	for s := range count {
		a, _ := codes.Column(s)
		b, _ := r.Codes.Column(s)
		if slices.Equal(a, b) {
			alike++
		}
	}
	if r.Model.NoiseFloor == 0 || 100*alike < 98*count { // learning may know better codes from before
		t.Errorf("floor %g, %d of %d signals have the atoms that learning gave them", r.Model.NoiseFloor, alike, count)
	}
	errorOf := func(m learn.Model) float64 {
		_, explained, err := learn.Encode(r.Graph, m, &other, 1)
		if err != nil {
			t.Fatal(err)
		}
		explained.Scale(1/unit, explained)
		explained.Sub(explained, second.Clean)
		return mat.Norm(explained, 2)
	}
	without := r.Model
	without.NoiseFloor = 0
	if with, all := errorOf(r.Model), errorOf(without); with >= all {
		t.Errorf("error %g, without a floor %g", with, all)
	}
}
