package learn

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
)

// A Model says how signals come from a graph: each is a sum of at most Sparsity
// atoms of the dictionary that Kernels generate on it.
type Model struct {
	Kernels  []kernel.Kernel // nil means those that suit the signals; see Options.Kernels
	Sparsity int             // T₀, below N; zero means as many as the signals ask for
	// NoiseFloor is the norm of a residual that may be noise: [Encode] takes no more
	// atoms then. Learning sets it where it finds noise, and does not read it.
	NoiseFloor float64
}

// PaperModel is the model of [maretic2017], section 4: Taylor polynomials of
// degree 15 for e^(−2λ) and 1 − e^(−λ), and four atoms per signal.
func PaperModel() Model { return Model{Kernels: kernel.Paper(), Sparsity: 4} }

// check refuses a model that cannot code the signals on the graph g, and signals
// that are not on it.
func (m Model) check(g *graph.Graph, signals ...*mat.Dense) error {
	var f faults
	f.check(len(m.Kernels) == 0, input.Kernels, "got none, want at least 1")
	f.check(hasEmpty(m.Kernels), input.Kernels, "an empty kernel generates no atoms")
	atoms := g.Vertices() * len(m.Kernels)
	f.check(m.Sparsity < 1 || m.Sparsity > atoms, input.Sparsity, "got %d atoms per signal, want 1 to %d", m.Sparsity, atoms)
	for _, y := range signals {
		f.checkSignals(y, g)
	}
	return errors.Join(f...)
}

// KernelLearning says what of the kernels is learned with the graph.
type KernelLearning string

const (
	// KernelsGiven leaves the kernels as they are.
	KernelsGiven KernelLearning = "given"
	// KernelsScaled learns the scales of the kernels that have one.
	KernelsScaled KernelLearning = "scales"
	// KernelsFree learns polynomials ([thanou2014]).
	KernelsFree KernelLearning = "free"
	// KernelsAuto begins with those of [PaperModel] and changes their scales, or
	// takes low-pass ones instead, where the signals ask for it.
	KernelsAuto KernelLearning = "auto"
)

// kernelLearnings lists them; engines have the same names for them.
func kernelLearnings() []KernelLearning {
	return []KernelLearning{KernelsGiven, KernelsScaled, KernelsFree, KernelsAuto}
}
