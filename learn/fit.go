package learn

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// An innerModel says how signals come from a graph: each is a sum of at most Sparsity
// atoms of the dictionary that Kernels generate on it.
type innerModel struct {
	Kernels    []kernel.Kernel
	Sparsity   int     // T₀
	NoiseFloor float64 // norm of a residual that may be noise; zero if none is
}

// A fit is signals, their codes and the engine that relates them to weights.
type fit[E engine] struct {
	engine   E
	yt       *mat.Dense // signals in rows, complete: means stand where entries are missing
	missing  [][]int32  // of each signal; nil if none is anywhere
	n, m     int        // vertices and signals
	sparsity int        // T₀
	energy   float64    // ‖Y‖²
	code     *sparse.Code

	rounding  []float64 // residual energy at which each signal counts as explained exactly
	gradients *int      // computed so far, by this fit and others of the run
}

func newFit[E engine](data prepared, m innerModel, e E, gradients *int) *fit[E] {
	signals, n := data.yt.Dims()
	f := &fit[E]{
		engine: e, yt: data.yt, missing: data.missing, n: n, m: signals, sparsity: m.Sparsity, energy: e.Energy(),
		code:     sparse.NewCode(n*len(m.Kernels), signals, m.Sparsity),
		rounding: make([]float64, signals), gradients: gradients,
	}
	for s := range signals {
		energy := e.SignalEnergy(s)
		f.rounding[s] = roundingShare * energy
		if given := roundingMargin * data.rounding[s]; given <= coarsestRounding*energy {
			f.rounding[s] = max(f.rounding[s], given)
		}
	}
	return f
}

const (
	// roundingShare is the share of a signal's energy that counts as rounding:
	// amplitudes agree to nine digits.
	roundingShare = 1e-18
	// roundingMargin is how far a residual may exceed the rounding errors that
	// the signal came with.
	roundingMargin = 2
	// coarsestRounding is the share of a signal's energy up to which rounding errors can
	// be told from a wrong graph: about four digits.
	coarsestRounding = 1e-9
)

// refit computes the coefficients of the codes anew where the engine is, and
// returns the residuals.
func (f *fit[E]) refit() residualEnergies {
	f.engine.Refit(f.code)
	return residualsOf(f.engine)
}

// improve codes the given signals anew where the engine is placed and keeps what
// is better: a smaller residual, or one at rounding level, which may come with
// fewer atoms. It never makes the fit worse.
func (f *fit[E]) improve(e coderSetting, signals []int) residualEnergies {
	before := f.refit()
	if len(signals) == 0 {
		return before
	}
	atoms, _ := f.code.Dims()
	fresh := sparse.NewCode(atoms, f.m, f.sparsity)
	f.engine.Encode(fresh, e, signals)
	f.engine.Refit(fresh)
	after := residualsOf(f.engine)
	for _, m := range signals {
		if after[m] < before[m] || after[m] <= f.rounding[m] {
			atom, coef := fresh.Column(m)
			f.code.SetColumn(m, atom, coef)
		}
	}
	return f.refit()
}

// everySignal lists all signals.
func (f *fit[E]) everySignal() []int { return upTo(0, f.m) }

// seen is how many entries signal m has.
func (f *fit[E]) seen(m int) int {
	if f.missing == nil {
		return f.n
	}
	return f.n - len(f.missing[m])
}

// spareEntries is how many more entries than atoms a signal has, on average.
func (f *fit[E]) spareEntries() int {
	entries := f.n * f.m
	for _, rows := range f.missing {
		entries -= len(rows)
	}
	return max(entries/f.m-f.sparsity, 1)
}
