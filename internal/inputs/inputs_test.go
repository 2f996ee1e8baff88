package inputs_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/signals"
)

// files writes files, and goes to their folder.
func files(t *testing.T, contents map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range contents {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// says checks that a fault is of the input and one sentence.
func says(t *testing.T, err error, want string) {
	t.Helper()
	if input.Find(err) == nil || err.Error() != want || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want %s", err, want)
	}
}

var table = "a,b,c\n" + strings.Repeat("1,2,3\n2,1,4\n5,2,1\n", 8)

func TestOpen(t *testing.T) {
	files(t, map[string]string{"a.csv": table})
	for _, c := range []struct{ path, part, begins string }{
		{"a.csv", examples.Signals, "a,b,c\n"},
		{"a.csv", examples.Truth, "a,b,c\n"},
		{"sample:leaf", examples.Truth, "source,target"},
	} {
		f, err := inputs.Open(c.path, c.part)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(f)
		if err != nil || f.Close() != nil || !strings.HasPrefix(string(content), c.begins) {
			t.Errorf("%s, %s: got %.20q, %v", c.path, c.part, content, err)
		}
	}
	_, err := inputs.Open("b.csv", examples.Signals)
	says(t, err, "b.csv: there is no such file")
	_, err = inputs.Open("sample:tree", examples.Signals)
	says(t, err, "sample:tree: unknown sample; want sample:leaf or sample:molene")
}

func TestSamples(t *testing.T) {
	if names := inputs.SampleNames(); !slices.Equal(names, []string{"sample:leaf", "sample:molene"}) || !inputs.IsSample(names[0]) || inputs.IsSample("leaf") {
		t.Errorf("got %q", names)
	}
	set, err := inputs.Signals("sample:leaf", dataio.ReadOptions{}, inputs.Open)
	if err != nil {
		t.Fatal(err)
	}
	g, err := inputs.Graph("sample:leaf", set.Names, inputs.Open)
	if err != nil || g.Vertices() != len(set.Names) || g.EdgeCount() == 0 {
		t.Errorf("got %v, %v", g, err)
	}
}

// A run and what is in its files go to another machine, where nothing else can be opened.
func TestContentsAreSentWithARun(t *testing.T) {
	files(t, map[string]string{"a.csv": table, "names.txt": "x\ny\nz\n", "prior.csv": "source,target,weight\nx,y,2\n"})
	run := &document.Run{
		Version: 1, Read: document.RunRead{Files: []string{"a.csv"}, Names: "names.txt"},
		Known: document.RunKnown{Prior: "prior.csv", Init: "prior.csv"},
	}
	besides, err := inputs.Contents(run)
	if err != nil || len(besides) != 3 || string(besides[0]) != "x\ny\nz\n" {
		t.Fatalf("got %q, %v", besides, err)
	}
	open := inputs.Sent(run, append([][]byte{[]byte("1,2,3\n2,1,4\n")}, besides...))
	o, err := inputs.ReadOptions(run.Read, open)
	if err != nil || !slices.Equal(o.Names, []string{"x", "y", "z"}) {
		t.Fatalf("got %q, %v", o.Names, err)
	}
	set, err := inputs.Signals("a.csv", o, open)
	if err != nil || !slices.Equal(set.Names, o.Names) || !mat.Equal(set.Y, mat.NewDense(3, 2, []float64{1, 2, 2, 1, 3, 4})) {
		t.Errorf("got %+v, %v", set, err)
	}
	options, err := inputs.Options(run, set.Names, open)
	if err != nil || options.Known.Prior.EdgeCount() != 1 || options.Known.Init.EdgeCount() != 1 {
		t.Errorf("got %+v, %v", options.Known, err)
	}
	for _, path := range []string{"b.csv", "names.txt"} {
		_, err = open(path, examples.Signals)
		says(t, err, path+": the file was not sent with the task")
	}
	run.Known.Prior = "gone.csv"
	_, err = inputs.Contents(run)
	says(t, err, "gone.csv: there is no such file")
}

func TestReadOptions(t *testing.T) {
	files(t, map[string]string{"n.txt": "x\ny\n", "t.txt": "2024-01-01\n2024-01-02\n", "bad.txt": "2024-01-02\nnoon\n"})
	o, err := inputs.ReadOptions(document.RunRead{Names: "n.txt", Times: "t.txt", Format: "csv", Transpose: true, Resample: "2h"}, inputs.Open)
	if err != nil || len(o.Names) != 2 || len(o.Times) != 2 || o.Format != dataio.CSV || !o.Transpose || o.Resample != 2*time.Hour {
		t.Errorf("got %+v, %v", o, err)
	}
	for _, c := range []struct {
		read document.RunRead
		want string
	}{
		{document.RunRead{Names: "gone.txt"}, "gone.txt: there is no such file"},
		{document.RunRead{Times: "bad.txt"}, `bad.txt: line 2: "noon" is not a time: write it as 2024-01-31 13:05`},
		{document.RunRead{Resample: "soon"}, "run: `read.resample` \"soon\": want a span of time such as 15m, 1h, 7d or 2w"},
	} {
		_, err := inputs.ReadOptions(c.read, inputs.Open)
		says(t, err, c.want)
	}
}

func TestOptions(t *testing.T) {
	files(t, map[string]string{"some.csv": "source,target,weight\na,b,1\nb,c,0.5\n", "other.csv": "source,target,weight\na,q,1\n"})
	names := []string{"a", "b", "c"}
	run := &document.Run{Version: 1, Read: document.RunRead{Files: []string{"a.csv"}}, Known: document.RunKnown{Allow: "some.csv", Forbid: "some.csv", Prior: "some.csv", PriorWeight: 3}}
	o, err := inputs.Options(run, names, inputs.Open)
	pairs := [][2]int{{0, 1}, {1, 2}}
	if err != nil || !slices.Equal(o.Known.Allow, pairs) || !slices.Equal(o.Known.Forbid, pairs) || o.Known.Init != nil || o.Known.PriorWeight != 3 {
		t.Errorf("got %+v, %v", o.Known, err)
	}
	run.Known = document.RunKnown{Forbid: "other.csv", Prior: "gone.csv"} // the first fault is told
	_, err = inputs.Options(run, names, inputs.Open)
	says(t, err, `other.csv: line 2: the vertex "q" is not one of the 3 expected: is it a graph of other signals?`)
	run.Known, run.Cut.Rule = document.RunKnown{}, "half"
	_, err = inputs.Options(run, names, inputs.Open)
	says(t, err, "run: `cut.rule` \"half\": want auto, edges or threshold")

	comparison := &document.Run{Version: 1, Read: document.RunRead{Files: []string{"a.csv"}}, Compare: &document.RunCompare{Truth: "some.csv", Folds: 3}}
	c, err := inputs.CompareOptions(comparison, names, inputs.Open)
	if err != nil || c.Truth.EdgeCount() != 2 || c.Folds != 3 {
		t.Errorf("got %+v, %v", c, err)
	}
	comparison.Compare.Truth = ""
	if c, err = inputs.CompareOptions(comparison, names, inputs.Open); err != nil || c.Truth != nil {
		t.Errorf("got %+v, %v", c, err)
	}
}

// What there is to doubt about signals is told once, with the way out that there is.
func TestNotes(t *testing.T) {
	few, many := &signals.Set{Y: checks.Chain(1, 40, 5)}, &signals.Set{Y: checks.Chain(1, 5, 40), Notes: []string{"a note"}}
	uneven := &signals.Set{Y: checks.Chain(1, 5, 40)}
	for k := range 40 {
		uneven.Times = append(uneven.Times, time.Date(2024, 1, 1, 0, 10*k+k%3, 0, 0, time.UTC))
	}
	const hint = "if vertices are in rows, add --transpose"
	for _, c := range []struct {
		name      string
		set       *signals.Set
		transpose bool
		hint      string
		notes     []string
	}{
		{"few", few, false, hint, []string{"40 vertices and 5 signals: " + hint}},
		{"transposed", few, true, "", nil},
		{"many", many, false, "", []string{"a note"}},
	} {
		got := inputs.Hint(c.transpose, c.set)
		if notes := inputs.Notes(c.set, false, got); got != c.hint || !slices.Equal(notes, c.notes) {
			t.Errorf("%s: got %q and %q", c.name, got, notes)
		}
	}
	if notes := inputs.Notes(uneven, false, ""); len(notes) != 1 || !strings.HasSuffix(notes[0], "averages them") || !strings.Contains(notes[0], "--resample") {
		t.Errorf("uneven times: got %q", notes)
	}
	if notes := inputs.Notes(uneven, true, ""); len(notes) != 1 || strings.Contains(notes[0], "--resample") {
		t.Errorf("uneven times, resampled: got %q", notes)
	}
}

func TestFaultsOfSignalsAreThoseOfTheirFile(t *testing.T) {
	file := filepath.Join("data", "a.csv")
	for _, c := range []struct {
		field input.Field
		hint  string
		want  string
	}{
		{input.Signals, "add --transpose", file + ": signals: got 1, want at least 2; add --transpose"},
		{input.Vertices, "", file + ": vertices: got 1, want at least 2"},
		{input.Block, "add --transpose", file + ": block: got 1, want at least 2"},
	} {
		says(t, inputs.InFile(input.Find(input.Errorf("nervure", c.field, "got 1, want at least 2")), file, c.hint), c.want)
	}
}
