package field

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/run"
)

// Limits of a fit.
const (
	// candidatesPerVertex is how many pairs for each vertex may have an edge: more than
	// graphs have that can be learned, and few enough for the likelihood to tell them apart.
	candidatesPerVertex = 4
	// fitGain is the relative decrease of the deviance at which a fit ends.
	fitGain = 1e-9
	// curvatureSteps is after how many steps the second derivatives are computed again.
	curvatureSteps = 20
	// leastNoise is the noise below which there is none, as a share of the mean variance.
	leastNoise = 1e-12
	// ridgeShare is what a weight of the usual size costs, in signals.
	ridgeShare = 0.1
	// scaleShare is what a scale costs that is e times as large as it was, in signals.
	scaleShare = 1
	// usualDegree is how many edges a vertex is taken to have where that sets a scale.
	usualDegree = 4
)

// A fit maximises the likelihood of a model over its weights, its diagonal, its noise and, if
// asked to, its scales.
type fit struct {
	*evaluation

	model  *Model
	quasi  *optimise.QuasiNewton
	x      []float64 // the variables
	begin  []float64 // the scales, from which others cost
	scales bool      // whether scales are fitted
	fresh  int       // for how many steps more the second derivatives are good
	offset float64   // of the deviance, so that it is positive
	value  float64   // the deviance reached, with the offset
}

// newFit begins at a model.
func newFit(e *evaluation, m *Model) *fit {
	f := &fit{evaluation: e, model: m}
	edges, n := len(m.Pairs), len(m.Diagonal)
	size := edges + 2*n + 1
	f.x = make([]float64, size)
	copy(f.x, m.Weights)
	copy(f.x[edges:], m.Diagonal)
	copy(f.x[edges+n:], m.Scales)
	f.x[size-1] = math.Log(max(m.Noise, leastNoise))
	f.begin, f.value = slices.Clone(m.Scales), math.Inf(1)
	f.quasi = optimise.NewQuasiNewton(size, f.evaluate)
	f.quasi.Unbounded = size - edges
	return f
}

// put sets the model to some variables.
func (f *fit) put(x []float64) {
	edges, n := len(f.model.Pairs), len(f.model.Diagonal)
	copy(f.model.Weights, x)
	copy(f.model.Diagonal, x[edges:])
	copy(f.model.Scales, x[edges+n:])
	f.model.Noise = exp(x[len(x)-1])
}

// evaluate is the deviance, with what the weights cost, and its gradient.
func (f *fit) evaluate(x, grad []float64) float64 {
	f.put(x)
	if !f.decompose(f.model) {
		return math.Inf(1)
	}
	value := f.deviance()
	byNoise := f.differentiate()
	n, edges := len(f.model.Diagonal), len(f.model.Pairs)
	g := f.gradient.Data
	for k, p := range f.model.Pairs {
		cost := f.model.ridge * x[k]
		grad[k] = g[p.I*n+p.I] + g[p.J*n+p.J] - float64(2*g[p.I*n+p.J]) + float64(2*cost)
		value += float64(cost * x[k])
	}
	for i := range n {
		grad[edges+i] = g[i*n+i]
		grad[edges+n+i] = 0
		if f.scales {
			d := x[edges+n+i] - f.begin[i]
			cost := scaleShare / f.observations * d
			grad[edges+n+i] = f.byScale[i] + float64(2*cost)
			value += float64(cost * d)
		}
	}
	grad[len(grad)-1] = byNoise * f.model.Noise
	return value + f.offset
}

// run takes some steps more, fewer if the deviance stalls, and returns it. ctx ends it early,
// with the best so far. The evaluation is then that of the model.
func (f *fit) run(ctx context.Context, steps int) float64 {
	for steps > 0 {
		if f.fresh == 0 && !f.renew() {
			return math.Inf(1)
		}
		before := f.value
		some := min(steps, f.fresh)
		f.value = f.quasi.Resume(ctx, f.x, before, optimise.Limits{Steps: some, Gain: fitGain, Enough: math.Inf(-1)})
		f.put(f.x)
		steps, f.fresh = steps-some, f.fresh-some
		if run.Ended(ctx) != nil || before-f.value <= fitGain*f.value*float64(some) {
			break
		}
	}
	return f.value - f.offset
}

