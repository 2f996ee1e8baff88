package learn

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
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
	f.checkSigns(g, input.Graph)
	for _, y := range signals {
		f.checkSignals(y, g)
	}
	return errors.Join(f...)
}

// KernelLearning says what of the kernels is learned with the graph.
type KernelLearning string

const (
	// KernelsGiven leaves the kernels as they are, and only the edges are those of other scales
	// where these fit clearly better; see Result.FittingKernels.
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

// Encode codes signals on a graph that is known or was learned, whose vertices are
// the rows of y: it returns the codes X and the signals D·X that they stand for,
// which are y without what few atoms cannot explain. Missing entries of y, NaN,
// have no part in its codes. The model must have kernels and a sparsity. With that of a
// result, signals are coded as learning has coded its own in the end.
//
// Up to [mostPredictedVertices] vertices, atoms are whole, and signals of the model are
// explained to rounding. Beyond that they are cut off where they are small, as they are
// when a large graph is learned: signals of the model are explained to some percent, and
// missing values in the midst of an atom are only roughly filled in.
func Encode(g *graph.Graph, m Model, y *mat.Dense, threads int) (codes *sparse.Code, explained *mat.Dense, err error) {
	if err := m.check(g, y); err != nil {
		return nil, nil, err
	}
	unit := fitting.UnitOf(y)
	inUnit, synthesise, err := codedInUnits(g, m, fitting.InUnits(y, unit), threads)
	if err != nil {
		return nil, nil, err
	}
	n, signals := y.Dims()
	atoms, _ := inUnit.Dims()
	codes, explained = sparse.NewCode(atoms, signals, m.Sparsity), mat.NewDense(n, signals, nil)
	column := make([]float64, n)
	for s := range signals {
		synthesise(column, inUnit, s)
		for i, v := range column {
			explained.Set(i, s, v*unit)
		}
		atom, coef := inUnit.Column(s)
		scaled := make([]float64, len(coef))
		for q, c := range coef {
			scaled[q] = c * unit
		}
		codes.SetColumn(s, atom, scaled)
	}
	return codes, explained, nil
}

// codedInUnits codes signals, and returns what makes signals of codes.
func codedInUnits(
	g *graph.Graph, m Model, data fitting.Signals, threads int,
) (*sparse.Code, func(dst []float64, x *sparse.Code, m int), error) {
	if g.Vertices() > mostPredictedVertices {
		data.Fill()
		engine, code, err := codedLocally(g, m, data, threads)
		if err != nil {
			return nil, nil, err
		}
		return code, engine.Synthesise, nil
	}
	floor := m.NoiseFloor / data.Unit
	engine, code, err := coded(g, m, data, floor*floor, threads)
	if err != nil {
		return nil, nil, err
	}
	return code, engine.Synthesise, nil
}

// coded codes signals by a model on a graph, each with no more atoms than it takes until
// the energy of its residual is at the floor.
func coded(g *graph.Graph, m Model, data fitting.Signals, floor float64, threads int) (*fitting.DenseEngine, *sparse.Code, error) {
	e := fitting.NewDense(data, fitting.Model(m), cores(threads), nil)
	pairs, w := dictionary.EdgesOf(g)
	if err := e.Place(pairs, w); err != nil {
		return nil, nil, err
	}
	code := sparse.NewCode(e.AtomCount, data.Count(), m.Sparsity)
	coder := e.Coder(fitting.CoderSetting{Method: sparse.Beam})
	if floor > 0 {
		coder = e.NoiseCoder(m.Sparsity, floor)
	}
	e.EncodeWith(coder, code, nil)
	e.Refit(code)
	return e, code, nil
}
