package study

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/guard"
)

// What is written is the series: graphs, table and index tell the same, and files of an earlier run with
// more windows are gone.
func TestTheFolderHasTheSeries(t *testing.T) {
	s, o := small(t)
	r, err := LearnWindows(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new", "folder")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"window-099.csv", "mine.csv"} {
		if err := os.WriteFile(at(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index, err := r.Write(WindowFolder{Dir: dir, Title: "A <series>", Command: "nervure learn"}, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(at("window-099.csv")); err == nil {
		t.Error("a graph of an earlier run is still there")
	}
	if _, err := os.Stat(at("mine.csv")); err != nil {
		t.Error("somebody else's file is gone")
	}
	text, err := os.ReadFile(at("index.json"))
	var read document.WindowIndex
	if err != nil || json.Unmarshal(text, &read) != nil || len(read.Rows) != len(r.Windows) || read.Window != "100" || read.Step != "50" {
		t.Errorf("%v: %+v", err, read)
	}
	file, err := os.Open(at("edges.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range r.Windows {
		g, err := dataio.ReadGraph(at(index.Rows[k].Name+".csv"), r.Names)
		if err != nil || !slices.Equal(g.Pairs(), w.Graph.Pairs()) {
			t.Errorf("window %d: %v, edges %v, want %v", k, err, g, w.Graph.Pairs())
		}
		column, sum := slices.Index(table[0], index.Rows[k].Name), 0
		for _, row := range table[1:] {
			if v, err := strconv.ParseFloat(row[column], 64); err == nil && v > 0 {
				sum++
			}
		}
		if sum != w.Graph.EdgeCount() {
			t.Errorf("window %d: %d edges in the table, want %d", k, sum, w.Graph.EdgeCount())
		}
	}
	page, err := os.ReadFile(at("index.html"))
	if err != nil || !strings.Contains(string(page), "A &lt;series&gt;") || strings.Count(string(page), `src="data:image/svg`) != 4 {
		t.Errorf("%v, %d bytes", err, len(page))
	}
	err = WindowFolder{Dir: dir, Spare: []string{at("window-001.csv")}}.Check()
	if e := input.Find(err); e == nil || !strings.Contains(e.Msg, "would overwrite this file") {
		t.Errorf("an input in the folder: %v", err)
	}
}

// A page that cannot be made costs no graph, and that of an earlier run does not stay.
func TestAPageThatFailsCostsNoGraph(t *testing.T) {
	s, o := small(t)
	r, err := LearnWindows(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	f := WindowFolder{Dir: dir}
	if _, err := r.Write(f, o); err != nil {
		t.Fatal(err)
	}
	last := len(dispensable) - 1
	whole := dispensable[last]
	defer func() { dispensable[last] = whole }()
	dispensable[last].encode = func(io.Writer, *Series, WindowFolder, *document.WindowIndex) error { panic("boom") }
	index, err := r.Write(f, o)
	if f, _ := guard.Split(err); index == nil || len(f) != 1 || f[0].Value != "boom" || !strings.HasSuffix(err.Error(), "ended writing "+filepath.Join(dir, "index.html")) {
		t.Errorf("got %v, %v", index, err)
	}
	if _, err := os.Stat(filepath.Join(f.Dir, "index.html")); err == nil {
		t.Error("the page of an earlier run is still there")
	}
	if _, err := os.Stat(filepath.Join(f.Dir, "window-001.csv")); err != nil {
		t.Error(err)
	}
}
