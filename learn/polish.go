package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/sparse"
)

// polishWidths are the beams used while polishing, as signals resist.
var polishWidths = []int{4, 16, 16, 64, 64, 64, 64, 64, 64, 64}

const (
	// stepsPerPolish bounds the quasi-Newton steps of one pass.
	stepsPerPolish = 400
	// nearlyExact is the residual below which most supports must be right.
	nearlyExact = 1e-6
	// polishGain is what a pass must multiply the residual by, at most, to be followed by another.
	polishGain = 0.3
	// lastWidth is the beam for signals that still resist when the weights are exact.
	lastWidth = 256
)

// tryPolish fits weights and codes on the edges of g alone. If that proves the
// graph it sets r.answer. If it is all but exact, it is a candidate. Otherwise
// the codes go back to what they were.
func (r *run) tryPolish(g *graph.Graph, best *candidate) bool {
	before, kernels := r.code.Clone(), r.kernels
	polished, exact := r.polish(g)
	if exact {
		polished = r.prune(polished)
	}
	polished = r.balance(polished)
	if exact && r.determined(polished) {
		kept, threshold := polished, r.threshold(polished, polished)
		if r.options.Cut.Rule != graph.CutAuto {
			kept, threshold = r.cut(polished)
		}
		r.conclude(polished, kept, threshold, solver.Converged, r.round)
		r.answer.proved = true
		r.answer.certified = kept.EdgeCount() == polished.EdgeCount()
		return true
	}
	better := r.score(polished) < best.score || r.prior == nil && !best.polished
	if residual := r.residual(); residual < nearlyExact && better {
		*best = candidate{polished, r.code, r.kernels, residual, r.score(polished), true, r.round}
	}
	r.code = before
	r.setKernels(kernels)
	return false
}

// negligible is the share of the typical weight below which an edge that
// polishing has left is nothing but rounding.
const negligible = 1e-6

// prune takes away edges that an exact fit does not need: those after the gap,
// or if the rest is not exact without them, those that polishing has driven to
// nothing.
func (r *run) prune(g *graph.Graph) *graph.Graph {
	gap, _ := g.CutAtGap()
	for _, fewer := range []*graph.Graph{gap, g.AboveShare(negligible)} {
		if fewer.EdgeCount() == g.EdgeCount() || fewer.EdgeCount() == 0 {
			continue
		}
		before, kernels := r.code.Clone(), r.kernels
		if again, exact := r.polish(fewer); exact {
			return again
		}
		r.code = before
		r.setKernels(kernels)
	}
	return g
}

// polish alternates weights on the edges of g and codes, and returns the graph
// and whether it is exact. It gives up when a pass gains too little.
func (r *run) polish(g *graph.Graph) (*graph.Graph, bool) {
	pairs, w := dictionary.EdgesOf(g)
	r.engine.SetPairs(pairs)
	defer r.engine.SetPairs(r.all)
	free, evaluate := r.freed(w)
	w = free[:len(w)]
	newton := newQuasiNewton(len(free), evaluate)
	last := math.Inf(1)
	share, strict := 0.8, false
	limits := limits{steps: stepsPerPolish, gain: 1e-2, enough: certified / 100}
	widths := polishWidths
	if _, ok := r.way.(freeWay); ok {
		widths = widths[:2] // free kernels are never exact
	}
	for _, width := range widths {
		if r.err = r.engine.At(w); r.err != nil {
			break
		}
		r.engine.Refit(r.code)
		r.trim(share, strict)
		if newton.scale = nil; floats.Dot(r.weight, r.engine.Residuals()) < focusFrom {
			newton.forget()
			newton.scale = r.focus(g, w)
		}
		value := newton.minimise(r.ctx, free, limits)
		r.normalise(w)
		if _, ok := r.way.(freeWay); ok {
			r.smooth()
			r.moveKernels(kernelSteps)
		}
		if r.err = r.improve(w, effort{sparse.Beam, width}, r.unexplained()); r.err != nil {
			break
		}
		if !r.report(Polishing, r.residual(), value, pairs, w) {
			break
		}
		if g := r.graph(pairs, w); r.exact(g) {
			return g, true
		}
		if value > polishGain*last {
			// Near the answer, what holds it up are supports that are almost
			// right: leave out more signals.
			if value > nearlyExact || share < 0.6 {
				break
			}
			share, strict = share-0.1, true
		}
		if value < nearlyExact {
			limits.gain = 1e-4 // supports are settled: now patience pays
		}
		last = value
	}
	return r.graph(pairs, w), false
}

