package dataio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/needs"
)

// python runs a script in dir, with the modules imported, and returns what it
// prints. Without an interpreter that has them (NERVURE_PYTHON names one,
// otherwise python3) the test is left out.
func python(t *testing.T, modules, script, dir string) []byte {
	t.Helper()
	const lacking = 77
	interpreter := needs.Python()
	c := exec.CommandContext(t.Context(), interpreter, "-c", fmt.Sprintf("try:\n    import %s\nexcept ImportError:\n    raise SystemExit(%d)\n%s", modules, lacking, script))
	c.Dir = dir
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() == lacking) {
		needs.LeaveOut(t, interpreter+" cannot import "+modules)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	return out.Bytes()
}

// A theirGraph is a graph as other software sees it.
type theirGraph struct {
	Names    []string                  // nil if the format does not keep them
	Edges    [][]any                   // ends, weight and, where the format has them, the other numbers
	Vertices map[string]map[string]any // what is known about them, nil if the format does not keep it
}

// graph rebuilds the graph with our names.
func (g theirGraph) graph(t *testing.T, names []string) *graph.Graph {
	t.Helper()
	place := map[any]int{}
	for i, name := range names {
		place[name], place[float64(i)] = i, i
	}
	var edges []graph.Edge
	known := map[[2]int][]any{}
	for _, e := range g.Edges {
		i, there := place[e[0]]
		j, alsoThere := place[e[1]]
		if !there || !alsoThere {
			t.Fatalf("unknown edge %v", e)
		}
		edges = append(edges, graph.Edge{I: i, J: j, Weight: e[2].(float64)})
		if len(e) > 3 {
			known[[2]int{min(i, j), max(i, j)}] = e[3:]
		}
	}
	there := newGraph(t, names, edges...)
	if len(known) == 0 {
		return there
	}
	var confidence []float64
	var evidence []graph.Evidence
	for _, e := range there.Edges() {
		number := func(k int) float64 { return known[[2]int{e.I, e.J}][k].(float64) }
		confidence = append(confidence, number(0))
		evidence = append(evidence, graph.Evidence{Partial: number(1), Low: number(2), High: number(3), Q: number(4)})
	}
	there, err := there.WithConfidence(confidence)
	if err == nil {
		there, err = there.WithEvidence(evidence)
	}
	if err != nil {
		t.Fatal(err)
	}
	return there
}

func TestOtherSoftwareReadsOurGraphs(t *testing.T) {
	dir, file := t.TempDir(), awkwardFile(t)
	for _, f := range Formats(WritesGraphs) {
		if err := file.Write(filepath.Join(dir, "g."+string(f))); err != nil {
			t.Fatal(err)
		}
	}
	out := python(t, "csv, json, re, networkx as nx, numpy as np, scipy.io, pandas as pd, pydot", `
def described(g):
    return {"names": list(g), "edges": [[a, b] + [d[k] for k in "weight confidence partial low high q".split()] for a, b, d in g.edges(data=True)],
            "vertices": {v: {k: x for k, x in d.items() if k != "viz"} for v, d in g.nodes(data=True)}}

def of_matrix(w, names=None):
    n = range(len(w))
    return {"names": names, "edges": [[i, j, w[i][j]] for i in n for j in n if i < j and w[i][j]]}

def of_frame(f):
    f.to_csv("pandas.csv", index=False, quoting=csv.QUOTE_NONNUMERIC)  # for the spaces around names
    return {"names": None, "edges": f.values.tolist()}

def of_dot(text):  # networkx would strip quotation marks that belong to names
    plain = lambda s: re.sub(r"\\(.)", r"\1", s[1:-1], flags=re.S) if s.startswith('"') else s
    dot, g = pydot.graph_from_dot_data(text)[0], nx.Graph()
    for v in dot.get_nodes():
        g.add_node(plain(v.get_name()), **{plain(k): plain(x) for k, x in v.get_attributes().items()})
    for e in dot.get_edges():
        g.add_edge(plain(e.get_source()), plain(e.get_destination()), **{k: float(plain(x)) for k, x in e.get_attributes().items()})
    return g

m = scipy.io.loadmat("g.mat")
text = dict(dtype={"source": str, "target": str}, keep_default_na=False)
print(json.dumps({
    "csv": of_frame(pd.read_csv("g.csv", **text)),
    "tsv": of_frame(pd.read_csv("g.tsv", sep="\t", **text)),
    "json": described(nx.node_link_graph(json.load(open("g.json", encoding="utf-8")), edges="edges")),
    "graphml": described(nx.read_graphml("g.graphml")),
    "gexf": described(nx.read_gexf("g.gexf")),
    "dot": described(of_dot(open("g.dot", encoding="utf-8", newline="").read())),
    "mtx": of_matrix(scipy.io.mmread("g.mtx").toarray().tolist()),
    "npy": of_matrix(np.load("g.npy").tolist()),
    "mat": of_matrix(m["W"].toarray().tolist(), [str(c[0][0]) for c in m["names"]]),
}))`, dir)
	var got map[Format]theirGraph
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	const formats = 9 // above
	if len(got) != formats {
		t.Errorf("there %d formats are read, not %d", len(got), formats)
	}
	names := file.Graph.Names()
	for f, there := range got {
		names := names
		if f == MAT { // SciPy does not read characters beyond U+FFFF
			there.Names, names = withoutHigh(there.Names, names), withoutHigh(names, names)
		}
		if there.Names != nil && !slices.Equal(there.Names, names) {
			t.Errorf("%s: there the vertices are %q", f, there.Names)
		}
		if g := there.graph(t, file.Graph.Names()); !sameGraph(heldBy(t, f, file.Graph), g) {
			t.Errorf("%s: there the edges are %v, their confidences %v, the evidence %v", f, g.Edges(), g.Confidence(), g.Evidence())
		}
		if there.Vertices != nil {
			checkTheirVertices(t, f, file.Vertices, there.Vertices)
		}
	}
	back, err := ReadGraph(filepath.Join(dir, "pandas.csv"), names)
	if err != nil || !sameGraph(file.Graph, back) {
		t.Errorf("through pandas: %v, %v", back, err)
	}
}

