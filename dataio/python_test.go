package dataio

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/nervure/nervure/graph"
	"gonum.org/v1/gonum/mat"
)

// python runs a script in dir and returns what it prints. Without an
// interpreter that has the modules (NERVURE_PYTHON names one, otherwise python3)
// the test is skipped.
func python(t *testing.T, modules, script, dir string) []byte {
	t.Helper()
	interpreter := cmp.Or(os.Getenv("NERVURE_PYTHON"), "python3")
	if err := exec.CommandContext(t.Context(), interpreter, "-c", "import "+modules).Run(); err != nil {
		t.Skipf("%s cannot import %s", interpreter, modules)
	}
	c := exec.CommandContext(t.Context(), interpreter, "-c", script)
	c.Dir = dir
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	return out.Bytes()
}

func TestNetworkXAndSciPyReadOurGraphs(t *testing.T) {
	dir, g := t.TempDir(), confident(t, awkwardGraph(t))
	for _, f := range graphFormatsOut {
		if err := WriteGraph(filepath.Join(dir, "g."+string(f)), g); err != nil {
			t.Fatal(err)
		}
	}
	out := python(t, "networkx, numpy, scipy", `
import csv, json, networkx as nx, numpy as np, scipy.io

def described(g):
    return {"names": list(g), "edges": [[a, b, d["weight"], d["confidence"]] for a, b, d in g.edges(data=True)]}

def of_matrix(w):
    names = range(len(w))
    return {"names": None, "edges": [[i, j, w[i][j]] for i in names for j in names if i < j and w[i][j]]}

rows = list(csv.reader(open("g.csv", newline="", encoding="utf-8")))
tabs = list(csv.reader(open("g.tsv", newline="", encoding="utf-8"), delimiter="\t"))
print(json.dumps({
    "csv": {"names": None, "edges": [[a, b, float(w), float(c)] for a, b, w, c in rows[1:]]},
    "tsv": {"names": None, "edges": [[a, b, float(w), float(c)] for a, b, w, c in tabs[1:]]},
    "json": described(nx.node_link_graph(json.load(open("g.json", encoding="utf-8")), edges="edges")),
    "graphml": described(nx.read_graphml("g.graphml")),
    "gexf": described(nx.read_gexf("g.gexf")),
    "mtx": of_matrix(scipy.io.mmread("g.mtx").toarray().tolist()),
    "npy": of_matrix(np.load("g.npy").tolist()),
}))`, dir)
	var got map[Format]struct {
		Names []string
		Edges [][]any // ends, weight and, where the format has it, confidence
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for _, f := range graphFormatsIn {
		names, place := g.Names(), map[any]int{}
		for i, name := range names {
			place[name] = i
			if f == MatrixMarket || f == NPY {
				place[float64(i)] = i
			}
		}
		if got[f].Names != nil {
			for i, name := range got[f].Names {
				if name != names[i] {
					t.Errorf("%s: vertex %d is %q there and %q here", f, i, name, names[i])
				}
			}
		}
		var edges []graph.Edge
		confidence := map[[2]int]float64{}
		for _, e := range got[f].Edges {
			i, known := place[e[0]]
			j, alsoKnown := place[e[1]]
			if !known || !alsoKnown {
				t.Fatalf("%s: unknown edge %v", f, e)
			}
			edges = append(edges, graph.Edge{I: i, J: j, Weight: e[2].(float64)})
			if len(e) > 3 {
				confidence[[2]int{min(i, j), max(i, j)}] = e[3].(float64)
			}
		}
		there := newGraph(t, names, edges...)
		if len(confidence) > 0 {
			var all []float64
			for _, e := range there.Edges() {
				all = append(all, confidence[[2]int{e.I, e.J}])
			}
			var err error
			if there, err = there.WithConfidence(all); err != nil {
				t.Fatal(err)
			}
		}
		if !sameGraph(heldBy(t, f, g), there) {
			t.Errorf("%s: there the edges are %v, their confidences %v", f, there.Edges(), there.Confidence())
		}
	}
}

func TestWeReadTheGraphsOfNetworkXAndSciPy(t *testing.T) {
	dir := t.TempDir()
	python(t, "networkx, numpy, scipy", `
import json, networkx as nx, numpy as np, scipy.io, scipy.sparse
g = nx.Graph()
g.add_nodes_from(["a & b", "ü", "lone"])
g.add_edge("ü", "a & b", weight=1 / 3, confidence=1 / 7)
json.dump(nx.node_link_data(g, edges="edges"), open("new.json", "w"))
json.dump(nx.node_link_data(g, edges="links"), open("old.json", "w"))
nx.write_graphml(g, "g.graphml")
nx.write_gexf(g, "g.gexf")
nx.write_gexf(g, "g13.gexf", version="1.3") if "1.3" in nx.readwrite.gexf.GEXF.versions else nx.write_gexf(g, "g13.gexf")
w = nx.to_numpy_array(g)
np.save("g.npy", w)
scipy.io.mmwrite("g.mtx", scipy.sparse.coo_array(w), precision=17)
scipy.io.mmwrite("full.mtx", scipy.sparse.coo_array(w), precision=17, symmetry="general")
`, dir)
	names := []string{"a & b", "ü", "lone"}
	want, err := newGraph(t, names, graph.Edge{I: 0, J: 1, Weight: 1.0 / 3}).WithConfidence([]float64{1.0 / 7})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"new.json", "old.json", "g.graphml", "g.gexf", "g13.gexf", "g.npy", "g.mtx", "full.mtx"} {
		f, _ := FormatOf(file)
		if g, err := ReadGraph(filepath.Join(dir, file), names); err != nil || !sameGraph(g, heldBy(t, f, want)) {
			t.Errorf("%s: %v, %v", file, g, err)
		}
	}
}

