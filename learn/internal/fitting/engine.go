package fitting

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// An Engine turns weights over some pairs of vertices into codes, residuals and
// gradients. Pairs come with the weights, so that nobody has to put them back.
type Engine interface {
	// Place moves to the weights w and makes ready to code there.
	Place(pairs dictionary.Pairs, w []float64) error
	// Encode codes the given signals, nil meaning all, at the weights of Place.
	Encode(dst *sparse.Code, e CoderSetting, signals []int)
	// At moves to weights that are not far from those of Place.
	At(pairs dictionary.Pairs, w []float64) error
	// Refit computes the coefficients, and Residuals what they leave over; see
	// dictionary.Spectral.
	Refit(x *sparse.Code) float64
	Residuals() []float64
	Gradient(grad []float64, x *sparse.Code, weight []float64)

	Energy() float64
	SignalEnergy(m int) float64
}

// CoderSetting says how to code: with which method, and with beams how wide.
type CoderSetting struct {
	Method sparse.Method
	Width  int
}

// Beams is to code with beams that wide.
func Beams(width int) CoderSetting { return CoderSetting{Method: sparse.Beam, Width: width} }

// samePairs reports whether two lists of pairs are one and the same.
func samePairs(p, q dictionary.Pairs) bool {
	return p.N == q.N && p.Len() == q.Len() && (p.Len() == 0 || &p.I[0] == &q.I[0] && &p.J[0] == &q.J[0])
}

// A Stage codes in one way until its rounds improve the loss by less than a share.
type Stage struct {
	CoderSetting
	Stall float64
}

// DenseEngine holds all pairs of vertices and the whole dictionary. It is where
// the kernels of a fit are.
type DenseEngine struct {
	*dictionary.Spectral
	problem   *sparse.Problem // of as many signals as are coded at a time
	placed    bool            // the atoms of the problem are those where the engine is
	coders    map[CoderSetting]*sparse.Coder
	AtomCount int
	sparsity  int
	threads   int
}

// DenseFit is a fit on a graph that is not large.
type DenseFit = Fit[*DenseEngine]

// DenseView is a view of such a fit.
type DenseView = View[*DenseEngine]

// DenseLoss is the loss of a search on such a graph.
type DenseLoss = RobustLoss[*DenseEngine]

type (
	// LocalView is a view of a fit on a large graph.
	LocalView = View[*LocalEngine]
	// LocalLoss is the loss of a search there.
	LocalLoss = RobustLoss[*LocalEngine]
)

// Signals are coded so many at a time that their inner products with all atoms are no
// more than this many numbers, but some for each thread in any case.
const (
	batchValues      = 1 << 16
	signalsPerThread = 32
)

// NewDense returns the engine of signals and a model. A nil memory is one of its own.
func NewDense(data Signals, m Model, threads int, memory *dictionary.Memory) *DenseEngine {
	signals, n := data.Rows.Dims()
	atoms := n * len(m.Kernels)
	return &DenseEngine{
		Spectral:  dictionary.NewSpectralRows(data.Rows, data.Missing, m.Kernels, threads, memory),
		problem:   sparse.EmptyProblem(atoms, min(signals, max(batchValues/atoms, signalsPerThread*threads))),
		coders:    map[CoderSetting]*sparse.Coder{},
		AtomCount: atoms, sparsity: m.Sparsity, threads: threads,
	}
}

// At implements [Engine].
func (d *DenseEngine) At(pairs dictionary.Pairs, w []float64) error {
	d.placed = false
	if !samePairs(d.Pairs(), pairs) {
		d.SetPairs(pairs)
	}
	return d.Spectral.At(w)
}

// Place implements [Engine].
func (d *DenseEngine) Place(pairs dictionary.Pairs, w []float64) error {
	if err := d.At(pairs, w); err != nil {
		return err
	}
	d.PlaceHere()
	return nil
}

// PlaceHere makes ready to code at the weights and with the kernels that there are.
func (d *DenseEngine) PlaceHere() {
	d.Atoms(d.problem)
	d.placed = true
}

// SetKernels replaces the kernels. To code with them, place the engine again.
func (d *DenseEngine) SetKernels(kernels []kernel.Kernel) {
	d.placed = false
	d.Spectral.SetKernels(kernels)
}

// Encode implements [Engine].
func (d *DenseEngine) Encode(dst *sparse.Code, e CoderSetting, signals []int) {
	d.EncodeWith(d.Coder(e), dst, signals)
}

// EncodeWith is Encode with another coder.
func (d *DenseEngine) EncodeWith(coder *sparse.Coder, dst *sparse.Code, signals []int) {
	if !d.placed {
		panic("learn: coding before placing")
	}
	if signals == nil {
		_, all := dst.Dims()
		signals = matrix.Span(0, all)
		d.Transform()
	}
	for batch := range slices.Chunk(signals, len(d.problem.Energy)) {
		d.Signals(d.problem, batch)
		coder.EncodeSome(d.problem, dst, batch)
	}
}

