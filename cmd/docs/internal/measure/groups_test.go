package measure

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/internal/rng"
)

// Rows that are drawn have the precision matrix they are drawn from, and each is correlated with the one before.
func TestSignalsHaveTheirPrecisionAndOrder(t *testing.T) {
	draw := rng.Stream(1, "test", 0)
	of := newPopulation(6, 2, draw).precision[0]
	for _, ar := range []float64{0, 0.7} {
		y := rowsOf(of, 40_000, ar, draw)
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
		p := newPopulation(10, changes, rng.Stream(2, "test", changes))
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
	var o tested
	o.score([]pair{
		{[2]int{0, 1}, 0.01, 0.05},
		{[2]int{0, 2}, 0.04, 0.2},
		{[2]int{1, 2}, 0.03, 0.1},
		{[2]int{1, 3}, 0.5, 0.9},
	}, [][2]int{{0, 1}, {0, 2}})
	if want := (tested{found: 0.5, wrong: 0.5, foundP: 1, wrongP: 0.5}); o != want {
		t.Errorf("got %+v, want %+v", o, want)
	}
}

// The same seed gives the same tests, at any number of threads.
func TestTestsOfGroupsDoNotDependOnThreads(t *testing.T) {
	c := cohort{TwoGroups, 10, 0, 1}
	var all [2]Values
	for k := range all {
		var err error
		if all[k], err = c.measure(t.Context(), 5, 4, 1+k); err != nil {
			t.Fatal(err)
		}
	}
	if !maps.Equal(all[0], all[1]) || all[0]["found"] == 0.0 || all[0]["studies"] != 4.0 {
		t.Errorf("got %v and %v", all[0], all[1])
	}
}

// drawnRows writes a study of people, and returns their signals.
func drawnRows(t *testing.T, path string) *nervure.Signals {
	t.Helper()
	draw := rng.Stream(7, "rows", 0)
	set := &nervure.Signals{Y: mat.NewDense(5, 160, nil), Names: graph.DefaultNames(5), Labels: map[string][]string{}}
	p := newPopulation(5, 1, draw)
	text := "group,v0,v1,v2,v3,v4\n"
	for k := range 160 {
		group := []string{"a", "b"}[k%2]
		y := mat.Col(nil, 0, rowsOf(p.precision[k%2], 1, 0, draw))
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
	var list [3]Values
	for k, part := range []struct{ stage, by string }{{Power, Tool}, {Power, NCT}, {Pool, Nilearn}} {
		list[k] = measured(t, groupStages, Options{Data: dir}, part.stage, "by="+part.by)
	}
	if v := list[1]; v["whole"] != 1.0 || v["strength"] != 0.0 || v["found"] != 1.0 || v["false_p"] != 0.0 || v["seconds"] != 3.0 {
		t.Errorf("NetworkComparisonTest: %v", v)
	}
	if v := list[0]; v["studies"] != 1.0 {
		t.Errorf("this tool: %v", v)
	}
	if v := list[2]; v["edges"] != 30.0 || v["found"] != 170.0 || v["right"] != 30.0 || v["at_true"] != 27.0 {
		t.Errorf("nilearn: %v", v)
	}
}

// Subjects that share a graph have it in common, by whoever learns it; a majority of them has a part of all
// edges that any has, and the best of either are the same.
func TestWhatSubjectsHaveInCommon(t *testing.T) {
	draw := rng.Stream(3, "pool", 0)
	of := newPopulation(8, 0, draw).precision[0]
	s := &sharedStudy{names: graph.DefaultNames(8)}
	var edges []graph.Edge
	for _, pair := range groups.AllPairs(8) {
		if w := of.At(pair[0], pair[1]); w != 0 {
			edges = append(edges, graph.Edge{I: pair[0], J: pair[1], Weight: -w})
		}
	}
	var err error
	if s.truth, err = graph.New(s.names, edges); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		s.subjects = append(s.subjects, rowsOf(of, 150, 0, draw))
	}
	all := map[string]Values{}
	for _, by := range []string{Tool, Separate, Majority, Stacked} {
		v, err := s.learn(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		if at := v["at_true"].(float64); v["edges"] != float64(len(edges)) || v["units"] != 4.0 || at < 0.8*float64(len(edges)) {
			t.Errorf("%s: %v", by, v)
		}
		all[by] = v
	}
	most, each := all[Majority], all[Separate]
	if most["found"].(float64) > each["found"].(float64) || most["at_true"] != each["at_true"] || most["seconds"] != each["seconds"] {
		t.Errorf("of a majority %v, of any %v", most, each)
	}
}
