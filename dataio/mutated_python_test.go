package dataio

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/fuzzing"
	"github.com/nervure/nervure/internal/rng"
)

var compared = flag.Int("compared", 150, "how many damaged files other software reads, too")

// theirReader reads the files whose names it is given, from a number on, and prints a line for each:
// its number, and what it holds. It may take neither long nor much memory, and it may die of a
// file, for it is partly not made for damaged ones.
const theirReader = `
import base64, json, resource, signal, sys, warnings
import networkx as nx, numpy as np, pandas as pd, pyarrow.parquet as pq, scipy.io, scipy.sparse
warnings.simplefilter("ignore")
try:
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
except (ValueError, OSError):
    pass # macOS has no such limit
def late(*_):
    raise TimeoutError
signal.signal(signal.SIGALRM, late)
def matrix(y):
    if scipy.sparse.issparse(y):
        if y.shape[0] * y.shape[1] > 1 << 16:
            return None
        y = y.toarray()
    y = np.asarray(y)
    if y.ndim != 2 or y.dtype.kind not in "fiub" or y.size > 1 << 16:
        return None
    return {"rows": y.shape[0], "cols": y.shape[1], "data": base64.b64encode(y.astype("<f8").tobytes()).decode()}
def matrices(values):
    return {"matrices": [m for m in map(matrix, values) if m]}
def graph(g):
    if g.is_multigraph():
        return None
    return {"directed": g.is_directed(), "names": [str(v) for v in g], "edges":
        [[str(a), str(b), repr(float(d.get("weight", 1))), repr(float(d.get("confidence", -1)))] + [repr(float(d[k])) for k in ["partial", "low", "high", "q"] if k in d] for a, b, d in g.edges(data=True)]}
def read(path):
    if path.endswith(".npy"):
        return matrices([np.load(path)])
    if path.endswith(".npz"):
        return matrices(np.load(path).values())
    if path.endswith(".mat"):
        return matrices(scipy.io.loadmat(path).values())
    if path.endswith(".parquet"):
        frame = pq.read_table(path, page_checksum_verification=True).to_pandas()
        return {"columns": {str(c): matrix(frame[c].astype(float).values[:, None]) for c in frame if frame[c].dtype.kind in "fiub"}}
    if path.endswith(".csv"):
        frame = pd.read_csv(path)
        return {"columns": {str(c): matrix(frame[c].values[:, None]) for c in frame if frame[c].dtype.kind in "fi"}, "rows": len(frame)}
    if path.endswith(".mtx"):
        return matrices([scipy.io.mmread(path)])
    if path.endswith(".graphml"):
        return {"graph": graph(nx.read_graphml(path))}
    if path.endswith(".gexf"):
        return {"graph": graph(nx.read_gexf(path, relabel=True))}
    if path.endswith(".json"):
        return {"graph": graph(nx.node_link_graph(json.load(open(path, encoding="utf-8"))))}
names, start = open("list.txt").read().split("\n"), int(sys.argv[1])
for k in range(start, len(names)):
    print(json.dumps([k, "begun"]), flush=True)
    signal.alarm(20)
    try:
        said = read(names[k])
    except BaseException:
        said = None
    signal.alarm(0)
    print(json.dumps([k, said]), flush=True)
`

// A theirMatrix is one as other software sees it.
type theirMatrix struct {
	Rows, Cols int
	Data       []byte
}

func (m *theirMatrix) dense() *mat.Dense {
	values := make([]float64, m.Rows*m.Cols)
	if len(m.Data) != 8*len(values) || len(values) == 0 {
		return nil
	}
	for k := range values {
		values[k] = math.Float64frombits(binary.LittleEndian.Uint64(m.Data[8*k:]))
	}
	return mat.NewDense(m.Rows, m.Cols, values)
}

// theirFile is what other software reads from a file.
type theirFile struct {
	Matrices []*theirMatrix
	Columns  map[string]*theirMatrix
	Rows     int
	Graph    *struct {
		Directed bool
		Names    []string
		Edges    [][]string
	}
}

