package dataio

import (
	"bytes"
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
)

// Every format keeps the signs of weights, of arrows as well.
func TestNegativeWeightsAreReadBack(t *testing.T) {
	names := graph.DefaultNames(4)
	edges := []graph.Edge{{I: 0, J: 1, Weight: -0.5}, {I: 0, J: 2, Weight: 0.25}, {I: 1, J: 3, Weight: -2}, {I: 2, J: 3, Weight: 1}}
	plain, err := graph.New(names, edges)
	if err != nil {
		t.Fatal(err)
	}
	arrows, err := graph.NewDirected(names, append(slices.Clone(edges), graph.Edge{I: 3, J: 1, Weight: -1}))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Format{CSV, TSV, NodeLink, GraphML, GEXF, DOT, MatrixMarket, NPY, MAT} {
		for _, g := range []*graph.Graph{plain, arrows} {
			var b bytes.Buffer
			if err := EncodeGraph(&b, f, g); err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			if f == DOT || g.Directed() && (f == CSV || f == TSV) { // which is not read, or has no place to say so
				if !bytes.Contains(b.Bytes(), []byte("-0.5")) {
					t.Errorf("%s: no -0.5 in %s", f, &b)
				}
				continue
			}
			back, err := DecodeGraph(&b, "g", f, names)
			if err != nil || !slices.Equal(back.Edges(), g.Edges()) {
				t.Errorf("%s: got %v, %v, want %v", f, back, err, g.Edges())
			}
		}
	}
}