func TestNumPyReadsOurArrays(t *testing.T) {
	dir, s := t.TempDir(), sample()
	for _, name := range []string{"s.npy", "s.npz"} {
		if err := WriteSignals(filepath.Join(dir, name), s); err != nil {
			t.Fatal(err)
		}
	}
	out := python(t, "numpy", `
import json, numpy as np
z = np.load("s.npz")
print(json.dumps([np.load("s.npy").tolist(), z["signals"].tolist(), z["names"].tolist()]))`, dir)
	var plain, archived [][]float64
	var names []string
	if err := json.Unmarshal(out, &[]any{&plain, &archived, &names}); err != nil {
		t.Fatal(err)
	}
	for _, rows := range [][][]float64{plain, archived} {
		for m, row := range rows {
			for i, v := range row {
				if v != s.Y.At(i, m) {
					t.Fatalf("observation %d of vertex %d is %g there and %g here", m, i, v, s.Y.At(i, m))
				}
			}
		}
	}
	for i, name := range names {
		if name != s.Names[i] {
			t.Errorf("vertex %d is %q there and %q here", i, name, s.Names[i])
		}
	}
	if len(plain) != 3 || len(archived) != 3 || len(names) != len(s.Names) {
		t.Errorf("%d and %d observations, %d names", len(plain), len(archived), len(names))
	}
}

func TestWeReadTheArraysOfNumPy(t *testing.T) {
	dir := t.TempDir()
	out := python(t, "numpy", `
import json, numpy as np
y = np.arange(6).reshape(2, 3)
files = []
for k, dtype in enumerate(["<f8", ">f8", "<f4", ">f4", "<f2", ">f2", "<i8", ">i8", "<i4", "<i2", "i1", "<u8", ">u4", "<u2", "u1"]):
    for order in "CF":
        files.append(f"{k}{order}.npy")
        np.save(files[-1], np.asarray(y, dtype=dtype, order=order))
np.savez("z.npz", y); files.append("z.npz")
np.savez_compressed("c.npz", Y=y.astype(float), other=y[:1], names=np.array(["v0", "v1", "v2"])); files.append("c.npz")
np.savetxt("t.csv", y, delimiter=","); files.append("t.csv")
np.savetxt("t.tsv.gz", y, delimiter="\t"); files.append("t.tsv.gz")
print(json.dumps(files))`, dir)
	var files []string
	if err := json.Unmarshal(out, &files); err != nil {
		t.Fatal(err)
	}
	want := mat.NewDense(2, 3, []float64{0, 1, 2, 3, 4, 5})
	for _, file := range files {
		s, err := ReadSignals(filepath.Join(dir, file), ReadOptions{})
		if err != nil || !mat.Equal(s.Y, want.T()) {
			t.Errorf("%s: %v, %v", file, s, err)
		}
	}
}
