//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/repository"
	"github.com/nervure/nervure/signals"
)

// A case is a file that goes through every door.
type doorCase struct {
	name   string
	method string
	want   string // a part of the error, or of a note; "" if there is nothing to say
	fails  bool
	write  func(t *testing.T, path string)

	// How a user reads it into a data frame, in Python and in R, if not by pandas and readR; none if it is no table, or
	// if a data frame is not what is in the file.
	pandas, r string
	// How a user reads it into an array, in Python and in Octave.
	numpy, octave string

	// Options that doors pass as the document of a run if they can.
	seed       uint64
	difference bool
	codes      bool // codes are asked for, where a door gives them
}

const (
	none   = "none"
	pandas = "pd.read_csv(f)"
	numpy  = "np.loadtxt(f, delimiter=',', skiprows=1)"
	octave = "dlmread(f, ',', 1, 0)"
	readR  = "read.csv(f, check.names = FALSE)"
)

// doorCases are the files. Numbers have few digits, so that every reader has the same ones.
func doorCases() []doorCase {
	return []doorCase{
		{name: "plain.csv", method: "correlation", write: text(doorTable{}), numpy: numpy, octave: octave},
		{name: "auto.csv", method: "auto", write: text(doorTable{})},
		{name: "differences.csv", method: "ggl", seed: 7, difference: true, write: text(doorTable{}), numpy: numpy, octave: octave},
		{name: "sparse.csv", method: "sparse", seed: 7, codes: true, write: text(doorTable{}), numpy: numpy, octave: octave},
		{name: "auto-years.csv", method: "auto", want: "counts the rows and is treated as row labels", write: text(doorTable{label: "YEAR", row: func(k int) string { return strconv.Itoa(1950 + k) }})},
		{name: "years.csv", method: "correlation", want: `"YEAR", counts the rows`, write: text(doorTable{label: "YEAR", row: func(k int) string { return strconv.Itoa(1950 + k) }})},
		{name: "labels.csv", method: "correlation", want: "is treated as row labels", write: text(doorTable{label: "plot", row: func(k int) string { return fmt.Sprintf("plot %d", k) }})},
		{name: "times.csv", method: "correlation", want: "is read as the times of the observations", write: text(doorTable{label: "time", row: func(k int) string { return fmt.Sprintf("2024-01-%02d %02d:00", 1+k/24, k%24) }})},
		{name: "transposed.csv", method: "correlation", want: "if vertices are in rows, add --transpose", write: text(doorTable{vertices: 200, rows: 5})},
		{name: "gaps.csv", method: "correlation", want: "", write: text(doorTable{cell: func(r, c int, s string) string {
			if r == 3 && c == 1 || r == 7 && c == 2 {
				return ""
			}
			return s
		}})},
		{name: "codes.csv", method: "correlation", want: "looks like a code for missing values", write: text(doorTable{cell: func(r, c int, s string) string {
			if c == 2 && r%9 == 3 {
				return "-999"
			}
			return s
		}})},
		{name: "short.csv", method: "correlation", want: "line 9", fails: true, write: text(doorTable{line: func(r int, s string) string {
			if r == 7 {
				return s[:strings.LastIndexByte(s, ',')]
			}
			return s
		}}), pandas: none, r: none}, // pandas and R fill a row that is too short with missing values
		{name: "commas.csv", method: "correlation", write: text(doorTable{separator: ";", cell: func(_, _ int, s string) string { return strings.Replace(s, ".", ",", 1) }}), pandas: "pd.read_csv(f, sep=';', decimal=',')", r: "read.csv2(f, check.names = FALSE)"},
		{name: "no-header.csv", method: "correlation", write: text(doorTable{headless: true}), pandas: "pd.read_csv(f, header=None)", r: "as.matrix(unname(read.csv(f, header = FALSE)))", numpy: "np.loadtxt(f, delimiter=',')", octave: "dlmread(f, ',')"},
		{name: "constant.csv", method: "correlation", write: text(doorTable{cell: func(_, c int, s string) string {
			if c == 1 {
				return "4"
			}
			return s
		}})},
		{name: "text.csv", method: "correlation", want: `"dry" is not a number`, fails: true, write: text(doorTable{cell: func(r, c int, s string) string {
			if c == 4 && r > 3 {
				return "dry"
			}
			return s
		}})},
		{name: "one-row.csv", method: "correlation", want: "want at least 2", fails: true, write: text(doorTable{rows: 1})},
		{name: "empty.csv", method: "correlation", want: "empty", fails: true, write: func(t *testing.T, path string) { save(t, path, nil) }, pandas: none, r: none},
		{name: "packed.csv.gz", method: "correlation", write: text(doorTable{})},
		{name: "table.parquet", method: "correlation", write: parquet, pandas: "pd.read_parquet(f)", r: none},
		{name: "years.parquet", method: "correlation", want: `"YEAR" is treated as row labels`, write: parquet, pandas: none, r: none}, // in a frame, as in a table of text, the note has the number of the column as well
		{name: "array.npy", method: "correlation", write: array, pandas: "pd.DataFrame(np.load(f))", r: none, numpy: "np.load(f)"},
	}
}

