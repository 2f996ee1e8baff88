package study

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

// open leaves all choices open, without what takes long.
var open = document.Run{Check: document.RunCheck{Structure: "no", Confidence: "no"}}

// subjects writes recordings of autoregressive noise that neighbours on a line share, with that many rows each.
func subjects(t *testing.T, rows ...int) []string {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for k, m := range rows {
		draw := rng.Stream(uint64(k), "subject")
		y := mat.NewDense(8, m, nil)
		for j := range m {
			shared := 0.0
			for i := range 8 {
				shared = 0.6*shared + draw.NormFloat64()
				before := 0.0
				if j > 0 {
					before = y.At(i, j-1)
				}
				y.Set(i, j, 0.7*before+shared)
			}
		}
		files = append(files, write(t, filepath.Join(dir, fmt.Sprintf("s%d.csv", k)), y, vertexNames(8)))
	}
	return files
}

func vertexNames(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("v%d", i))
	}
	return names
}

func write(t *testing.T, path string, y *mat.Dense, names []string) string {
	t.Helper()
	if err := dataio.WriteSignals(path, &nervure.Signals{Y: y, Names: names}); err != nil {
		t.Fatal(err)
	}
	return path
}

func summaryOf(t *testing.T, dir, name string) *document.Summary {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var s document.Summary
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestAllFilesAreLearnedByOneModel(t *testing.T) {
	files := subjects(t, 120, 150, 40)
	study := Batch{Files: append(files, filepath.Join(t.TempDir(), "gone.csv")), Dir: t.TempDir(), Learn: open}
	index := mustLearn(t, study)
	m := index.Model
	if m == nil || m.Files != 3 || m.Vertices != 8 || m.Signals != 310 || m.Because == "" || m.Method.Name != "field" || m.Prepare.Rows != "time" {
		t.Fatalf("got %+v", m)
	}
	for k, name := range []string{"s0", "s1", "s2"} {
		run := summaryOf(t, study.Dir, name).Run
		if !reflect.DeepEqual(run.Prepare, m.Prepare) || !reflect.DeepEqual(run.Method, m.Method) || !reflect.DeepEqual(run.Kernels, m.Kernels) {
			t.Errorf("%s was learned by %+v, and not by %+v", name, run, m)
		}
		again, err := learnArgs{Run: *run}.learn(t.Context(), inputs.Open)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := encoded(edgeList(again.Graph))
		if learned, _ := os.ReadFile(filepath.Join(study.Dir, name+".csv")); string(learned) != string(text) {
			t.Errorf("the run of %s gives another graph than that of %s", name, files[k])
		}
	}
	if all := summaryOf(t, study.Dir, allName); all.Method != "field" || all.Run != nil || all.Edges == 0 {
		t.Errorf("of all: got %s, %v, %d edges", all.Method, all.Run, all.Edges)
	}

	study.Each = true
	if index := mustLearn(t, study); index.Model != nil || summaryOf(t, study.Dir, "s0").Run.Method.Name != "" {
		t.Errorf("each by itself: got %+v", index.Model)
	}
	if _, err := os.Stat(filepath.Join(study.Dir, "all.csv")); err == nil {
		t.Error("the graph of all is left from another run")
	}
}

func TestSumsOfFewPatternsOnDifferentGraphsAreFoundToBeThat(t *testing.T) {
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 10, Seed: 8}, kernel.Paper(),
		synth.SignalSpec{Count: 60, Sparsity: 2, Noise: 0.1, Seed: 8})
	if err != nil {
		t.Fatal(err)
	}
	other := write(t, filepath.Join(t.TempDir(), "g8.csv"), truth.Signals, truth.Graph.Names())
	index := mustLearn(t, Batch{Files: append(recordings(t, 2, 10), other), Dir: t.TempDir(), Learn: open})
	if m := index.Model; m == nil || m.Method.Name != "sparse" || m.Method.Sparsity == 0 || len(m.Kernels.Given) == 0 || !strings.Contains(m.Because, "3 of 3 files") {
		t.Errorf("got %+v", m)
	}
}

