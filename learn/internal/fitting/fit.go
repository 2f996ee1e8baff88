// Package fitting relates weights to codes and residuals: signals in an order and a scale
// of their own, with their codes over one of two engines; views on some pairs of vertices,
// and the losses that searches minimise; what of kernels can move; and what is known or
// guessed of pairs beforehand.
package fitting

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
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
func New[E Engine](data Signals, m Model, e E, gradients *int) *Fit[E] {
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
func (f *Fit[E]) EverySignal() []int { return matrix.Span(0, f.M) }

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

// A View is a fit over some pairs of vertices: weights given to it are theirs.
type View[E Engine] struct {
	*Fit[E]
	Pairs dictionary.Pairs
}

// OverPairs returns a view on the pairs.
func (f *Fit[E]) OverPairs(pairs dictionary.Pairs) View[E] { return View[E]{f, pairs} }

// OnEdges returns a view on the edges of g, and their weights.
func (f *Fit[E]) OnEdges(g *graph.Graph) (View[E], []float64) {
	pairs, w := dictionary.EdgesOf(g)
	return f.OverPairs(pairs), w
}

// Place moves to the weights w and makes ready to code there.
func (v View[E]) Place(w []float64) error { return v.Engine.Place(v.Pairs, w) }

// At moves to the weights w.
func (v View[E]) At(w []float64) error { return v.Engine.At(v.Pairs, w) }

// Recode replaces all codes by fresh ones for the weights w.
func (v View[E]) Recode(w []float64, e CoderSetting) (Residuals, error) {
	return v.RecodeSome(w, e, nil)
}

// RecodeSome codes the given signals, nil meaning all, for the weights w.
func (v View[E]) RecodeSome(w []float64, e CoderSetting, signals []int) (Residuals, error) {
	if err := v.Place(w); err != nil {
		return nil, err
	}
	v.Engine.Encode(v.Code, e, signals)
	return v.Refit(), nil
}

// RefitAt returns the residuals of the codes at the weights w.
func (v View[E]) RefitAt(w []float64) (Residuals, error) {
	if err := v.At(w); err != nil {
		return nil, err
	}
	return v.Refit(), nil
}

// Residuals are ‖r_m‖² of each signal, r = DX − Y.
type Residuals []float64

// ResidualsOf returns those of the last Fit or Refit of an engine.
func ResidualsOf(e Engine) Residuals { return append(Residuals(nil), e.Residuals()...) }

// Relative returns ‖Y − DX‖²/‖Y‖².
func (f *Fit[E]) Relative(residuals Residuals) float64 {
	return portable.Sum(residuals) / f.Energy
}

// RelativeOf returns ‖Y − DX‖²/‖Y‖² of some signals, 0 if these are zero.
func (f *Fit[E]) RelativeOf(signals []int, residuals Residuals) float64 {
	var rest, energy float64
	for _, m := range signals {
		rest += residuals[m]
		energy += f.Engine.SignalEnergy(m)
	}
	if energy == 0 {
		return 0
	}
	return rest / energy
}

// Unexplained lists the signals whose residual is above rounding.
func (f *Fit[E]) Unexplained(residuals Residuals) []int {
	return matrix.Where(residuals, func(m int, r float64) bool { return r > f.rounding[m] })
}

// Explained lists the signals that are not zero and not unexplained.
func (f *Fit[E]) Explained(residuals Residuals) []int {
	return matrix.Where(residuals, func(m int, r float64) bool { return r <= f.rounding[m] && f.Engine.SignalEnergy(m) > 0 })
}

// MostlyExplained reports whether all but one in fifty of the signals are explained
// exactly.
func (f *Fit[E]) MostlyExplained(residuals Residuals) bool {
	return 50*len(f.Unexplained(residuals)) <= len(f.Explained(residuals))
}

// DescriptionLength returns how long a message the code makes of some signals. A
// residual below the share least counts as that.
func (f *Fit[E]) DescriptionLength(code *sparse.Code, residuals Residuals, signals []int, least float64) float64 {
	var length float64
	atoms, _ := code.Dims()
	for _, m := range signals {
		energy := f.Engine.SignalEnergy(m)
		atom, _ := code.Column(m)
		n, t := float64(f.Seen(m)), float64(len(atom))
		if energy == 0 || t == 0 || t >= n {
			continue
		}
		r := min(max(residuals[m]/energy, least), 1-least)
		length += (n-t)/2*math.Log(r/(n-t)) + t/2*math.Log((1-r)/t) + math.Log(t*(n-t))/2
		for k := range len(atom) {
			length += math.Log(float64(atoms-k) / float64(k+1))
		}
	}
	return length
}
