package pairs

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
)

func writeGraph(path string, g *graph.Graph) { must(dataio.WriteGraph(path, g)) }

// inputs are what a run has not written.
var inputs = []string{signalsFile, knownFile, "job.json"}

// written are the files in a directory that a run has written, by their names in it.
func written(dir string) (list []string) {
	must(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		must(err)
		if name, err := filepath.Rel(dir, path); err == nil && entry.Type().IsRegular() && !slices.Contains(inputs, name) {
			list = append(list, name)
		}
		return nil
	}))
	return list
}

// noNumber is how Go and JavaScript print what is no number, as a value of its own.
var noNumber = regexp.MustCompile(`[\s,:\[>="](NaN|[+-]?Inf(inity)?)[\s,\]<"]`)

// scripts are the parts of a page that are code, which may name what is no number.
var scripts = regexp.MustCompile(`(?s)<script type="module">.*?</script>`)

// files looks at what a run has written: that is numbers, and of these vertices.
func (v *verdict) files(c *kase, d *drawing, doc *document.Run, dir string) {
	w := doc.Write
	for _, name := range []string{w.Graph, w.Summary, w.Report, w.Model, w.Codes, w.Laplacian, doc.Windows.Dir} {
		optional := name == w.Codes && doc.Method.Name == "auto" || c.values["door"] == "page" || c.values["door"] == "python"
		if _, err := os.Stat(filepath.Join(dir, name)); name != "" && err != nil && !optional {
			v.fault("%s is missing", name)
		}
	}
	for _, name := range written(dir) {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		must(err)
		extension := strings.TrimPrefix(filepath.Ext(name), ".")
		switch {
		case extension == "dot": // which nothing here reads
		case name == w.Graph || strings.HasPrefix(name, "graph."):
			v.graph(d, path, text)
		case name == w.Codes || name == w.Laplacian:
			v.table(name, text)
		case extension == "json" && !json.Valid(text):
			v.fault("%s is no JSON", name)
		}
		text = scripts.ReplaceAll(text, nil)
		for _, odd := range d.names { // which may be called NaN
			if noNumber.MatchString("," + odd + ",") {
				text = bytes.ReplaceAll(text, []byte(odd), nil)
			}
		}
		if at := noNumber.FindIndex(text); at != nil && !slices.Contains([]string{"npy", "mat"}, extension) {
			v.fault("%s has what is no number: …%s…", name, text[max(0, at[0]-60):min(len(text), at[1]+60)])
		}
	}
}

// graph reads a graph back. The reader refuses what is no confidence, and partial correlations beside their
// intervals.
func (v *verdict) graph(d *drawing, path string, text []byte) {
	name := filepath.Base(path)
	file, err := dataio.ReadGraphFile(path)
	if err != nil {
		if header := filepath.Ext(name) == ".csv" && bytes.Count(text, []byte("\n")) == 1; !header {
			v.fault("%s does not read back: %v", name, err)
		}
		return
	}
	g := file.Graph
	known := d.names
	if known == nil {
		known = graph.DefaultNames(d.n + 1) // a first column may be a vertex
	}
	keepsNames := !slices.Contains([]string{".npy", ".mtx", ".mat"}, filepath.Ext(path))
	for _, vertex := range g.Names() {
		if keepsNames && !slices.Contains(known, vertex) {
			v.fault("%s has a vertex %q", name, vertex)
		}
	}
	for _, e := range g.Edges() {
		if math.IsNaN(e.Weight) || math.IsInf(e.Weight, 0) || e.Weight == 0 {
			v.fault("%s has an edge of weight %v", name, e.Weight)
		}
	}
}

// table reads a table of numbers back.
func (v *verdict) table(name string, text []byte) {
	if _, err := csv.NewReader(bytes.NewReader(text)).ReadAll(); err != nil {
		v.fault("%s: %v", name, err)
	}
}

// ofTheDoor are keys of a summary that are about the door and the machine.
var ofTheDoor = []string{"seconds", "threads", "run", "command"}

// compare holds the files of two runs against each other, those that both have. Pages tell times.
func (v *verdict) compare(one, other string) {
	for _, name := range written(one) {
		a, err := os.ReadFile(filepath.Join(one, name))
		must(err)
		b, err := os.ReadFile(filepath.Join(other, name))
		if err != nil || filepath.Ext(name) == ".html" {
			continue
		}
		if strings.HasSuffix(name, summaryFile) || strings.HasSuffix(name, "whole.json") {
			a, b = withoutDoor(a), withoutDoor(b)
		}
		if !bytes.Equal(a, b) {
			v.fault("%s differs between one thread and many", name)
		}
	}
}

func withoutDoor(summary []byte) []byte {
	var keys map[string]json.RawMessage
	must(json.Unmarshal(summary, &keys))
	for _, key := range ofTheDoor {
		delete(keys, key)
	}
	text, err := json.Marshal(keys)
	must(err)
	return text
}