// balance gives every connected component the same mean edge weight. The
// normalised Laplacian fixes the weights within a component up to a factor, so
// the factors between components are ours to choose; this choice is right for
// graphs without weights. The mean degree stays 1.
func (f *fitter) balance(g *graph.Graph) *graph.Graph {
	if g.EdgeCount() == 0 {
		return g
	}
	label, components := g.Components()
	sum, count := make([]float64, components), make([]float64, components)
	edges := g.Edges()
	for _, e := range edges {
		sum[label[e.I]] += e.Weight
		count[label[e.I]]++
	}
	mean := float64(f.n) / 2 / float64(len(edges)) // for mean degree 1
	for k, e := range edges {
		c := label[e.I]
		edges[k].Weight *= mean * count[c] / sum[c]
	}
	return mustGraph(f.names, edges)
}

// finish codes all signals once more on g: with exact weights the coder sees
// where fewer atoms suffice, and signals that still resist get the widest beam.
// It returns the relative residual.
func (r *run) finish(g *graph.Graph) float64 {
	pairs, w := dictionary.EdgesOf(g)
	r.engine.SetPairs(pairs)
	defer r.engine.SetPairs(r.all)
	if r.err = r.improve(w, effort{sparse.Beam, polishWidths[0]}, r.everySignal()); r.err != nil {
		return 0
	}
	if resisting := r.unexplained(); 10*len(resisting) <= r.m && len(resisting) > 0 {
		r.err = r.improve(w, effort{sparse.Beam, lastWidth}, resisting)
	}
	return r.residual()
}

// conclude makes the answer: the codes are those of the edges kept.
func (r *run) conclude(weights, kept *graph.Graph, threshold Threshold, status solver.Status, rounds int) {
	residual := r.finish(kept)
	// A few signals that resist where all others are exact are not noise.
	if residual > noNoise && !r.field && r.err == nil && !r.mostlyExplained() {
		residual = r.stopAtNoise(kept)
	}
	r.answer = answer{
		weights: weights, graph: kept, codes: r.code, residual: residual, objective: residual,
		threshold: threshold, rounds: rounds, status: status, unexplained: len(r.unexplained()),
	}
}

// noNoise is the residual up to which there is no noise to speak of. What a field
// leaves over is not noise at all.
const noNoise = 1e-9

// stopAtNoise codes all signals once more on g, each with no more atoms than it
// takes until what is left over may be noise, and returns the relative residual.
func (r *run) stopAtNoise(g *graph.Graph) float64 {
	pairs, w := dictionary.EdgesOf(g)
	r.engine.SetPairs(pairs)
	defer r.engine.SetPairs(r.all)
	if r.err = r.engine.Place(w); r.err != nil {
		return 0
	}
	entries := float64(r.spareEntries() + r.sparsity)
	spare := float64(r.m)*entries - float64(r.code.NonZeros()+g.EdgeCount())
	variance := r.engine.Refit(r.code) / max(spare, 1)
	floor := variance * entries * (1 + noiseMargin*math.Sqrt(2/entries))
	coder, err := sparse.NewCoder(r.n*len(r.kernels), sparse.Options{
		Method: sparse.Beam, Sparsity: r.sparsity, Width: polishWidths[0], Floor: floor, Threads: r.threads,
	})
	if err != nil {
		panic(err) // as in coder
	}
	coder.Encode(r.dense.problem, r.code)
	r.engine.Refit(r.code)
	return r.residual()
}

// noiseMargin is how many standard deviations above its mean the energy of noise
// alone is still taken for noise.
const noiseMargin = 2
