package plan

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

// A model is what signals are drawn from.
type model struct {
	truth  *graph.Graph
	likely map[[2]int]float64 // how likely each edge of it is
	name   string             // gaussian, field or sparse
	kernel string             // of a field
	memory float64            // what a signal keeps of the one before, as a correlation; 0 if they are independent
	gaps   *mat.Dense
	// draw returns signals on the vertices; noise is white, with memory, and all that a Gaussian model
	// is made of.
	draw func(count int, seed uint64, noise func() *mat.Dense) (*mat.Dense, error)
}

// The names of models.
const (
	gaussianModel = "gaussian"
	fieldModel    = "field"
	sparseModel   = "sparse"
)

// modelOf returns the model of what was learned from a pilot.
func modelOf(ctx context.Context, a *nervure.Analysis) (*model, error) {
	truth := a.Result.Graph.Without(func(i int) bool {
		return slices.ContainsFunc(a.Preparation.Equal, func(e prepare.Equal) bool { return e.Vertex == i }) // one of each kind is enough
	})
	if truth.Directed() {
		return nil, input.Errorf("plan", "method", "%s learned arrows, and plans are of edges without a direction",
			a.Result.Method.Name())
	}
	if truth.EdgeCount() == 0 {
		return nil, input.Errorf("plan", input.Signals,
			"no edges were learned from them, so there is nothing to plan by; assume a graph instead")
	}
	y := a.Preparation.Y
	if a.Preparation.Scores != nil {
		y = a.Preparation.Scores
	}
	m := &model{truth: truth, likely: likelyOf(truth, a.Graph)}
	_, count := y.Dims()
	missing := matrix.Missing(y)
	if missing > 0 {
		m.gaps = y
	}
	if own := learn.ResultOf(a.Result); own != nil {
		m.name = sparseModel
		m.draw = func(count int, seed uint64, _ func() *mat.Dense) (*mat.Dense, error) {
			t, err := synth.Signals(truth, own.Model.Kernels,
				synth.SignalSpec{Count: count, Sparsity: own.Model.Sparsity, Distinct: true, Noise: own.Noise, Seed: seed})
			if err != nil {
				return nil, err
			}
			return t.Signals, nil
		}
		return m, nil
	}
	if a.Evidence != nil {
		share := matrix.ObservedShare(y)
		m.memory = memoryOf(float64(count) * share * share / a.Evidence.Independent)
	}
	whole, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	if field := a.Field(); field != nil {
		shape, err := kernel.Parse(field.Kernel, 1, kernel.Chebyshev) // whose polynomial is not used
		if err != nil {
			return nil, err
		}
		if shape.Order() != 1 { // partial correlations are not its edges
			m.useField(assess.NewField(whole, shape, field.Size, field.Noise))
			return m, nil
		}
	}
	fitted, err := assess.FitGaussian(whole, truth)
	if err != nil {
		return nil, err
	}
	m.name = gaussianModel
	m.draw = func(_ int, _ uint64, noise func() *mat.Dense) (*mat.Dense, error) { return fitted.Coloured(noise()) }
	return m, nil
}

// assumed returns the model of a graph, with a kernel or without.
func assumed(g *graph.Graph, k *kernel.Kernel) *model {
	m := &model{truth: g, likely: likelyOf(g, nil)}
	if k != nil {
		m.useField(&assess.FieldGaussian{
			Mean: make([]float64, g.Vertices()), Scale: slices.Repeat([]float64{1}, g.Vertices()),
			Kernel: *k, Size: 1,
		})
		return m
	}
	m.name = gaussianModel
	m.draw = func(count int, seed uint64, _ func() *mat.Dense) (*mat.Dense, error) {
		t, err := synth.Field(g, synth.FieldSpec{Count: count, Seed: seed})
		if err != nil {
			return nil, err
		}
		return t.Signals, nil
	}
	return m
}

// useField makes the model a field.
func (m *model) useField(f *assess.FieldGaussian) {
	m.name, m.kernel = fieldModel, f.Kernel.Name
	m.draw = func(_ int, _ uint64, noise func() *mat.Dense) (*mat.Dense, error) {
		return f.Coloured(m.truth, noise())
	}
}

// memoryOf returns the correlation φ of each signal with the one before at which products of two
// vertices vary that many times as much as those of independent signals: (1 + φ²)/(1 − φ²) times, the
// sum 1 + 2 Σ φ^(2k) of [bartlett1946].
func memoryOf(inflation float64) float64 {
	if inflation <= 1 {
		return 0
	}
	return math.Sqrt((inflation - 1) / (inflation + 1))
}

// signals draws that many.
func (m *model) signals(count int, seed uint64) (*mat.Dense, error) {
	n := m.truth.Vertices()
	y, err := m.draw(count, seed, func() *mat.Dense { return whiteNoise(n, count, m.memory, seed) })
	if err != nil {
		return nil, err
	}
	for i := range n {
		coarsen(y.RawRowView(i))
	}
	if m.gaps != nil {
		_, have := m.gaps.Dims()
		from := rng.Stream(seed, "gaps of a plan").IntN(have)
		for i := range n {
			row, gaps := y.RawRowView(i), m.gaps.RawRowView(i)
			for k := range row {
				if math.IsNaN(gaps[(from+k)%have]) {
					row[k] = math.NaN()
				}
			}
		}
	}
	return y, nil
}

// whiteNoise returns values from N(0, 1), in each row φ times the one before and √(1 − φ²) times a
// new one.
func whiteNoise(n, count int, memory float64, seed uint64) *mat.Dense {
	w := mat.NewDense(n, count, nil)
	rest := math.Sqrt(1 - memory*memory)
	for i := range n {
		row, r := w.RawRowView(i), rng.Stream(seed, "noise of a plan", i)
		for k := range row {
			if row[k] = r.NormFloat64(); k > 0 && memory > 0 {
				row[k] = float64(memory*row[k-1]) + float64(rest*row[k])
			}
		}
	}
	return w
}

// coarsen keeps about six digits of values: more are rounding errors, which differ from processor to
// processor, and graphs could with them.
func coarsen(row []float64) {
	const bits = 20
	most := 0.0
	for _, v := range row {
		most = max(most, math.Abs(v))
	}
	_, exponent := math.Frexp(most)
	unit := math.Ldexp(1, exponent-bits)
	for k, v := range row {
		row[k] = math.Round(v/unit) * unit
	}
}

// likelyOf returns how likely each edge of a graph is: the confidence that it has in an assessed graph,
// which may be nil, and else 1.
func likelyOf(g, assessed *graph.Graph) map[[2]int]float64 {
	likely := map[[2]int]float64{}
	for _, pair := range g.Pairs() {
		likely[pair] = 1
	}
	if assessed == nil {
		return likely
	}
	pairs := assessed.Pairs()
	for k, confidence := range assessed.Confidence() {
		if _, in := likely[pairs[k]]; in {
			likely[pairs[k]] = confidence
		}
	}
	return likely
}

// expected returns how many true edges the model has.
func (m *model) expected() float64 {
	sum := 0.0
	for _, pair := range m.truth.Pairs() {
		sum += m.likely[pair]
	}
	return max(sum, math.SmallestNonzeroFloat64)
}
