package cohorts

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
)

// Rows that are drawn have the precision matrix they are drawn from, and each is correlated with the one before.
func TestSignalsHaveTheirPrecisionAndOrder(t *testing.T) {
	draw := stream(1, "test", 0)
	of := newPopulation(6, 2, draw).precision[0]
	for _, ar := range []float64{0, 0.7} {
		y := signals(of, 40_000, ar, draw)
		var covariance, product mat.Dense
		covariance.Mul(y, y.T())
		covariance.Scale(1.0/40_000, &covariance)
		product.Mul(&covariance, of)
		for i := range 6 {
			row, lagged, own := y.RawRowView(i), 0.0, 0.0
			for k := 1; k < len(row); k++ {
				lagged += row[k] * row[k-1]
				own += row[k] * row[k]
			}
			if math.Abs(lagged/own-ar) > 0.03 {
				t.Errorf("a row is correlated by %.3f with the one before, want %g", lagged/own, ar)
			}
			for j := range 6 {
				want := 0.0
				if i == j {
					want = 1
				}
				if off := product.At(i, j) - want; math.Abs(off) > 0.15 {
					t.Errorf("covariance times precision is off by %.3f at %d, %d", off, i, j)
				}
			}
		}
	}
}

// The groups of a population differ by the edges that it names and by no others.
func TestPopulationsDifferWhereTheySay(t *testing.T) {
	for _, changes := range []int{0, 1, 10} {
		p := newPopulation(10, changes, stream(2, "test", changes))
		for _, pair := range groups.AllPairs(10) {
			differ := p.precision[0].At(pair[0], pair[1]) != p.precision[1].At(pair[0], pair[1])
			if differ != slices.Contains(p.changed, pair) {
				t.Errorf("%d changes: pair %v: differ %t", changes, pair, differ)
			}
		}
		if len(p.changed) != changes {
			t.Errorf("%d edges differ, want %d", len(p.changed), changes)
		}
	}
}

// Named edges are counted by hand: of two that differ one is named, beside one that does not.
func TestOutcomesAreCounted(t *testing.T) {
	var o outcome
	o.score([]pair{{[2]int{0, 1}, 0.01, 0.05}, {[2]int{0, 2}, 0.04, 0.2}, {[2]int{1, 2}, 0.03, 0.1}, {[2]int{1, 3}, 0.5, 0.9}}, [][2]int{{0, 1}, {0, 2}})
	if want := (outcome{found: 0.5, wrong: 0.5, foundP: 1, wrongP: 0.5}); o != want {
		t.Errorf("got %+v, want %+v", o, want)
	}
}

// The same seed gives the same record, at any number of threads, and what is there is left alone.
func TestMeasuringResumes(t *testing.T) {
	results := filepath.Join(t.TempDir(), "groups.jsonl")
	var all [2][]Record
	for k := range all {
		var log strings.Builder
		m := Measurement{Seed: 5, Only: []string{"size N=10 AR=0 changes=1", "size before"}, Threads: 1 + k, Log: &log, studies: 4}
		if err := m.Measure(t.Context(), results); err != nil {
			t.Fatal(err)
		}
		var err error
		if all[k], err = ReadRecords(results); err != nil {
			t.Fatal(err)
		}
		m.Missing = true
		log.Reset()
		if err := m.Measure(t.Context(), results); err != nil || log.Len() > 0 {
			t.Errorf("measured again: %q, %v", &log, err)
		}
	}
	if !reflect.DeepEqual(all[0], all[1]) || len(all[0]) != 2 || all[0][1].Found == 0 {
		t.Errorf("got %+v and %+v", all[0], all[1])
	}
	if err := (Measurement{Only: []string{"nothing"}}).Measure(t.Context(), ""); err == nil {
		t.Error("nothing was measured without an error")
	}
}

