package dictionary

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/sparse"
)

// Whether residuals take the place of signals, whether others use the memory between
// any two calls, and in what parts signals are coded changes no bit.
func TestMemoryChangesNoBit(t *testing.T) {
	in := newInstance(t, 9, 30, "memory")
	some := mat.DenseCopyOf(in.y)
	for k := range 12 {
		some.Set(k%9, 2*k, math.NaN())
	}
	for name, y := range map[string]*mat.Dense{"complete": in.y, "missing entries": some} {
		yt := mat.DenseCopyOf(y.T()).RawMatrix()
		run := func(memory *Memory, inPlace bool, between func()) (all []float64) {
			e := NewSpectralRows(mat.NewDense(30, 9, yt.Data), missingIn(yt), in.kernels, 2, memory)
			e.inPlace = inPlace
			done(e.At(in.w))
			x, grad := in.x.Clone(), make([]float64, in.pairs.Len())
			for range 2 {
				all = append(all, e.Refit(x))
				between()
				e.Gradient(grad, x, nil)
				all = append(all, grad...)
				between()
				e.ScaleGradient(grad, x, nil)
				all = append(all, grad[:len(in.kernels)]...)
				between()
				p := e.problem()
				all = append(append(all, p.Corr...), p.Gram...)
				few := sparse.EmptyProblem(9*len(in.kernels), 2)
				between()
				e.Atoms(few)
				e.Signals(few, []int{4, 17})
				for k, m := range []int{4, 17} {
					if !slices.Equal(few.Corr[k*few.Atoms:(k+1)*few.Atoms], p.Corr[m*p.Atoms:(m+1)*p.Atoms]) {
						t.Errorf("%s: signal %d has other inner products when there are few", name, m)
					}
				}
			}
			return all
		}
		want := run(nil, false, func() {})
		memory := new(Memory)
		other := NewSpectralRows(mat.NewDense(30, 9, slices.Clone(yt.Data)), missingIn(yt), in.kernels, 1, memory)
		done(other.At(in.w))
		for _, inPlace := range []bool{false, true} {
			if got := run(nil, inPlace, func() {}); !slices.Equal(got, want) {
				t.Errorf("%s, in place %v: other bits", name, inPlace)
			}
			if got := run(memory, inPlace, func() { other.Fit(in.x) }); !slices.Equal(got, want) {
				t.Errorf("%s, in place %v, shared: other bits", name, inPlace)
			}
		}
	}
}

// The same for atoms that are cut off.
func TestLocalSharesItsMemory(t *testing.T) {
	in := sparseInstance(t, 30, 20, "shared memory")
	yt := mat.DenseCopyOf(in.y.T()).RawMatrix()
	run := func(memory *Memory, between func()) (all []float64) {
		e := NewLocalRows(mat.NewDense(20, 30, yt.Data), in.kernels, 2, memory)
		e.SetPrecision(1e-3, 30)
		e.SetPairs(in.pairs)
		done(e.Place(in.w))
		x, grad := in.x.Clone(), make([]float64, len(in.w))
		all = append(all, e.Refit(x))
		between()
		e.Gradient(grad, x, nil)
		between()
		for _, list := range e.CandidatePairs(x, slices.Repeat([]float64{1}, 20), 2, anyPair) {
			for _, v := range list {
				all = append(all, float64(v))
			}
		}
		between()
		hess, slope := e.ScaleNormalEquations(x, nil)
		e.Information(grad, x, nil, nil, 2, 1)
		return append(append(append(all, grad...), hess...), slope...)
	}
	memory := new(Memory)
	other := NewSpectralRows(mat.NewDense(20, 30, slices.Clone(yt.Data)), nil, in.kernels, 1, memory)
	done(other.At(make([]float64, other.Pairs().Len())))
	if !slices.Equal(run(nil, func() {}), run(memory, other.Transform)) {
		t.Error("other bits")
	}
}
