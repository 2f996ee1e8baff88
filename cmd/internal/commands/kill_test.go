//go:build linux || darwin

package commands

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/internal/rng"
)

var writeKills = flag.Int("write-kills", 1, "how often each command is killed while it writes; -killseed says when")

// A writer is a command that is killed while it writes to out, with paths in its directory.
type writer struct {
	name string
	args []string
	old  []string // outputs that are there before
}

// writers are commands whose outputs take a while to write. in.csv and large.csv
// have graphs, and signals.csv has signals.
func writers() []writer {
	list := []writer{
		{
			"learn",
			[]string{"learn", "signals.csv", "--method", "correlation", "--confidence", "no", "--quiet", "--out", "out/graph.csv", "--laplacian", "out/l.npy", "--summary", "out/s.json", "--report", "out/r.html"},
			[]string{"graph.csv", "l.npy", "s.json", "r.html"},
		},
		{"generate", []string{"generate", "--graph", "er", "--vertices", "30", "--signals", "1000", "--seed", "2", "--out", "out"}, []string{"signals.csv", "truth.csv", "codes.npy", "manifest.json"}},
		{"generate into a new directory", []string{"generate", "--graph", "er", "--vertices", "30", "--signals", "1000", "--seed", "2", "--out", "out"}, nil},
	}
	for _, format := range []string{"mat", "csv.gz"} {
		list = append(list, writer{"convert to " + format, []string{"convert", "large.csv", "--out", "out/g." + format}, []string{"g." + format}})
	}
	return append(list, writer{"plot", []string{"plot", "in.csv", "--kind", "heatmap", "--out", "out/p.png"}, []string{"p.png"}})
}

// restore puts the old outputs into their places.
func (w writer) restore(t *testing.T, dir string) {
	t.Helper()
	for _, name := range w.old {
		put(t, filepath.Join(dir, "out", name), oldOutput)
	}
}

const oldOutput = "an old output\n"

// start starts the command in a directory.
func (w writer) start(t *testing.T, program, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, w.args...)
	cmd.Dir, cmd.Stderr = dir, &bytes.Buffer{}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// isTemporary reports whether a path is in the place of an output that is being written.
func isTemporary(path string) bool { return strings.Contains(path, ".nervure-") }

