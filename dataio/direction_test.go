package dataio

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

// arrowGraph has a pair joined both ways and an arrow against the order of vertices.
func arrowGraph(t testing.TB) *graph.Graph {
	t.Helper()
	g, err := graph.NewDirected([]string{"a", "b", "lone", "c"}, []graph.Edge{{I: 0, J: 1, Weight: 0.5}, {I: 1, J: 0, Weight: 2}, {I: 3, J: 0, Weight: 1.0 / 3}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestDirectedGraphsReadBackExactly(t *testing.T) {
	given, err := arrowGraph(t).WithConfidence([]float64{1, 0.25, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats(ReadsGraphs) {
		var b bytes.Buffer
		if err := EncodeGraph(&b, f, given); err != nil {
			t.Fatal(err)
		}
		back, err := DecodeGraph(&b, "g", f, given.Names())
		if err != nil || !sameGraph(back, heldBy(t, f, given)) {
			t.Errorf("%s: got %v, %v", f, back, err)
		}
		if (GraphFile{Graph: given}).LosesDirection(f) {
			t.Errorf("%s: direction is said to be lost", f)
		}
	}
}

func TestAnEdgeListShowsDirectionByPairsGivenBothWays(t *testing.T) {
	for name, c := range map[string]struct {
		list     string
		directed bool
		edges    int
		says     bool
	}{
		"each pair once":                          {"a,b,1\nc,a,2\n", false, 2, false},
		"a pair both ways":                        {"a,b,1\nb,a,2\nc,a,2\n", true, 3, true},
		"a pair both ways with equal weights":     {"a,b\nb,a\nc,a\n", true, 3, true},
		"all pairs both ways with equal weights":  {"a,b,1\nb,a,1\na,c,2\nc,a,2\n", false, 2, false},
		"all pairs both ways with other weights":  {"a,b,1\nb,a,1\na,c,2\nc,a,3\n", true, 4, true},
		"a column that says directed":             {"source,target,type,weight\na,b,Directed,1\nc,a,Directed,2\n", true, 2, true},
		"a column that says undirected":           {"source,target,type,weight\na,b,Undirected,1\nc,a,Undirected,2\n", false, 2, true},
		"a column called type about other things": {"source,target,type,weight\na,b,road,1\nc,a,rail,2\n", false, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := DecodeGraphFile(strings.NewReader(c.list), "g.csv", "")
			if err != nil {
				t.Fatal(err)
			}
			if f.Graph.Directed() != c.directed || f.Graph.EdgeCount() != c.edges || f.SaysDirection() != c.says {
				t.Errorf("directed %t with edges %v, says so: %t", f.Graph.Directed(), f.Graph.Edges(), f.SaysDirection())
			}
			arrows, err := f.AsDirected()
			if c.says && !c.directed {
				wantFault(t, err, 0, 0, "g.csv: the file says that its edges have no direction")
				return
			}
			if err != nil || !arrows.Graph.Directed() {
				t.Fatalf("%v, %v", arrows, err)
			}
			c, a := slices.Index(arrows.Graph.Names(), "c"), slices.Index(arrows.Graph.Names(), "a")
			if !arrows.Graph.HasEdge(c, a) {
				t.Errorf("there is no arrow from c to a: %v", arrows.Graph.Edges())
			}
		})
	}
}

// One edge that is given again the other way round makes arrows of all others. Nobody
// may learn that from the scores.
func TestArrowsThatWereInferredAreNoted(t *testing.T) {
	const sentence = "edges are taken for arrows from source to target, because the list has 1 pair of vertices in both directions: if edges have no direction, give each of them once"
	for list, want := range map[string][]string{
		"a,b,1\nb,c,2\nc,b,2\n": {sentence},
		"a,b\nb,c\nc,b\n":       {sentence},
		"a,b,1\nb,c,2\n":        nil,
		"a,b,1\nb,a,1\n":        nil,
		"source,target,weight,type\na,b,1,Directed\nb,a,1,Directed\nb,c,1,Directed\n": nil,
	} {
		f, err := DecodeGraphFile(strings.NewReader(list), "g.csv", "")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(f.Notes, want) {
			t.Errorf("%q: noted %q, want %q", list, f.Notes, want)
		}
		asked, err := f.AsDirected()
		if err != nil || !asked.Graph.Directed() || asked.Notes != nil {
			t.Errorf("%q as arrows: noted %q, %v", list, asked.Notes, err)
		}
	}
}

func TestDirectionThatAFormatDoesNotShowIsSaidToBeLost(t *testing.T) {
	oneWay, err := graph.NewDirected(graph.DefaultNames(3), []graph.Edge{{I: 1, J: 0, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	symmetric, err := graph.NewDirected(graph.DefaultNames(3), []graph.Edge{{I: 1, J: 0, Weight: 1}, {I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		g    *graph.Graph
		lost []Format
	}{
		"one-way": {oneWay, []Format{CSV, TSV}}, "symmetric": {symmetric, []Format{CSV, TSV, MatrixMarket, NPY, MAT}},
	} {
		for _, f := range Formats(WritesGraphs) {
			lost := slices.Contains(GraphFile{Graph: c.g}.Lost(f), "whether edges have a direction")
			if lost != slices.Contains(c.lost, f) {
				t.Errorf("%s as %s: lost %t", what, f, lost)
			}
		}
	}
}

func TestOtherSoftwareReadsOurArrows(t *testing.T) {
	dir, g := t.TempDir(), arrowGraph(t)
	for _, f := range Formats(WritesGraphs) {
		if err := WriteGraph(filepath.Join(dir, "g."+string(f)), g); err != nil {
			t.Fatal(err)
		}
	}
	out := python(t, "json, networkx as nx, numpy as np, scipy.io, pydot", `
names = ["a", "b", "lone", "c"]
def described(g):
    assert g.is_directed(), type(g)
    return [[names[a] if isinstance(a, int) else a.strip('"'), names[b] if isinstance(b, int) else b.strip('"'), float(str(d["weight"]).strip('"'))] for a, b, d in g.edges(data=True)]
print(json.dumps({
    "csv": described(nx.read_weighted_edgelist("g.csv", comments="source", delimiter=",", create_using=nx.DiGraph)),
    "json": described(nx.node_link_graph(json.load(open("g.json")), edges="edges")),
    "graphml": described(nx.read_graphml("g.graphml")),
    "gexf": described(nx.read_gexf("g.gexf")),
    "dot": described(nx.nx_pydot.from_pydot(pydot.graph_from_dot_file("g.dot")[0])),
    "mtx": described(nx.from_scipy_sparse_array(scipy.io.mmread("g.mtx"), create_using=nx.DiGraph)),
    "npy": described(nx.from_numpy_array(np.load("g.npy"), create_using=nx.DiGraph)),
    "mat": described(nx.from_scipy_sparse_array(scipy.io.loadmat("g.mat")["W"], create_using=nx.DiGraph)),
}))
d = nx.DiGraph()
d.add_nodes_from(names)
d.add_weighted_edges_from([("a", "b", 0.5), ("b", "a", 2), ("c", "a", 1 / 3)])
json.dump(nx.node_link_data(d, edges="edges"), open("their.json", "w"))
nx.write_graphml(d, "their.graphml")
nx.write_gexf(d, "their.gexf")
w = nx.to_numpy_array(d)
np.save("their.npy", w)
scipy.io.savemat("their.mat", {"W": w})
scipy.io.mmwrite("their.mtx", nx.to_scipy_sparse_array(d), precision=17)
`, dir)
	var theirs map[Format][][]any
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatal(err)
	}
	names := g.Names()
	for f, arrows := range theirs {
		var list []graph.Edge
		for _, e := range arrows {
			list = append(list, graph.Edge{I: slices.Index(names, e[0].(string)), J: slices.Index(names, e[1].(string)), Weight: e[2].(float64)})
		}
		if there, err := graph.NewDirected(names, list); err != nil || !sameGraph(there, g) {
			t.Errorf("%s: there the arrows are %v (%v)", f, arrows, err)
		}
	}
	for _, f := range []Format{NodeLink, GraphML, GEXF, NPY, MAT, MatrixMarket} {
		if back, err := ReadGraph(filepath.Join(dir, "their."+string(f)), names); err != nil || !sameGraph(back, g) {
			t.Errorf("%s of theirs: %v, %v", f, back, err)
		}
	}
}
