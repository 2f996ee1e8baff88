package learn

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/sparse"
)

// denseEngine holds all pairs of vertices and the whole dictionary. It is where
// the kernels of a fit are.
type denseEngine struct {
	*dictionary.Spectral
	problem  *sparse.Problem
	coders   map[coderSetting]*sparse.Coder
	atoms    int
	sparsity int
	threads  int
}

// What the default recipe works with on graphs that are not large.
type (
	denseFit  = fit[*denseEngine]
	denseView = view[*denseEngine]
)

func newDenseEngine(y *mat.Dense, m Model, threads int) *denseEngine {
	n, signals := y.Dims()
	atoms := n * len(m.Kernels)
	return &denseEngine{
		Spectral: dictionary.NewSpectral(y, m.Kernels, threads),
		problem:  sparse.EmptyProblem(atoms, signals), coders: map[coderSetting]*sparse.Coder{},
		atoms: atoms, sparsity: m.Sparsity, threads: threads,
	}
}

func (d *denseEngine) At(pairs dictionary.Pairs, w []float64) error {
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
func (d *denseEngine) PlaceHere() { d.Problem(d.problem) }

func (d *denseEngine) Encode(dst *sparse.Code, e coderSetting, signals []int) {
	if signals == nil {
		d.coder(e).Encode(d.problem, dst)
		return
	}
	d.coder(e).EncodeSome(d.problem, dst, signals)
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
