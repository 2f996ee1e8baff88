package learn

import (
	"slices"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// denseEngine holds all pairs of vertices and the whole dictionary. It is where
// the kernels of a fit are.
type denseEngine struct {
	*dictionary.Spectral
	problem  *sparse.Problem // of as many signals as are coded at a time
	placed   bool            // the atoms of the problem are those where the engine is
	coders   map[coderSetting]*sparse.Coder
	atoms    int
	sparsity int
	threads  int
}

// What [Sparse] works with on graphs that are not large.
type (
	denseFit  = fit[*denseEngine]
	denseView = view[*denseEngine]
)

// Signals are coded so many at a time that their inner products with all atoms are no
// more than this many numbers, but some for each thread in any case.
const (
	batchValues      = 1 << 16
	signalsPerThread = 32
)

func newDenseEngine(data prepared, m innerModel, threads int, memory *dictionary.Memory) *denseEngine {
	signals, n := data.yt.Dims()
	atoms := n * len(m.Kernels)
	return &denseEngine{
		Spectral: dictionary.NewSpectralRows(data.yt, data.missing, m.Kernels, threads, memory),
		problem:  sparse.EmptyProblem(atoms, min(signals, max(batchValues/atoms, signalsPerThread*threads))),
		coders:   map[coderSetting]*sparse.Coder{},
		atoms:    atoms, sparsity: m.Sparsity, threads: threads,
	}
}

func (d *denseEngine) At(pairs dictionary.Pairs, w []float64) error {
	d.placed = false
	if !samePairs(d.Pairs(), pairs) {
		d.SetPairs(pairs)
	}
	return d.Spectral.At(w)
}

func (d *denseEngine) Place(pairs dictionary.Pairs, w []float64) error {
	if err := d.At(pairs, w); err != nil {
		return err
	}
	d.PlaceHere()
	return nil
}

// PlaceHere makes ready to code at the weights and with the kernels that there are.
func (d *denseEngine) PlaceHere() {
	d.Atoms(d.problem)
	d.placed = true
}

// SetKernels replaces the kernels. To code with them, place the engine anew.
func (d *denseEngine) SetKernels(kernels []kernel.Kernel) {
	d.placed = false
	d.Spectral.SetKernels(kernels)
}

func (d *denseEngine) Encode(dst *sparse.Code, e coderSetting, signals []int) {
	d.encode(d.coder(e), dst, signals)
}

// encode is Encode with another coder.
func (d *denseEngine) encode(coder *sparse.Coder, dst *sparse.Code, signals []int) {
	if !d.placed {
		panic("learn: coding before placing")
	}
	if signals == nil {
		_, all := dst.Dims()
		signals = upTo(0, all)
		d.Transform()
	}
	for batch := range slices.Chunk(signals, len(d.problem.Energy)) {
		d.Signals(d.problem, batch)
		coder.EncodeSome(d.problem, dst, batch)
	}
}

// coder returns the coder of that setting, made once.
func (d *denseEngine) coder(e coderSetting) *sparse.Coder {
	if d.coders[e] == nil {
		d.coders[e] = d.newCoder(sparse.Options{Method: e.method, Sparsity: d.sparsity, Width: e.width})
	}
	return d.coders[e]
}

func (d *denseEngine) newCoder(o sparse.Options) *sparse.Coder {
	o.Threads = d.threads
	c, err := sparse.NewCoder(d.atoms, o)
	if err != nil {
		panic(err) // resolve has checked what the user can choose
	}
	return c
}

func (d *denseEngine) kernelEquations(free kernelParameters, code *sparse.Code, weight []float64) (hess, grad []float64) {
	directions := free.directions(d.Kernels(), d.Eigenvalues())
	size := countDirections(directions)
	hess, grad = make([]float64, size*size), make([]float64, size)
	d.KernelNormalEquations(hess, grad, directions, code, weight, true)
	return hess, grad
}

// reach returns how many edges away from its centre an atom is felt.
func (d *denseEngine) reach() int {
	reach := 0
	for _, k := range d.Kernels() {
		reach = max(reach, k.Degree())
	}
	return reach
}

// noiseCoder takes no more atoms for a signal when the energy of its residual is at the
// floor.
func (d *denseEngine) noiseCoder(atoms int, floor float64) *sparse.Coder {
	return d.newCoder(sparse.Options{Method: sparse.Beam, Sparsity: atoms, Width: noiseWidth, Floor: floor})
}

// noiseWidth is the beam of that coder.
const noiseWidth = 4
