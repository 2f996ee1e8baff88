package dataio

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

func newGraph(t testing.TB, names []string, edges ...graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(names, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// pathGraph is v0 – v1 – v2.
func pathGraph(t testing.TB) *graph.Graph {
	t.Helper()
	return newGraph(t, graph.DefaultNames(3), graph.Edge{I: 0, J: 1, Weight: 0.5}, graph.Edge{I: 1, J: 2, Weight: 2})
}

// awkwardGraph has every awkward name, weights of every size, and its last
// vertex isolated.
func awkwardGraph(t testing.TB) *graph.Graph {
	t.Helper()
	weights := []float64{1.0 / 3, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-7, 1e21, 1}
	var edges []graph.Edge
	for i := range len(awkward) - 2 {
		edges = append(edges, graph.Edge{I: i, J: i + 1, Weight: weights[i%len(weights)]})
	}
	edges = append(edges, graph.Edge{I: 2, J: 0, Weight: 0.1})
	return newGraph(t, awkward, edges...)
}

func sameGraph(a, b *graph.Graph) bool {
	return a.Directed() == b.Directed() && slices.Equal(a.Names(), b.Names()) && slices.Equal(a.Edges(), b.Edges()) &&
		slices.Equal(a.Confidence(), b.Confidence()) && slices.Equal(a.Evidence(), b.Evidence())
}

// confident gives the edges confidences between 0 and 1, both included.
func confident(t testing.TB, g *graph.Graph) *graph.Graph {
	t.Helper()
	confidence := make([]float64, g.EdgeCount())
	for k := range confidence {
		confidence[k] = []float64{1, 0, 1.0 / 3, 1e-9}[k%4]
	}
	g, err := g.WithConfidence(confidence)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// evident gives the edges evidence, from one end of its range to the other.
func evident(t testing.TB, g *graph.Graph) *graph.Graph {
	t.Helper()
	evidence := make([]graph.Evidence, g.EdgeCount())
	for k := range evidence {
		evidence[k] = []graph.Evidence{{Partial: 1, Low: 1, High: 1}, {Partial: -1.0 / 3, Low: -1, High: 1e-9, Q: 1}, {Low: -0.1, High: 2.0 / 3, Q: 1e-300}}[k%3]
	}
	g, err := g.WithEvidence(evidence)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// heldBy is g as the format can hold it.
func heldBy(t testing.TB, f Format, g *graph.Graph) *graph.Graph {
	t.Helper()
	if !f.Can(KeepsConfidence) {
		bare, err := g.WithConfidence(nil)
		if err == nil {
			bare, err = bare.WithEvidence(nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		return bare
	}
	return g
}

func TestGraphsReadBackExactly(t *testing.T) {
	awkward := awkwardGraph(t)
	for _, given := range []*graph.Graph{pathGraph(t), awkward, confident(t, awkward), evident(t, awkward), evident(t, confident(t, awkward)), newGraph(t, []string{"lone", "pair"})} {
		for _, f := range Formats(ReadsGraphs) {
			g := heldBy(t, f, given)
			for _, ending := range []string{"", ".gz"} {
				path := filepath.Join(t.TempDir(), "g."+string(f)+ending)
				if err := WriteGraph(path, given); err != nil {
					t.Fatal(err)
				}
				back, err := ReadGraph(path, g.Names())
				if err != nil {
					t.Fatal(err)
				}
				if !sameGraph(g, back) {
					t.Errorf("%s: with names, got %q %v %v", f, back.Names(), back.Edges(), back.Confidence())
				}
				// Without names, an edge list forgets who has no edge and an array all names.
				want := g
				if !f.Can(KeepsIsolated) {
					want, _ = g.WithoutIsolated()
				}
				if !f.Can(KeepsNames) {
					want, _ = g.Rename(graph.DefaultNames(g.Vertices()))
				}
				back, err = ReadGraph(path, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !sameGraph(want, back) {
					t.Errorf("%s: without names, got %q %v %v", f, back.Names(), back.Edges(), back.Confidence())
				}
			}
		}
	}
}

func TestGraphFilesLookLikeThis(t *testing.T) {
	for f, want := range map[Format]string{
		CSV:          "source,target,weight\nv0,v1,0.5\nv1,v2,2\n",
		TSV:          "source\ttarget\tweight\nv0\tv1\t0.5\nv1\tv2\t2\n",
		DOT:          "graph {\n  \"v0\";\n  \"v1\";\n  \"v2\";\n  \"v0\" -- \"v1\" [weight=\"0.5\"];\n  \"v1\" -- \"v2\" [weight=\"2\"];\n}\n",
		MatrixMarket: "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 2\n",
		NodeLink: `{
  "directed": false,
  "multigraph": false,
  "graph": {},
  "nodes": [
    {"id": "v0"},
    {"id": "v1"},
    {"id": "v2"}
  ],
  "edges": [
    {"source": "v0", "target": "v1", "weight": 0.5},
    {"source": "v1", "target": "v2", "weight": 2}
  ]
}
`,
		GraphML: `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="undirected">
    <node id="v0"/>
    <node id="v1"/>
    <node id="v2"/>
    <edge source="v0" target="v1"><data key="weight">0.5</data></edge>
    <edge source="v1" target="v2"><data key="weight">2</data></edge>
  </graph>
</graphml>
`,
		GEXF: `<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
  <graph mode="static" defaultedgetype="undirected">
    <nodes>
      <node id="v0" label="v0"/>
      <node id="v1" label="v1"/>
      <node id="v2" label="v2"/>
    </nodes>
    <edges>
      <edge id="0" source="v0" target="v1" weight="0.5"/>
      <edge id="1" source="v1" target="v2" weight="2"/>
    </edges>
  </graph>
</gexf>
`,
	} {
		var b bytes.Buffer
		if err := EncodeGraph(&b, f, pathGraph(t)); err != nil || b.String() != want {
			t.Errorf("%s: %v, got\n%s", f, err, &b)
		}
	}
}

func TestNamesThatAFormatCannotHoldAreRefused(t *testing.T) {
	for name, formats := range map[string][]Format{
		"bell\a":  {GraphML, GEXF},
		"\uffff":  {GraphML, GEXF},
		"bad\xff": Formats(WritesGraphs),
		"nul\x00": Formats(WritesGraphs),
		"":        Formats(WritesGraphs),
	} {
		g := newGraph(t, []string{name, "b"}, graph.Edge{I: 0, J: 1, Weight: 1})
		for _, f := range Formats(ReadsGraphs) {
			var b bytes.Buffer
			err := EncodeGraph(&b, f, g)
			if refused := slices.Contains(formats, f); refused != (err != nil) || refused && b.Len() > 0 {
				t.Errorf("%q as %s: error %v after %d bytes", name, f, err, b.Len())
			}
			if err != nil {
				if e := input.Find(err); e == nil || e.Op != "dataio.EncodeGraph" {
					t.Errorf("%q as %s: %v is not refused by EncodeGraph", name, f, err)
				}
				continue
			}
			if back, err := DecodeGraph(&b, "back", f, g.Names()); err != nil || !sameGraph(g, back) {
				t.Errorf("%q as %s did not read back: %v", name, f, err)
			}
		}
	}
}

func TestNamesFixTheVertices(t *testing.T) {
	list := "source,target,weight\nc,a,2\n"
	g, err := DecodeGraph(strings.NewReader(list), "g.csv", "", []string{"a", "b", "c"})
	if err != nil || !sameGraph(g, newGraph(t, []string{"a", "b", "c"}, graph.Edge{I: 0, J: 2, Weight: 2})) {
		t.Errorf("%v, %v", g, err)
	}
	_, err = DecodeGraph(strings.NewReader(list), "g.csv", "", []string{"a", "b"})
	wantFault(t, err, 2, 0, `g.csv: line 2: the vertex "c" is not one of the 2 expected: is it a graph of other signals?`)
	var b bytes.Buffer
	if err := EncodeGraph(&b, NPY, pathGraph(t)); err != nil {
		t.Fatal(err)
	}
	_, err = DecodeGraph(&b, "g.npy", "", []string{"a", "b"})
	wantFault(t, err, 0, 0, "g.npy: the graph has 3 vertices where 2 are expected: is it a graph of other signals?")
}

type badGraph struct {
	name, text string
	line, col  int
	want       string
}

func checkBadGraphs(t *testing.T, f Format, cases []badGraph) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := DecodeGraph(strings.NewReader(c.text), "g", f, nil)
			wantFault(t, err, c.line, c.col, "g: "+c.want)
		})
	}
}

func TestBadWeightMatricesAreAnsweredWithWhatAndWhere(t *testing.T) {
	bytesOf := func(shape string, entries ...int8) string {
		var data []byte
		for _, e := range entries {
			data = append(data, byte(e))
		}
		return npyFile(header("|i1", "False", shape), string(data))
	}
	checkBadGraphs(t, NPY, []badGraph{
		{"not square", bytesOf("(1, 2)", 0, 1), 0, 0, "the array is 1×2, but a weight matrix is square"},
		{"a self-loop", bytesOf("(2, 2)", 0, 1, 1, 3), 0, 0, "the diagonal of a weight matrix is zero, but [1, 1] is 3"},
		{"Laplacian", bytesOf("(2, 2)", 1, -1, -1, 1), 0, 0, "the diagonal of a weight matrix is zero, but [0, 0] is 1, and there are negative entries: is this a Laplacian and not a weight matrix?"},
		{"not finite", npyFile(header("<f2", "False", "(2, 2)"), "\x00\x00\x00\x7e\x00\x00\x00\x00"), 0, 0, "the weight at index [1, 0] is missing or not finite"},
	})
}
