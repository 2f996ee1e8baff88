// Package fitting relates weights to codes and residuals: signals with their codes over
// one of two engines, views on some pairs of vertices, and the losses that searches
// minimise.
package fitting

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/seq"
)

// A Model says how signals come from a graph: each is a sum of at most Sparsity
// atoms of the dictionary that Kernels generate on it.
type Model struct {
	Kernels    []kernel.Kernel
	Sparsity   int     // T₀
	NoiseFloor float64 // norm of a residual that may be noise; zero if none is
}

// A Fit is signals, their codes and the engine that relates them to weights.
type Fit[E Engine] struct {
	Engine   E
	Rows     *mat.Dense // signals in rows, complete: means stand where entries are missing
	Missing  [][]int32  // of each signal; nil if none is anywhere
	N, M     int        // vertices and signals
	Sparsity int        // T₀
	Energy   float64    // ‖Y‖²
	Code     *sparse.Code

	rounding  []float64 // residual energy at which each signal counts as explained exactly
	gradients *int      // computed so far, by this fit and others of the run
}

// New returns the fit of signals by a model, without codes yet. It counts gradients in
// gradients.
func New[E Engine](data canonical.Signals, m Model, e E, gradients *int) *Fit[E] {
	signals, n := data.Rows.Dims()
	f := &Fit[E]{
		Engine: e, Rows: data.Rows, Missing: data.Missing, N: n, M: signals, Sparsity: m.Sparsity, Energy: e.Energy(),
		Code:     sparse.NewCode(n*len(m.Kernels), signals, m.Sparsity),
		rounding: make([]float64, signals), gradients: gradients,
	}
	for s := range signals {
		energy := e.SignalEnergy(s)
		f.rounding[s] = RoundingShare * energy
		if given := roundingMargin * data.Rounding[s]; given <= coarsestRounding*energy {
			f.rounding[s] = max(f.rounding[s], given)
		}
	}
	return f
}

const (
	// RoundingShare is the share of a signal's energy that counts as rounding:
	// amplitudes agree to nine digits.
	RoundingShare = 1e-18
	// roundingMargin is how far a residual may exceed the rounding errors that
	// the signal came with.
	roundingMargin = 2
	// coarsestRounding is the share of a signal's energy up to which rounding errors can
	// be told from a wrong graph: about four digits.
	coarsestRounding = 1e-9
)

// Refit computes the coefficients of the codes again where the engine is, and
// returns the residuals.
func (f *Fit[E]) Refit() Residuals {
	f.Engine.Refit(f.Code)
	return ResidualsOf(f.Engine)
}

// Improve codes the given signals again where the engine is placed and keeps what
// is better: a smaller residual, or one at rounding level, which may come with
// fewer atoms. It never makes the fit worse.
func (f *Fit[E]) Improve(e CoderSetting, signals []int) Residuals {
	before := f.Refit()
	if len(signals) == 0 {
		return before
	}
	atoms, _ := f.Code.Dims()
	fresh := sparse.NewCode(atoms, f.M, f.Sparsity)
	f.Engine.Encode(fresh, e, signals)
	f.Engine.Refit(fresh)
	after := ResidualsOf(f.Engine)
	for _, m := range signals {
		if after[m] < before[m] || after[m] <= f.rounding[m] {
			atom, coef := fresh.Column(m)
			f.Code.SetColumn(m, atom, coef)
		}
	}
	return f.Refit()
}

// EverySignal lists all signals.
func (f *Fit[E]) EverySignal() []int { return seq.UpTo(0, f.M) }

// Seen is how many entries signal m has.
func (f *Fit[E]) Seen(m int) int {
	if f.Missing == nil {
		return f.N
	}
	return f.N - len(f.Missing[m])
}

// SpareEntries is how many more entries than atoms a signal has, on average.
func (f *Fit[E]) SpareEntries() int {
	entries := f.N * f.M
	for _, rows := range f.Missing {
		entries -= len(rows)
	}
	return max(entries/f.M-f.Sparsity, 1)
}