// withoutHigh leaves out what stands where a name has a character beyond U+FFFF.
func withoutHigh(texts, names []string) []string {
	var kept []string
	for i, name := range names {
		if !strings.ContainsFunc(name, func(c rune) bool { return c > 0xFFFF }) {
			kept = append(kept, texts[i])
		}
	}
	return kept
}

// checkTheirVertices compares what is known about vertices here and there. DOT
// has text only.
func checkTheirVertices(t *testing.T, f Format, here *VertexTable, there map[string]map[string]any) {
	t.Helper()
	for i, name := range here.Names {
		columns, values := here.valuesOf(i)
		for k, column := range columns {
			c := here.Columns[column]
			var want any = values[k]
			if c.Numbers != nil && f != DOT {
				want = c.Numbers[i]
			}
			key := c.Name
			if f == NodeLink {
				key = strings.Replace(key, "id", "id_", 1)
			}
			if got := there[name][key]; got != want {
				t.Errorf("%s: %q of vertex %q is %v there and %v here", f, c.Name, name, got, want)
			}
		}
	}
}

func TestWeReadTheGraphsOfNetworkXAndSciPy(t *testing.T) {
	dir := t.TempDir()
	python(t, "json, networkx as nx, numpy as np, scipy.io, scipy.sparse", `
g = nx.Graph()
g.add_nodes_from([("a & b", {"lat": 1 / 3}), ("ü", {"lat": 2, "kind": "<x>"}), "lone"])
g.add_edge("ü", "a & b", weight=1 / 3, confidence=1 / 7, partial=-1 / 3, low=-0.5, high=0.1, q=1e-9)
json.dump(nx.node_link_data(g, edges="edges"), open("new.json", "w"))
json.dump(nx.node_link_data(g, edges="links"), open("old.json", "w"))
nx.write_graphml(g, "g.graphml")
nx.write_gexf(g, "g.gexf")
nx.write_gexf(g, "g13.gexf", version="1.3") if "1.3" in nx.readwrite.gexf.GEXF.versions else nx.write_gexf(g, "g13.gexf")
w = nx.to_numpy_array(g)
np.save("g.npy", w)
scipy.io.mmwrite("g.mtx", scipy.sparse.coo_array(w), precision=17)
scipy.io.savemat("g.mat", {"W": w})
scipy.io.savemat("sparse.mat", {"W": scipy.sparse.csc_array(w), "L": w, "names": np.array(list(g), dtype=object)})
scipy.io.mmwrite("full.mtx", scipy.sparse.coo_array(w), precision=17, symmetry="general")
`, dir)
	names := []string{"a & b", "ü", "lone"}
	want, err := newGraph(t, names, graph.Edge{I: 0, J: 1, Weight: 1.0 / 3}).WithConfidence([]float64{1.0 / 7})
	if err == nil {
		want, err = want.WithEvidence([]graph.Evidence{{Partial: -1.0 / 3, Low: -0.5, High: 0.1, Q: 1e-9}})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"new.json", "old.json", "g.graphml", "g.gexf", "g13.gexf", "g.npy", "g.mtx", "full.mtx", "g.mat", "sparse.mat"} {
		f, _ := FormatOf(file)
		if g, err := ReadGraph(filepath.Join(dir, file), names); err != nil || !sameGraph(g, heldBy(t, f, want)) {
			t.Errorf("%s: %v, %v", file, g, err)
		}
		if !slices.Contains(formatsWithVertices, f) {
			continue
		}
		g, err := ReadGraphFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		lat, kind := g.Vertices.Columns[g.Vertices.find("lat")], g.Vertices.Columns[g.Vertices.find("kind")]
		if lat.Numbers[0] != 1.0/3 || lat.Numbers[1] != 2 || !math.IsNaN(lat.Numbers[2]) || !slices.Equal(kind.Text, []string{"", "<x>", ""}) {
			t.Errorf("%s: got %+v", file, g.Vertices)
		}
	}
}

