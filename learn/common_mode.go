package learn

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/kernel"
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

// ChoosesCommonMode says whether the learner itself decides if the common mode of
// signals like y is removed, by what predicts better.
func (s Sparse) ChoosesCommonMode(y *mat.Dense) bool {
	n, _ := y.Dims()
	auto := s.Options.Kernels == KernelsAuto || s.Options.Kernels == "" && len(s.Model.Kernels) == 0
	return auto && s.Options.Recipe != Maretic2017 && !s.Options.Large(n, signals.Missing(y) > 0)
}
