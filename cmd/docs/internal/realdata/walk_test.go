package realdata

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/terminal"
)

// fewStations copies the set of the walk with that many stations and hours.
func fewStations(t *testing.T, dir string, stations, hours int) {
	t.Helper()
	table := make([][]string, 0, hours+1)
	all, err := readTable(filepath.Join(root, "examples/molene/signals.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all[:hours+1] {
		table = append(table, row[:stations])
	}
	edges, err := readTable(filepath.Join(root, "examples/molene/truth.csv"))
	if err != nil {
		t.Fatal(err)
	}
	edges = slices.DeleteFunc(edges, func(row []string) bool {
		return row[0] != "source" && !(slices.Contains(table[0], row[0]) && slices.Contains(table[0], row[1]))
	})
	for name, rows := range map[string][][]string{"signals.csv": table, "truth.csv": edges} {
		var text strings.Builder
		if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "examples/molene", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
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
	text, err := RunWalk(t.Context(), shell)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "walk.txtar")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := ReadWalk(path)
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

func TestAWalkThatWasNeverRunShowsNothing(t *testing.T) {
	if kept, err := ReadWalk(filepath.Join(t.TempDir(), "none")); err != nil || len(kept) > 0 {
		t.Errorf("%v, %v", kept, err)
	}
}