// unfinished lists what is in the place of outputs that are being written, or were.
func unfinished(dir string) (names []string) {
	list, _ := os.ReadDir(filepath.Join(dir, "out")) // there may be none yet
	for _, e := range list {
		if isTemporary(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// kill starts the command and kills it: at any moment, or just after it has begun to write.
// It reports whether it was still going on, and whether it was writing.
func (w writer) kill(t *testing.T, program, dir string, took time.Duration, random *rand.Rand) (killed, wrote bool) {
	t.Helper()
	before := unfinished(dir) // by one that was killed
	writes := func() bool {
		return slices.ContainsFunc(unfinished(dir), func(name string) bool { return !slices.Contains(before, name) })
	}
	cmd := w.start(t, program, dir)
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	moment := time.Duration(random.Float64() * float64(took))
	if random.IntN(3) > 0 {
		for begun := time.Now(); !writes() && time.Since(begun) < 3*took; {
			time.Sleep(100 * time.Microsecond)
		}
		moment = time.Duration(random.Float64() * float64(took) / 10)
	}
	select {
	case <-time.After(moment):
	case err := <-over:
		if err != nil {
			t.Fatalf("%s: %v: %s", w.name, err, cmd.Stderr)
		}
		return false, false
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	<-over
	return cmd.ProcessState.ExitCode() < 0, writes()
}

// sameButTimes compares two files without the seconds in them.
func sameButTimes(a, b string) bool {
	return times.ReplaceAllString(a, "") == times.ReplaceAllString(b, "")
}

// largeGraph is an edge list of some megabytes.
func largeGraph() string {
	var b strings.Builder
	b.WriteString("source,target,weight\n")
	for i := range 150 {
		for j := range i {
			fmt.Fprintf(&b, "vertex%d,vertex%d,%g\n", j, i, 1/float64(i+j))
		}
	}
	return b.String()
}

// torn lists the outputs that are neither whole nor as they were.
func (w writer) torn(t *testing.T, dir string, want map[string]string) (list []string) {
	t.Helper()
	after := tree(t, filepath.Join(dir, "out"))
	for name, text := range after {
		whole, known := want[name]
		switch {
		case isTemporary(name) || strings.HasSuffix(name, "/"):
		case !known:
			list = append(list, name+", which is no output")
		case text != oldOutput && !sameButTimes(text, whole):
			list = append(list, name)
		}
	}
	for _, name := range w.old {
		if _, ok := after[name]; !ok {
			list = append(list, name+", which is gone")
		}
	}
	return list
}

// Commands are killed with SIGKILL while they write. Each output is whole or as it was, and
// the next run removes what was left and ends as if nothing had happened. More of it:
//
//	go test ./cmd/internal/commands -run KilledWriters -write-kills 20 -v
func TestKilledWritersLeaveOutputsWholeOrUntouched(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees nothing of other processes")
	}
	program := buildTool(t)
	source := t.TempDir()
	for _, args := range [][]string{
		{"generate", "--graph", "er", "--vertices", "40", "--signals", "60", "--out", source},
		{"learn", filepath.Join(source, "signals.csv"), "--method", "knn", "--param", "k=30", "--confidence", "no", "--quiet", "--out", filepath.Join(source, "in.csv")},
	} {
		if code, _, stderr := run(t.Context(), nil, args...); code != views.ExitDone {
			t.Fatal(stderr)
		}
	}
	killed, wrote, faults := 0, 0, 0
	for k, w := range writers() {
		t.Run(w.name, func(t *testing.T) {
			random := rng.Stream(*killSeed, "write kills", k)
			dir := t.TempDir()
			for _, name := range []string{"in.csv", "signals.csv"} {
				text, err := os.ReadFile(filepath.Join(source, name))
				if err != nil {
					t.Fatal(err)
				}
				put(t, filepath.Join(dir, name), string(text))
			}
			put(t, filepath.Join(dir, "large.csv"), largeGraph())
			if w.old != nil || w.args[0] != "generate" {
				if err := os.Mkdir(filepath.Join(dir, "out"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			end := func() map[string]string {
				t.Helper()
				if cmd := w.start(t, program, dir); cmd.Wait() != nil {
					t.Fatalf("%v: %s", cmd.ProcessState, cmd.Stderr)
				}
				return tree(t, filepath.Join(dir, "out"))
			}
			begun := time.Now()
			want := end()
			took := time.Since(begun)
			mine := 0
			for tries := 0; mine < *writeKills && tries < 10**writeKills; tries++ {
				if w.restore(t, dir); w.old == nil {
					if err := os.RemoveAll(filepath.Join(dir, "out")); err != nil {
						t.Fatal(err)
					}
				}
				dead, inWrite := w.kill(t, program, dir, took, random)
				if !dead {
					continue
				}
				mine++
				if inWrite {
					wrote++
				}
				if _, err := os.Stat(filepath.Join(dir, "out")); errors.Is(err, os.ErrNotExist) {
					continue
				}
				if torn := w.torn(t, dir, want); torn != nil {
					faults++
					t.Errorf("kill %d of seed %d: neither whole nor as they were: %v", mine, *killSeed, torn)
				}
			}
			killed += mine
			got := end()
			for name, text := range got {
				if whole, ok := want[name]; !ok || !sameButTimes(text, whole) {
					faults++
					t.Errorf("after %d kills the next run leaves %s otherwise", mine, name)
				}
			}
			if len(got) != len(want) {
				faults++
				t.Errorf("after %d kills the next run leaves %d files, want %d", mine, len(got), len(want))
			}
		})
	}
	t.Attr("tried", fmt.Sprint(killed))
	t.Attr("faults", fmt.Sprint(faults))
	t.Attr("note", fmt.Sprintf("%d of the kills while an output was being written", wrote))
}
