package dictionary

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// With whole atoms, the equations of the scales are those of the spectrum.
func TestLocalScaleEquationsAgreeWithSpectral(t *testing.T) {
	in := sparseInstance(t, 30, 40, "local scales")
	spectral := newSpectral(in.y, in.kernels, 1)
	spectral.SetPairs(in.pairs)
	done(spectral.At(in.w))
	weight := make([]float64, 40)
	for k := range weight {
		weight[k] = float64(k%5) / 3
	}
	var directions [][][]float64
	size := 0
	for _, k := range in.kernels {
		if k.Family() == "" {
			directions = append(directions, nil)
			continue
		}
		d := make([]float64, 30)
		for a, l := range spectral.Eigenvalues() {
			d[a] = k.Scale() * k.ScaleDerivative(l)
		}
		directions, size = append(directions, [][]float64{d}), size+1
	}
	a, b := in.x.Clone(), in.x.Clone()
	hess, grad := make([]float64, size*size), make([]float64, size)
	spectral.Refit(a)
	spectral.KernelNormalEquations(hess, grad, directions, a, weight, true)
	local := in.local(2, 0, 30)
	local.Refit(b)
	ownHess, ownGrad := local.ScaleNormalEquations(b, weight)
	if !floats.EqualApprox(ownHess, hess, 1e-5*floats.Norm(hess, math.Inf(1))) {
		t.Errorf("second derivatives %v, spectral %v", ownHess, hess)
	}
	if !floats.EqualApprox(ownGrad, grad, 1e-5*floats.Norm(grad, math.Inf(1))) {
		t.Errorf("derivatives %v, spectral %v", ownGrad, grad)
	}
}

// Kernels that are set are those of a new evaluator.
func TestLocalTakesOtherKernels(t *testing.T) {
	in := sparseInstance(t, 30, 20, "local kernels")
	kernels := slices.Clone(in.kernels)
	for s, k := range kernels {
		if k.Family() == "" {
			continue
		}
		var err error
		if kernels[s], err = k.WithScale(1.3 * k.Scale()); err != nil {
			t.Fatal(err)
		}
	}
	e := in.local(1, 0, 30)
	e.SetKernels(kernels)
	in.kernels = kernels
	fresh := in.local(1, 0, 30)
	if a, b := e.Fit(in.x), fresh.Fit(in.x); math.Abs(a-b) > 1e-12*b {
		t.Errorf("fit %v, with a new evaluator %v", a, b)
	}
}
