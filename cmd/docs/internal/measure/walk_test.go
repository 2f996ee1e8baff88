package measure

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/docs/internal/terminal"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
)

// fewStations copies the set of the walk with that many stations and hours.
func fewStations(t *testing.T, dir string, stations, hours int) {
	t.Helper()
	const set = "examples/molene/"
	y, err := dataio.ReadSignals(filepath.Join(root, set, "signals.csv"), dataio.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := dataio.ReadGraph(filepath.Join(root, set, "truth.csv"), y.Names)
	if err != nil {
		t.Fatal(err)
	}
	edges := slices.DeleteFunc(whole.Edges(), func(e graph.Edge) bool { return max(e.I, e.J) >= stations })
	some, err := graph.New(y.Names[:stations], edges)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, set), 0o755); err != nil {
		t.Fatal(err)
	}
	y = &nervure.Signals{Y: mat.DenseCopyOf(y.Y.Slice(0, stations, 0, hours)), Names: y.Names[:stations]}
	if err := dataio.WriteSignals(filepath.Join(dir, set, "signals.csv"), y); err != nil {
		t.Fatal(err)
	}
	if err := dataio.WriteGraph(filepath.Join(dir, set, "truth.csv"), some); err != nil {
		t.Fatal(err)
	}
}

// The commands of the page run, here on four stations and a day, and all that the
// page shows is kept.
func TestWalkRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	shell := terminal.Terminal{Dir: t.TempDir(), Bin: filepath.Dir(tool(t))}
	fewStations(t, shell.Dir, 4, 24)
	text, err := runWalk(t.Context(), shell)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if none, err := ReadWalk(root); err != nil || len(none) > 0 {
		t.Errorf("a walk that was never run shows %v, %v", none, err)
	}
	if err := os.MkdirAll(filepath.Join(root, "docs/results"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, WalkResults), text, 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := ReadWalk(root)
	if err != nil || len(kept) != len(Walk)+len(walkGraphs) || !strings.HasPrefix(kept[WalkGraph], "source,target,weight") {
		t.Errorf("%v, %v", kept, err)
	}
	for _, s := range Walk {
		for command := range strings.Lines(s.Commands) {
			if !strings.Contains("\n"+kept[s.Name], "\n$ "+command) {
				t.Errorf("%s: %s is not shown:\n%s", s.Name, command, kept[s.Name])
			}
		}
	}
}