// readThere lets other software read files, again after each one that it dies of.
func readThere(t *testing.T, dir string, names []string) []*theirFile {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "list.txt"), []byte(strings.Join(names, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	said := make([]*theirFile, len(names))
	for next := 0; next < len(names); {
		c := exec.CommandContext(t.Context(), cmp.Or(os.Getenv("NERVURE_PYTHON"), "python3"), "-c", theirReader, strconv.Itoa(next))
		c.Dir = dir
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.Output()
		began := next
		lines := bufio.NewScanner(bytes.NewReader(out))
		lines.Buffer(nil, 1<<26)
		for lines.Scan() {
			var line [2]json.RawMessage
			var k int
			if err := errors.Join(json.Unmarshal(lines.Bytes(), &line), json.Unmarshal(line[0], &k)); err != nil {
				t.Fatal(err)
			}
			next = k + 1
			if string(line[1]) == `"begun"` {
				continue
			}
			if err := json.Unmarshal(line[1], &said[k]); err != nil {
				t.Fatalf("%s: %v", names[k], err)
			}
		}
		if next == began {
			t.Fatalf("%v\n%s", err, &errs)
		}
	}
	return said
}

// comparedFiles are files that other software reads as well, by name.
func comparedFiles(t *testing.T) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	python(t, "json, networkx as nx, numpy as np, pandas as pd, pyarrow as pa, pyarrow.parquet as pq, scipy.io, scipy.sparse", `
y = np.round(np.random.default_rng(1).normal(size=(12, 4)), 3)
frame = pd.DataFrame(y, columns=list("abcd"))
for kind in ["<f8", ">f4", "<i2", "<f2"]:
    np.save("array-" + kind[1:] + ".npy", (100 * y).astype(kind))
np.save("columns.npy", np.asfortranarray(y))
np.savez("stored.npz", Y=y, names=np.array(list("abcd")))
np.savez_compressed("packed.npz", Y=y)
scipy.io.savemat("plain.mat", {"Y": y, "n": np.int32(3)})
scipy.io.savemat("packed.mat", {"Y": (100 * y).astype(np.int16)}, do_compression=True)
for codec in ["none", "snappy", "gzip", "zstd"]:
    pq.write_table(pa.Table.from_pandas(frame), codec + ".parquet", compression=codec, write_page_checksum=True)
frame.to_csv("frame.csv", index=False)
g = nx.Graph()
g.add_nodes_from(["u", "v", "w", "x y"])
g.add_edge("u", "v", weight=1.5)
g.add_edge("v", "w", weight=0.25)
d = nx.DiGraph(g.edges(data=True))
for name, one in {"graph": g, "arrows": d}.items():
    nx.write_graphml(one, name + ".graphml")
    nx.write_gexf(one, name + ".gexf")
    json.dump(nx.node_link_data(one, edges="edges"), open(name + ".json", "w"))
    scipy.io.mmwrite(name + ".mtx", nx.to_scipy_sparse_array(one))
`, dir)
	files := map[string][]byte{}
	paths, err := filepath.Glob(filepath.Join(dir, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// What is damaged in files that other software wrote is read here as there, or refused by one of
// both. A longer campaign:
//
//	go test ./dataio -run OtherSoftwareReadsDamagedFiles -compared 5000 -mutation-seed 2 -v
func TestOtherSoftwareReadsDamagedFilesAlike(t *testing.T) {
	files := comparedFiles(t)
	dir := t.TempDir()
	var names []string
	var contents [][]byte
	kinds := slices.Sorted(maps.Keys(files))
	for k := range *compared {
		random := rng.Stream(*mutationSeed, "compared", k)
		name := kinds[k%len(kinds)]
		bits := make([]byte, 32)
		for i := range bits {
			bits[i] = byte(random.IntN(256))
		}
		content := fuzzing.By(bits).Damage(files[name], files[kinds[random.IntN(len(kinds))]])
		if k < len(kinds) {
			content = files[name] // as it is
		}
		name = fmt.Sprintf("%d-%s", k, name)
		names, contents = append(names, name), append(contents, content)
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := readThere(t, dir, names)
	both, here, there, faults := 0, 0, 0, 0
	for k, content := range contents {
		wrong, read := compareFile(names[k], content, said[k])
		if wrong != "" {
			faults++
			t.Errorf("%s of seed %d: %s", names[k], *mutationSeed, wrong)
		}
		switch {
		case read && said[k] != nil:
			both++
		case read:
			here++
		case said[k] != nil:
			there++
		}
		if k < len(kinds) && (!read || said[k] == nil) {
			t.Errorf("%s is not damaged, and was read here: %t, there: %t", names[k], read, said[k] != nil)
		}
	}
	t.Attr("tried", strconv.Itoa(*compared))
	t.Attr("faults", strconv.Itoa(faults))
	t.Attr("note", fmt.Sprintf("%d read by both, %d here alone, %d there alone", both, here, there))
	t.Logf("of %d files, both read %d, we alone %d, other software alone %d", *compared, both, here, there)
}

// compareFile reads a file, reports whether it could be read, and what is wrong if other software,
// unless that is nil, reads something else.
func compareFile(name string, content []byte, theirs *theirFile) (wrong string, read bool) {
	f, _ := FormatOf(name)
	if f == GraphML || f == GEXF || f == NodeLink || f == MatrixMarket {
		g, err := DecodeGraphFile(bytes.NewReader(content), name, f)
		if err != nil || theirs == nil {
			return "", err == nil
		}
		return compareGraph(f, g, theirs), true
	}
	s, err := DecodeSignals(bytes.NewReader(content), name, ReadOptions{Format: f})
	if err != nil || theirs == nil || s.Dropped > 0 || s.Times != nil {
		return "", err == nil
	}
	if theirs.Columns != nil {
		return compareColumns(f, s.Names, s.Y, theirs), true
	}
	turned := mat.DenseCopyOf(s.Y.T())
	for _, m := range theirs.Matrices {
		if y := m.dense(); y != nil && sameValues(y, turned) {
			return "", true
		}
	}
	if len(theirs.Matrices) == 0 {
		return "", true // larger than is compared
	}
	return fmt.Sprintf("got %v, and other software has no such matrix", mat.Formatted(turned)), true
}

// compareColumns compares those that other software takes for numbers, too. What is a header, or
// labels rows, is guessed from tables of text by each in its own way.
func compareColumns(f Format, names []string, y *mat.Dense, theirs *theirFile) string {
	_, m := y.Dims()
	for i, name := range names {
		column := theirs.Columns[name]
		if column == nil || f == CSV && (len(theirs.Columns) != len(names) || theirs.Rows != m) {
			continue
		}
		if there := column.dense(); there == nil || !sameValues(mat.DenseCopyOf(there.T()), mat.NewDense(1, m, mat.Row(nil, i, y))) {
			return fmt.Sprintf("column %q is %v, and there %v", name, mat.Row(nil, i, y), there)
		}
	}
	return ""
}

func compareGraph(f Format, g *GraphFile, theirs *theirFile) string {
	if f == MatrixMarket {
		if len(theirs.Matrices) != 1 {
			return "" // of complex numbers, or larger than is compared
		}
		there, here := theirs.Matrices[0].dense(), g.Graph.Adjacency()
		if there == nil {
			return ""
		}
		if r, _ := there.Dims(); r != g.Graph.Vertices() || !mat.EqualApprox(there, here, 1e-12) {
			return fmt.Sprintf("got %v, and there %v", mat.Formatted(here), mat.Formatted(there))
		}
		return ""
	}
	if theirs.Graph == nil {
		return "" // with several edges between the same vertices
	}
	there := &plainGraph{directed: theirs.Graph.Directed, names: theirs.Graph.Names}
	for _, e := range theirs.Graph.Edges {
		weight, _ := strconv.ParseFloat(e[2], 64)
		confidence, _ := strconv.ParseFloat(e[3], 64)
		one := plainEdge{e[0], e[1], weight, confidence, nil}
		for _, text := range e[4:] {
			v, _ := strconv.ParseFloat(text, 64)
			one.evidence = append(one.evidence, v)
		}
		there.edges = append(there.edges, one)
	}
	if here := plain(g.Graph, true); here.String() != there.String() {
		return fmt.Sprintf("got %v, and there %v", here, there)
	}
	return ""
}
