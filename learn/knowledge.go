package learn

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/sparse"
)

// defaultPriorWeight is how many signals a prior counts as unless told: enough to
// decide between graphs where signals are few, nothing beside hundreds.
const defaultPriorWeight = 5

// knowledge is what is known before the signals are seen, in the vertices that
// the recipe works on.
type knowledge struct {
	within *restriction
	begin  *graph.Graph // Options.Init; nil if there is none
	prior  *prior       // nil if there is none
}

// knowledgeFaults checks what the options say is known about n vertices, and
// fills in the weight of the prior.
func (o *Options) knowledgeFaults(n int) []error {
	var faults []error
	check := func(bad bool, field, format string, args ...any) {
		if bad {
			faults = append(faults, fault(field, format, args...))
		}
	}
	sentence := pairFault(o.Allow, n)
	check(sentence != "", "allowed pairs", "%s", sentence)
	sentence = pairFault(o.Forbid, n)
	check(sentence != "", "forbidden pairs", "%s", sentence)
	check(o.Init != nil && o.Init.Vertices() != n, "init", "got a graph of %d vertices, want %d", vertices(o.Init), n)
	check(o.Prior != nil && o.Prior.Vertices() != n, "prior", "got a graph of %d vertices, want %d", vertices(o.Prior), n)
	check(o.Prior != nil && o.Recipe == Maretic2017, "prior", "the recipe %s has no place for one: use the recipe %s, or give the graph as a start", Maretic2017, Default)
	check(!finiteNonNegative(o.PriorWeight), "prior weight", "got %g, want a number of at least 0", o.PriorWeight)
	check(o.Prior == nil && o.PriorWeight > 0, "prior weight", "got %g, but there is no prior", o.PriorWeight)
	if o.Prior != nil {
		o.PriorWeight = cmp.Or(o.PriorWeight, defaultPriorWeight)
	}
	return faults
}

func vertices(g *graph.Graph) int {
	if g == nil {
		return 0
	}
	return g.Vertices()
}

// know turns what the options say of n vertices into what it means for the
// prepared ones, with warnings where it means nothing.
func know(o Options, data prepared, n int) (knowledge, []string, error) {
	place := make([]int32, n)
	for i := range place {
		place[i] = -1
	}
	for k, i := range data.vertices {
		place[i] = int32(k)
	}
	varying := len(data.vertices)
	k := knowledge{within: newRestriction(o, place, varying)}
	if k.within != nil && k.within.count() == 0 {
		return k, nil, fault("allowed pairs", "no pair of the %d vertices that vary may have an edge", varying)
	}
	var warnings []string
	use := func(name string, g *graph.Graph) *graph.Graph {
		some := k.within.project(g, place, varying)
		if g != nil && some == nil {
			warnings = append(warnings, fmt.Sprintf("the %s has no edge that could be learned: it was not used", name))
		}
		return some
	}
	k.begin = use("graph to start from", o.Init)
	if g := use("prior", o.Prior); g != nil {
		_, signals := data.y.Dims()
		k.prior = newPrior(g, o.PriorWeight, signals)
	}
	return k, warnings, nil
}

// lean moves the weights w over all free pairs, of mean degree 1, by a share
// towards those of g. Pairs of a vertex without an edge in g stay as they are:
// g says nothing about it.
func (f *fitter) lean(w []float64, g *graph.Graph, share float64) {
	target := make(map[[2]int32]float64, g.EdgeCount())
	var sum float64
	for _, e := range g.Edges() {
		target[[2]int32{int32(e.I), int32(e.J)}] = e.Weight
		sum += e.Weight
	}
	unit := float64(f.n) / 2 / sum // to mean degree 1
	degree := g.Degrees()
	for e, i := range f.all.I {
		if j := f.all.J[e]; degree[i] > 0 && degree[j] > 0 {
			w[e] += share * (unit*target[[2]int32{i, j}] - w[e])
		}
	}
	f.normalise(w)
}

// informed says whether there is a graph to begin from.
func (k knowledge) informed() bool { return k.begin != nil || k.prior != nil }

// inform changes the weights w that the first start would begin from to what is
// known: those of the graph to begin from, or else, in its measure, the prior's.
func (r *run) inform(w []float64) {
	switch {
	case r.begin != nil:
		r.lean(w, r.begin, 1)
	case r.prior != nil:
		r.lean(w, r.prior.graph, r.prior.share)
	}
}

// recognise looks whether the graph to begin from, if there is one, is the answer
// already. A search would begin with quick codes, which are partly wrong, and
// leave it.
func (r *run) recognise(best *candidate) {
	if r.begin == nil {
		return
	}
	r.start, r.round = 1, 1
	w := make([]float64, r.all.Len())
	r.lean(w, r.begin, 1)
	if r.err = r.recode(w, effort{sparse.Beam, polishWidths[0]}); r.err != nil {
		return
	}
	r.engine.Refit(r.code)
	if r.report(Coding, r.residual(), r.robustLoss(), r.all, w) {
		r.tryPolish(r.graph(r.all, w), best)
	}
}

// acquainted returns partners with those of the edges that are known, which may
// come to nothing like all others.
func (r *run) acquainted(partners [][]partner) [][]partner {
	all := slices.Clone(partners)
	add := func(g *graph.Graph) {
		for _, e := range g.Edges() {
			all[e.I] = append(slices.Clip(all[e.I]), partner{int32(e.J), 0})
		}
	}
	if r.begin != nil {
		add(r.begin)
	}
	if r.prior != nil {
		add(r.prior.graph)
	}
	return all
}
