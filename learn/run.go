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
	s.Options.Rounds = r.Method.Rounds
	s.Options.Coder, err = coderOf(r)
	return s, err
}

// coderOf returns the coder that a document asks for.
func coderOf(r *document.Run) (Coder, error) {
	coder, coders := Coder(r.Method.Coder), sparse.Methods()
	if coder != "" && !slices.Contains(coders, coder) {
		return "", input.Completef("learn", "run", "`method.coder` %q: want one of %v", coder, coders)
	}
	return coder, nil
}

// Describe puts the kernels and options into a document, as far as it has a place for them.
func (s Sparse) Describe(r *document.Run) {
	r.Kernels.SetKernels(s.Model.Kernels, string(s.Options.Kernels), s.Options.KernelCount)
	if s.Options.Kernels == KernelsFree {
		r.Kernels.Degree = s.Options.KernelDegree
	}
	r.Method.Sparsity, r.Method.Coder, r.Method.Rounds = s.Model.Sparsity, string(s.Options.Coder), s.Options.Rounds
}

// WithRun returns the method with the kernels and options that a document asks for, besides
// its parameters. It learns no kernels and knows no prior.
func (m Maretic2017) WithRun(r *document.Run) (method.Method, error) {
	kernels, learned, _, err := r.Kernels.Kernels()
	switch {
	case err != nil:
		return nil, err
	case learned == string(KernelsScaled) || learned == string(KernelsFree):
		return nil, input.Completef("learn", "run", "`kernels.given`: %s does not learn kernels: give them, such as heat:2", m.Name())
	case r.Known.Prior != "":
		return nil, input.Completef("learn", "run", "`known.prior` applies only to `method.name` %s", Sparse{}.Name())
	}
	if m.Model.Kernels, m.Model.Sparsity = kernels, r.Method.Sparsity; r.Method.Rounds > 0 {
		m.Rounds = r.Method.Rounds
	}
	m.Coder, err = coderOf(r)
	return m, err
}

// Describe puts the kernels and options into a document, without the parameters.
func (m Maretic2017) Describe(r *document.Run) {
	r.Kernels.SetKernels(m.Model.Kernels, string(KernelsGiven), 0)
	r.Method.Sparsity, r.Method.Coder = m.Model.Sparsity, string(m.Coder)
}
