package learn

import (
	"fmt"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
)

// A restriction says which pairs of vertices may have a weight. A nil one
// admits all.
type restriction struct {
	n             int
	allow, forbid map[[2]int32]bool // a nil allow means all pairs; what is forbidden is also allowed
}

// newRestriction returns what the options say about pairs, in the vertices of
// place, which numbers the vertices of the input, −1 for those set aside.
func newRestriction(o Options, place []int32, n int) *restriction {
	if o.Allow == nil && len(o.Forbid) == 0 {
		return nil
	}
	r := &restriction{n: n, forbid: map[[2]int32]bool{}}
	if o.Allow != nil {
		r.allow = map[[2]int32]bool{}
	}
	for _, p := range o.Allow {
		if key, ok := placed(p, place); ok {
			r.allow[key] = true
		}
	}
	for _, p := range o.Forbid {
		if key, ok := placed(p, place); ok && (r.allow == nil || r.allow[key]) {
			r.forbid[key] = true
		}
	}
	return r
}

// placed returns a pair of the input in the vertices of place; false if one of
// them is set aside.
func placed(pair [2]int, place []int32) ([2]int32, bool) {
	i, j := place[pair[0]], place[pair[1]]
	return ordered(i, j), i >= 0 && j >= 0
}

func ordered(i, j int32) [2]int32 { return [2]int32{min(i, j), max(i, j)} }

// admits says whether the pair of i and j may have a weight.
func (r *restriction) admits(i, j int32) bool {
	if r == nil {
		return true
	}
	key := ordered(i, j)
	return (r.allow == nil || r.allow[key]) && !r.forbid[key]
}

// count returns how many pairs may have a weight.
func (r *restriction) count() int {
	if r.allow != nil {
		return len(r.allow) - len(r.forbid)
	}
	return r.n*(r.n-1)/2 - len(r.forbid)
}

// pairs lists the pairs of n vertices that may have a weight.
func (r *restriction) pairs(n int) dictionary.Pairs {
	all := dictionary.AllPairs(n)
	if r == nil {
		return all
	}
	some := dictionary.Pairs{N: n}
	for e, i := range all.I {
		if j := all.J[e]; r.admits(i, j) {
			some.I, some.J = append(some.I, i), append(some.J, j)
		}
	}
	return some
}

// project returns g, a graph of the input, in the vertices of place, without the
// edges that are not admitted; nil if none is left.
func (r *restriction) project(g *graph.Graph, place []int32, n int) *graph.Graph {
	if g == nil {
		return nil
	}
	var edges []graph.Edge
	for _, e := range g.Edges() {
		if i, j := place[e.I], place[e.J]; i >= 0 && j >= 0 && r.admits(i, j) {
			edges = append(edges, graph.Edge{I: int(i), J: int(j), Weight: e.Weight})
		}
	}
	if len(edges) == 0 {
		return nil
	}
	return mustGraph(graph.DefaultNames(n), edges)
}

// pairFault finds a pair that is none of n vertices.
func pairFault(pairs [][2]int, n int) (sentence string) {
	for _, p := range pairs {
		switch i, j := p[0], p[1]; {
		case min(i, j) < 0 || max(i, j) >= n:
			return fmt.Sprintf("pair (%d, %d): the vertices are 0 to %d", i, j, n-1)
		case i == j:
			return fmt.Sprintf("pair (%d, %d): a vertex has no edge to itself", i, j)
		}
	}
	return ""
}
