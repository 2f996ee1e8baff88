package study

import (
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
)

func graphOf(t *testing.T, edges ...graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New([]string{"a", "b", "c", "d"}, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func compared(t *testing.T, graphs ...*graph.Graph) *comparison {
	t.Helper()
	c := &comparison{}
	for range graphs {
		c.names = append(c.names, "g")
	}
	for _, g := range graphs {
		c.found = append(c.found, arcs(g))
	}
	c.count()
	c.measure()
	var err error
	if c.mean, err = c.meanGraph(false); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestComparisonInClosedForm(t *testing.T) {
	ab, bc, cd := graph.Edge{I: 0, J: 1, Weight: 2}, graph.Edge{I: 1, J: 2, Weight: 2}, graph.Edge{I: 2, J: 3, Weight: 6}
	c := compared(t, graphOf(t, ab, bc), graphOf(t, bc, cd), graphOf(t))
	// The weights of the first are 1/2 and 1/2, of the second 1/4 and 3/4: Σ min = 1/4, Σ max = 7/4.
	want := [][]float64{{0, 1 - 1.0/7, 1}, {1 - 1.0/7, 0, 1}, {1, 1, 0}}
	for a := range want {
		for b := range want[a] {
			if math.Abs(c.distance[a][b]-want[a][b]) > 1e-15 {
				t.Errorf("distance of %d and %d: got %g, want %g", a, b, c.distance[a][b], want[a][b])
			}
		}
	}
	if e := c.edges[0]; e.arc != (arc{"b", "c"}) || e.graphs != 2 || math.Abs(e.weight-(1+0.5)/3) > 1e-15 {
		t.Errorf("got %+v first, want the edge of two graphs", e)
	}
	if got := c.mean.Confidence(); !slices.Equal(got, []float64{1.0 / 3, 2.0 / 3, 1.0 / 3}) {
		t.Errorf("shares: got %v", got)
	}
}

func TestGraphsWithoutEdgesAreAlike(t *testing.T) {
	if c := compared(t, graphOf(t), graphOf(t)); c.distance[0][1] != 0 || c.mean.EdgeCount() != 0 {
		t.Errorf("got %+v", c)
	}
}

func TestOutputNamesTellFilesApart(t *testing.T) {
	for _, c := range []struct{ files, want []string }{
		{[]string{"in/a.csv", "b.csv.gz", "./c.npy"}, []string{"a", "b", "c"}},
		{[]string{"s1/rest.csv", "s2/rest.csv"}, []string{"s1_rest", "s2_rest"}},
		{[]string{"x/s1/rest.csv", "y/s1/rest.csv"}, []string{"x_s1_rest", "y_s1_rest"}},
		{[]string{"a.csv", "A.csv"}, []string{"a", "A-2"}},
		{[]string{"a.csv", "a.csv"}, []string{"a", "a-2"}},
		{[]string{"a.csv", "a.csv", "a-2.csv"}, []string{"a", "a-3", "a-2"}},
		{[]string{"s1/rest.csv", "s2/rest.csv", "s2/task.csv"}, []string{"s1_rest", "s2_rest", "task"}},
		{[]string{"index.csv", "Mean.csv", "../.csv"}, []string{"index_graph", "Mean_graph", "_graph"}},
	} {
		if got := outputNames(c.files); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.files, got, c.want)
		}
	}
}