func TestOtherSoftwareReadsOurSignals(t *testing.T) {
	dir, s := t.TempDir(), sample()
	l := pathGraph(t).Laplacian()
	for name, write := range map[string]func(string) error{
		"s.npy": func(p string) error { return WriteSignals(p, s) },
		"s.npz": func(p string) error { return WriteSignals(p, s) },
		"s.mat": func(p string) error { return WriteSignals(p, s) },
		"s.csv": func(p string) error { return WriteSignals(p, s) },
		"l.npz": Matrix{Values: l, Names: []string{"a", "ü", "c"}}.Write,
		"l.mat": Matrix{Name: "L", Values: l, Names: []string{"a", "ü", "c"}}.Write,
		"l.csv": Matrix{Values: l}.Write,
	} {
		if err := write(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	out := python(t, "json, numpy as np, pandas as pd, scipy.io", `
z, l, m, k = np.load("s.npz"), np.load("l.npz"), scipy.io.loadmat("s.mat"), scipy.io.loadmat("l.mat")
f = pd.read_csv("s.csv", float_precision="round_trip")
cells = lambda names: [str(c[0][0]) for c in names]
print(json.dumps({
    "npy": [np.load("s.npy").tolist(), None],
    "npz": [z["signals"].tolist(), z["names"].tolist()],
    "mat": [m["signals"].tolist(), cells(m["names"])],
    "csv": [f.values.tolist(), f.columns.tolist()],
    "l.npz": [l["arr_0"].tolist(), l["names"].tolist()],
    "l.mat": [k["L"].tolist(), cells(k["names"])],
    "l.csv": [pd.read_csv("l.csv", header=None, float_precision="round_trip").values.tolist(), None],
}))`, dir)
	var got map[string][2]json.RawMessage
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for name, both := range got {
		var rows [][]float64
		var names []string
		if err := errors.Join(json.Unmarshal(both[0], &rows), json.Unmarshal(both[1], &names)); err != nil {
			t.Fatal(err)
		}
		want, wantNames := s.Y.T(), s.Names
		if strings.HasPrefix(name, "l.") {
			want, wantNames = l, []string{"a", "ü", "c"}
		}
		if name == "mat" {
			names, wantNames = withoutHigh(names, wantNames), withoutHigh(wantNames, wantNames)
		}
		if names != nil && !slices.Equal(names, wantNames) {
			t.Errorf("%s: there the names are %q", name, names)
		}
		if !mat.Equal(want, mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))) {
			t.Errorf("%s: there the values are %v", name, rows)
		}
	}
}

