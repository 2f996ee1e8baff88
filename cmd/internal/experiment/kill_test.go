package experiment

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/repository"
	"github.com/nervure/nervure/internal/rng"
)

var moreKills = flag.Int("kills", 1, "how many times as often runs are killed")

// A run killed with SIGKILL at any moment and started again ends with the same
// results as an undisturbed one, apart from order and seconds. Here the program
// itself is killed, as users get it. More of it:
//
//	go test ./cmd/internal/experiment -run Killed -kills 5 -v
func TestKilledRunsEndLikeUndisturbedOnes(t *testing.T) {
	program, err := repository.Build(t.Context(), "../../..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	died, faults := 0, 0
	for _, c := range []struct {
		name   string
		kills  int
		within time.Duration // of the first sign of life
		long   bool
	}{
		{"kernels", 6, 20 * time.Millisecond, false}, // dies while it writes, unless it is faster
		{"table1", 2, 300 * time.Millisecond, true},  // dies while it learns, which takes seconds
	} {
		ok := t.Run(c.name, func(t *testing.T) {
			if c.long && testing.Short() {
				t.Skip("learns for some seconds")
			}
			whole, dir := t.TempDir(), t.TempDir()
			reproduce(t, program, c.name, whole, "2")
			r := rng.Stream(*seed, "kill "+c.name)
			killed := 0
			for range c.kills * *moreKills {
				killed += kill(t, program, c.name, dir, time.Duration(r.Int64N(int64(c.within))), r)
			}
			died += killed
			if killed == 0 && c.long {
				t.Error("every run ended before it could be killed")
			}
			reproduce(t, program, c.name, dir, "1")
			want := lines(t, filepath.Join(whole, c.name))
			if got := lines(t, filepath.Join(dir, c.name)); !slices.Equal(got, want) {
				t.Errorf("after %d kills: other results\n%q\n%q", killed, got, want)
			}
		})
		if !ok {
			faults++
		}
	}
	t.Attr("tried", fmt.Sprint(died))
	t.Attr("faults", fmt.Sprint(faults))
}

func command(t *testing.T, program, name, dir, threads string) *exec.Cmd {
	return exec.CommandContext(t.Context(), program, "reproduce", name, "--instances", "1", "--out", dir, "--threads", threads)
}

func reproduce(t *testing.T, program, name, dir, threads string) {
	t.Helper()
	if out, err := command(t, program, name, dir, threads).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v", out, err)
	}
}

// kill starts a run and kills it some time after it has said how far it is; it
// returns 1 if the run was still going on. Results may then end within a line,
// which is made likelier here.
func kill(t *testing.T, program, name, dir string, after time.Duration, r *rand.Rand) int {
	t.Helper()
	cmd := command(t, program, name, dir, "2")
	cmd.Args = append(cmd.Args, "--progress", "plain")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(stderr)
	if _, err := said.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_, _ = io.Copy(io.Discard, said)
	if cmd.Wait() == nil {
		return 0
	}
	path := filepath.Join(dir, name, resultsFile)
	if info, err := os.Stat(path); err == nil && info.Size() > 0 && r.IntN(2) == 0 {
		if err := os.Truncate(path, info.Size()-1-r.Int64N(min(info.Size(), 100))); err != nil {
			t.Fatal(err)
		}
	}
	return 1
}
