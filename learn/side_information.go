package learn

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/method"
)

// defaultPriorWeight is how many signals a prior counts as unless told: enough to
// decide between graphs where signals are few, nothing beside hundreds.
const defaultPriorWeight = 5

// sideInformation is what is known beside the signals, in the vertices that the
// recipe works on.
type sideInformation struct {
	allowed *allowedPairs
	init    *graph.Graph // Options.Init; nil if there is none
	prior   *prior       // nil if there is none
}

// newSideInformation turns what the options say of n vertices into what it means
// for the prepared ones, with warnings where it means nothing.
func newSideInformation(o Options, data prepared, n int) (sideInformation, []string, error) {
	place := make([]int32, n)
	for i := range place {
		place[i] = -1
	}
	for k, i := range data.vertices {
		place[i] = int32(k)
	}
	varying := len(data.vertices)
	s := sideInformation{allowed: newAllowedPairs(o, place, varying)}
	if s.allowed != nil && s.allowed.count() == 0 {
		return s, nil, input.Errorf("learn", input.AllowedPairs, "no pair of the %d vertices that vary may have an edge", varying)
	}
	var warnings []string
	use := func(name string, g *graph.Graph) *graph.Graph {
		some := s.allowed.project(g, place, varying)
		if g != nil && some == nil {
			warnings = append(warnings, fmt.Sprintf("the %s has no edge that can be learned: it was not used", name))
		}
		return some
	}
	s.init = use("initial graph", o.Init)
	if g := use("prior", o.Prior); g != nil {
		s.prior = newPrior(g, o.PriorWeight, data.count())
	}
	return s, warnings, nil
}

// hasGraph says whether there is a graph to begin from.
func (s sideInformation) hasGraph() bool { return s.init != nil || s.prior != nil }

// apply changes weights over the pairs, of mean degree 1, to what is known: those
// of the initial graph or else, in its measure, the prior's.
func (s sideInformation) apply(pairs dictionary.Pairs, w []float64) {
	switch {
	case s.init != nil:
		moveTowards(s.init, 1, pairs, w)
	case s.prior != nil:
		moveTowards(s.prior.graph, s.prior.share, pairs, w)
	}
}

// addEdges returns candidates with those of the edges that are known, which may
// come to nothing like all others.
func (s sideInformation) addEdges(candidates [][]neighbour) [][]neighbour {
	all := slices.Clone(candidates)
	add := func(g *graph.Graph) {
		for _, e := range g.Edges() {
			all[e.I] = append(slices.Clip(all[e.I]), neighbour{int32(e.J), 0})
		}
	}
	if s.init != nil {
		add(s.init)
	}
	if s.prior != nil {
		add(s.prior.graph)
	}
	return all
}

// checkSideInformation checks what the options say is known about n vertices, and
// fills in the weight of the prior.
func (o *Options) checkSideInformation(n int, f *faults) {
	f.checkPairs(o.Allow, n, input.AllowedPairs)
	f.checkPairs(o.Forbid, n, input.ForbiddenPairs)
	f.checkVertices(o.Init, n, input.Init)
	f.checkVertices(o.Prior, n, input.Prior)
	f.check(o.Prior != nil && o.Recipe == Maretic2017, input.Prior, "the recipe %s has no place for one: use the recipe %s, or give the graph as a start", Maretic2017, Default)
	f.check(!finiteNonNegative(o.PriorWeight), FieldPriorWeight, "got %g, want a number of at least 0", o.PriorWeight)
	f.check(o.Prior == nil && o.PriorWeight > 0, FieldPriorWeight, "got %g, but there is no prior", o.PriorWeight)
	if o.Prior != nil {
		o.PriorWeight = cmp.Or(o.PriorWeight, defaultPriorWeight)
	}
}

// checkVertices refuses a graph of other than n vertices, and a directed one.
func (f *faults) checkVertices(g *graph.Graph, n int, field input.Field) {
	if g != nil {
		f.check(g.Vertices() != n, field, "got a graph of %d vertices, want %d", g.Vertices(), n)
		f.check(g.Directed(), field, "the graph is directed, and edges of this model have no direction")
	}
}

// addKnown takes in what a problem says is known. Graphs are matched with the names of
// the vertices.
func (o *Options) addKnown(k method.Known) error {
	if k.Allow != nil {
		o.Allow = k.Allow
	}
	if k.Forbid != nil {
		o.Forbid = k.Forbid
	}
	if k.Init != nil {
		o.Init = k.Init
	}
	if k.Prior != nil {
		o.Prior, o.PriorWeight = k.Prior, k.PriorWeight
	}
	if o.Names == nil {
		return nil
	}
	known, err := method.Known{Init: o.Init, Prior: o.Prior}.OnVertices(o.Names)
	o.Init, o.Prior = known.Init, known.Prior
	return err
}
