package commands

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/rng"
)

var (
	kills    = flag.Int("kills", 1, "how often each run with --checkpoint is killed")
	killSeed = flag.Uint64("killseed", 1, "seed of when that is; any must pass")
)

// killedRuns are a sparse one and a field; package learn kills others. generate makes their signals.
var killedRuns = []struct {
	name            string
	generate, learn []string
}{
	{"noisy", []string{"--graph", "er", "--vertices", "10", "--signals", "40", "--noise", "0.2"}, []string{"--method", "sparse", "--rounds", "4"}},
	{"field", []string{"--kind", "field", "--graph", "er", "--vertices", "10", "--signals", "60"}, []string{"--method", "field", "--confidence", "yes"}},
}

// written are the files that a run writes, times aside.
var written = []string{"graph.csv", "summary.json", "report.html", "codes.npy"}

var times = regexp.MustCompile(`"seconds": [^,]*,`)

// Killed at random moments and begun again, a run ends with the same bytes.
//
//	go test ./cmd/internal/commands -run Killed -kills 20 -v
func TestKilledRunsEndWithTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees nothing of other processes")
	}
	program := buildTool(t)
	died, faults := 0, 0
	for k, c := range killedRuns {
		ok := t.Run(c.name, func(t *testing.T) {
			random := rng.Stream(*killSeed, "kills", k)
			plain, killed := t.TempDir(), t.TempDir()
			outputs := []string{"--out", "graph.csv", "--summary", "summary.json", "--report", "report.html", "--threads", "2", "--quiet"}
			if c.name != "field" {
				outputs = append(outputs, "--codes", "codes.npy")
			}
			start := func(dir string, args ...string) *exec.Cmd {
				cmd := exec.CommandContext(t.Context(), program, args...)
				cmd.Dir = dir
				cmd.Stderr = &bytes.Buffer{}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				return cmd
			}
			end := func(cmd *exec.Cmd) {
				t.Helper()
				if err := cmd.Wait(); err != nil {
					t.Fatalf("%v: %s", err, cmd.Stderr)
				}
			}
			for _, dir := range []string{plain, killed} {
				end(start(dir, append([]string{"generate", "--seed", "5", "--out", "data"}, c.generate...)...))
			}
			learn := append(append([]string{"learn", "data/signals.csv"}, c.learn...), outputs...)
			begun := time.Now()
			end(start(plain, learn...))
			took := time.Since(begun)

			learn = append(learn, "--checkpoint", "run", "--resume", "--checkpoint-every", "0")
			for k := 0; k < *kills; k++ {
				cmd := start(killed, learn...)
				over := make(chan error, 1)
				go func() { over <- cmd.Wait() }()
				// A run saves at every opportunity, and takes about as long as one that does not.
				select {
				case <-time.After(time.Duration(random.Float64() * 2 / float64(*kills+1) * float64(took))):
					if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
						t.Fatal(err)
					}
					<-over
					died++
				case err := <-over:
					if err != nil {
						t.Fatalf("%v: %s", err, cmd.Stderr)
					}
					k-- // too early
					sameFiles(t, plain, killed)
				}
			}
			end(start(killed, learn...))
			sameFiles(t, plain, killed)
			if _, err := os.Stat(filepath.Join(killed, "run")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the checkpoint of a run that is over is still there: %v", err)
			}
		})
		if !ok {
			faults++
		}
	}
	t.Attr("tried", fmt.Sprint(died))
	t.Attr("faults", fmt.Sprint(faults))
}

// sameFiles compares what two runs wrote.
func sameFiles(t *testing.T, want, got string) {
	t.Helper()
	for _, name := range written {
		a, err := os.ReadFile(filepath.Join(want, name))
		if errors.Is(err, os.ErrNotExist) && name == "codes.npy" {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(got, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(times.ReplaceAll(a, nil), times.ReplaceAll(b, nil)) {
			t.Errorf("%s differs", name)
		}
	}
}
