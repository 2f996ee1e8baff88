package measure

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/nervure/nervure/graph"
)

var abcd = []string{"a", "b", "c", "d"}

// directory makes one with the given files.
func directory(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// learned is a graph with the edges a–b and b–c.
func learned(t *testing.T) *graph.Graph {
	t.Helper()
	g, err := graph.New(abcd, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestScoreAgainstEdgesThatWeighEnough(t *testing.T) {
	dir := directory(t, map[string]string{"truth_edges.csv": "source,target,weight\na,b,0.9\nc,b,0.5\nc,d,0.7\n"})
	known, err := Set{lightest: 0.7}.target(dir, abcd)
	if err != nil {
		t.Fatal(err)
	}
	// One of two edges is true, one of two true edges is found.
	if got, err := known.score(learned(t)); err != nil || got != 0.5 {
		t.Errorf("F1 is %g, %v; want 0.5", got, err)
	}
	if got := known.chance(); math.Abs(got-2.0/6) > 1e-15 {
		t.Errorf("two of six pairs are true, but chance is %g", got)
	}
}

func TestScoreAgainstGroups(t *testing.T) {
	dir := directory(t, map[string]string{"vertices.csv": "name,size,group\na,1,x\nb,2,x\nc,3,y\nd,4,x\n"})
	known, err := Set{groups: "group"}.target(dir, abcd)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := known.score(learned(t)); err != nil || got != 0.5 {
		t.Errorf("the share inside groups is %g, %v; want 0.5", got, err)
	}
	if got := known.chance(); got != 0.5 {
		t.Errorf("three of six pairs are inside a group, but chance is %g", got)
	}
	if _, err := (Set{groups: "colour"}).target(dir, abcd); err == nil {
		t.Error("a column that is not there is no error")
	}
}
