package learn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/sparse"
)

// A fitter holds the signals, the current codes and the machinery that turns
// weights into residuals, gradients and new codes.
type fitter struct {
	y        *mat.Dense // complete: means stand where entries are missing
	missing  [][]int32  // of each signal; nil if none is anywhere
	kernels  []kernel.Kernel
	n, m     int
	sparsity int
	threads  int
	energy   float64 // ‖Y‖²
	names    []string

	engine    engine
	all       dictionary.Pairs // free unless some are singled out
	code      *sparse.Code
	spare     *sparse.Code
	gradients int

	rounding  []float64 // residual energy at which each signal counts as explained exactly
	weight    []float64 // of each signal in the current loss
	smoothing float64   // ε² of the robust loss
	old       []float64
}

func newFitter(data prepared, model Model, threads int, e engine, all dictionary.Pairs) *fitter {
	n, m := data.y.Dims()
	atoms := n * len(model.Kernels)
	f := &fitter{
		y: data.filled(), missing: data.missing, kernels: model.Kernels, n: n, m: m, sparsity: model.Sparsity, threads: threads,
		names:  graph.DefaultNames(n),
		engine: e, all: all,
		code:   sparse.NewCode(atoms, m, model.Sparsity),
		spare:  sparse.NewCode(atoms, m, model.Sparsity),
		weight: make([]float64, m), old: make([]float64, m),
	}
	f.energy = f.engine.Energy()
	f.rounding = make([]float64, m)
	for s := range m {
		energy := f.engine.SignalEnergy(s)
		f.rounding[s] = certified * energy
		if given := roundingMargin * data.rounding[s]; given <= coarsest*energy {
			f.rounding[s] = max(f.rounding[s], given)
		}
	}
	return f
}

// graph returns the graph of the given weights.
func (f *fitter) graph(pairs dictionary.Pairs, w []float64) *graph.Graph {
	return mustGraph(f.names, pairs.Edges(w))
}

// normalise scales the weights to mean degree 1. The normalised Laplacian, and
// so the fit, does not see it.
func (f *fitter) normalise(w []float64) {
	if sum := floats.Sum(w); sum > 0 {
		floats.Scale(float64(f.n)/2/sum, w)
	}
}

// recode replaces the codes by fresh ones for the graph of w.
func (f *fitter) recode(w []float64, e effort) error {
	if err := f.engine.Place(w); err != nil {
		return err
	}
	f.engine.Encode(f.code, e, nil)
	return nil
}

// improve codes the given signals anew and keeps what is better: a smaller
// residual, or one at rounding level, which may come with fewer atoms. Unlike
// recode it never makes the fit worse.
func (f *fitter) improve(w []float64, e effort, signals []int) error {
	if err := f.engine.Place(w); err != nil {
		return err
	}
	f.engine.Refit(f.code)
	copy(f.old, f.engine.Residuals())
	for m := range f.m {
		f.spare.SetColumn(m, nil, nil)
	}
	f.engine.Encode(f.spare, e, signals)
	f.engine.Refit(f.spare)
	fresh := f.engine.Residuals()
	for _, m := range signals {
		if fresh[m] < f.old[m] || fresh[m] <= f.rounding[m] {
			f.code.SetColumn(m, first(f.spare.Column(m)), second(f.spare.Column(m)))
		}
	}
	f.engine.Refit(f.code)
	return nil
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

// spareEntries is how many more entries than atoms a signal has, on average.
func (f *fitter) spareEntries() int {
	entries := f.n * f.m
	for _, rows := range f.missing {
		entries -= len(rows)
	}
	return max(entries/f.m-f.sparsity, 1)
}

// unexplained lists the signals whose residual, as last computed, is above rounding.
func (f *fitter) unexplained() []int {
	var signals []int
	for m, r := range f.engine.Residuals() {
		if r > f.rounding[m] {
			signals = append(signals, m)
		}
	}
	return signals
}

// explained lists the signals that are not zero and not unexplained.
func (f *fitter) explained() []int {
	var signals []int
	for m, r := range f.engine.Residuals() {
		if r <= f.rounding[m] && f.engine.SignalEnergy(m) > 0 {
			signals = append(signals, m)
		}
	}
	return signals
}

// everySignal lists all signals.
func (f *fitter) everySignal() []int {
	signals := make([]int, f.m)
	for m := range signals {
		signals[m] = m
	}
	return signals
}

// trimmed is ‖DX − Y‖²/‖Y‖² over the signals that trim has kept, with the
// coefficients eliminated, and its gradient.
func (f *fitter) trimmed(w, grad []float64) float64 {
	f.gradients++
	if f.engine.At(w) != nil {
		return math.Inf(1)
	}
	f.engine.Refit(f.code)
	f.engine.Gradient(grad, f.code, f.weight)
	return floats.Dot(f.weight, f.engine.Residuals())
}

// trim leaves signals out of the trimmed fit whose support is still wrong: they
// would keep the weights from becoming exact. The given share of the signals,
// those of smallest residual as last computed, is kept in any case, and with
// them all that are not far above the median unless strict.
func (f *fitter) trim(share float64, strict bool) {
	r := slices.Clone(f.engine.Residuals())
	slices.Sort(r)
	limit := r[int(share*float64(len(r)-1))]
	if !strict {
		limit = max(limit, 100*r[len(r)/2])
	}
	for m, v := range f.engine.Residuals() {
		f.weight[m] = 0
		if v <= max(limit, f.rounding[m]) {
			f.weight[m] = 1 / f.energy
		}
	}
}

// robust is Σ_m (√(‖r_m‖² + ε²) − ε), relative to the signals' size, and its
// gradient. It grows with the norms of the residuals, not their squares: the
// few signals whose support is still wrong then cannot pull the weights away
// from what the many agree on, and the graph comes out right while a good part
// of the codes is not.
func (f *fitter) robust(w, grad []float64) float64 {
	f.gradients++
	if f.engine.At(w) != nil {
		return math.Inf(1)
	}
	f.engine.Refit(f.code)
	value := f.robustLoss()
	f.engine.Gradient(grad, f.code, f.weight)
	return value
}

// robustLoss returns the robust loss of the residuals as last computed, and
// leaves its derivatives by ‖r_m‖² in f.weight.
func (f *fitter) robustLoss() float64 {
	unit := 1 / math.Sqrt(f.energy*float64(f.m))
	var value float64
	for m, r := range f.engine.Residuals() {
		root := math.Sqrt(r + f.smoothing)
		value += root - math.Sqrt(f.smoothing)
		f.weight[m] = unit / (2 * root)
	}
	return value * unit
}

// smooth sets ε of the robust loss to a third of the median residual, as last computed.
func (f *fitter) smooth() {
	r := slices.Clone(f.engine.Residuals())
	slices.Sort(r)
	f.smoothing = 0.1*r[len(r)/2] + 1e-30*f.energy/float64(f.m)
}
