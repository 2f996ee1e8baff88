package nearest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
)

// clusters returns rows around a few centres, so that the nearest of a row are in its cluster.
func clusters(rows, count, signals int) linalg.Dense {
	draw := rng.Stream(1, "nearest", rows, count)
	centres := linalg.NewDense(count, signals)
	for k := range centres.Data {
		centres.Data[k] = draw.NormFloat64()
	}
	x := linalg.NewDense(rows, signals)
	for i := range rows {
		for k, c := range linalg.Row(centres, i%count) {
			linalg.Row(x, i)[k] = 3*c + draw.NormFloat64()
		}
	}
	return x
}

// allOf returns what every pair is worth.
func allOf(x linalg.Dense, absolute bool) []graph.Edge {
	var pairs []graph.Edge
	for i := range x.Rows {
		for j := i + 1; j < x.Rows; j++ {
			v := portable.Dot(linalg.Row(x, i), linalg.Row(x, j))
			if absolute {
				v = math.Abs(v)
			}
			pairs = append(pairs, graph.Edge{I: i, J: j, Weight: v})
		}
	}
	return pairs
}

func vertices(of []Neighbour) []int32 {
	var all []int32
	for _, v := range of {
		all = append(all, v.Vertex)
	}
	return all
}

// The nearest are those of all pairs sorted, whatever blocks there are, and threads change no bit.
func TestNearestAreTheLargestOfAllPairs(t *testing.T) {
	x := clusters(601, 7, 20) // more than two blocks
	for _, absolute := range []bool{false, true} {
		s := Search{X: x, Count: 5, Above: math.Inf(-1)}
		if absolute {
			s.Weigh = Absolute
		}
		rows := make([][]Neighbour, x.Rows)
		for _, p := range allOf(x, absolute) {
			rows[p.I], rows[p.J] = append(rows[p.I], Neighbour{p.Weight, int32(p.J)}), append(rows[p.J], Neighbour{p.Weight, int32(p.I)})
		}
		found := s.All(t.Context())
		s.Threads = 3
		again := s.All(t.Context())
		some := s.Of(t.Context(), []int{600, 3, 256}, nil)
		for k, i := range []int{600, 3, 256} {
			if !slices.Equal(some[k].Neighbours(), found[i].Neighbours()) {
				t.Errorf("row %d alone has other neighbours", i)
			}
		}
		for i := range found {
			slices.SortFunc(rows[i], func(a, b Neighbour) int { return cmp.Compare(b.Value, a.Value) })
			got := found[i].Neighbours()
			if !slices.Equal(vertices(got), vertices(rows[i][:5])) {
				t.Fatalf("absolute %t, row %d: got %v, want %v", absolute, i, got, rows[i][:5])
			}
			if !slices.Equal(got, again[i].Neighbours()) {
				t.Fatalf("row %d depends on threads", i)
			}
			if bound := found[i].Bound(); bound < rows[i][5].Value {
				t.Fatalf("row %d: %g is left out, above the bound %g", i, rows[i][5].Value, bound)
			}
		}
	}
}

// A value must be above the bound, and with fewer values than wanted none is left out.
func TestFewValuesAreAllKept(t *testing.T) {
	b := NewBest(3, 0)
	for k, v := range []float64{-1, 0, 2, 1} {
		b.Offer(v, k)
	}
	if got := b.Neighbours(); !slices.Equal(got, []Neighbour{{2, 2}, {1, 3}}) || !math.IsInf(b.Bound(), -1) {
		t.Errorf("got %v, bound %g", got, b.Bound())
	}
	b.Offer(1, 1)
	b.Offer(1, 0)
	if got := b.Neighbours(); !slices.Equal(got, []Neighbour{{2, 2}, {1, 0}, {1, 1}}) || b.Bound() != 1 {
		t.Errorf("got %v, bound %g", got, b.Bound())
	}
}