// Coder returns the coder of that setting, made once.
func (d *DenseEngine) Coder(e CoderSetting) *sparse.Coder {
	if d.coders[e] == nil {
		d.coders[e] = d.NewCoder(sparse.Options{Method: e.Method, Sparsity: d.sparsity, Width: e.Width})
	}
	return d.coders[e]
}

// NewCoder returns a coder for the atoms of the engine.
func (d *DenseEngine) NewCoder(o sparse.Options) *sparse.Coder {
	o.Threads = d.threads
	c, err := sparse.NewCoder(d.AtomCount, o)
	if err != nil {
		panic(err) // resolve has checked what the user can choose
	}
	return c
}

func (d *DenseEngine) kernelEquations(free Parameters, code *sparse.Code, weight []float64) (hess, grad []float64) {
	directions := free.Directions(d.Kernels(), d.Eigenvalues())
	size := CountDirections(directions)
	hess, grad = make([]float64, size*size), make([]float64, size)
	d.KernelNormalEquations(hess, grad, directions, code, weight, true)
	return hess, grad
}

// Reach returns how many edges away from its centre an atom is felt.
func (d *DenseEngine) Reach() int {
	reach := 0
	for _, k := range d.Kernels() {
		reach = max(reach, k.Degree())
	}
	return reach
}

// NoiseCoder takes no more atoms for a signal when the energy of its residual is at the
// floor.
func (d *DenseEngine) NoiseCoder(atoms int, floor float64) *sparse.Coder {
	return d.NewCoder(sparse.Options{Method: sparse.Beam, Sparsity: atoms, Width: noiseWidth, Floor: floor})
}

// noiseWidth is the beam of that coder.
const noiseWidth = 4

// LocalEngine holds candidate pairs and atoms cut off where they are small.
type LocalEngine struct {
	*dictionary.Local
	Ctx      context.Context
	pairs    dictionary.Pairs
	sparsity int
	threads  int
	signals  []int     // all of them
	missing  [][]int32 // of each signal; nil if none is anywhere
}

// NewLocal returns the engine of signals and a model. Coding ends with ctx. A nil memory is
// one of its own.
func NewLocal(ctx context.Context, data Signals, m Model, threads int, memory *dictionary.Memory) *LocalEngine {
	yt := data.Rows
	if data.Missing != nil {
		yt = mat.DenseCopyOf(yt) // imputing changes it
	}
	l := &LocalEngine{
		Local: dictionary.NewLocalRows(yt, m.Kernels, threads, memory), Ctx: ctx, missing: data.Missing,
		sparsity: m.Sparsity, threads: threads, signals: matrix.Span(0, data.Count()),
	}
	l.SetPrecision(atomTolerance, atomMembers)
	return l
}

// Place implements [Engine].
func (l *LocalEngine) Place(pairs dictionary.Pairs, w []float64) error {
	if !samePairs(l.pairs, pairs) {
		l.pairs = pairs
		l.SetPairs(pairs)
	}
	return l.Local.Place(w)
}

// At implements [Engine].
func (l *LocalEngine) At(pairs dictionary.Pairs, w []float64) error {
	if !samePairs(l.pairs, pairs) {
		return l.Place(pairs, w)
	}
	return l.Local.At(w)
}

// Release gives memory back until the engine moves to other weights.
func (l *LocalEngine) Release() {
	l.pairs = dictionary.Pairs{}
	l.Local.Release()
}

// Encode codes with as many sweeps as the setting is wide; the method is always
// orthogonal matching pursuit. If the context ends, the signals not yet coded
// keep the codes they have.
func (l *LocalEngine) Encode(dst *sparse.Code, e CoderSetting, signals []int) {
	l.EncodeAtoms(dst, l.sparsity, e, signals)
}

// EncodeAtoms is Encode with another number of atoms per signal.
func (l *LocalEngine) EncodeAtoms(dst *sparse.Code, atoms int, e CoderSetting, signals []int) {
	if signals == nil {
		signals = l.signals
	}
	coder := sparse.NewLocalCoder(l.Local, sparse.LocalOptions{Sparsity: atoms, Sweeps: e.Width, Floor: codeFloor, Threads: l.threads})
	coder.Encode(l.Ctx, l.Signal, dst, signals)
	if l.missing != nil {
		for range imputations {
			l.Refit(dst)
			l.Impute(dst, l.missing)
		}
	}
}

// kernelEquations knows scales alone: nothing else of kernels is learned on large
// graphs.
func (l *LocalEngine) kernelEquations(_ Parameters, code *sparse.Code, weight []float64) (hess, grad []float64) {
	return l.ScaleNormalEquations(code, weight)
}

const (
	// How finely atoms are computed; see dictionary.Local. Ten times finer gave
	// the same edges and took several times as long.
	atomTolerance, atomMembers = 1e-3, 512
	// codeFloor ends the coding of a signal; see sparse.LocalOptions.
	codeFloor = 5e-3
	// imputations is how often missing entries are replaced after a coding. Where a
	// share q is missing, each time leaves about that share of their errors.
	imputations = 4
)
