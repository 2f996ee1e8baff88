package fitting

import (
	"slices"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/kernelparam"
	"github.com/nervure/nervure/learn/internal/seq"
)

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

// Signals are coded so many at a time that their inner products with all atoms are no
// more than this many numbers, but some for each thread in any case.
const (
	batchValues      = 1 << 16
	signalsPerThread = 32
)

// NewDense returns the engine of signals and a model. A nil memory is one of its own.
func NewDense(data canonical.Signals, m Model, threads int, memory *dictionary.Memory) *DenseEngine {
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
		signals = seq.UpTo(0, all)
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

func (d *DenseEngine) kernelEquations(free kernelparam.Parameters, code *sparse.Code, weight []float64) (hess, grad []float64) {
	directions := free.Directions(d.Kernels(), d.Eigenvalues())
	size := kernelparam.CountDirections(directions)
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
