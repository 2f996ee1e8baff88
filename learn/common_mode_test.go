package learn_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// The mean is over the vertices learned from, and over the values there are; one
// signal is enough.
func TestCommonModeIsTheMeanOverTheVerticesLearnedFrom(t *testing.T) {
	r := &learn.Result{Options: learn.Options{RemoveCommonMode: true}, Aside: []signals.Aside{{Vertex: 1}}}
	none := math.NaN()
	for _, c := range []struct {
		name    string
		y, rest *mat.Dense
		mode    []float64
	}{
		{"two signals", mat.NewDense(3, 2, []float64{1, 2, 100, 7, 3, 8}), mat.NewDense(3, 2, []float64{-1, -3, 100, 7, 1, 3}), []float64{2, 5}},
		{"one signal", mat.NewDense(3, 1, []float64{1e300, 5, 3e300}), mat.NewDense(3, 1, []float64{-1e300, 5, 1e300}), []float64{2e300}},
		{"a missing value", mat.NewDense(3, 1, []float64{none, 5, 4}), mat.NewDense(3, 1, []float64{none, 5, 0}), []float64{4}},
		{"no value", mat.NewDense(3, 1, []float64{none, 5, none}), mat.NewDense(3, 1, []float64{none, 5, none}), []float64{0}},
	} {
		given := mat.DenseCopyOf(c.y)
		rest, mode := r.RemoveCommonMode(c.y)
		if digest(rest) != digest(c.rest) || !slices.Equal(mode, c.mode) {
			t.Errorf("%s: left %v and mode %v, want %v and %v", c.name, mat.Formatted(rest), mode, mat.Formatted(c.rest), c.mode)
		}
		if digest(given) != digest(c.y) {
			t.Errorf("%s: the signals given have changed", c.name)
		}
	}
}

func TestCommonModeStaysUnlessItWasRemoved(t *testing.T) {
	y := mat.NewDense(2, 1, []float64{1, 2})
	if rest, mode := new(learn.Result).RemoveCommonMode(y); rest != y || mode != nil {
		t.Errorf("left %v, mode %v", mat.Formatted(rest), mode)
	}
}

func TestHighPassKernelsNeedTheCommonMode(t *testing.T) {
	y := mat.NewDense(3, 4, nil)
	for spec, want := range map[string]method.CommonMode{
		"heat:2": method.RemoveCommonMode, "highpass:1": method.NeedsCommonMode, "wavelet:2": method.NeedsCommonMode, "poly:1,-0.2": method.RemoveCommonMode,
	} {
		k := must(kernel.Parse(spec, 15, kernel.Chebyshev))
		if got := (learn.Sparse{}).CommonMode(y, []kernel.Kernel{k}); got != want {
			t.Errorf("%s: got %d, want %d", spec, got, want)
		}
	}
	if got := (learn.Sparse{}).CommonMode(y, nil); got != method.OwnCommonMode {
		t.Errorf("with kernels to choose: got %d", got)
	}
}
