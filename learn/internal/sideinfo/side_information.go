// Package sideinfo has what is known or guessed about pairs of vertices before a search:
// which may have an edge, which are candidates, an initial graph and a prior.
package sideinfo

import (
	"fmt"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/fitting"
)

// Information is what is known beside the signals, in the vertices that the
// method works on.
type Information struct {
	Allowed *AllowedPairs
	Init    *graph.Graph // to begin from; nil if there is none
	Prior   *Prior       // nil if there is none
}

// A Given says what a caller knows of the n vertices of the input besides the signals.
// Vertices are numbered from 0, and graphs have them in this order.
type Given struct {
	Allow, Forbid [][2]int     // pairs that may and may not have an edge; a nil allow means all
	Init, Prior   *graph.Graph // to begin from, and to be pulled to; nil if there is none
	PriorWeight   float64      // in signals
}

// New turns what is known of n vertices into what it means for the
// prepared ones, with warnings where it means nothing.
func New(o Given, data canonical.Signals, n int) (Information, []string, error) {
	place := make([]int32, n)
	for i := range place {
		place[i] = -1
	}
	for k, i := range data.Vertices {
		place[i] = int32(k)
	}
	varying := len(data.Vertices)
	s := Information{Allowed: newAllowedPairs(o.Allow, o.Forbid, place, varying)}
	if s.Allowed != nil && s.Allowed.Count() == 0 {
		return s, nil, input.Errorf("learn", input.AllowedPairs, "no pair of the %d vertices that vary may have an edge", varying)
	}
	var warnings []string
	use := func(name string, g *graph.Graph) *graph.Graph {
		some := s.Allowed.project(g, place, varying)
		if g != nil && some == nil {
			warnings = append(warnings, fmt.Sprintf("the %s has no edge that can be learned: it was not used", name))
		}
		return some
	}
	s.Init = use("initial graph", o.Init)
	if g := use("prior", o.Prior); g != nil {
		s.Prior = newPrior(g, o.PriorWeight, data.Count())
	}
	return s, warnings, nil
}

// HasGraph reports whether there is a graph to begin from.
func (s Information) HasGraph() bool { return s.Init != nil || s.Prior != nil }

// Apply changes weights over the pairs, of mean degree 1, to what is known: those
// of the initial graph or else, in its measure, the prior's.
func (s Information) Apply(pairs dictionary.Pairs, w []float64) {
	switch {
	case s.Init != nil:
		fitting.MoveTowards(s.Init, 1, pairs, w)
	case s.Prior != nil:
		fitting.MoveTowards(s.Prior.graph, s.Prior.share, pairs, w)
	}
}

// AddEdges returns candidates with those of the edges that are known, which may
// come to nothing like all others.
func (s Information) AddEdges(candidates [][]Neighbour) [][]Neighbour {
	all := slices.Clone(candidates)
	add := func(g *graph.Graph) {
		for _, e := range g.Edges() {
			all[e.I] = append(slices.Clip(all[e.I]), Neighbour{int32(e.J), 0})
		}
	}
	if s.Init != nil {
		add(s.Init)
	}
	if s.Prior != nil {
		add(s.Prior.graph)
	}
	return all
}