func TestWeReadTheSignalsOfOtherSoftware(t *testing.T) {
	dir := t.TempDir()
	out := python(t, "json, numpy as np, pandas as pd, scipy.io, scipy.sparse, pyarrow.parquet", `
y = np.arange(6).reshape(2, 3)
names = ["ü", "b, c", "v2"]
files = {}  # with the names that are to be read
def file(name, kept=None):
    files[name] = kept or ["v0", "v1", "v2"]
    return name

kinds = ["<f8", ">f8", "<f4", ">f4", "<f2", ">f2", "<i8", ">i8", "<i4", "<i2", "i1", "<u8", ">u4", "<u2", "u1"]
for k, dtype in enumerate(kinds):
    for order in "CF":
        np.save(file(f"{k}{order}.npy"), np.asarray(y, dtype=dtype, order=order))
np.savez(file("z.npz"), y)
np.savez_compressed(file("c.npz", names), Y=y.astype(float), other=y[:1], names=np.array(names))
np.savetxt(file("t.csv"), y, delimiter=",")
np.savetxt(file("t.tsv.gz"), y, delimiter="\t")

cells = np.empty(3, dtype=object)
cells[:] = names
for k, dtype in enumerate(["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"]):
    scipy.io.savemat(file(f"{k}.mat"), {"Y": y.astype(dtype), "fs": 7.0}, do_compression=k % 2 == 0)
scipy.io.savemat(file("cells.mat", names), {"anything": y, "names": cells})
scipy.io.savemat(file("rows.mat", names), {"anything": y, "names": names}, do_compression=True)
scipy.io.savemat(file("sparse.mat"), {"Y": scipy.sparse.csc_array(y.astype(float)), "s": {"a": 1}})

frame = pd.DataFrame(y, columns=names)
for kind in ["snappy", "gzip", "zstd", None]:
    frame.to_parquet(file(f"{kind}.parquet", names), compression=kind)
frame.to_parquet(file("pages2.parquet", names), data_page_version="2.0", compression="zstd")
for k, dtype in enumerate(["float32", "Int64", "uint8", "int16", "Float64"]):
    frame.astype(dtype).to_parquet(file(f"{k}.parquet", names), row_group_size=1, use_dictionary=k % 2 == 0)
for kind in [pyarrow.decimal128(3, 1), pyarrow.decimal128(12, 4), pyarrow.decimal128(38, 20)]:
    table = pyarrow.Table.from_pandas(frame).cast(pyarrow.schema([(name, pyarrow.decimal128(38, 0)) for name in names]))
    table = table.cast(pyarrow.schema([(name, kind) for name in names]))
    for whole in [False, True]:
        pyarrow.parquet.write_table(table, file(f"{kind}{whole}.parquet", names), store_decimal_as_integer=whole)
frame.index = pd.date_range("2021-01-03", periods=2)
frame.to_parquet(file("dates.parquet", names))
frame.to_csv(file("dates.csv", names))
frame.reset_index(names="day").to_parquet(file("day.parquet", names), index=False)
frame.index = ["p", "q"]
frame.to_parquet(file("labels.parquet", names))
frame.T.to_parquet(file("transposed.parquet", names))
wide = frame.T
wide.index = pd.CategoricalIndex(names, categories=["seen nowhere"] + list("xyz") + names)
wide.to_parquet(file("transposed-categories.parquet", names), row_group_size=2)
print(json.dumps(files))`, dir)
	var files map[string][]string
	if err := json.Unmarshal(out, &files); err != nil {
		t.Fatal(err)
	}
	want := mat.NewDense(2, 3, []float64{0, 1, 2, 3, 4, 5})
	for file, names := range files {
		s, err := ReadSignals(filepath.Join(dir, file), ReadOptions{Transpose: strings.HasPrefix(file, "transposed")})
		if err != nil || !mat.Equal(s.Y, want.T()) || !slices.Equal(s.Names, names) {
			t.Errorf("%s: %v, %v", file, s, err)
		}
	}
}

// An index of dates that pandas wrote, as CSV or Parquet and with or without a zone, is
// read as the times that it has.
func TestTimesOfPandasAreRead(t *testing.T) {
	dir := t.TempDir()
	python(t, "pandas as pd, pyarrow", `
for zone in [None, "Europe/Berlin"]:
    at = pd.date_range("2024-03-30 22:00", periods=6, freq="h", tz="UTC").tz_convert(zone) if zone else pd.date_range("2024-03-30 22:00", periods=6, freq="h")
    name = "zone" if zone else "plain"
    frame = pd.DataFrame({"a": range(6), "b": [1.5, 2, 3, 4, 5, 0]}, index=at)
    frame.to_csv(name + ".csv")
    frame.to_parquet(name + ".parquet")
    frame.rename_axis("when").reset_index().to_parquet(name + "-column.parquet")
`, dir)
	for _, name := range []string{"plain.csv", "zone.csv", "plain.parquet", "zone.parquet", "plain-column.parquet", "zone-column.parquet"} {
		s, err := ReadSignals(filepath.Join(dir, name), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for k, at := range s.Times {
			if want := time.Date(2024, 3, 30, 22+k, 0, 0, 0, time.UTC); !at.Equal(want) {
				t.Errorf("%s: observation %d is of %v, want %v", name, k, at, want)
			}
		}
		if len(s.Times) != 6 || strings.Join(s.Names, " ") != "a b" {
			t.Errorf("%s: %d times, vertices %q, notes %q", name, len(s.Times), s.Names, s.Notes)
		}
	}
}
