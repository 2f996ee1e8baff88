package nearest

import (
	"context"
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
)

// Forest returns the spanning forest of the largest values above s.Above, in order: the tree, if all rows
// hang together. Pairs that are skipped are not in it; skip may be nil. Lists are the nearest of all rows,
// by s. It reports false if ctx ends.
//
// Parts that start with one row each join others by the best pair that leaves them (Borůvka), as far as the
// lists tell what it is: it must be no worse than what the lists have left out. When they tell nothing any
// more, the rows in question are searched for again, among the rows outside their parts. They are few: of the
// largest part there are none, because whatever joins it to others leaves these, too.
func (s Search) Forest(ctx context.Context, lists []Best, skip func(i, j int) bool) (forest []graph.Edge, ok bool) {
	f := &growth{Sets: matrix.NewSets(len(lists)), near: make([][]Neighbour, len(lists)), bound: make([]float64, len(lists)), skip: skip}
	for i := range lists {
		f.near[i], f.bound[i] = lists[i].Neighbours(), lists[i].Bound()
	}
	for ctx.Err() == nil {
		if f.join() {
			continue
		}
		unknown := f.unknown()
		if len(unknown) == 0 {
			return InOrder(f.forest), true
		}
		part := firsts(f.Sets) // which nobody writes to while several threads look at them
		outside := func(i, j int) bool { return part[i] == part[j] || skip != nil && skip(i, j) }
		for k, of := range s.Of(ctx, unknown, outside) {
			i := unknown[k]
			f.near[i], f.bound[i] = of.Neighbours(), of.Bound()
		}
	}
	return nil, false
}

// A growth is a forest that grows.
type growth struct {
	matrix.Sets
	near   [][]Neighbour // of each row, outside its part as far as was looked at
	bound  []float64     // of the values that near has left out
	skip   func(i, j int) bool
	forest []graph.Edge
}

// within reports whether a pair cannot be in the forest any more.
func (f *growth) within(i, j int) bool {
	return f.Find(i) == f.Find(j) || f.skip != nil && f.skip(i, j)
}

// A leaving is the best pair known that leaves a part, and what those not known may reach.
type leaving struct {
	best    graph.Edge
	known   bool
	unknown float64
}

// leavings returns them for all parts, at their first row.
func (f *growth) leavings() []leaving {
	all := make([]leaving, len(f.near))
	for i := range all {
		all[i].unknown = math.Inf(-1)
	}
	for i := range f.near {
		for len(f.near[i]) > 0 && f.within(i, int(f.near[i][0].Vertex)) {
			f.near[i] = f.near[i][1:]
		}
		l := &all[f.Find(i)]
		if len(f.near[i]) == 0 {
			l.unknown = max(l.unknown, f.bound[i])
			continue
		}
		if p := pairOf(i, f.near[i][0]); !l.known || p.Weight > l.best.Weight {
			l.best, l.known = p, true
		}
	}
	return all
}

// join joins each part to another where it is known which, and reports whether there was any.
func (f *growth) join() bool {
	before := len(f.forest)
	for _, l := range f.leavings() {
		if l.known && l.best.Weight >= l.unknown && f.Unite(l.best.I, l.best.J) {
			f.forest = append(f.forest, l.best)
		}
	}
	return len(f.forest) > before
}

// unknown returns the rows that may have a better pair than the best that is known to leave their part, but
// for those of the largest part.
func (f *growth) unknown() []int {
	all := f.leavings()
	size := make([]int, len(all))
	largest := 0
	for i := range all {
		p := f.Find(i)
		if size[p]++; size[p] > size[largest] {
			largest = p
		}
	}
	var rows []int
	for i, bound := range f.bound {
		l := &all[f.Find(i)]
		if f.Find(i) != largest && len(f.near[i]) == 0 && !math.IsInf(bound, -1) && (!l.known || bound > l.best.Weight) {
			rows = append(rows, i)
		}
	}
	return rows
}

// firsts returns for each row the one that its part is known by.
func firsts(p matrix.Sets) []int {
	all := make([]int, len(p))
	for i := range all {
		all[i] = p.Find(i)
	}
	return all
}

// Components returns the rows that chains of pairs hold together, each set in order, of n rows.
func Components(n int, pairs []graph.Edge) [][]int {
	p := matrix.NewSets(n)
	for _, e := range pairs {
		p.Unite(e.I, e.J)
	}
	at := make([]int, n)
	var sets [][]int
	for i := range n {
		first := p.Find(i)
		if first == i {
			at[i] = len(sets)
			sets = append(sets, nil)
		}
		sets[at[first]] = append(sets[at[first]], i)
	}
	return sets
}
