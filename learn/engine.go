package learn

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/sparse"
)

// An engine turns weights over some pairs into codes, residuals and gradients.
type engine interface {
	// SetPairs changes which weights are free. The next call must be Place.
	SetPairs(p dictionary.Pairs)
	// Place moves to the weights w and makes ready to code there.
	Place(w []float64) error
	// Encode codes the given signals, nil meaning all, at the weights of Place.
	Encode(dst *sparse.Code, e effort, signals []int)
	// At moves to weights that are not far from those of Place.
	At(w []float64) error
	// Fit and Refit compute residuals; see dictionary.Spectral.
	Fit(x *sparse.Code) float64
	Refit(x *sparse.Code) float64
	Residuals() []float64
	Gradient(grad []float64, x *sparse.Code, weight []float64)

	Energy() float64
	SignalEnergy(m int) float64
}

// effort says how to code: with which method, and with beams how wide.
type effort struct {
	method sparse.Method
	width  int
}

// denseEngine holds all pairs of vertices and the whole dictionary.
type denseEngine struct {
	*dictionary.Spectral
	problem  *sparse.Problem
	coders   map[effort]*sparse.Coder
	atoms    int
	sparsity int
	threads  int
}

func newDenseEngine(y *mat.Dense, kernels []kernel.Kernel, sparsity, threads int) *denseEngine {
	n, m := y.Dims()
	atoms := n * len(kernels)
	return &denseEngine{
		Spectral: dictionary.NewSpectral(y, kernels, threads),
		problem:  sparse.EmptyProblem(atoms, m), coders: map[effort]*sparse.Coder{},
		atoms: atoms, sparsity: sparsity, threads: threads,
	}
}

func (d *denseEngine) Place(w []float64) error {
	if err := d.At(w); err != nil {
		return err
	}
	d.Problem(d.problem)
	return nil
}

func (d *denseEngine) Encode(dst *sparse.Code, e effort, signals []int) {
	if signals == nil {
		d.coder(e).Encode(d.problem, dst)
		return
	}
	d.coder(e).EncodeSome(d.problem, dst, signals)
}

// coder returns the coder of that effort, made once.
func (d *denseEngine) coder(e effort) *sparse.Coder {
	if d.coders[e] == nil {
		c, err := sparse.NewCoder(d.atoms, sparse.Options{Method: e.method, Sparsity: d.sparsity, Width: e.width, Threads: d.threads})
		if err != nil {
			panic(err) // resolve has checked what the user can choose
		}
		d.coders[e] = c
	}
	return d.coders[e]
}

// localEngine holds candidate pairs and atoms cut off where they are small.
type localEngine struct {
	*dictionary.Local
	ctx      context.Context
	sparsity int
	threads  int
	signals  []int     // all of them
	missing  [][]int32 // of each signal; nil if none is anywhere
}

func newLocalEngine(ctx context.Context, data prepared, kernels []kernel.Kernel, sparsity, threads int) *localEngine {
	_, m := data.y.Dims()
	l := &localEngine{
		Local: dictionary.NewLocal(data.filled(), kernels, threads), ctx: ctx, missing: data.missing,
		sparsity: sparsity, threads: threads, signals: make([]int, m),
	}
	for k := range l.signals {
		l.signals[k] = k
	}
	return l
}

// Encode codes with as many sweeps as the effort is wide; the method is always
// orthogonal matching pursuit. If the context ends, the signals not yet coded
// keep the codes they have.
func (l *localEngine) Encode(dst *sparse.Code, e effort, signals []int) {
	if signals == nil {
		signals = l.signals
	}
	coder := sparse.NewLocalCoder(l.Local, sparse.LocalOptions{Sparsity: l.sparsity, Sweeps: e.width, Floor: codeFloor, Threads: l.threads})
	coder.Encode(l.ctx, l.Signal, dst, signals)
	if l.missing != nil {
		for range imputations {
			l.Refit(dst)
			l.Impute(l.missing)
		}
	}
}

// imputations is how often missing entries are replaced after a coding. Where a
// share q is missing, each time leaves about that share of their errors.
const imputations = 4
