package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph/community"
	"gonum.org/v1/gonum/graph/simple"

	gonum "gonum.org/v1/gonum/graph"
)

// cliques is a ring of cliques, each joined to the next by one edge.
func cliques(t *testing.T, count, size int) *Graph {
	t.Helper()
	var edges []Edge
	for c := range count {
		for i := range size {
			for j := range i {
				edges = append(edges, Edge{c*size + j, c*size + i, 1})
			}
		}
		edges = append(edges, Edge{c*size + size - 1, (c + 1) % count * size, 1})
	}
	return mustNew(t, count*size, edges...)
}

// planted draws a graph whose groups are denser within than between.
func planted(t *testing.T, groups, size int, within, between float64, seed uint64) *Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	var edges []Edge
	for i := range groups * size {
		for j := range i {
			p := between
			if i/size == j/size {
				p = within
			}
			if r.Float64() < p {
				edges = append(edges, Edge{j, i, 0.2 + r.Float64()})
			}
		}
	}
	return mustNew(t, groups*size, edges...)
}

// inGonum is the same graph, and the same groups, of another library.
func inGonum(g *Graph, label []int) (*simple.WeightedUndirectedGraph, [][]gonum.Node) {
	other := simple.NewWeightedUndirectedGraph(0, 0)
	groups := make([][]gonum.Node, slices.Max(label)+1)
	for i := range g.Vertices() {
		other.AddNode(simple.Node(i))
		groups[label[i]] = append(groups[label[i]], simple.Node(i))
	}
	for _, e := range g.Edges() {
		other.SetWeightedEdge(other.NewWeightedEdge(simple.Node(e.I), simple.Node(e.J), e.Weight))
	}
	return other, groups
}

func TestModularityAgreesWithAnotherLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 9, 40} {
		g, label := random(t, n, 0.4), make([]int, n)
		for i := range label {
			label[i] = r.IntN(3)
		}
		other, groups := inGonum(g, label)
		if g.EdgeCount() == 0 {
			continue
		}
		if got, want := g.Modularity(label), community.Q(other, groups, 1); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d vertices: got %g, want %g", n, got, want)
		}
	}
}

// By hand: of the weight 4 an edge of 1 lies between the groups, whose degrees are
// 1 + 1 + 1 and 1 + 2 + 2 of 8.
func TestModularityOfASmallGraph(t *testing.T) {
	g := mustNew(t, 4, Edge{0, 1, 1}, Edge{1, 2, 1}, Edge{2, 3, 2})
	if got, want := g.Modularity([]int{0, 0, 1, 1}), 1.0/4+2.0/4-(9.0+25)/64; math.Abs(got-want) > 1e-15 {
		t.Errorf("got %g, want %g", got, want)
	}
	if got := g.Modularity([]int{0, 0, 0, 0}); got != 0 {
		t.Errorf("one group has modularity %g, want 0", got)
	}
	if got := mustNew(t, 3).Modularity([]int{0, 1, 2}); got != 0 {
		t.Errorf("without edges it is %g, want 0", got)
	}
}

func TestCommunitiesOfCliquesAreTheCliques(t *testing.T) {
	for _, c := range []struct{ count, size int }{{2, 4}, {5, 5}, {8, 6}} {
		label, count := cliques(t, c.count, c.size).Communities()
		if count != c.count {
			t.Errorf("%d cliques of %d: got %d communities", c.count, c.size, count)
		}
		for i, l := range label {
			if l != i/c.size {
				t.Errorf("%d cliques of %d: vertex %d is in community %d", c.count, c.size, i, l)
			}
		}
	}
}

func TestCommunitiesAreAsGoodAsThoseOfAnotherLibrary(t *testing.T) {
	for seed := range uint64(2) {
		g := planted(t, 4, 20, 0.5, 0.05, seed)
		label, _ := g.Communities()
		other, groups := inGonum(g, label)
		best := 0.0
		for try := range uint64(5) {
			best = max(best, community.Q(other, community.Modularize(other, 1, rand.NewPCG(try, 1)).Communities(), 1))
		}
		if got := community.Q(other, groups, 1); got < best-0.01 {
			t.Errorf("seed %d: modularity %g, the other library has %g", seed, got, best)
		}
	}
}

func TestCommunitiesDoNotDependOnTheUnitOrTheDirection(t *testing.T) {
	g := planted(t, 3, 12, 0.5, 0.1, 9)
	want, _ := g.Communities()
	scaled, arrows := g.Edges(), g.Edges()
	for k := range scaled {
		scaled[k].Weight *= 1 << 20 // which does not round
		if k%2 == 0 {
			arrows[k].I, arrows[k].J = arrows[k].J, arrows[k].I
		}
	}
	directed, err := NewDirected(g.Names(), arrows)
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*Graph{"another unit": mustNew(t, 36, scaled...), "arrows": directed} {
		if got, _ := other.Communities(); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestCommunitiesAreConnectedAndNoWorseThanAnyMove(t *testing.T) {
	for seed := range uint64(3) {
		g := planted(t, 5, 8, 0.4, 0.08, seed)
		label, count := g.Communities()
		seen := make([]bool, count)
		for i, l := range label {
			if !seen[l] && slices.Contains(seen[:l], false) {
				t.Fatalf("seed %d: vertex %d begins community %d before an earlier one: %v", seed, i, l, label)
			}
			seen[l] = true
		}
		var within []Edge
		for _, e := range g.Edges() {
			if label[e.I] == label[e.J] {
				within = append(within, e)
			}
		}
		if _, parts := mustNew(t, g.Vertices(), within...).Components(); parts != count {
			t.Errorf("seed %d: %d communities are in %d parts", seed, count, parts)
		}
		q := g.Modularity(label)
		for _, e := range g.Edges() {
			for _, ends := range [][2]int{{e.I, e.J}, {e.J, e.I}} {
				moved := slices.Clone(label)
				moved[ends[0]] = label[ends[1]]
				if better := g.Modularity(moved); better > q+1e-9 {
					t.Errorf("seed %d: with vertex %d in community %d the modularity is %g, above %g", seed, ends[0], label[ends[1]], better, q)
				}
			}
		}
	}
}

func TestCommunitiesWithoutEdges(t *testing.T) {
	if label, count := mustNew(t, 3).Communities(); count != 3 || !slices.Equal(label, []int{0, 1, 2}) {
		t.Errorf("got %v", label)
	}
	if label, count := mustNew(t, 0).Communities(); count != 0 || len(label) != 0 {
		t.Errorf("got %v", label)
	}
}
