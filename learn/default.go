package learn

import (
	"math"
	"slices"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/sparse"
)

// The default recipe. Departures from [maretic2017], each measured to matter:
//
//   - it starts from |corr| instead of at random;
//   - the graph step is several bound-constrained quasi-Newton steps with the
//     coefficients eliminated (variable projection), instead of one gradient step;
//   - the graph step minimises the sum of the residuals' norms, not of their
//     squares, until the edges are found (see robust);
//   - coding goes from OMP to beams of growing width as rounds stall;
//   - as soon as the sorted weights show a gap, weights and codes are polished on
//     the edges before it; if that explains every signal to rounding, the answer
//     certifies itself and the run ends;
//   - there is no penalty: the gap and the polish do what β is for.
//
// If no start certifies itself, the best one is cut, refitted and returned.

// A stage codes in one way until its rounds improve the loss by less than a share.
type stage struct {
	method sparse.Method
	width  int
	stall  float64
}

func (r *run) stages() []stage {
	if m := r.options.Coder; m != "" {
		return []stage{{m, 0, 0.02}}
	}
	return []stage{{sparse.OMP, 0, 0.2}, {sparse.Beam, 4, 0.1}, {sparse.Beam, 16, 0.1}}
}

const (
	// stepsPerRound is how many quasi-Newton steps follow each coding.
	stepsPerRound = 8
	// promising is the gap at which a polish is worth trying; a failed one is
	// tried again only when the gap has grown by regrown.
	promising = 2
	regrown   = 1.5
)

// candidate is the best point that no certificate was found for.
type candidate struct {
	w        []float64
	code     *sparse.Code
	residual float64
	rounds   int
	status   solver.Status
}

func (r *run) byDefault() {
	best := candidate{residual: math.Inf(1)}
	for r.start = 1; ; r.start++ {
		r.search(r.startWeights(r.start), &best)
		if r.answer.graph != nil || r.left || r.err != nil {
			return
		}
		if r.ctx.Err() != nil || r.start == r.options.Starts {
			break
		}
	}
	r.code = best.code
	weights := r.graph(r.all, best.w)
	kept, threshold := r.cut(weights)
	r.conclude(weights, kept, threshold, best.status, best.rounds)
}

// search runs one start. It sets r.answer if the start certifies itself, and
// keeps the best point it comes through.
func (r *run) search(w []float64, best *candidate) {
	newton := newQuasiNewton(len(w), r.robust)
	tried := 0.0
	r.round = 0
	for _, s := range r.stages() {
		stall := solver.Stall{Tolerance: s.stall}
		for stalled := false; !stalled; {
			if r.round == r.options.Rounds {
				best.status = solver.MaxRounds
				return
			}
			r.round++
			if r.err = r.recode(w, r.coder(s.method, s.width)); r.err != nil {
				return
			}
			r.spectral.Refit(r.code)
			r.smooth()
			newton.forget()
			loss := newton.minimise(r.ctx, w, limits{steps: stepsPerRound, gain: 1e-6})
			r.normalise(w)
			r.revive(w)
			if residual := r.residual(); residual < best.residual {
				*best = candidate{slices.Clone(w), r.code.Clone(), residual, r.round, solver.Stalled}
			}
			g := r.graph(r.all, w)
			if !r.report(Weight, r.residual(), loss, g.EdgeCount()) {
				return
			}
			if kept, gap := g.CutAtGap(); gap.Ratio >= max(promising, regrown*tried) {
				tried = gap.Ratio
				if r.tryPolish(kept) || !r.going() {
					return
				}
			}
			stalled = stall.Done(loss)
		}
	}
}

// residual returns the relative residual as last computed.
func (r *run) residual() float64 {
	var sum float64
	for _, v := range r.spectral.Residuals() {
		sum += v
	}
	return sum / r.energy
}

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

