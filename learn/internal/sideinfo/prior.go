package sideinfo

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/optimise"
)

// A Prior pulls the weights to those of a graph, as that many more signals would.
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
type Prior struct {
	graph     *graph.Graph
	weight    map[[2]int32]float64 // A⁰ of its edges
	degree    []float64
	total     float64 // Σ A⁰
	smoothing float64 // ε
	signals   float64 // μ/M
	share     float64 // √(μ/(M + μ)), by which a start moves towards it: the errors of what it would begin from fall like 1/√M
}

// priorSmoothing is ε as a share of the mean normalised weight of the prior's edges.
const priorSmoothing = 0.1

func newPrior(g *graph.Graph, weight float64, signals int) *Prior {
	p := &Prior{
		graph: g, weight: make(map[[2]int32]float64, g.EdgeCount()), degree: g.Degrees(),
		signals: weight / float64(signals), share: math.Sqrt(weight / (float64(signals) + weight)),
	}
	for _, e := range g.NormalizedWeights() {
		p.weight[[2]int32{int32(e.I), int32(e.J)}] = e.Weight
		p.total += e.Weight
	}
	p.smoothing = priorSmoothing * p.total / float64(g.EdgeCount())
	return p
}

// A priorPenalty is what a prior adds to a loss over some pairs.
type priorPenalty struct {
	*Prior
	pairs      dictionary.Pairs
	target     []float64 // A⁰, or −1 for pairs that the prior does not know
	elsewhere  float64   // Σ A⁰ of edges that are none of the pairs
	normalised []float64 // A at the weights it was last evaluated at
	grad       []float64 // its derivatives there
}

// over returns the penalty over the pairs.
func (p *Prior) over(pairs dictionary.Pairs) *priorPenalty {
	u := &priorPenalty{
		Prior: p, pairs: pairs, target: make([]float64, pairs.Len()), elsewhere: p.total,
		normalised: make([]float64, pairs.Len()), grad: make([]float64, pairs.Len()),
	}
	for e, i := range pairs.I {
		j := pairs.J[e]
		u.target[e] = p.weight[[2]int32{i, j}]
		u.elsewhere -= u.target[e]
		if p.degree[i] == 0 || p.degree[j] == 0 {
			u.target[e] = -1
		}
	}
	return u
}

// of returns the penalty of the weights w, and leaves its derivatives in u.grad.
func (u *priorPenalty) of(w []float64) float64 {
	u.pairs.Normalized(u.normalised, w)
	unit := u.signals / (2 * u.total)
	sum := u.elsewhere
	for e, t := range u.target {
		switch {
		case t < 0:
			u.grad[e] = 0
		case t == 0:
			sum += u.normalised[e]
			u.grad[e] = unit
		default:
			x := u.normalised[e] - t
			root := math.Hypot(x, u.smoothing)
			sum += root - u.smoothing
			u.grad[e] = unit * x / root
		}
	}
	u.pairs.WeightGradient(u.grad, w)
	return unit * sum
}

// Penalised adds what the prior says to a loss over the pairs; a nil prior says nothing.
func (p *Prior) Penalised(loss optimise.Objective, pairs dictionary.Pairs) optimise.Objective {
	if p == nil {
		return loss
	}
	u := p.over(pairs)
	return func(w, grad []float64) float64 {
		value := loss(w, grad) + u.of(w)
		floats.Add(grad, u.grad)
		return value
	}
}

// Sharpening returns the objective that sharpens an answer: the loss of the
// signals whose codes are right or, with a prior, its root, which is in the unit
// of the prior, and the prior.
func Sharpening[E fitting.Engine](v fitting.View[E], p *Prior, residuals fitting.Residuals) (*fitting.TrimmedLoss[E], optimise.Objective) {
	loss := fitting.NewTrimmedLoss(v, nil)
	loss.Trim(residuals, 0.8, false)
	if p == nil {
		return loss, loss.Evaluate
	}
	smoothing := 0.01*loss.Of(residuals) + 1e-30
	root := func(w, grad []float64) float64 {
		root := math.Sqrt(loss.Evaluate(w, grad) + smoothing)
		floats.Scale(1/(2*root), grad)
		return root - math.Sqrt(smoothing)
	}
	return loss, p.Penalised(root, v.Pairs)
}

// Score is what the better of two graphs has less of: the residual or, with a
// prior, the loss with it, unsmoothed.
func Score[E fitting.Engine](f *fitting.Fit[E], p *Prior, g *graph.Graph, residuals fitting.Residuals) float64 {
	if p == nil {
		return f.Relative(residuals)
	}
	var sum float64
	for _, v := range residuals {
		sum += math.Sqrt(v)
	}
	pairs, w := dictionary.EdgesOf(g)
	return sum/math.Sqrt(f.Energy*float64(f.M)) + p.over(pairs).of(w)
}

// StepsPerSharpening bounds the quasi-Newton steps of a sharpening.
const StepsPerSharpening = 20