// kruskal sorts all pairs.
func kruskal(n int, pairs []graph.Edge, above float64, skip map[[2]int]bool) []graph.Edge {
	slices.SortFunc(pairs, func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	p := matrix.NewSets(n)
	var forest []graph.Edge
	for _, e := range pairs {
		if e.Weight > above && !skip[[2]int{e.I, e.J}] && p.Unite(e.I, e.J) {
			forest = append(forest, e)
		}
	}
	return InOrder(forest)
}

// The forest is that of all pairs sorted, even if the lists are short and each cluster has to be searched for
// its way out; and so is a second one of the pairs left.
func TestForestIsThatOfAllPairs(t *testing.T) {
	for _, count := range []int{1, 2, 8} {
		t.Run(fmt.Sprintf("count=%d", count), func(t *testing.T) {
			x := clusters(530, 9, 15)
			s := Search{X: x, Count: count, Weigh: Absolute, Threads: 2}
			lists := s.All(t.Context())
			used := map[[2]int]bool{}
			for tree := range 3 {
				want := kruskal(x.Rows, allOf(x, true), 0, used)
				got, ok := s.Forest(t.Context(), lists, func(i, j int) bool { return used[[2]int{min(i, j), max(i, j)}] })
				same := slices.EqualFunc(got, want, func(a, b graph.Edge) bool {
					return a.I == b.I && a.J == b.J && math.Abs(a.Weight-b.Weight) <= 1e-12*b.Weight
				})
				if !ok || !same {
					t.Fatalf("tree %d: other pairs, %d where there are %d", tree, len(got), len(want))
				}
				for _, e := range got {
					used[[2]int{e.I, e.J}] = true
				}
			}
		})
	}
}

// Rows with nothing in common are no tree, and ties close no circle.
func TestForestOfParts(t *testing.T) {
	x := linalg.NewDense(12, 3)
	for i := range 12 {
		linalg.Row(x, i)[i/4] = 1 // three groups of four equal rows
	}
	for _, count := range []int{1, 3} {
		s := Search{X: x, Count: count, Weigh: Absolute}
		forest, ok := s.Forest(t.Context(), s.All(t.Context()), nil)
		if parts := Components(12, forest); !ok || len(forest) != 9 || !slices.EqualFunc(parts, [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}, slices.Equal) {
			t.Errorf("got %v: %v", forest, parts)
		}
	}
}

// If nobody waits any more, there is nothing.
func TestSearchStops(t *testing.T) {
	s := Search{X: clusters(300, 3, 5), Count: 1, Weigh: Absolute}
	lists := s.All(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s.All(ctx) != nil || s.Of(ctx, []int{1}, nil) != nil {
		t.Error("neighbours after the end")
	}
	if _, ok := s.Forest(ctx, lists, nil); ok {
		t.Error("a forest after the end")
	}
}

// The largest values of all pairs are found, though they are those of few rows, whose lists were too short
// for them.
func TestStrongestAreThoseOfAllPairs(t *testing.T) {
	x := clusters(530, 9, 15)
	for i := range 40 { // one group far out
		copy(linalg.Row(x, 10*i), linalg.Row(x, 0))
		linalg.Row(x, 10*i)[i%15] += 1 + float64(i)/100
	}
	const wanted = 1000 // more than the group has pairs, 780
	s := Search{X: x, Count: 4, Weigh: Absolute, Threads: 2}
	lists := s.All(t.Context())
	if !s.Strongest(t.Context(), lists, wanted, 1e-12) {
		t.Fatal("not done")
	}
	all := allOf(x, true)
	byValue := func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) }
	slices.SortFunc(all, byValue)
	found := Pairs(lists)
	slices.SortFunc(found, byValue)
	for k := range wanted {
		if found[k].I != all[k].I || found[k].J != all[k].J {
			t.Fatalf("pair %d is %v, want %v", k, found[k], all[k])
		}
	}
	if len(found) > 4*wanted {
		t.Errorf("%d pairs are kept", len(found))
	}
}

// Values that tie without end take no more room than there is.
func TestTiesTakeNoMoreRoomThanThereIs(t *testing.T) {
	x := linalg.NewDense(400, 2)
	for i := range x.Rows {
		linalg.Row(x, i)[0] = 1
	}
	s := Search{X: x, Count: 2, Weigh: Absolute}
	lists := s.All(t.Context())
	if !s.Strongest(t.Context(), lists, 600, 1e-12) || len(Pairs(lists)) > 2400 {
		t.Errorf("%d pairs are kept", len(Pairs(lists)))
	}
}
