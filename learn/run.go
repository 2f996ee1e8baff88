package learn

import (
	"slices"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/method"
)

// WithRun returns the method with the kernels and options that a document asks for. A
// document that makes no sense is an [*input.Error] with keys in backquotes.
func (s Sparse) WithRun(r *document.Run) (method.Method, error) {
	kernels, learned, count, err := r.Kernels.Kernels()
	if err != nil {
		return nil, err
	}
	s.Model.Kernels, s.Model.Sparsity = kernels, r.Method.Sparsity
	s.Options.Kernels, s.Options.KernelCount = KernelLearning(learned), count
	if s.Options.Kernels == KernelsFree {
		s.Options.KernelDegree = r.Kernels.Degree
	}
	s.Options.Coder, s.Options.Rounds = Coder(r.Method.Coder), r.Method.Rounds
	if coders := sparse.Methods(); r.Method.Coder != "" && !slices.Contains(coders, s.Options.Coder) {
		return nil, input.Completef("learn", "run", "`method.coder` %q: want one of %v", r.Method.Coder, coders)
	}
	if r.Method.Name != string(Maretic2017) {
		return s, nil
	}
	s.Options.Recipe = Maretic2017
	for key, value := range r.Method.Params {
		switch {
		case key == "step":
			s.Options.StepSize = value
		case key == "decay":
			s.Options.StepDecay = value
		case key == "beta":
			s.Options.EdgePenalty = value
		case key == "no-penalty" && value > 0:
			s.Options.EdgePenalty = -1
		case key != "no-penalty":
			return nil, input.Completef("learn", "run", "`method.params`: method %s has no parameter %q; it has step, decay, beta, no-penalty", Maretic2017, key)
		}
	}
	return s, nil
}

// Describe puts the kernels and options into a document, as far as it has a place for them.
func (s Sparse) Describe(r *document.Run) {
	r.Kernels.SetKernels(s.Model.Kernels, string(s.Options.Kernels), s.Options.KernelCount)
	if s.Options.Kernels == KernelsFree {
		r.Kernels.Degree = s.Options.KernelDegree
	}
	r.Method.Sparsity, r.Method.Coder, r.Method.Rounds = s.Model.Sparsity, string(s.Options.Coder), s.Options.Rounds
	if s.Options.Recipe != Maretic2017 {
		return
	}
	r.Method.Name, r.Method.Params = string(Maretic2017), document.Params{}
	for name, value := range map[string]float64{"step": s.Options.StepSize, "decay": s.Options.StepDecay, "beta": max(s.Options.EdgePenalty, 0), "no-penalty": max(-s.Options.EdgePenalty, 0)} {
		if value > 0 {
			r.Method.Params[name] = value
		}
	}
}
