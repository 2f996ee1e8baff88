package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/sparse"
)

// A prior pulls the weights to those of a graph, as so many more signals would.
// It sees what the signals see, the normalised weights A, and adds to the robust
// loss, which is the mean over M signals of the share of each that is left over,
//
//	μ/M · Σ_ij |A_ij − A⁰_ij|_ε / (2 Σ_ij A⁰_ij),   |x|_ε = √(x² + ε²) − ε,
//
// where μ is its weight: a graph that has moved a share of the prior's weight to
// elsewhere costs as much as μ signals of which that share is left over. It
// grows with the deviations, not their squares, for the reason that the loss
// grows with norms: a prior that is wrong about a few edges must not lose what
// it knows of the others. Where A⁰ is zero, |x|_ε is x: A is never negative,
// and what neither the signals nor the prior want goes to zero.
//
// Pairs of a vertex that has no edge in the prior cost nothing: the prior does
// not know it.
//
// Nothing is proved by a prior: the fit that is to prove itself (see polish) is
// one of the signals alone.
type prior struct {
	graph  *graph.Graph
	weight map[[2]int32]float64 // A⁰ of its edges
	degree []float64
	total  float64 // Σ A⁰
	round  float64 // ε
	signal float64 // μ/M
	share  float64 // √(μ/(M + μ)), by which a start leans to it: the errors of what it would begin from fall like 1/√M
}

// roundness is ε as a share of the mean normalised weight of the prior's edges.
const roundness = 0.1

func newPrior(g *graph.Graph, weight float64, signals int) *prior {
	p := &prior{
		graph: g, weight: make(map[[2]int32]float64, g.EdgeCount()), degree: g.Degrees(),
		signal: weight / float64(signals), share: math.Sqrt(weight / (float64(signals) + weight)),
	}
	for _, e := range g.NormalizedWeights() {
		p.weight[[2]int32{int32(e.I), int32(e.J)}] = e.Weight
		p.total += e.Weight
	}
	p.round = roundness * p.total / float64(g.EdgeCount())
	return p
}

// A pull is a prior over the free pairs.
type pull struct {
	*prior
	pairs  dictionary.Pairs
	target []float64 // A⁰, or −1 for pairs that the prior does not know
	beyond float64   // Σ A⁰ of edges that are not free
	a, g   []float64 // scratch
}

func (p *prior) over(pairs dictionary.Pairs) *pull {
	u := &pull{
		prior: p, pairs: pairs, target: make([]float64, pairs.Len()), beyond: p.total,
		a: make([]float64, pairs.Len()), g: make([]float64, pairs.Len()),
	}
	for e, i := range pairs.I {
		j := pairs.J[e]
		u.target[e] = p.weight[[2]int32{i, j}]
		u.beyond -= u.target[e]
		if p.degree[i] == 0 || p.degree[j] == 0 {
			u.target[e] = -1
		}
	}
	return u
}

// value returns what the weights w over the pairs cost, and leaves its
// derivatives in u.g.
func (u *pull) value(w []float64) float64 {
	u.pairs.Normalized(u.a, w)
	unit := u.signal / (2 * u.total)
	sum := u.beyond
	for e, t := range u.target {
		switch {
		case t < 0:
			u.g[e] = 0
		case t == 0:
			sum += u.a[e]
			u.g[e] = unit
		default:
			x := u.a[e] - t
			root := math.Hypot(x, u.round)
			sum += root - u.round
			u.g[e] = unit * x / root
		}
	}
	u.pairs.WeightGradient(u.g, w)
	return unit * sum
}

// searched returns the loss that a search minimises, with its gradient: pulled by
// the prior in the first start. The others are as if there were none: if the
// signals can prove a graph, a prior that is far from it must not stand in the way.
func (r *run) searched() func(w, grad []float64) float64 {
	if r.start > 1 {
		return r.robust
	}
	return r.pulled(r.all)
}

// pulled returns the robust loss over the pairs, with its gradient, and with it
// the prior's if there is one.
func (r *run) pulled(pairs dictionary.Pairs) func(w, grad []float64) float64 {
	if r.prior == nil {
		return r.robust
	}
	u := r.prior.over(pairs)
	return func(w, grad []float64) float64 {
		value := r.robust(w, grad) + u.value(w)
		floats.Add(grad, u.g)
		return value
	}
}

// score is what the better of two graphs has less of: the residual as last
// computed or, with a prior, the loss with it, unsmoothed.
func (r *run) score(g *graph.Graph) float64 {
	if r.prior == nil {
		return r.residual()
	}
	var sum float64
	for _, v := range r.engine.Residuals() {
		sum += math.Sqrt(v)
	}
	pairs, w := dictionary.EdgesOf(g)
	return sum/math.Sqrt(r.energy*float64(r.m)) + r.prior.over(pairs).value(w)
}

// tempering is how often weights and codes take turns in the end, with a prior.
const tempering = 4

// settled refits weights and codes on the edges of g, an answer that does not
// prove itself. With a prior, it keeps its say.
func (r *run) settled(g *graph.Graph) *graph.Graph {
	if r.prior == nil {
		refitted, _ := r.polish(g)
		return refitted
	}
	pairs, w := dictionary.EdgesOf(g)
	r.engine.SetPairs(pairs)
	defer r.engine.SetPairs(r.all)
	for _, width := range polishWidths[:tempering] {
		if r.err = r.improve(w, effort{sparse.Beam, width}, r.everySignal()); r.err != nil {
			break
		}
		value := newQuasiNewton(len(w), r.sharpener(pairs)).minimise(r.ctx, w, limits{steps: stepsPerSharpening, gain: 1e-3})
		r.normalise(w)
		if !r.report(Polishing, r.residual(), value, pairs, w) {
			break
		}
	}
	return r.graph(pairs, w)
}

// sharpener returns the loss over the pairs that sharpens an answer: that of the
// signals whose codes are right or, with a prior, its root, which is in the unit
// of the prior, and the prior.
func (r *run) sharpener(pairs dictionary.Pairs) func(w, grad []float64) float64 {
	r.trim(0.8, false)
	if r.prior == nil {
		return r.trimmed
	}
	u := r.prior.over(pairs)
	smoothing := 0.01*floats.Dot(r.weight, r.engine.Residuals()) + 1e-30
	return func(w, grad []float64) float64 {
		root := math.Sqrt(r.trimmed(w, grad) + smoothing)
		floats.Scale(1/(2*root), grad)
		value := root - math.Sqrt(smoothing) + u.value(w)
		floats.Add(grad, u.g)
		return value
	}
}
