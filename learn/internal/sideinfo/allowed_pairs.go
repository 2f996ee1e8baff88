package sideinfo

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/learn/internal/fitting"
)

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