// A doorTable is a text file of signals on a chain of vertices.
type doorTable struct {
	vertices, rows int
	separator      string
	headless       bool
	label          string // of a first column that is no vertex
	row            func(k int) string
	cell           func(r, c int, text string) string
	line           func(r int, text string) string
}

func text(o doorTable) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		t.Helper()
		separator, rows, vertices := o.separator, o.rows, o.vertices
		if separator == "" {
			separator = ","
		}
		if rows == 0 {
			rows = 60
		}
		if vertices == 0 {
			vertices = 5
		}
		y := checks.Chain(3, vertices, rows)
		var b strings.Builder
		if !o.headless {
			var names []string
			if o.label != "" {
				names = []string{o.label}
			}
			for c := range vertices {
				names = append(names, fmt.Sprintf("s%d", c))
			}
			b.WriteString(strings.Join(names, separator) + "\n")
		}
		for r := range rows {
			var cells []string
			if o.label != "" {
				cells = []string{o.row(r)}
			}
			for c := range vertices {
				cell := fmt.Sprintf("%.3f", y.At(c, r))
				if o.cell != nil {
					cell = o.cell(r, c, cell)
				}
				cells = append(cells, cell)
			}
			line := strings.Join(cells, separator)
			if o.line != nil {
				line = o.line(r, line)
			}
			b.WriteString(line + "\n")
		}
		save(t, path, []byte(b.String()))
	}
}

