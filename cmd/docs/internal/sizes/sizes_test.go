package sizes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/internal/simulate"
)

const root = "../../../.."

func TestCommittedResultsAreOfKnownSettings(t *testing.T) {
	all, err := ReadRecords(filepath.Join(root, Results))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.Set != "" {
			continue
		}
		known := false
		for _, s := range settings(r.Part) {
			known = known || s == r.Setting
		}
		if !known {
			t.Errorf("%+v is no setting of %s", r.Setting, r.Part)
		}
	}
}

func TestWordsSelectWhatIsMeasured(t *testing.T) {
	for _, c := range []struct {
		name string
		only []string
		want int
	}{
		{"a part, a graph and a size, of three seeds", []string{"sizes grid N=2500 positive"}, 3},
		{"the largest if asked for", []string{"sizes grid positive N=99856"}, 1},
		{"two parts", []string{"crossing N=990", "crossing N=1010"}, 2},
	} {
		jobs, err := Measurement{Seeds: []uint64{1, 2, 3}, Only: c.only}.jobs()
		if err != nil || len(jobs) != c.want {
			t.Errorf("%s: %d jobs, want %d (%v)", c.name, len(jobs), c.want, err)
		}
	}
	jobs, err := Measurement{Seeds: []uint64{1}}.jobs()
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if j.record.Size == Largest || j.record.Part == Rivals {
			t.Errorf("%v is measured although nobody asked for it", j.words())
		}
	}
	if _, err := (Measurement{Seeds: []uint64{1}, Only: []string{"N=7"}}).jobs(); err == nil {
		t.Error("nothing was asked for, and nobody said so")
	}
}

// A small field learned in both ways: what is kept is what the graphs have.
func TestWhatIsMeasuredIsKept(t *testing.T) {
	s := Setting{Graph: simulate.Tree, Order: 1, Size: 30, Signals: 400}
	y, g, err := s.draw(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "results.jsonl")
	var log bytes.Buffer
	m := Measurement{Threads: 1, Log: &log}
	got := map[string]Outcome{}
	for _, by := range []string{Local, Dense} {
		o, err := m.learn(t.Context(), y, records.Truth{Graph: g}, by)
		if err != nil {
			t.Fatal(err)
		}
		r := Record{Part: Engines, Setting: s, Seed: 7, By: by, Vertices: 30, Edges: g.EdgeCount(), Outcome: o}
		if o.Right > o.Found || o.Wrong > o.Right || r.F1() < 0.8 || o.Kernel != "matern:1" {
			t.Errorf("%s: %+v", by, o)
		}
		if (o.Sampled > 0) != (by == Local) {
			t.Errorf("%s was held against a sample of %d", by, o.Sampled)
		}
		got[by] = o
		for range 2 { // the second in the place of the first
			if err := keep(path, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	all, err := ReadRecords(path)
	if err != nil || len(all) != 2 || all[0].Outcome != got[all[0].By] {
		t.Errorf("%+v was kept of %+v: %v", all, got, err)
	}
}

func TestSignedFieldsHaveNegativeEdges(t *testing.T) {
	_, g, err := Setting{Graph: simulate.Sensors, Signed: true, Order: 1, Size: 100, Signals: 2}.draw(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	edges := g.Edges()
	for k := range edges {
		edges[k].Weight = 1
	}
	if wrong := wrongSigns(edges, records.Truth{Graph: g}); g.Negative() == 0 || wrong != g.Negative() {
		t.Errorf("%d of %d edges have the wrong sign if all are positive", wrong, g.Negative())
	}
}

// A stand-in for another program, which finds every pair of a path.
func TestRivalsAreHeldAgainstTheTruth(t *testing.T) {
	scripts := t.TempDir()
	script := "cp \"$1/signals.bin\" \"$0.copy\"; printf '0,1\\n1,2\\n0,2\\n' > \"$1/edges.csv\"; echo working; echo '{\"seconds\": 1.5, \"penalty\": 0.2}'\n"
	path := filepath.Join(scripts, "rivals.py")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Setting{Graph: simulate.Tree, Order: 1, Size: 5, Signals: 10}
	y, g, err := s.draw(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, pair := range [][2]int{{0, 1}, {1, 2}, {0, 2}} {
		if g.HasEdge(pair[0], pair[1]) {
			right++
		}
	}
	got, err := Measurement{Python: "sh", Scripts: scripts}.rival(t.Context(), y, g, SKLearn, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Outcome{Found: 3, Right: right, Seconds: 1.5, Penalty: 0.2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if written, err := os.Stat(path + ".copy"); err != nil || written.Size() != 8*5*10 {
		t.Errorf("the signals were not written as they should be: %v", err)
	}
	// Of three penalties, one finds an edge, and the others none.
	edge := g.Edges()[0]
	other := fmt.Sprintf("case $5 in 0.45) echo %d,%d;; *) ;; esac > \"$1/edges.csv\"; echo '{\"seconds\": 1, \"penalty\": '$5'}'\n", edge.I, edge.J)
	if err := os.WriteFile(filepath.Join(scripts, "rivals.R"), []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err = Measurement{R: "sh", Scripts: scripts}.rival(t.Context(), y, g, BigQUIC, 0.4)
	if want := (Outcome{Found: 1, Right: 1, Seconds: 1, Penalty: 0.45}); err != nil || got != want {
		t.Errorf("got %+v, want %+v (%v)", got, want, err)
	}
	if err := os.WriteFile(path, []byte("echo no >&2; exit 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Measurement{Python: "sh", Scripts: scripts}).rival(t.Context(), y, g, SKLearn, 0.3); err == nil || !strings.Contains(err.Error(), "no") {
		t.Errorf("a program that fails gives %v", err)
	}
}

// On a grid, the least penalty keeps too many pairs and the largest too few.
func TestTheTruthChoosesAPenalty(t *testing.T) {
	y, g, err := Setting{Graph: simulate.Grid, Order: 1, Size: 100, Signals: 200}.draw(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	best, err := bestPenalty(t.Context(), y.Y, g)
	if err != nil {
		t.Fatal(err)
	}
	highest, err := lassoF1(t.Context(), y.Y, g, best)
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []float64{penalties[0], penalties[len(penalties)-1]} {
		if f1, err := lassoF1(t.Context(), y.Y, g, end); err != nil || f1 >= highest {
			t.Errorf("F1 is %g at %g and %g at %g, which is chosen (%v)", f1, end, highest, best, err)
		}
	}
}
