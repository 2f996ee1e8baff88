package study

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
)

// patients writes a recording for each subject of two groups, in turn, on a path of vertices; in the group ill, the
// first two are not joined. It returns the files and a table about them.
func patients(t *testing.T, each, rows int) ([]string, *dataio.TextTable) {
	t.Helper()
	const n = 6
	dir := t.TempDir()
	var files []string
	table := &dataio.TextTable{Header: []string{"person", "recording", "group", "age", "sex"}}
	for s := range 2 * each {
		draw := rng.Stream(3, "subjects", s)
		set := &nervure.Signals{Y: mat.NewDense(n, rows, nil)}
		group, name := []string{"well", "ill"}[s%2], fmt.Sprintf("s%02d", s)
		for i := range n {
			set.Names = append(set.Names, fmt.Sprintf("v%d", i))
			along := 0.6 + 0.05*draw.NormFloat64()
			for k := range rows {
				x := draw.NormFloat64()
				if i > 1 || i == 1 && group == "well" {
					x += along * set.Y.At(i-1, k)
				}
				set.Y.Set(i, k, x)
			}
		}
		path := filepath.Join(dir, name+".csv")
		if err := dataio.WriteSignals(path, set); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
		table.Rows = append(table.Rows, []string{fmt.Sprintf("p%d", s/2), name, group, fmt.Sprint(20 + 7*s%50), []string{"f", "m"}[s/2%2]})
	}
	return files, table
}

// grouped is a batch that compares groups.
func grouped(t *testing.T, files []string, table *dataio.TextTable, g Grouping, method string) Batch {
	t.Helper()
	g.Permutations = 199
	return Batch{
		Files: files, Dir: t.TempDir(), Groups: &Members{Grouping: g, Table: table, File: "table.csv"},
		Learn: document.Run{
			Method:  document.RunMethod{Name: method},
			Prepare: document.RunPrepare{Rows: "independent"},
			Check:   document.RunCheck{Structure: "no", Confidence: "no"},
		},
	}
}