// tryPolish fits weights and codes on the edges of g alone. If that is exact it
// sets r.answer; otherwise it leaves the codes as they were.
func (r *run) tryPolish(g *graph.Graph) bool {
	before := r.code.Clone()
	polished, exact := r.polish(g)
	if !exact {
		r.code = before
		return false
	}
	// Edges that polishing has driven to nothing go, if the rest is exact too.
	if pruned, _ := polished.CutAtGap(); pruned.EdgeCount() < polished.EdgeCount() {
		before = r.code.Clone()
		if again, ok := r.polish(pruned); ok {
			polished = again
		} else {
			r.code = before
		}
	}
	polished = r.balance(polished)
	kept, threshold := r.cut(polished)
	if kept.EdgeCount() < polished.EdgeCount() {
		// The user wants fewer edges than explain the signals.
		r.conclude(polished, kept, threshold, solver.Converged, r.round)
		return true
	}
	residual := r.finish(polished)
	r.answer = answer{
		weights: polished, graph: kept, codes: r.code, residual: residual, objective: residual,
		threshold: threshold, rounds: r.round, status: solver.Converged, certified: true,
		unexplained: len(r.unexplained()),
	}
	return true
}

// polish alternates weights on the edges of g and codes, and returns the graph
// and whether it is exact. It gives up when a pass gains too little.
func (r *run) polish(g *graph.Graph) (*graph.Graph, bool) {
	pairs, w := dictionary.EdgesOf(g)
	r.spectral.SetPairs(pairs)
	defer r.spectral.SetPairs(r.all)
	newton := newQuasiNewton(len(w), r.trimmed)
	last := math.Inf(1)
	share, strict := 0.8, false
	limits := limits{steps: stepsPerPolish, gain: 1e-2, enough: certified / 100}
	for _, width := range polishWidths {
		if r.err = r.spectral.At(w); r.err != nil {
			break
		}
		r.spectral.Refit(r.code)
		r.trim(share, strict)
		value := newton.minimise(r.ctx, w, limits)
		r.normalise(w)
		newton.forget()
		if r.err = r.improve(w, r.coder(sparse.Beam, width), r.unexplained()); r.err != nil {
			break
		}
		if !r.report(Polish, r.residual(), value, len(w)) {
			break
		}
		if r.exact(len(w)) {
			return r.graph(pairs, w), true
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

// exact says whether the signals explained to rounding prove the weights: they
// must be nine in ten, and bring at least twice the numbers that their codes
// and the weights can absorb. A wrong graph explains none of them exactly.
func (r *run) exact(edges int) bool {
	explained := r.m - len(r.unexplained())
	return 10*explained >= 9*r.m && explained*(r.n-r.sparsity) >= 2*edges
}

// finish codes all signals once more on g: with exact weights the coder sees
// where fewer atoms suffice, and signals that still resist get the widest beam.
// It returns the relative residual.
func (r *run) finish(g *graph.Graph) float64 {
	pairs, w := dictionary.EdgesOf(g)
	r.spectral.SetPairs(pairs)
	defer r.spectral.SetPairs(r.all)
	if r.err = r.improve(w, r.coder(sparse.Beam, polishWidths[0]), r.everySignal()); r.err != nil {
		return 0
	}
	if resisting := r.unexplained(); 10*len(resisting) <= r.m && len(resisting) > 0 {
		r.err = r.improve(w, r.coder(sparse.Beam, lastWidth), resisting)
	}
	return r.residual()
}

// conclude makes the answer when no certificate goes with it. The codes are those
// of the edges kept; the weights too, unless the user has set the cut and
// expects the edges to be what was asked for.
func (r *run) conclude(weights, kept *graph.Graph, threshold Threshold, status solver.Status, rounds int) {
	if threshold.Rule == CutAuto && kept.EdgeCount() > 0 {
		kept, _ = r.polish(kept)
		kept = r.balance(kept)
	}
	residual := r.finish(kept)
	if r.ctx.Err() != nil {
		status = solver.Interrupted
	}
	r.answer = answer{
		weights: weights, graph: kept, codes: r.code, residual: residual, objective: residual,
		threshold: threshold, rounds: rounds, status: status, unexplained: len(r.unexplained()),
	}
}
