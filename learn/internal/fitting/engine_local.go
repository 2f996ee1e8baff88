package fitting

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/kernelparam"
	"github.com/nervure/nervure/learn/internal/seq"
)

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

func NewLocal(ctx context.Context, data canonical.Signals, m Model, threads int, memory *dictionary.Memory) *LocalEngine {
	yt := data.Rows
	if data.Missing != nil {
		yt = mat.DenseCopyOf(yt) // imputing changes it
	}
	l := &LocalEngine{
		Local: dictionary.NewLocalRows(yt, m.Kernels, threads, memory), Ctx: ctx, missing: data.Missing,
		sparsity: m.Sparsity, threads: threads, signals: seq.UpTo(0, data.Count()),
	}
	l.SetPrecision(atomTolerance, atomMembers)
	return l
}

func (l *LocalEngine) Place(pairs dictionary.Pairs, w []float64) error {
	if !samePairs(l.pairs, pairs) {
		l.pairs = pairs
		l.SetPairs(pairs)
	}
	return l.Local.Place(w)
}

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
func (l *LocalEngine) kernelEquations(_ kernelparam.Parameters, code *sparse.Code, weight []float64) (hess, grad []float64) {
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
