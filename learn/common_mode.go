package learn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// InitialKernels returns the kernels that learning begins with; none if they are
// free polynomials.
func (s Sparse) InitialKernels() []kernel.Kernel {
	switch {
	case s.Options.Kernels == KernelsFree:
		return nil
	case len(s.Model.Kernels) == 0:
		return PaperModel().Kernels
	}
	return s.Model.Kernels
}

// CommonMode keeps the contract of [method.CommonModeUser]. If the kernels are chosen, the
// learner itself decides by what predicts better.
func (s Sparse) CommonMode(y *mat.Dense, kernels []kernel.Kernel) method.CommonMode {
	if s.Model.Kernels == nil {
		s.Model.Kernels = kernels
	}
	n, _ := y.Dims()
	auto := s.Options.Kernels == KernelsAuto || s.Options.Kernels == "" && len(s.Model.Kernels) == 0
	switch {
	case auto && !s.Options.Large(n):
		return method.OwnCommonMode
	case slices.ContainsFunc(s.InitialKernels(), isHighPass):
		return method.NeedsCommonMode
	}
	return method.RemoveCommonMode
}

// isHighPass reports whether a kernel passes more of what differs most between
// neighbours than of what is the same everywhere.
func isHighPass(k kernel.Kernel) bool { return math.Abs(k.Eval(0)) < math.Abs(k.Eval(2)) }

// RemoveCommonMode removes the common mode from signals of the same vertices as the
// learner did: the mean of each signal over the vertices that were learned from.
// Vertices that were set aside keep their values, and missing entries have no part
// in the mean. It returns a copy of y without the mode, and the mode, a value for
// each signal; y itself and nil if Options.RemoveCommonMode is not set.
func (r *Result) RemoveCommonMode(y *mat.Dense) (rest *mat.Dense, mode []float64) {
	if !r.Options.RemoveCommonMode {
		return y, nil
	}
	return RemoveCommonMode(y, r.Aside)
}

// RemoveCommonMode is [Result.RemoveCommonMode] for vertices of which some were set
// aside, whatever the options.
func RemoveCommonMode(y *mat.Dense, aside []signals.Aside) (rest *mat.Dense, mode []float64) {
	n, m := y.Dims()
	data := canonical.InOrder(y, without(matrix.Span(0, n), aside))
	level := data.SubtractCommonMode()
	rest, mode = mat.DenseCopyOf(y), make([]float64, m)
	for c, s := range data.Signals {
		mode[s] = level[c] * data.Unit
		for k, i := range data.Vertices {
			rest.Set(i, s, data.Rows.At(c, k)*data.Unit)
		}
	}
	return rest, mode
}

// without returns the vertices that were not set aside.
func without(vertices []int, aside []signals.Aside) []int {
	return slices.DeleteFunc(vertices, func(i int) bool {
		return slices.ContainsFunc(aside, func(a signals.Aside) bool { return a.Vertex == i })
	})
}
