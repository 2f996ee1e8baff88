package study

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/signals"
)

// people returns rows of two groups on a path of vertices; the first edge is missing in the second group.
func people(each int) *signals.Set {
	const n = 6
	draw := rng.Stream(7, "people")
	s := &signals.Set{Y: mat.NewDense(n, 2*each, nil), Labels: map[string][]string{}}
	for i := range n {
		s.Names = append(s.Names, "q"+strconv.Itoa(i))
	}
	for k := range 2 * each {
		group, level := "ill", 3.0
		if k < each {
			group, level = "well", 0
		}
		for i := range n {
			x := draw.NormFloat64()
			if i > 1 || i == 1 && group == "well" {
				x += 0.6 * (s.Y.At(i-1, k) - level)
			}
			s.Y.Set(i, k, x+level) // groups have levels of their own
		}
		s.Labels["group"] = append(s.Labels["group"], group)
		s.Labels["age"] = append(s.Labels["age"], strconv.Itoa(20+k%50))
		s.Labels["who"] = append(s.Labels["who"], strconv.Itoa(k%each))
	}
	return s
}

// joins reports whether a graph has the edge in question.
func joins(g *graph.Graph) bool {
	return slices.ContainsFunc(g.Edges(), func(e graph.Edge) bool { return e.I == 0 && e.J == 1 })
}

func options(g Grouping) GroupOptions {
	g.Permutations = 199
	glasso, _ := nervure.MethodByName("glasso")
	return GroupOptions{Grouping: g, Learn: nervure.Options{Method: glasso.Default, Seed: 1, Threads: 1}}
}

// The edge that one group lacks is found, with and without pairs and a covariate, whatever the levels; and all is
// written.
func TestRowsOfGroupsAreCompared(t *testing.T) {
	s := people(150)
	for _, g := range []Grouping{{By: "group", Covariate: "age"}, {By: "group", Paired: "who"}} {
		found, err := LearnGroups(t.Context(), s, options(g))
		if err != nil {
			t.Fatal(err)
		}
		first := found.ranked()[0]
		if found.Test.Whole.P > 0.01 || first.I != 0 || first.J != 1 || first.Q > 0.05 || found.found() > 2 {
			t.Errorf("%+v: p %g, first %+v, %d found", g, found.Test.Whole.P, first, found.found())
		}
		if levels := found.Test.Levels; !reflect.DeepEqual(levels, []string{"ill", "well"}) || len(found.Graphs) != 3 {
			t.Errorf("groups %v, %d graphs", levels, len(found.Graphs))
		}
		if joins(found.Graphs[0]) || !joins(found.Graphs[1]) {
			t.Error("the graphs of the groups do not differ where they should")
		}
		dir := t.TempDir()
		if err := found.Write(dir, nil, "people", "nervure learn"); err != nil {
			t.Fatal(err)
		}
		var d document.GroupComparison
		content, err := os.ReadFile(filepath.Join(dir, "groups.json"))
		if err == nil {
			err = json.Unmarshal(content, &d)
		}
		if err != nil || d.Edges[0].Source != "q0" || d.Exact != (g.Covariate == "") || len(d.Groups) != 2 {
			t.Errorf("%v: %+v", err, d.Groups)
		}
		table, err := os.ReadFile(filepath.Join(dir, "differences.csv"))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
		if err != nil || len(rows) != 16 || strings.Join(rows[0][:6], " ") != "source target mean_ill mean_well difference low" {
			t.Errorf("%v: %v", err, rows[0])
		}
		for _, name := range []string{"group-ill.csv", "group-well.csv", "group.csv", "vertices.csv", "index.html"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
	}
}

// Rows without a label are left out and counted, and columns that cannot be used are refused.
func TestRowsWithoutLabels(t *testing.T) {
	s := people(60)
	s.Labels["group"][3] = ""
	found, err := LearnGroups(t.Context(), s, options(Grouping{By: "group"}))
	if err != nil {
		t.Fatal(err)
	}
	if found.Test.Units != 119 || len(found.Notes) == 0 {
		t.Errorf("%d units, %v", found.Test.Units, found.Notes)
	}
	s.Labels["age"][5] = "old"
	for _, g := range []Grouping{{By: "group", Covariate: "age"}, {}, {By: "who", Paired: "who"}} {
		if _, err := LearnGroups(t.Context(), s, options(g)); input.Find(err) == nil {
			t.Errorf("%+v: got %v", g, err)
		}
	}
}

// Long names of groups become names that file systems take, each its own.
func TestLongNamesOfGroups(t *testing.T) {
	long := strings.Repeat("€", 100)
	g := &Groups{Test: &groups.Comparison{Levels: []string{long + "a", long + "b"}}}
	beginning := "group-" + strings.Repeat("€", 26)
	if got, want := g.graphNames(), []string{beginning, beginning + "-2", "group"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