// save writes a file, compressed if its name asks for it.
func save(t *testing.T, path string, content []byte) {
	t.Helper()
	if strings.HasSuffix(path, ".gz") {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		content = b.Bytes()
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// parquet writes a file as pandas does; without pandas there is none.
func parquet(t *testing.T, path string) {
	t.Helper()
	script := "import sys, pandas as pd; pd.read_csv(sys.argv[1]).to_parquet(sys.argv[2])"
	plain := filepath.Join(filepath.Dir(path), "plain.csv")
	if strings.HasPrefix(filepath.Base(path), "years") {
		plain = filepath.Join(filepath.Dir(path), "years.csv")
	}
	if said, err := exec.CommandContext(t.Context(), needs.Python(), "-c", script, plain, path).CombinedOutput(); err != nil {
		t.Logf("pandas writes no .parquet file: %v: %s", err, said)
	}
}

func array(t *testing.T, path string) {
	t.Helper()
	if err := dataio.WriteSignals(path, &signals.Set{Y: checks.Chain(3, 5, 60), Names: []string{"v0", "v1", "v2", "v3", "v4"}}); err != nil {
		t.Fatal(err)
	}
}

// A doorAnswer is what a door gives for a file.
type doorAnswer struct {
	Edges   []string // source, target, weight and confidence
	Verdict string
	Said    []string // notes and warnings, each as a sentence
	Codes   string   // their shape, how many are not zero, and their sum; "" if the door gives none
	Error   string
}

// inMemory is what Python says of an array that seems to lie on its side.
var inMemory = regexp.MustCompile(`^X has (\d+) rows and (\d+) columns, .* pass X\.T$`)

// plain is an answer without what doors call otherwise: the file, how to transpose it, and how to leave a column out.
func (a doorAnswer) plain(file string) doorAnswer {
	for _, words := range []string{"add options={'read': {'transpose': True}}", "transpose them with t(x)", "transpose them with Y'", "add options = list(read = list(transpose = TRUE))", "add 'options', struct('read', struct('transpose', true))"} {
		a.Error = strings.ReplaceAll(a.Error, words, "add --transpose")
		for k := range a.Said {
			a.Said[k] = strings.ReplaceAll(a.Said[k], words, "add --transpose")
		}
	}
	for k, said := range a.Said {
		a.Said[k] = inMemory.ReplaceAllString(said, "$2 vertices and $1 signals: if vertices are in rows, add --transpose")
	}
	a.Error = strings.NewReplacer(" (--columns)", "", " (read.columns)", "").Replace(a.Error)
	a.Error = strings.TrimPrefix(strings.TrimPrefix(a.Error, "nervure: "), file+": ")
	slices.Sort(a.Edges)
	return a
}

// doors are the ways to the tool, which all start in the directory of the files.
type doors struct {
	*testing.T
	tool, dir string
	cases     []doorCase
	through   map[string][]doorCase            // the files that go through each door
	answers   map[string]map[string]doorAnswer // by door and file
}

// ways are the doors besides learn, the narrowest first, and which files go through them.
var ways = []struct {
	door  string
	takes func(doorCase) bool
}{
	{"octave matrix", func(c doorCase) bool { return c.octave != "" }},
	{"python array", func(c doorCase) bool { return c.numpy != "" }},
	{"r frame", func(c doorCase) bool { return c.r != none }},
	{"python frame", func(c doorCase) bool { return c.pandas != none }},
	{"browser", anyFile},
	{"server", anyFile},
	{"run", anyFile},
	{"batch", anyFile},
	{"cluster", anyFile},
	{"python file", anyFile},
	{"r file", anyFile},
	{"octave file", anyFile},
}

func anyFile(doorCase) bool { return true }

// cover chooses files for each door: four of those that have gone through fewest doors before, so that each goes through
// two. With make test-all, every file goes through every door, but that only some start WebAssembly.
func cover(cases []doorCase) map[string][]doorCase {
	through, doors := map[string][]doorCase{}, map[string]int{}
	for _, way := range ways {
		list := slices.Clone(cases)
		slices.SortStableFunc(list, func(a, b doorCase) int { return doors[a.name] - doors[b.name] })
		for _, c := range list {
			if way.takes(c) && (len(through[way.door]) < 4 || needs.TestAll() && way.door != "browser") {
				through[way.door] = append(through[way.door], c)
				doors[c.name]++
			}
		}
	}
	return through
}

func TestEveryFileGoesThroughTwoDoorsAndEveryDoorHasFourFiles(t *testing.T) {
	doors := map[string]int{}
	for door, files := range cover(doorCases()) {
		if len(files) < 4 {
			t.Errorf("%s has %d files", door, len(files))
		}
		for _, c := range files {
			doors[c.name]++
		}
	}
	for _, c := range doorCases() {
		if doors[c.name] < 2 {
			t.Errorf("%s goes through %d doors", c.name, doors[c.name])
		}
	}
}

// The same file has the same graph, verdict, warnings, notes and errors through all doors.
func TestEveryDoorHasTheSameAnswer(t *testing.T) {
	dir := t.TempDir()
	tool, err := repository.Build(t.Context(), filepath.Join("..", ".."), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := doors{t, tool, dir, doorCases(), nil, map[string]map[string]doorAnswer{}}
	for _, c := range d.cases {
		c.write(t, filepath.Join(dir, c.name))
	}
	d.cases = slices.DeleteFunc(d.cases, func(c doorCase) bool {
		_, err := os.Stat(filepath.Join(dir, c.name))
		return err != nil
	})
	d.through = cover(d.cases)
	for _, door := range []struct {
		name string
		open func(doors)
	}{
		{"learn", doors.learn},
		{"run", doors.run},
		{"server", doors.server},
		{"browser", doors.browser},
		{"batch", doors.batch},
		{"cluster", doors.cluster},
		{"python", doors.python},
		{"r", doors.r},
		{"octave", doors.octave},
	} {
		t.Run(door.name, func(t *testing.T) {
			d := d
			d.T = t
			door.open(d)
		})
	}
	for _, c := range d.cases { // the files are what they are meant to be
		a := d.answers["learn"][c.name]
		if all := strings.Join(append(a.Said, a.Error), "\n"); !strings.Contains(all, c.want) || c.fails != (a.Error != "") {
			t.Errorf("learn %s: got %q, want %q", c.name, all, c.want)
		}
	}
	for door, answers := range d.answers {
		for file, got := range answers {
			want := d.answers["learn"][file].plain(file)
			if got.Codes == "" {
				want.Codes = ""
			}
			if got := got.plain(file); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %s: got\n%+v\nwant\n%+v", door, file, got, want)
			}
		}
		t.Logf("%s: %d files", door, len(answers))
	}
}

// keep notes an answer.
func (d doors) keep(door, file string, a doorAnswer) {
	if d.answers[door] == nil {
		d.answers[door] = map[string]doorAnswer{}
	}
	d.answers[door][file] = a
}

// keepFiles notes what a run of the tool has written, or what it complained about.
func (d doors) keepFiles(door string, c doorCase, complaint string) {
	d.Helper()
	if complaint != "" {
		d.keep(door, c.name, doorAnswer{Error: complaint})
		return
	}
	a := d.read(d.file("graph.json"), d.file("summary.json"))
	if c.codes {
		a.Codes = d.codes()
	}
	d.keep(door, c.name, a)
}

// do runs the tool, and returns the sentence it ends with.
func (d doors) do(stdin string, line ...string) (complaint string) {
	d.Helper()
	cmd := exec.CommandContext(d.Context(), line[0], line[1:]...)
	cmd.Dir, cmd.Stdin = d.dir, strings.NewReader(stdin)
	said, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 2 {
		_, complaint, ok = strings.Cut("\n"+string(said), "\nnervure: ")
		if !ok {
			d.Fatalf("%q: %s", line, said)
		}
		return strings.Join(strings.Fields(complaint), " ")
	}
	if err != nil {
		d.Fatalf("%q: %v\n%s", line, err, said)
	}
	return ""
}

// read reads the graph and the summary of a run.
func (d doors) read(graph, summary []byte) doorAnswer {
	d.Helper()
	var s document.Summary
	if err := json.Unmarshal(summary, &s); err != nil {
		d.Fatal(err)
	}
	a := doorAnswer{Verdict: s.Verdict, Said: append(s.Notes, s.Warnings...)}
	var g struct {
		Edges []struct {
			Source, Target string
			Weight         float64
			Confidence     *float64
		}
	}
	if err := json.Unmarshal(graph, &g); err != nil {
		d.Fatal(err)
	}
	for _, e := range g.Edges {
		confidence := ""
		if e.Confidence != nil {
			confidence = fmt.Sprint(*e.Confidence)
		}
		a.Edges = append(a.Edges, d.edge(e.Source, e.Target, e.Weight, confidence))
	}
	return a
}

// edge is an edge with its confidence, of which R and Octave may lose the last digit as they
// read it.
func (d doors) edge(source, target string, weight float64, confidence string) string {
	d.Helper()
	line := source + " " + target + " " + strconv.FormatFloat(weight, 'g', -1, 64)
	if confidence != "" && confidence != "NaN" {
		line += " " + strconv.FormatFloat(d.number(confidence), 'g', 14, 64)
	}
	return line
}

// codes tells what is in the file of codes.
func (d doors) codes() string {
	d.Helper()
	s, err := dataio.ReadSignals(filepath.Join(d.dir, "codes.npy"), dataio.ReadOptions{Transpose: true, KeepEmpty: true})
	if err != nil {
		d.Fatal(err)
	}
	atoms, columns := s.Y.Dims()
	count, sum := 0, 0.0
	for k := range atoms {
		for _, v := range s.Y.RawRowView(k) {
			sum += v
			if v != 0 {
				count++
			}
		}
	}
	return codesOf(atoms, columns, count, sum)
}

func codesOf(atoms, signals, count int, sum float64) string {
	return fmt.Sprintf("%d×%d, %d, %.9g", atoms, signals, count, sum)
}

func (d doors) file(parts ...string) []byte {
	d.Helper()
	content, err := os.ReadFile(filepath.Join(append([]string{d.dir}, parts...)...))
	if err != nil {
		d.Fatal(err)
	}
	return content
}
