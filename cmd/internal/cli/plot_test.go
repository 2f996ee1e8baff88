package cli

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/figure"
	"github.com/nervure/nervure/graph"
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
	c := colorsOf(dataio.VertexColumn{Name: "coast", Text: []string{"north", "south", "", "south", "east"}})
	if want := []string{"south", "east", "north"}; !slices.Equal(c.Groups, want) {
		t.Errorf("groups %q, want %q", c.Groups, want)
	}
	if want := []int{2, 0, -1, 0, 1}; !slices.Equal(c.Of, want) {
		t.Errorf("vertices are in groups %v, want %v", c.Of, want)
	}
}

func TestManyNumbersAreShades(t *testing.T) {
	few := dataio.VertexColumn{Text: []string{"1", "2", "1"}, Numbers: []float64{1, 2, 1}}
	if c := colorsOf(few); c.Values != nil || len(c.Groups) != 2 {
		t.Errorf("two numbers are not two groups: %+v", c)
	}
	var many dataio.VertexColumn
	for k := range 20 {
		many.Text, many.Numbers = append(many.Text, fmt.Sprint(k)), append(many.Numbers, float64(k))
	}
	if c := colorsOf(many); c.Values == nil {
		t.Errorf("twenty numbers are %d groups", len(c.Groups))
	}
}

func TestComponentsAreNumberedFromTheLargest(t *testing.T) {
	g := pathGraph(t, 6, graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 2, J: 3, Weight: 1}, graph.Edge{I: 3, J: 4, Weight: 1})
	if got, want := componentColumn(g).Text, []string{"2", "2", "1", "1", "1", ""}; !slices.Equal(got, want) {
		t.Errorf("components %q, want %q", got, want)
	}
}

// Rows and columns are those of the graph in another order, and no weight is lost.
func TestHeatmapHasEveryWeight(t *testing.T) {
	g := pathGraph(t, 7, graph.Edge{I: 0, J: 6, Weight: 3}, graph.Edge{I: 2, J: 3, Weight: 1}, graph.Edge{I: 3, J: 5, Weight: 2}, graph.Edge{I: 2, J: 4, Weight: 5})
	m := heatmap("", g)
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
	p := &plot{at: []string{"v1"}, in: "g.csv"}
	k, err := kernel.Polynomial("poly:1,-0.5", []float64{1, -0.5})
	if err != nil {
		t.Fatal(err)
	}
	fields, err := p.atomsOf(g, placedNetwork("", g, nil), []kernel.Kernel{k})
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
	c := weightsChart("", []float64{4, 3, 1}, 2).Charts[0]
	if len(c.Series) != 2 || !slices.Equal(c.Series[1].X, []float64{2.5, 2.5}) {
		t.Errorf("series %+v", c.Series)
	}
	if c := weightsChart("", []float64{4, 3, 1}, 0).Charts[0]; len(c.Series) != 1 {
		t.Errorf("nothing was cut, yet %+v", c.Series)
	}
}

// A run begins where the start is another one, or the rounds count from one again.
func TestEachRunIsALine(t *testing.T) {
	r := 0.5
	s := &plotSummary{Summary: &document.Summary{Trace: []document.TraceStep{
		{Start: 1, Round: 1, Residual: &r, Edges: 9},
		{Start: 1, Round: 2, Residual: &r, Edges: 8},
		{Start: 1, Round: 1, Residual: &r, Edges: 7},
		{Start: 2, Round: 1, Edges: 6},
	}}}
	d, words, err := s.convergence("")
	if err != nil || words != "4 steps of 2 starts" {
		t.Fatal(words, err)
	}
	edges := d.(figure.Charts).Charts[1].Series
	if len(edges) != 3 || edges[0].Color != edges[1].Color || edges[0].Color == edges[2].Color {
		t.Fatalf("lines %+v", edges)
	}
	if want := []float64{3}; !slices.Equal(edges[1].X, want) {
		t.Errorf("the second run is at %v, want %v", edges[1].X, want)
	}
}

func FuzzPlotSummary(f *testing.F) {
	f.Add(`{"method": "sparse", "weights": [1, -2, 1e999], "edges": 3}`)
	f.Add(`{"method": "sparse", "kernels": [{"name": "x", "coefficients": [1, 1e300, 5]}], "edges": -1, "weights": [3, 1]}`)
	f.Add(`{"method": "sparse", "trace": [{"start": 9, "residual": 0}, {"start": 9, "objective": 1}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": -1e308}, {"residual": 1e308}, {"residual": 5e-324}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": -1e20}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": 1e20}, {"residual": 1.0000000000000001e20}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": -1.7e308}]}`)
	f.Add(`{"method": "x", "trace": [{"residual": 1e308}]}`)
	f.Add(`{"method": "x", "weights": [1e308, 5e-324]}`)
	f.Add(`{"nodes": [], "method": "x"}`)
	f.Add("a,b,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := decodeSummary(strings.NewReader(text), "s.json")
		if err != nil {
			if exitCode(err) != exitMisuse {
				t.Errorf("%v is not an error of the input", err)
			}
			return
		}
		if s == nil {
			return
		}
		for _, kind := range summaryKinds {
			d, _, err := s.draw(kind)
			if err != nil {
				if exitCode(err) != exitMisuse {
					t.Errorf("%s: %v is not an error of the input", kind, err)
				}
				continue
			}
			var b bytes.Buffer
			if err := figure.Write(&b, figure.SVG, figure.Page{}, d); err != nil {
				t.Error(err)
			}
			if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
				t.Errorf("%s: not a number in the figure", kind)
			}
		}
	})
}
