package study

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/repository"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

var (
	kills = flag.Int("kills", 4, "how many times a batch is killed")
	many  = flag.Int("files", 10, "how many files it has")
)

// A trial is a batch of the program as users get it, and what it leaves if nothing
// disturbs it.
type trial struct {
	program, in string
	table       string // of two groups
	whole       map[string]string
	took        time.Duration
}

func newTrial(t *testing.T) *trial {
	t.Helper()
	if testing.Short() {
		t.Skip("learns for some seconds")
	}
	program, err := repository.Build(t.Context(), "..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tr := &trial{program: program, in: t.TempDir()}
	for k := range *many {
		truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 12, Seed: uint64(k%5 + 1)}, kernel.Paper(),
			synth.SignalSpec{Count: 60, Sparsity: 2, Seed: uint64(k + 1)})
		if err != nil {
			t.Fatal(err)
		}
		if err := dataio.WriteSignals(filepath.Join(tr.in, fmt.Sprintf("s%03d.csv", k)), &nervure.Signals{Y: truth.Signals, Names: truth.Graph.Names()}); err != nil {
			t.Fatal(err)
		}
	}
	var table strings.Builder
	table.WriteString("recording,half\nbad,1\n")
	for k := range *many {
		fmt.Fprintf(&table, "s%03d,%d\n", k, k%2)
	}
	tr.table = filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(tr.table, []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tr.in, "bad.csv"), []byte("a,b\n1,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	begun, whole := time.Now(), t.TempDir()
	tr.finish(t, whole)
	tr.took, tr.whole = time.Since(begun), contents(t, whole)
	return tr
}

func (tr *trial) batch(ctx context.Context, out string, more ...string) *exec.Cmd {
	return exec.CommandContext(ctx, tr.program, append([]string{"batch", tr.in, "--out", out, "--groups", tr.table, "--by", "half", "--report", "--quiet"}, more...)...)
}

// finish runs the batch to its end, which is status 1: one of the files has no graph.
func (tr *trial) finish(t *testing.T, out string, more ...string) {
	t.Helper()
	cmd := tr.batch(t.Context(), out, more...)
	if said, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1 || !bytes.Contains(said, []byte("1 of ")) {
		t.Fatalf("%s\n%v", said, err)
	}
}

// A batch killed with SIGKILL at any moment and started again leaves the same folder as
// an undisturbed one, apart from seconds. More of it:
//
//	go test ./study -run Killed -files 200 -kills 20 -v
func TestKilledBatchesEndLikeUndisturbedOnes(t *testing.T) {
	t.Parallel()
	tr, dir := newTrial(t), t.TempDir()
	r := rng.Stream(1, "kill")
	killed := 0
	for range *kills {
		cmd := tr.batch(t.Context(), dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(r.Int64N(int64(tr.took)/max(int64(*kills)/3, 1))), func() { _ = cmd.Process.Kill() })
		if _ = cmd.Wait(); !cmd.ProcessState.Exited() {
			killed++
		}
		timer.Stop()
	}
	t.Logf("%d files in %s, killed %d times", *many, tr.took.Round(time.Millisecond), killed)
	if killed == 0 {
		t.Error("every run ended before it could be killed")
	}
	tr.finish(t, dir)
	same(t, contents(t, dir), tr.whole)
	count(t, killed)
}

// count notes how many kills a test has got over, or has not.
func count(t *testing.T, killed int) {
	t.Helper()
	faults := 0
	if t.Failed() {
		faults = 1
	}
	t.Attr("tried", fmt.Sprint(killed))
	t.Attr("faults", fmt.Sprint(faults))
}

// The same with four workers, one of which is killed every now and then, and a
// coordinator that is killed twice, its server with it.
func TestKilledClustersEndLikeUndisturbedBatches(t *testing.T) {
	t.Parallel()
	tr, dir := newTrial(t), t.TempDir()
	address := checks.FreeAddress(t).String()
	crew := newCrew(t, tr.program, "nats://"+address, max(time.Second, tr.took/4))
	for range 2 {
		cmd := tr.batch(t.Context(), dir, "--cluster", "listen:"+address)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for before := finished(t, dir); finished(t, dir) < before+*many/3; {
			select {
			case err := <-ended:
				t.Fatalf("the coordinator ended before it could be killed: %v", err)
			case <-time.After(tr.took / 50):
			}
		}
		_ = cmd.Process.Kill()
		<-ended
	}
	tr.finish(t, dir, "--cluster", "listen:"+address)
	died := crew.end()
	t.Logf("%d files in %s by themselves; %d workers were killed", *many, tr.took.Round(time.Millisecond), died)
	same(t, contents(t, dir), tr.whole)
	count(t, died+2)
}

// finished counts the files that the journal of a batch has.
func finished(t *testing.T, dir string) int {
	t.Helper()
	journal, err := os.ReadFile(filepath.Join(dir, journalFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return bytes.Count(journal, []byte("\n"))
}

// A crew is four workers. One is killed every now and then, and another takes its place.
type crew struct {
	stop chan struct{}
	over sync.WaitGroup
	died int
}

// newCrew hires workers, each of which lives four times as long as the time between two kills, and ever
// longer: the graph of all files is one task, and somebody must live to do it, however busy the machine is.
func newCrew(t *testing.T, program, url string, every time.Duration) *crew {
	t.Helper()
	c := &crew{stop: make(chan struct{})}
	hire := func() *exec.Cmd {
		w := exec.Command(program, "worker", "--cluster", url, "--threads", "1")
		if err := w.Start(); err != nil {
			t.Error(err)
		}
		return w
	}
	dismiss := func(w *exec.Cmd) {
		_ = w.Process.Kill()
		_ = w.Wait()
	}
	workers := []*exec.Cmd{hire(), hire(), hire(), hire()}
	c.over.Go(func() {
		for {
			select {
			case <-time.After(every):
				dismiss(workers[c.died%4])
				workers[c.died%4] = hire()
				c.died++
				every += every / 4
			case <-c.stop:
				for _, w := range workers {
					dismiss(w)
				}
				return
			}
		}
	})
	t.Cleanup(func() { c.end() })
	return c
}

// end dismisses the workers and says how many were killed before.
func (c *crew) end() int {
	select {
	case <-c.stop:
	default:
		close(c.stop)
	}
	c.over.Wait()
	return c.died
}
