package nervure_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var recordWalk = flag.Bool("walk", false, "run the commands of docs/real-data.md anew and keep what they print")

// walkResults is what the commands printed when they were last run, and the graphs
// they wrote.
const walkResults = "docs/results/molene.txtar"

// A step is commands of docs/real-data.md, by the name of their place there.
type step struct{ name, commands string }

// walk is the way through a set of real data, in order, in one directory.
var walk = []step{
	{"look", "nervure learn examples/molene/signals.csv --confidence no --out first.csv\n"},
	{"difference", "nervure learn examples/molene/signals.csv --difference --out graph.csv\nhead -n 4 graph.csv\n"},
	{"compare", "nervure compare examples/molene/signals.csv --difference\n"},
	{"truth", "nervure evaluate --truth examples/molene/truth.csv first.csv\nnervure evaluate --truth examples/molene/truth.csv graph.csv\n"},
	{"gaps", `awk -F, -v OFS=, 'NR > 1 { for (i = 1; i <= NF; i++) if ((7*NR + 13*i) % 50 == 0) $i = "" } 1' examples/molene/signals.csv > gaps.csv
nervure learn gaps.csv --difference --confidence no --out gaps-graph.csv
nervure evaluate --truth graph.csv gaps-graph.csv
`},
}

// walkGraphs are the files that are kept of it.
var walkGraphs = []string{"first.csv", "graph.csv", "gaps-graph.csv"}

// TestRecordWalk runs the commands on the whole set and keeps what they print.
// `make realdata` calls it.
func TestRecordWalk(t *testing.T) {
	if !*recordWalk {
		t.Skip("make realdata runs the commands of docs/real-data.md on the whole set")
	}
	tool, dir := buildTool(t), t.TempDir()
	copyFile(t, "examples/molene/signals.csv", filepath.Join(dir, "examples/molene/signals.csv"))
	copyFile(t, "examples/molene/truth.csv", filepath.Join(dir, "examples/molene/truth.csv"))
	kept := &txtar.Archive{}
	for _, s := range walk {
		kept.Files = append(kept.Files, txtar.File{Name: s.name, Data: []byte(s.run(t, tool, dir))})
	}
	for _, name := range walkGraphs {
		kept.Files = append(kept.Files, txtar.File{Name: name, Data: []byte(read(t, filepath.Join(dir, name)))})
	}
	if err := os.WriteFile(walkResults, txtar.Format(kept), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The commands of the page run: here on four stations and a day.
func TestWalkRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash here")
	}
	const stations, hours = 4, 24
	tool, dir := buildTool(t), t.TempDir()
	table := readTable(t, "examples/molene/signals.csv")
	var signals strings.Builder
	for _, row := range table[:hours+1] {
		signals.WriteString(strings.Join(row[:stations], ",") + "\n")
	}
	var edges strings.Builder
	for k, row := range readTable(t, "examples/molene/truth.csv") {
		if k == 0 || slices.Contains(table[0][:stations], row[0]) && slices.Contains(table[0][:stations], row[1]) {
			edges.WriteString(strings.Join(row, ",") + "\n")
		}
	}
	if err := errors.Join(
		os.MkdirAll(filepath.Join(dir, "examples/molene"), 0o755),
		os.WriteFile(filepath.Join(dir, "examples/molene/signals.csv"), []byte(signals.String()), 0o600),
		os.WriteFile(filepath.Join(dir, "examples/molene/truth.csv"), []byte(edges.String()), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	for _, s := range walk {
		if text := s.run(t, tool, dir); strings.Count(text, "\n$ ")+1 != strings.Count(s.commands, "\n") {
			t.Errorf("%s: not every command is shown:\n%s", s.name, text)
		}
	}
}

// run runs the commands in a directory and returns them with what they print, as
// in a terminal.
func (s step) run(t *testing.T, tool, dir string) string {
	t.Helper()
	path := filepath.Dir(tool) + string(os.PathListSeparator) + os.Getenv("PATH")
	var text strings.Builder
	for command := range strings.Lines(s.commands) {
		cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+path, "LC_ALL=C.UTF-8")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s%s%v", command, out, err)
		}
		text.WriteString("$ " + command + string(out))
	}
	return text.String()
}