// comparisonIn reads what a batch has found.
func comparisonIn(t *testing.T, dir string) document.GroupComparison {
	t.Helper()
	var d document.GroupComparison
	content, err := os.ReadFile(filepath.Join(dir, "groups.json"))
	if err == nil {
		err = json.Unmarshal(content, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// joined reports whether two vertices have an edge.
func joined(g *graph.Graph, from, to string) bool {
	names := g.Names()
	return slices.ContainsFunc(g.Edges(), func(e graph.Edge) bool { return names[e.I] == from && names[e.J] == to })
}

// The edge that one group lacks is found by any method, with pairs and a covariate; all that is named is written.
func TestGroupsOfFilesAreCompared(t *testing.T) {
	files, table := patients(t, 10, 80)
	for _, c := range []struct {
		method, value string
		by            Grouping
	}{
		{"glasso", "partial correlation", Grouping{By: "group", Covariate: "age"}},
		{"correlation", "partial correlation", Grouping{By: "group", Paired: "person"}},
		{"causal", "weight", Grouping{By: "group"}},
	} {
		b := grouped(t, files, table, c.by, c.method)
		if c.method == "causal" {
			b.Learn.Prepare.Rows = "time"
		}
		index := mustLearn(t, b)
		d := comparisonIn(t, b.Dir)
		if d.Value != c.value || d.Units != 20 || d.Answer != index.Answer {
			t.Errorf("%s: %s of %d, %q and %q", c.method, d.Value, d.Units, d.Answer, index.Answer)
		}
		if c.value == "partial correlation" { // others learn graphs of something else
			if d.Whole > 0.01 || len(d.Edges) == 0 || d.Edges[0].Source != "v0" || d.Edges[0].Target != "v1" {
				t.Errorf("%s: p %g, %+v", c.method, d.Whole, d.Edges)
			}
			for _, g := range d.Groups {
				file, err := dataio.ReadGraphFile(filepath.Join(b.Dir, g.Graph))
				if err != nil {
					t.Fatal(err)
				}
				if joined(file.Graph, "v0", "v1") != (g.Name == "well") || file.Graph.EdgeCount() != g.Edges {
					t.Errorf("%s: the graph of %s is wrong", c.method, g.Name)
				}
				for _, share := range file.Graph.Confidence() {
					if share < 0.5 {
						t.Errorf("%s: %g of the graphs of %s have an edge", c.method, share, g.Name)
					}
				}
			}
		}
		page, err := os.ReadFile(filepath.Join(b.Dir, "groups.html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(page), `href="`)[1:] { // what the page offers is there
			name, _, _ := strings.Cut(part, `"`)
			if _, err := os.Stat(filepath.Join(b.Dir, name)); err != nil && name != "data:," {
				t.Error(err)
			}
		}
	}
}

// All bytes are the same at any number of threads, and what another question has left is removed.
func TestGroupsAreTheSameHoweverTheyAreCompared(t *testing.T) {
	files, table := patients(t, 6, 60)
	one := grouped(t, files, table, Grouping{By: "group"}, "correlation")
	mustLearn(t, one)
	want := contents(t, one.Dir)
	if want["s03.pooled.csv"] == "" || want["group-ill.svg"] == "" {
		t.Fatal("graphs are missing")
	}
	two := grouped(t, files, table, Grouping{By: "sex"}, "correlation")
	two.Threads = 3
	mustLearn(t, two)
	if _, err := os.Stat(filepath.Join(two.Dir, "group-f.csv")); err != nil {
		t.Fatal(err)
	}
	two.Groups.By = "group"
	fresh := 0
	two.Progress = func(p Progress) { fresh = p.Fresh }
	mustLearn(t, two)
	same(t, contents(t, two.Dir), want)
	if fresh > 0 {
		t.Errorf("%d graphs were learned again", fresh)
	}
	two.Spare = []string{filepath.Join(two.Dir, "group-ill.csv")}
	if _, err := two.Run(t.Context()); input.Find(err) == nil {
		t.Errorf("a graph is written over a file that was read: %v", err)
	}
	two.Groups, two.Spare = nil, nil
	mustLearn(t, two)
	if _, err := os.Stat(filepath.Join(two.Dir, "groups.json")); err == nil {
		t.Error("the comparison is still there")
	}
}

// Files are found in the table by any unique name; those that cannot be compared are named.
func TestFilesAreFoundInATable(t *testing.T) {
	files := []string{"a/s1.csv", "b/s1.csv", "b/s2.csv.gz", "b/s3.npy", "b/s4.csv", "b/s5.csv"}
	table := &dataio.TextTable{Header: []string{"n", "file", "group"}, Rows: [][]string{
		{
			"1",
			"a_s1",
			"x",
		}, {"2", "b/s1.csv", "y"}, {"3", "s2", "x"}, {"4", "s3", "y"}, {"5", "s3", "x"}, {"6", "s1", "x"}, {"7", `C:\two\s5.csv`, "y"},
	}}
	m := &Members{Grouping: Grouping{By: "group"}, Table: table, File: "t.csv"}
	if got, by, err := m.rowsOf(files); err != nil || by != 1 || !slices.Equal(got, []int{0, 1, 2, manyRow, noRow, 6}) {
		t.Errorf("rows %v by column %d: %v", got, by, err)
	}
	s, err := m.of(files)
	if err != nil || len(s.files) != 4 || len(s.left) != 2 {
		t.Errorf("%v: %+v", err, s)
	}
}

// Two columns that name the files in different rows are refused unless one is called "file" or, as the row numbers of
// R, has no name.
func TestColumnsThatBothNameFiles(t *testing.T) {
	files := []string{"1.csv", "2.csv", "3.csv"}
	table := &dataio.TextTable{Rows: [][]string{{"1", "3", "x"}, {"2", "1", "y"}, {"3", "2", "x"}}}
	m := &Members{Grouping: Grouping{By: "group"}, Table: table, File: "t.csv"}
	for first, want := range map[string]int{"": 1, "file": 0} {
		table.Header = []string{first, "id", "group"}
		rows, by, err := m.rowsOf(files)
		if err != nil || by != want || !slices.Equal(rows, [][]int{{0, 1, 2}, {1, 2, 0}}[want]) {
			t.Errorf("%q: rows %v by column %d, %v", first, rows, by, err)
		}
	}
	table.Header = []string{"row", "id", "group"}
	if _, err := m.of(files); input.Find(err) == nil || input.Find(err).File != "t.csv" {
		t.Errorf("got %v", err)
	}
	for _, row := range table.Rows {
		row[0] = row[1] // both say the same
	}
	if _, err := m.of(files); err != nil {
		t.Error(err)
	}
}

// A group may be called none; cells that say nothing are NA and the like.
func TestGroupsMayBeCalledNone(t *testing.T) {
	g := Grouping{By: "drug", Covariate: "age"}
	for cell, want := range map[string][2]bool{"None": {false, true}, "null": {false, true}, "none": {}, "": {true, true}, "NA": {true, true}, "NaN": {true, true}, "N/A": {true, true}} {
		if got := [2]bool{g.isMissing("drug", cell), g.isMissing("age", cell)}; got != want {
			t.Errorf("%q: got %v, want %v", cell, got, want)
		}
	}
}

// The graph of a file that has the name of an earlier group's graph stays.
func TestGraphsOfFilesAreNotTidiedAway(t *testing.T) {
	files, table := patients(t, 4, 40)
	b := grouped(t, files, table, Grouping{By: "group"}, "correlation")
	mustLearn(t, b)
	path := filepath.Join(filepath.Dir(files[0]), "group-ill.csv")
	if err := os.Rename(files[0], path); err != nil {
		t.Fatal(err)
	}
	b.Files[0], table.Rows[0][1] = path, "group-ill"
	b.Groups.By = "sex"
	mustLearn(t, b)
	if _, err := os.Stat(filepath.Join(b.Dir, "group-ill.csv")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(b.Dir, "group-well.csv")); err == nil {
		t.Error("the graph of an earlier group is still there")
	}
}

// What cannot be compared is refused before anything is learned if the table tells it, and in the index otherwise.
func TestGroupsThatCannotBeCompared(t *testing.T) {
	files, table := patients(t, 4, 40)
	for name, change := range map[string]func(m *Members){
		"no such column": func(m *Members) { m.By = "diagnosis" },
		"no file":        func(m *Members) { m.Table.Rows = [][]string{{"x", "y", "z", "1", "f"}} },
		"no numbers":     func(m *Members) { m.Covariate = "sex" },
		"one group": func(m *Members) {
			for _, row := range m.Table.Rows {
				row[2] = strings.Replace(row[2], "well", "NA", 1)
			}
		},
		"too few files": func(m *Members) { m.Table.Rows = m.Table.Rows[:4] },
	} {
		_, of := patients(t, 4, 1)
		b := grouped(t, files, of, Grouping{By: "group"}, "correlation")
		change(b.Groups)
		_, err := b.Run(t.Context())
		if fault := input.Find(err); fault == nil || fault.File != "table.csv" {
			t.Errorf("%s: got %v", name, err)
		}
		if entries, _ := os.ReadDir(b.Dir); len(entries) > 0 {
			t.Errorf("%s: something was written", name)
		}
	}
	for _, k := range []int{0, 2} { // two of the four that are well
		if err := os.WriteFile(files[k], []byte("a,b\n1,x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := grouped(t, files[:7], table, Grouping{By: "group"}, "correlation")
	if index := mustLearn(t, b); index.Learned != 5 || index.Failed != 2 || index.Unanswered == "" {
		t.Errorf("%d learned, %d failed: %q", index.Learned, index.Failed, index.Unanswered)
	}
	b.Files = files
	b.Groups.Table.Rows = b.Groups.Table.Rows[:7]
	if index := mustLearn(t, b); len(index.NotCompared) != 1 || !strings.HasPrefix(index.NotCompared[0], files[7]) {
		t.Errorf("left out: %q; %s", index.NotCompared, index.Unanswered)
	}
}

// Where nothing is found, notes say how few the files are, and how much of what they vary by is noise.
func TestFewFilesAreSaidToBeFew(t *testing.T) {
	files, table := patients(t, 6, 30)
	b := grouped(t, files, table, Grouping{By: "sex"}, "correlation")
	mustLearn(t, b)
	if d := comparisonIn(t, b.Dir); d.Whole <= clearly || len(d.Edges) > 0 || len(d.Notes) < 2 {
		t.Errorf("p %g, %d edges: %q", d.Whole, len(d.Edges), d.Notes)
	}
}

// A sensor that is dead in some files is not a difference between them.
func TestDeadSensorsAreNotCompared(t *testing.T) {
	files, table := patients(t, 4, 40)
	for k, row := range table.Rows {
		if row[2] == "ill" {
			continue
		}
		set, err := dataio.ReadSignals(files[k], dataio.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for r := range 40 {
			set.Y.Set(3, r, 0.1)
		}
		if err := dataio.WriteSignals(files[k], set); err != nil {
			t.Fatal(err)
		}
	}
	b := grouped(t, files, table, Grouping{By: "group"}, "glasso")
	index := mustLearn(t, b)
	if d := comparisonIn(t, b.Dir); d.Pairs != 10 {
		t.Errorf("%d pairs: %q; %s", d.Pairs, d.Notes, index.Unanswered)
	}
}
