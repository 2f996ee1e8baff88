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

// AllowedPairs says which pairs of vertices may have a weight. A nil one allows
// all.
type AllowedPairs struct {
	n             int
	allow, forbid map[[2]int32]bool // a nil allow means all pairs; what is forbidden is also allowed
}

// newAllowedPairs returns what is known about pairs, in the n vertices of
// place, which numbers the vertices of the input, −1 for those set aside.
func newAllowedPairs(allow, forbid [][2]int, place []int32, n int) *AllowedPairs {
	if allow == nil && len(forbid) == 0 {
		return nil
	}
	a := &AllowedPairs{n: n, forbid: map[[2]int32]bool{}}
	if allow != nil {
		a.allow = map[[2]int32]bool{}
	}
	for _, p := range allow {
		if key, ok := placed(p, place); ok {
			a.allow[key] = true
		}
	}
	for _, p := range forbid {
		if key, ok := placed(p, place); ok && (a.allow == nil || a.allow[key]) {
			a.forbid[key] = true
		}
	}
	return a
}

// placed returns a pair of the input in the vertices of place; false if one of
// them is set aside.
func placed(pair [2]int, place []int32) ([2]int32, bool) {
	i, j := place[pair[0]], place[pair[1]]
	return ordered(i, j), i >= 0 && j >= 0
}

func ordered(i, j int32) [2]int32 { return [2]int32{min(i, j), max(i, j)} }

// Allows reports whether the pair of i and j may have a weight.
func (a *AllowedPairs) Allows(i, j int32) bool {
	if a == nil {
		return true
	}
	key := ordered(i, j)
	return (a.allow == nil || a.allow[key]) && !a.forbid[key]
}

// Count returns how many pairs may have a weight.
func (a *AllowedPairs) Count() int {
	if a.allow != nil {
		return len(a.allow) - len(a.forbid)
	}
	return a.n*(a.n-1)/2 - len(a.forbid)
}

// List lists the pairs of n vertices that may have a weight.
func (a *AllowedPairs) List(n int) dictionary.Pairs {
	all := dictionary.AllPairs(n)
	if a == nil {
		return all
	}
	some := dictionary.Pairs{N: n}
	for e, i := range all.I {
		if j := all.J[e]; a.Allows(i, j) {
			some.I, some.J = append(some.I, i), append(some.J, j)
		}
	}
	return some
}

// project returns g, a graph of the input, in the vertices of place, without the
// edges that are not allowed; nil if none is left.
func (a *AllowedPairs) project(g *graph.Graph, place []int32, n int) *graph.Graph {
	if g == nil {
		return nil
	}
	var edges []graph.Edge
	for _, e := range g.Edges() {
		if i, j := place[e.I], place[e.J]; i >= 0 && j >= 0 && a.Allows(i, j) {
			edges = append(edges, graph.Edge{I: int(i), J: int(j), Weight: e.Weight})
		}
	}
	if len(edges) == 0 {
		return nil
	}
	return fitting.MustGraph(n, edges)
}
