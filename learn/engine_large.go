package learn

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
)

// localEngine holds candidate pairs and atoms cut off where they are small.
type localEngine struct {
	*dictionary.Local
	ctx      context.Context
	pairs    dictionary.Pairs
	sparsity int
	threads  int
	signals  []int     // all of them
	missing  [][]int32 // of each signal; nil if none is anywhere
}

func newLocalEngine(ctx context.Context, data prepared, m innerModel, threads int, memory *dictionary.Memory) *localEngine {
	yt := data.yt
	if data.missing != nil {
		yt = mat.DenseCopyOf(yt) // imputing changes it
	}
	l := &localEngine{
		Local: dictionary.NewLocalRows(yt, m.Kernels, threads, memory), ctx: ctx, missing: data.missing,
		sparsity: m.Sparsity, threads: threads, signals: upTo(0, data.count()),
	}
	l.SetPrecision(atomTolerance, atomMembers)
	return l
}

func (l *localEngine) Place(pairs dictionary.Pairs, w []float64) error {
	if !samePairs(l.pairs, pairs) {
		l.pairs = pairs
		l.SetPairs(pairs)
	}
	return l.Local.Place(w)
}

func (l *localEngine) At(pairs dictionary.Pairs, w []float64) error {
	if !samePairs(l.pairs, pairs) {
		return l.Place(pairs, w)
	}
	return l.Local.At(w)
}

// Release gives memory back until the engine moves to other weights.
func (l *localEngine) Release() {
	l.pairs = dictionary.Pairs{}
	l.Local.Release()
}

// Encode codes with as many sweeps as the setting is wide; the method is always
// orthogonal matching pursuit. If the context ends, the signals not yet coded
// keep the codes they have.
func (l *localEngine) Encode(dst *sparse.Code, e coderSetting, signals []int) {
	l.encode(dst, l.sparsity, e, signals)
}

// encode is Encode with another number of atoms per signal.
func (l *localEngine) encode(dst *sparse.Code, atoms int, e coderSetting, signals []int) {
	if signals == nil {
		signals = l.signals
	}
	coder := sparse.NewLocalCoder(l.Local, sparse.LocalOptions{Sparsity: atoms, Sweeps: e.width, Floor: codeFloor, Threads: l.threads})
	coder.Encode(l.ctx, l.Signal, dst, signals)
	if l.missing != nil {
		for range imputations {
			l.Refit(dst)
			l.Impute(dst, l.missing)
		}
	}
}

// kernelEquations knows scales alone: nothing else of kernels is learned on large
// graphs.
func (l *localEngine) kernelEquations(_ kernelParameters, code *sparse.Code, weight []float64) (hess, grad []float64) {
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