func TestWhatIsAskedForIsNotChosen(t *testing.T) {
	learn := open
	learn.Method.Name, learn.Method.Params = "field", document.Params{"signed": 2}
	learn.Prepare = document.RunPrepare{Rows: "independent", Center: "no", Scale: "yes", Scores: "no", Log: false}
	index := mustLearn(t, Batch{Files: subjects(t, 60, 60), Dir: t.TempDir(), Learn: learn})
	m := index.Model
	if !reflect.DeepEqual(m.Prepare, learn.Prepare) || m.Method.Params["signed"] != 2 || m.Because != "" {
		t.Errorf("got %+v, asked for %+v", m, learn)
	}
	if m.Method.Params["order"] == 0 {
		t.Error("the order was not chosen")
	}
}

func TestVerticesAreMatchedByName(t *testing.T) {
	files := subjects(t, 60, 60, 60)
	set, err := dataio.ReadSignals(files[2], dataio.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// The last file in another order, without v0 and with a vertex that others do not have.
	names := []string{"v7", "v6", "v5", "v4", "v3", "v2", "v1", "x"}
	y := mat.NewDense(8, 60, nil)
	for i := range 8 {
		y.SetRow(i, set.Y.RawRowView(7-i))
	}
	write(t, files[2], y, names)
	index := mustLearn(t, Batch{Files: files, Dir: t.TempDir(), Learn: open})
	if m := index.Model; m == nil || m.Vertices != 7 || index.Rows[0].Note != "" || !strings.HasPrefix(index.Rows[2].Note, "lacks v0; ") {
		t.Errorf("got %+v, notes %q and %q", m, index.Rows[0].Note, index.Rows[2].Note)
	}

	write(t, files[2], y, []string{"v0", "v1", "a", "b", "c", "d", "e", "f"})
	index = mustLearn(t, Batch{Files: files, Dir: t.TempDir(), Learn: open})
	if index.Model != nil || index.Apart == "" || index.Learned != 3 || index.Rows[2].Note == "" {
		t.Errorf("got %+v, %q, note %q", index.Model, index.Apart, index.Rows[2].Note)
	}
}

func TestStretchesAreTheMiddleOfFiles(t *testing.T) {
	y := mat.NewDense(1, 9, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8})
	if got := middle(y, 4); !mat.Equal(got, mat.NewDense(1, 4, []float64{2, 3, 4, 5})) {
		t.Errorf("got %v", got)
	}
	if middle(y, 9) != y {
		t.Error("all is not taken")
	}
	s := stretch{names: []string{"a", "b", "c"}, y: mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})}.restricted([]string{"c", "a"})
	if !mat.Equal(s.y, mat.NewDense(2, 2, []float64{5, 6, 1, 2})) {
		t.Errorf("got %v", s.y)
	}
	list := make([]stretch, 11)
	for k := range list {
		list[k].all = k
	}
	var got []int
	for _, s := range spacedStretches(list, 3) {
		got = append(got, s.all)
	}
	if !slices.Equal(got, []int{0, 5, 10}) {
		t.Errorf("got %v", got)
	}
}

func TestCyclesAreThoseOfMostFiles(t *testing.T) {
	for _, c := range []struct {
		cycles [][]float64
		want   []float64
	}{
		{nil, nil},
		{[][]float64{{24}, {24.2}, {12, 24.1}}, []float64{24.1}},
		{[][]float64{{24}, {168}, {}}, nil},
		{[][]float64{{24, 168}, {168, 24}, {7}}, []float64{24, 168}},
		{[][]float64{{24}, {}}, nil}, // half are not most
	} {
		if got := commonPeriods(c.cycles); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.cycles, got, c.want)
		}
	}
}

func TestAWarningOfManyGraphsIsShownOnce(t *testing.T) {
	index := &document.Index{}
	for k, list := range [][]string{{"residual 0.12 of 3", "no gap"}, {"residual 0.2 of 4"}, {"residual 7 of 4", "residual 8 of 5"}} {
		index.Add(document.IndexRow{Name: fmt.Sprint("s", k), Warnings: list})
	}
	want := []warningCount{{"residual 0.12 of 3", 3, "s0, s1 and s2"}, {"no gap", 1, "s0"}}
	if got := warnings(index); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
