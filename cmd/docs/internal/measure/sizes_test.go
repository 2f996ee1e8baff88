package measure

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/simulate"
)

// A small field learned in both ways: what is kept is what the graphs have.
func TestBothWaysAreMeasured(t *testing.T) {
	y, g, err := sizedField{simulate.Tree, false, 1, 30, 400}.draw(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{Local, Dense} {
		v, err := learnSized(t.Context(), y, truth(g), by, 1)
		if err != nil {
			t.Fatal(err)
		}
		found, right := v["found"].(float64), v["right"].(float64)
		if f1 := 2 * right / (found + 29); right > found || f1 < 0.8 || v["kernel"] != "matern:1" || v["edges"] != 29.0 || v["wrong"] != 0.0 {
			t.Errorf("%s: %v", by, v)
		}
		if sampled, is := v["sampled"].(float64); (is && sampled > 0) != (by == Local) {
			t.Errorf("%s was held against a sample of %g", by, sampled)
		}
	}
}

func TestSignedFieldsHaveNegativeEdges(t *testing.T) {
	_, g, err := sizedField{simulate.Sensors, true, 1, 100, 2}.draw(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	edges := g.Edges()
	for k := range edges {
		edges[k].Weight = 1
	}
	if wrong := wrongSigns(edges, g); g.Negative() == 0 || wrong != g.Negative() {
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
	s := sizedField{simulate.Tree, false, 1, 5, 10}
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
	got, err := rival{SKLearn, "sh", path}.learn(t.Context(), y, g, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Values{"found": 3.0, "right": float64(right), "seconds": 1.5, "penalty": 0.2, "failed": ""}); !maps.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if written, err := os.Stat(path + ".copy"); err != nil || written.Size() != 8*5*10 {
		t.Errorf("the signals were not written as they should be: %v", err)
	}
	// Of three penalties, one finds an edge, and the others none.
	edge := g.Edges()[0]
	other := fmt.Sprintf("case $5 in 0.45) echo %d,%d;; *) ;; esac > \"$1/edges.csv\"; echo '{\"seconds\": 1, \"penalty\": '$5'}'\n", edge.I, edge.J)
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err = rival{BigQUIC, "sh", path}.learn(t.Context(), y, g, 0.4)
	if want := (Values{"found": 1.0, "right": 1.0, "seconds": 1.0, "penalty": 0.45, "failed": ""}); err != nil || !maps.Equal(got, want) {
		t.Errorf("got %+v, want %+v (%v)", got, want, err)
	}
	if err := os.WriteFile(path, []byte("echo no >&2; exit 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (rival{SKLearn, "sh", path}).learn(t.Context(), y, g, 0.3); err == nil || !strings.Contains(err.Error(), "no") {
		t.Errorf("a program that fails gives %v", err)
	}
}

// On a grid, the least penalty keeps too many pairs and the largest too few.
func TestTheTruthChoosesAPenalty(t *testing.T) {
	y, g, err := sizedField{simulate.Grid, false, 1, 100, 200}.draw(t.Context(), 2)
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
