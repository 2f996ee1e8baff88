package model

import (
	"math"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"github.com/nervure/nervure"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
)

// New signals lose part of their noise, whatever their offsets, and one alone as
// much as among others.
func TestEncodeTakesNoiseAway(t *testing.T) {
	truth := planted(t, 15, 300, 0)
	n, m := truth.Signals.Dims()
	offset := mat.NewDense(n, m, nil)
	offset.Apply(func(i, _ int, v float64) float64 { return v + 3*float64(i) }, truth.Signals)
	for name, c := range map[string]struct {
		clean *mat.Dense
		o     nervure.Options
		most  float64 // of the noise may stay
	}{
		"offsets": {offset, nervure.Options{Method: learn.Sparse{Model: learn.PaperModel()}, Prepare: prepare.Options{Center: nervure.Yes}}, 0.9},
		"a common mode removed by the learner": {truth.Signals, nervure.Options{
			Method: learn.Sparse{Model: learn.PaperModel(), Options: learn.Options{RemoveCommonMode: true}},
		}, 2}, // without it, signals of the model are less sparse
	} {
		c.o.Confidence = nervure.No
		r := rng.Stream(1, "noise")
		noisy := mat.NewDense(n, m, nil)
		for i := range n {
			sd := matrix.Describe(c.clean.RawRowView(i)).SD
			for k := range m {
				noisy.Set(i, k, c.clean.At(i, k)+0.1*sd*r.NormFloat64())
			}
		}
		first, last := mat.DenseCopyOf(noisy.Slice(0, n, 0, 250)), mat.DenseCopyOf(noisy.Slice(0, n, 250, m))
		a, err := nervure.Learn(t.Context(), &nervure.Signals{Y: first}, c.o)
		if err != nil {
			t.Fatal(err)
		}
		coded, err := Encode(a, &nervure.Signals{Y: last})
		if err != nil {
			t.Fatal(err)
		}
		clean := mat.DenseCopyOf(c.clean.Slice(0, n, 250, m))
		if before, after := distance(last, clean), distance(coded.Denoised, clean); !(after < c.most*before) {
			t.Errorf("%s: the noise was %g and is %g", name, before, after)
		}
		alone, err := Encode(a, &nervure.Signals{Y: mat.DenseCopyOf(last.Slice(0, n, 0, 1))})
		if err != nil {
			t.Fatal(err)
		}
		if d := distance(alone.Denoised, mat.DenseCopyOf(coded.Denoised.Slice(0, n, 0, 1))); d > 1e-9*mat.Norm(clean, 2) {
			t.Errorf("%s: a signal alone is denoised otherwise, by %g", name, d)
		}
	}
}

// distance is the Frobenius norm of a − b.
func distance(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return math.Abs(mat.Norm(&d, 2))
}

// A vertex that was set aside takes up no atoms, and is given back as it is.
func TestEncodeLeavesVerticesAsideAlone(t *testing.T) {
	truth := planted(t, 12, 100, 0)
	n, m := truth.Signals.Dims()
	y := mat.NewDense(n+1, m, nil)
	y.Slice(0, n, 0, m).(*mat.Dense).Copy(truth.Signals)
	for k := range m {
		y.Set(n, k, 7)
	}
	a, err := nervure.Learn(t.Context(), &nervure.Signals{Y: y}, nervure.Options{Method: learn.Sparse{Model: learn.PaperModel()}, Prepare: prepare.Options{Center: nervure.No}, Confidence: nervure.No})
	if err != nil {
		t.Fatal(err)
	}
	coded, err := Encode(a, &nervure.Signals{Y: y})
	if err != nil {
		t.Fatal(err)
	}
	for k := range m {
		atoms, _ := coded.Codes.Column(k)
		for _, j := range atoms {
			if int(j)%(n+1) == n {
				t.Fatalf("signal %d has an atom at the constant vertex", k+1)
			}
		}
		if coded.Denoised.At(n, k) != 7 {
			t.Fatalf("the constant vertex is %g", coded.Denoised.At(n, k))
		}
	}
}
