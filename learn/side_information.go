package learn

import (
	"fmt"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
)

// sideInformation is what is known beside the signals, in the vertices that the
// method works on.
type sideInformation struct {
	allowed *allowedPairs
	init    *graph.Graph // to begin from; nil if there is none
	prior   *prior       // nil if there is none
}

// A known says what a caller knows of the n vertices of the input besides the signals.
// Vertices are numbered from 0, and graphs have them in this order.
type known struct {
	allow, forbid [][2]int     // pairs that may and may not have an edge; a nil allow means all
	init, prior   *graph.Graph // to begin from, and to be pulled to; nil if there is none
	priorWeight   float64      // in signals
}

// newSideInformation turns what is known of n vertices into what it means for the
// prepared ones, with warnings where it means nothing.
func newSideInformation(o known, data prepared, n int) (sideInformation, []string, error) {
	place := make([]int32, n)
	for i := range place {
		place[i] = -1
	}
	for k, i := range data.vertices {
		place[i] = int32(k)
	}
	varying := len(data.vertices)
	s := sideInformation{allowed: newAllowedPairs(o.allow, o.forbid, place, varying)}
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
	s.init = use("initial graph", o.init)
	if g := use("prior", o.prior); g != nil {
		s.prior = newPrior(g, o.priorWeight, data.count())
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