// renew computes the second derivatives at the model; false if it has none.
func (f *fit) renew() bool {
	if f.quasi.Curvature == nil {
		// The limit on the decrease is relative: a deviance near zero must not stop it.
		value := f.evaluate(f.x, f.quasi.Grad)
		f.offset = math.Abs(value) + float64(len(f.model.Diagonal))
		f.value = value + f.offset
	} else if !f.decompose(f.model) {
		return false
	}
	if math.IsInf(f.value, 1) {
		return false
	}
	f.curvature()
	f.fresh = curvatureSteps
	return true
}

// curvature sets the scale of each variable to the expected second derivative of the
// deviance at the model: Σ K_ab q_a q_b with K = H²/(h_a·h_b) and q the squares of what the
// variable's matrix has of the modes.
func (f *fit) curvature() {
	n, edges := len(f.model.Diagonal), len(f.model.Pairs)
	scale := make([]float64, len(f.x))
	f.quasi.Curvature = scale
	k := f.information()
	squares := linalg.NewDense(edges+n, n)
	for e, p := range f.model.Pairs {
		a, b, row := linalg.Row(f.modes, p.I), linalg.Row(f.modes, p.J), linalg.Row(squares, e)
		for c := range row {
			d := a[c] - b[c]
			row[c] = d * d
		}
	}
	for i := range n {
		a, row := linalg.Row(f.modes, i), linalg.Row(squares, edges+i)
		for c := range row {
			row[c] = a[c] * a[c]
		}
	}
	product := linalg.NewDense(edges+n, n)
	f.threads.Mul(product, squares, k)
	for v := range edges + n {
		scale[v] = linalg.Dot(linalg.Row(product, v), linalg.Row(squares, v))
	}
	for k := range edges {
		scale[k] += float64(2 * f.model.ridge)
	}
	for i := range n { // 2(1 + Σ⁻¹_ii·S_ii)
		inverse := 0.0
		for a, v := range linalg.Row(f.modes, i) {
			inverse += v * v / f.variances[a]
		}
		scale[edges+n+i] = 2 + float64(2*inverse*f.scaled.Data[i*n+i])
	}
	for _, h := range f.variances {
		share := f.model.Noise / h
		scale[len(f.x)-1] += float64(share * share)
	}
	least := 1e-12 * floats.Max(scale)
	for v, s := range scale {
		scale[v] = max(s, least)
	}
}

// information returns K_ab = H_ab²/(h_a·h_b), the information of a signal on the entry of Θ
// between two modes.
func (e *evaluation) information() linalg.Dense {
	n := len(e.variances)
	k := linalg.NewDense(n, n)
	for a, h := range e.variances {
		row := linalg.Row(k, a)
		differences(row, e.frequencies, e.variances, e.slopes, a)
		for b, g := range e.variances {
			row[b] *= row[b] / (h * g)
		}
	}
	return k
}

// start returns the model to begin with: the most likely pairs of the root of the moments,
// with their entries there, and what little noise the least eigenvalue leaves room for.
func start(s *spectrum, k Kernel, threads linalg.Threads) *Model {
	n := len(s.values)
	r := s.root(k, threads)
	pairs := r.candidates(candidatesPerVertex * n)
	m := &Model{
		Kernel: k, Pairs: pairs, Weights: make([]float64, len(pairs)), Diagonal: make([]float64, n),
		Scales: make([]float64, n), Noise: 0.3 * s.values[0],
	}
	mean := 0.0
	for e, p := range pairs {
		m.Weights[e] = -r.theta.Data[p.I*n+p.J]
		mean += m.Weights[e] / float64(max(len(pairs), 1))
	}
	for i := range m.Diagonal {
		m.Diagonal[i] = max(mean, 1e-6) / 10
	}
	return m
}
