package plot

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/kernel"
)

func pathGraph(t *testing.T, n int, edges ...graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestColorsGoToTheMostFrequentFirst(t *testing.T) {
	c := Coloring(dataio.VertexColumn{Name: "coast", Text: []string{"north", "south", "", "south", "east"}})
	if want := []string{"south", "east", "north"}; !slices.Equal(c.Groups, want) {
		t.Errorf("groups %q, want %q", c.Groups, want)
	}
	if want := []int{2, 0, -1, 0, 1}; !slices.Equal(c.Of, want) {
		t.Errorf("vertices are in groups %v, want %v", c.Of, want)
	}
}

func TestComponentsAreNumberedFromTheLargest(t *testing.T) {
	g := pathGraph(t, 6, graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 2, J: 3, Weight: 1}, graph.Edge{I: 3, J: 4, Weight: 1})
	if got, want := ComponentColumn(g).Text, []string{"2", "2", "1", "1", "1", ""}; !slices.Equal(got, want) {
		t.Errorf("components %q, want %q", got, want)
	}
}

// Rows and columns are those of the graph in another order, and no weight is lost.
func TestHeatmapHasEveryWeight(t *testing.T) {
	g := pathGraph(t, 7, graph.Edge{I: 0, J: 6, Weight: 3}, graph.Edge{I: 2, J: 3, Weight: 1}, graph.Edge{I: 3, J: 5, Weight: 2}, graph.Edge{I: 2, J: 4, Weight: 5})
	m := Heatmap("", g)
	if want := []int{4, 6}; !slices.Equal(m.Breaks, want) {
		t.Errorf("parts end before %v, want %v", m.Breaks, want)
	}
	w, names := g.Weights(), g.Names()
	sum := 0.0
	for _, c := range m.Cells {
		i, j := slices.Index(names, m.Names[c.Row]), slices.Index(names, m.Names[c.Column])
		if w.At(i, j) != c.Weight {
			t.Errorf("%s – %s is %g, want %g", names[i], names[j], c.Weight, w.At(i, j))
		}
		sum += c.Weight
	}
	if sum != 3+1+2+5 {
		t.Errorf("weights sum to %g", sum)
	}
}

// The atoms drawn are columns of p(L), here against the polynomial by hand.
func TestAtomsAreThoseOfTheKernel(t *testing.T) {
	g := pathGraph(t, 3, graph.Edge{I: 0, J: 1, Weight: 2}, graph.Edge{I: 1, J: 2, Weight: 1})
	k, err := kernel.Polynomial("poly:1,-0.5", []float64{1, -0.5})
	if err != nil {
		t.Fatal(err)
	}
	fields, err := Atoms(g, Graph("", g, nil), []kernel.Kernel{k}, []int{1})
	if err != nil {
		t.Fatal(err)
	}
	l := g.Laplacian()
	for i, got := range fields.Fields[0].Values {
		want := -0.5 * l.At(i, 1)
		if i == 1 {
			want++
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("vertex %d has %g, want %g", i, got, want)
		}
	}
}

func TestCutIsMarkedBetweenKeptAndDropped(t *testing.T) {
	c := Weights("", []float64{4, 3, 1}, 2).Charts[0]
	if len(c.Series) != 2 || !slices.Equal(c.Series[1].X, []float64{2.5, 2.5}) {
		t.Errorf("series %+v", c.Series)
	}
	if c := Weights("", []float64{4, 3, 1}, 0).Charts[0]; len(c.Series) != 1 {
		t.Errorf("nothing was cut, yet %+v", c.Series)
	}
}

// A run begins where the start is another one, or the rounds count from one again.
func TestEachRunIsALine(t *testing.T) {
	r := 0.5
	trace := []document.TraceStep{
		{Start: 1, Round: 1, Residual: &r, Edges: 9},
		{Start: 1, Round: 2, Residual: &r, Edges: 8},
		{Start: 1, Round: 1, Residual: &r, Edges: 7},
		{Start: 2, Round: 1, Edges: 6},
	}
	if starts := Starts(trace); len(starts) != 2 {
		t.Fatalf("starts %v", starts)
	}
	edges := Convergence("", trace).Charts[1].Series
	if len(edges) != 3 || edges[0].Color != edges[1].Color || edges[0].Color == edges[2].Color {
		t.Fatalf("lines %+v", edges)
	}
	if want := []float64{3}; !slices.Equal(edges[1].X, want) {
		t.Errorf("the second run is at %v, want %v", edges[1].X, want)
	}
}

// The picture of a wrong answer shows what is wrong.
func TestEdgesAreMarkedAgainstTheTruth(t *testing.T) {
	a, b, c := graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 1, J: 2, Weight: 1}, graph.Edge{I: 2, J: 3, Weight: 1}
	n := Against("", pathGraph(t, 4, a, b), pathGraph(t, 4, b, c), nil)
	kinds := map[[2]int]figure.Kind{}
	for _, e := range n.Edges {
		kinds[[2]int{e.From, e.To}] = e.Kind
	}
	if want := map[[2]int]figure.Kind{{0, 1}: figure.Wrong, {1, 2}: figure.Found, {2, 3}: figure.Missed}; !maps.Equal(kinds, want) {
		t.Errorf("got %v, want %v", kinds, want)
	}
}

// Every frequency has a dot, many of them share one, and the line is what the kernel says.
func TestSpectrumHasDotsAndTheirKernel(t *testing.T) {
	for _, n := range []int{5, 1000} {
		f := &document.FieldSpectrum{Kernel: "matern:2,0.5", Size: 2, Noise: 0.5}
		variance, err := f.Variance()
		if err != nil {
			t.Fatal(err)
		}
		for k := range n {
			l := 2 * float64(k) / float64(n-1)
			f.Frequency, f.Energy = append(f.Frequency, l), append(f.Energy, variance(l))
		}
		drawn, err := Spectrum("", f)
		if err != nil {
			t.Fatal(err)
		}
		series := drawn.Charts[0].Series
		dots, line, noise := series[0], series[1], series[2]
		if len(dots.X) > mostDots || n <= mostDots && len(dots.X) != n || !dots.Points || line.Points || !noise.Dashed || noise.Y[0] != 0.25 {
			t.Errorf("%d frequencies: %d dots", n, len(dots.X))
		}
		if got, want := line.Y[0], 4+0.25; math.Abs(got-want) > 1e-12 {
			t.Errorf("the line begins at %g, want %g", got, want)
		}
		if last := len(line.X) - 1; math.Abs(line.Y[last]-variance(line.X[last])) > 1e-12 {
			t.Errorf("the line ends at %g", line.Y[last])
		}
	}
	for name, f := range map[string]*document.FieldSpectrum{
		"no kernel": {Kernel: "x", Frequency: []float64{1}, Energy: []float64{1}},
		"no energy": {Kernel: "heat:1", Size: 1, Frequency: []float64{0, 1}, Energy: []float64{0, 0}},
	} {
		if _, err := Spectrum("", f); err == nil {
			t.Errorf("%s: it was drawn", name)
		}
	}
}
