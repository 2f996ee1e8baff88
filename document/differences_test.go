package document

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

// The document counts edges by where they are, and its table has a line for each.
func TestDifferencesAreCounted(t *testing.T) {
	of := func(names string, edges []graph.Edge, known []graph.Evidence) *graph.Graph {
		g, err := graph.New(strings.Fields(names), edges)
		if err == nil {
			g, err = g.WithEvidence(known)
		}
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	strong, other := graph.Evidence{Partial: 0.5, Low: 0.4, High: 0.6}, graph.Evidence{Partial: -0.5, Low: -0.6, High: -0.4}
	doubtful := graph.Evidence{Partial: 0.1, Low: 0, High: 0.2, Q: 0.5}
	a := of("a b c x", []graph.Edge{{I: 0, J: 1, Weight: 2}, {I: 0, J: 2, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 2, J: 3, Weight: 1}}, []graph.Evidence{strong, strong, doubtful, strong})
	b := of("a b c", []graph.Edge{{I: 0, J: 1, Weight: -1}}, []graph.Evidence{other})
	d, err := Differ(a, b, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	if d.EdgesBoth != 1 || d.Tested != 1 || d.Different != 1 || *d.MedianRatio != 2 || len(d.Edges) != 4 {
		t.Errorf("got %+v", d)
	}
	if d.A.Edges != 4 || d.A.EdgesOnly != 2 || d.A.ClearlyOnly != 1 || len(d.A.VerticesOnly) != 1 || !d.A.Evidence {
		t.Errorf("of the first graph: got %+v", d.A)
	}
	if d.B.Edges != 1 || d.B.EdgesOnly != 0 || d.B.ClearlyOnly != 0 || d.B.VerticesOnly != nil {
		t.Errorf("of the second graph: got %+v", d.B)
	}
	if d.Edges[0].Ratio() != -2 || d.Edges[1].WeightB != nil || d.Edges[1].Ratio() == d.Edges[1].Ratio() {
		t.Errorf("got %+v", d.Edges)
	}
	var table strings.Builder
	if err := d.WriteCSV(&table); err != nil {
		t.Fatal(err)
	}
	want := "a,b,2,-1,0.5,0.4,0.6,0,-0.5,-0.6,-0.4,0,1,0.8586,1.1414,0,false,true\n"
	if lines := strings.SplitAfter(table.String(), "\n"); len(lines) != 6 || lines[1] != want || !strings.HasSuffix(lines[4], ",true,false\n") {
		t.Errorf("the table is\n%s", table.String())
	}
	none, err := Differ(b, of("a b", nil, nil), 0.1)
	if err != nil || none.MedianRatio != nil {
		t.Errorf("got %+v, %v", none, err)
	}
}