// drawnRows writes a study of people, and returns their signals.
func drawnRows(t *testing.T, path string) *nervure.Signals {
	t.Helper()
	draw := stream(7, "rows", 0)
	set := &nervure.Signals{Y: mat.NewDense(5, 160, nil), Names: graph.DefaultNames(5), Labels: map[string][]string{}}
	p := newPopulation(5, 1, draw)
	text := "group,v0,v1,v2,v3,v4\n"
	for k := range 160 {
		group := []string{"a", "b"}[k%2]
		y := mat.Col(nil, 0, signals(p.precision[k%2], 1, 0, draw))
		set.Y.SetCol(k, y)
		set.Labels["group"] = append(set.Labels["group"], group)
		text += fmt.Sprintf("%s,%g,%g,%g,%g,%g\n", group, y[0], y[1], y[2], y[3], y[4])
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return set
}

// By whichever method graphs are learned, rows are compared alike; so the measurement may take a quick one.
func TestTheTestOfRowsDoesNotDependOnTheMethod(t *testing.T) {
	set := drawnRows(t, filepath.Join(t.TempDir(), "rows.csv"))
	first, err := compareRows(t.Context(), set, nervure.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	second, err := compareRows(t.Context(), set, nervure.Options{Threads: 1, Method: baseline.GGM{}, Structure: nervure.No})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first, second) {
		t.Errorf("got %+v and %+v", first.Whole, second.Whole)
	}
}

// What rivals wrote is read, and this tool compares the same studies.
func TestStudiesOfRivalsAreRead(t *testing.T) {
	dir := t.TempDir()
	cell := filepath.Join(dir, "rows", "n5-m80-c1")
	if err := os.MkdirAll(cell, 0o755); err != nil {
		t.Fatal(err)
	}
	drawnRows(t, filepath.Join(cell, "study-000.csv"))
	for name, text := range map[string]string{
		filepath.Join(cell, "truth.csv"):         "study,source,target,kind,before,after\nstudy-000,v0,v2,removed,0.3,0\n",
		filepath.Join(cell, "nct-0.5.csv"):       "study,maximum,strength,seconds\nstudy-000,0.05,0.2,3\n",
		filepath.Join(cell, "nct-0.5-edges.csv"): "study,source,target,p,q\nstudy-000,v2,v0,0.01,0.1\nstudy-000,v1,v0,0.2,0.9\n",
		filepath.Join(dir, "nilearn.csv"):        "cell,study,edges,found,f1,f1_true_count,alpha,seconds\ngrid-n20-m100,study-002,30,170,0.3,0.9,0.01,31.5\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	results := filepath.Join(dir, "groups.jsonl")
	m := Measurement{Seed: 1, Data: dir, Only: []string{"power", "pool " + Nilearn}, Threads: 1, Log: &strings.Builder{}}
	if err := m.Measure(t.Context(), results); err != nil {
		t.Fatal(err)
	}
	list, err := ReadRecords(results)
	if err != nil || len(list) != 3 {
		t.Fatalf("got %+v, %v", list, err)
	}
	if r := list[1]; r.By != NCT || r.Whole != 1 || r.Strength != 0 || r.Found != 1 || r.FalseP != 0 || r.Seconds != 3 {
		t.Errorf("NetworkComparisonTest: %+v", r)
	}
	if r := list[0]; r.By != "" || r.Studies != 1 {
		t.Errorf("this tool: %+v", r)
	}
	if r := list[2]; r.Study != 3 || r.Edges != 30 || r.Drawn != 170 || r.Right != 30 || r.AtTrue != 27 || r.Rows != 100 || r.Design != "grid" {
		t.Errorf("nilearn: %+v", r)
	}
}

// Subjects on one graph: the graph they have in common is found by all who learn it, here with rows to spare.
func TestCommonGraphsAreLearned(t *testing.T) {
	draw := stream(9, "common", 0)
	of := newPopulation(6, 0, draw).precision[0]
	s := &sharedStudy{names: graph.DefaultNames(6)}
	var edges []graph.Edge
	for _, pair := range groups.AllPairs(6) {
		if of.At(pair[0], pair[1]) != 0 {
			edges = append(edges, graph.Edge{I: pair[0], J: pair[1], Weight: 1})
		}
	}
	var err error
	if s.truth, err = graph.New(s.names, edges); err != nil {
		t.Fatal(err)
	}
	for range 6 {
		s.subjects = append(s.subjects, signals(of, 600, 0, draw))
	}
	for _, by := range learners {
		r, err := s.learn(t.Context(), Record{Setting: Setting{Part: Pool, By: by}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Units != 6 || r.Edges != len(edges) || r.F1() < 0.7 || r.AtTrue < len(edges)-1 {
			t.Errorf("%s: %+v", by, r)
		}
	}
}

// The targets of the comparison of groups, held by the committed results.
func TestCommittedResultsMeetTheirTargets(t *testing.T) {
	list, err := ReadRecords(filepath.Join("..", "..", "..", "..", Results))
	if err != nil {
		t.Fatal(err)
	}
	rejected, studies := 0, 0
	for _, r := range list {
		if r.Part != Size {
			continue
		}
		if r.False > 0.12 {
			t.Errorf("%s: %.3f of the named edges do not differ", r.name(), r.False)
		}
		if r.Changes > 0 {
			continue
		}
		rejected, studies = rejected+r.Whole, studies+r.Studies
		for what, share := range map[string]float64{"whole graph": float64(r.Whole) / float64(r.Studies), "strength": float64(r.Strength) / float64(r.Studies), "vertices": r.VerticesP, "edges": r.FalseP} {
			if share < 0.036 || share > 0.064 {
				t.Errorf("%s: %s rejected in %.4f of studies", r.name(), what, share)
			}
		}
	}
	if share := float64(rejected) / float64(max(1, studies)); studies < 1000 || share < 0.04 || share > 0.06 {
		t.Errorf("pooled: %.4f of %d studies are rejected", share, studies)
	}
}
