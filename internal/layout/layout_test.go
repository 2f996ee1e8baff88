package layout

import (
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/synth"
)

// joined returns a graph with an edge of weight 1 for each pair.
func joined(t testing.TB, n int, pairs ...[2]int) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for _, p := range pairs {
		edges = append(edges, graph.Edge{I: p[0], J: p[1], Weight: 1})
	}
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func ring(t testing.TB, n int) *graph.Graph {
	var pairs [][2]int
	for i := range n {
		pairs = append(pairs, [2]int{i, (i + 1) % n})
	}
	return joined(t, n, pairs...)
}

func star(t testing.TB, leaves int) *graph.Graph {
	var pairs [][2]int
	for i := range leaves {
		pairs = append(pairs, [2]int{0, i + 1})
	}
	return joined(t, leaves+1, pairs...)
}

func path(t testing.TB, n int) *graph.Graph {
	var pairs [][2]int
	for i := range n - 1 {
		pairs = append(pairs, [2]int{i, i + 1})
	}
	return joined(t, n, pairs...)
}

func complete(t testing.TB, n int) *graph.Graph {
	var pairs [][2]int
	for i := range n {
		for j := range i {
			pairs = append(pairs, [2]int{j, i})
		}
	}
	return joined(t, n, pairs...)
}

func random(t testing.TB, n int, p float64) *graph.Graph {
	t.Helper()
	r := rng.Stream(7, "layout test", n)
	var edges []graph.Edge
	for i := range n {
		for j := range i {
			if r.Float64() < p {
				edges = append(edges, graph.Edge{I: j, J: i, Weight: math.Exp(8 * r.Float64())})
			}
		}
	}
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func grid(t testing.TB, n int) *graph.Graph {
	t.Helper()
	s, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: n})
	if err != nil {
		t.Fatal(err)
	}
	return s.Graph
}

// examples are graphs with symmetries, ties and parts.
func examples(t testing.TB) map[string]*graph.Graph {
	return map[string]*graph.Graph{
		"nothing":              joined(t, 0),
		"one vertex":           joined(t, 1),
		"two apart":            joined(t, 2),
		"two joined":           joined(t, 2, [2]int{0, 1}),
		"a triangle and one":   joined(t, 4, [2]int{0, 1}, [2]int{1, 2}, [2]int{0, 2}),
		"isolated vertices":    joined(t, 50),
		"a path":               path(t, 40),
		"a ring":               ring(t, 30),
		"a star":               star(t, 40),
		"a complete graph":     complete(t, 15),
		"a grid":               grid(t, 64),
		"a random graph":       random(t, 60, 0.1),
		"many parts":           random(t, 120, 0.006),
		"larger than a sample": random(t, 2*mostPivots, 0.01),
	}
}

func gap(d drawing) float64 {
	least := math.Inf(1)
	for i := range d.x {
		for j := range i {
			r, _, _ := d.distance(i, j)
			least = min(least, r)
		}
	}
	return least
}

func finite(d drawing) bool {
	bad := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	return !slices.ContainsFunc(d.x, bad) && !slices.ContainsFunc(d.y, bad)
}

func TestEveryVertexHasAPlaceOfItsOwn(t *testing.T) {
	for name, g := range examples(t) {
		d := placed(g)
		// Less than a hundredth of an edge would be drawn as one dot.
		if !finite(d) || len(d.x) != g.Vertices() || gap(d) < 0.01 {
			t.Errorf("%s: two vertices are %g apart: %v", name, gap(d), d)
		}
	}
}

func placed(g *graph.Graph) drawing {
	x, y := Places(g)
	return drawing{x, y}
}

func TestMedianEdgeHasLengthOne(t *testing.T) {
	for name, g := range examples(t) {
		if g.EdgeCount() == 0 {
			continue
		}
		if got := newSpringGraph(g).unit(placed(g)); math.Abs(got-1) > 1e-9 {
			t.Errorf("%s: the median edge is %g long", name, got)
		}
	}
}

// Going around the middle of the drawing, one meets the vertices in their order.
func TestRingLooksLikeARing(t *testing.T) {
	for _, n := range []int{4, 30} {
		d := placed(ring(t, n))
		x, y := d.middle()
		way := 0.0
		for i := range n {
			j := (i + 1) % n
			turn := math.Atan2(d.y[j]-y, d.x[j]-x) - math.Atan2(d.y[i]-y, d.x[i]-x)
			turn = math.Remainder(turn, 2*math.Pi)
			if i > 0 && turn*way <= 0 {
				t.Errorf("ring of %d: vertex %d lies before the one before it", n, j)
			}
			way += turn
		}
		if math.Abs(math.Abs(way)-2*math.Pi) > 1e-6 {
			t.Errorf("ring of %d goes round by %g", n, way)
		}
	}
}

func TestEdgesOfAGridAreOfOneLength(t *testing.T) {
	g := grid(t, 100)
	d := placed(g)
	for _, e := range g.Edges() {
		if r, _, _ := d.distance(e.I, e.J); r < 0.7 || r > 1.4 {
			t.Errorf("edge %d – %d has length %g", e.I, e.J, r)
		}
	}
	if width, height := d.frame(); width > 1.2*height {
		t.Errorf("a square grid is drawn %g by %g", width, height)
	}
}

func TestLeavesOfAStarAreAllAroundIt(t *testing.T) {
	const leaves = 24
	d := placed(star(t, leaves))
	var angles []float64
	for i := 1; i <= leaves; i++ {
		angles = append(angles, math.Atan2(d.y[i]-d.y[0], d.x[i]-d.x[0]))
	}
	slices.Sort(angles)
	for k := range angles {
		next := angles[(k+1)%leaves]
		if k == leaves-1 {
			next += 2 * math.Pi
		}
		if next-angles[k] > 4*2*math.Pi/leaves {
			t.Errorf("a sector of %g has no leaf", next-angles[k])
		}
	}
}

func TestHeavierEdgesAreShorter(t *testing.T) {
	g, err := graph.New(graph.DefaultNames(4), []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 30}, {I: 2, J: 3, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	d := placed(g)
	light, _, _ := d.distance(0, 1)
	heavy, _, _ := d.distance(1, 2)
	if heavy >= light || heavy < light/2 {
		t.Errorf("the heavy edge is %g long, the light one %g", heavy, light)
	}
}
