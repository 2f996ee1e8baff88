package metrics

import (
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

var seed = flag.Uint64("seed", 1, "seed of the random graphs; any must pass")

// ends is an edge without its weight, which is 1.
type ends [2]int

func build(t *testing.T, names []string, edges ...graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(names, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func binary(t *testing.T, n int, edges ...ends) *graph.Graph {
	t.Helper()
	weighted := make([]graph.Edge, len(edges))
	for k, e := range edges {
		weighted[k] = graph.Edge{I: e[0], J: e[1], Weight: 1}
	}
	return build(t, graph.DefaultNames(n), weighted...)
}

func complete(t *testing.T, n int) *graph.Graph {
	t.Helper()
	var edges []ends
	for j := range n {
		for i := range j {
			edges = append(edges, ends{i, j})
		}
	}
	return binary(t, n, edges...)
}

func random(t *testing.T, n int, p float64, r *rand.Rand) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for j := range n {
		for i := range j {
			if r.Float64() < p {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: 0.1 + r.Float64()})
			}
		}
	}
	return build(t, graph.DefaultNames(n), edges...)
}

// measures are all the numbers that compare two graphs.
func measures(t *testing.T, found, truth *graph.Graph) map[string]float64 {
	t.Helper()
	fatal := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := Edges(found, truth)
	fatal(err)
	cut, err := EdgesAtCount(found, truth)
	fatal(err)
	f1, err := EdgeF1(found, truth)
	fatal(err)
	nmi, err := NMI(found, truth)
	fatal(err)
	weight, err := WeightError(found, truth)
	fatal(err)
	return map[string]float64{
		"precision": s.Precision, "recall": s.Recall, "F1": f1,
		"precision at count": cut.Precision, "recall at count": cut.Recall,
		"NMI": nmi, "weight error": weight,
	}
}

func TestMeasuresIgnoreVertexOrder(t *testing.T) {
	r := rng.Stream(*seed, "relabelling")
	found, truth := random(t, 12, 0.4, r), random(t, 12, 0.3, r)
	want := measures(t, found, truth)
	permuted := func(g *graph.Graph, order []int) *graph.Graph {
		p, err := g.Permuted(order)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	one, other := r.Perm(12), r.Perm(12)
	for name, c := range map[string][2]*graph.Graph{
		"both in one other order":     {permuted(found, one), permuted(truth, one)},
		"found alone":                 {permuted(found, one), truth},
		"each in an order of its own": {permuted(found, one), permuted(truth, other)},
	} {
		for measure, got := range measures(t, c[0], c[1]) {
			if math.Abs(got-want[measure]) > 1e-12 {
				t.Errorf("%s: %s = %g, want %g", name, measure, got, want[measure])
			}
		}
	}
}

func TestExchangingGraphsExchangesPrecisionAndRecall(t *testing.T) {
	r := rng.Stream(*seed, "exchange")
	a, b := random(t, 10, 0.5, r), random(t, 10, 0.3, r)
	ab, ba := measures(t, a, b), measures(t, b, a)
	for one, other := range map[string]string{
		"precision": "recall", "recall": "precision", "F1": "F1", "NMI": "NMI", "weight error": "weight error",
	} {
		if math.Abs(ab[one]-ba[other]) > 1e-12 {
			t.Errorf("%s = %g, but %s = %g the other way round", one, ab[one], other, ba[other])
		}
	}
}

func TestGraphsOfDifferentVerticesAreRefused(t *testing.T) {
	truth := binary(t, 3, ends{0, 1})
	renamed, err := truth.Rename([]string{"v0", "v1", "v3"})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		found *graph.Graph
		want  string
	}{
		"another size": {binary(t, 4, ends{0, 1}), "vertices: got 4, want 3"},
		"other names":  {renamed, `vertex names: the vertex "v2" of the true graph is not in the learned graph`},
	} {
		_, edges := Edges(c.found, truth)
		_, atCount := EdgesAtCount(c.found, truth)
		_, f1 := EdgeF1(c.found, truth)
		_, nmi := NMI(c.found, truth)
		_, weight := WeightError(c.found, truth)
		for op, err := range map[string]error{
			"Edges": edges, "EdgesAtCount": atCount, "EdgeF1": f1, "NMI": nmi, "WeightError": weight,
		} {
			if err == nil || !strings.HasPrefix(err.Error(), "metrics."+op+": "+c.want) {
				t.Errorf("%s: %s: error %v, want %q", name, op, err, c.want)
			}
		}
	}
}

// Weights of opposite signs are no better than none, and signs count.
func TestWeightErrorOfSignedGraphs(t *testing.T) {
	names := []string{"a", "b", "c"}
	of := func(ab, bc float64) *graph.Graph {
		g, err := graph.New(names, []graph.Edge{{I: 0, J: 1, Weight: ab}, {I: 1, J: 2, Weight: bc}})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, c := range []struct {
		found *graph.Graph
		want  float64
	}{{of(-3, 6), 0}, {of(1, -2), 1}, {of(1, 2), 0.8}, {of(-2, -1), 1}} {
		if got, err := WeightError(c.found, of(-1, 2)); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("got %g and %v, want %g", got, err, c.want)
		}
	}
}
