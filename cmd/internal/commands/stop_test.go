//go:build linux

package commands

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/signals"
)

var fieldStops = flag.Int("field-stops", 0, "how often the learning of a field of each size is stopped, 10,000 vertices included, -killseed says when; 0 is a few times, of the smaller ones")

// longestStop is how long a stopped run may take to end.
const longestStop = 2 * time.Second

// A stop is what came of a run that was stopped.
type stop struct {
	over      bool // before it could be stopped
	learned   bool // it had told that a method was chosen, and so that there was a graph
	kept      bool // a graph
	took, cpu time.Duration
	stderr    string
}

// seconds is how long it took to end: no longer than its work, where the machine is busy with other work.
func (s stop) seconds() float64 { return min(s.took, s.cpu).Seconds() }

// stopAt runs the command in a directory and stops it at a moment.
func stopAt(t *testing.T, tool, dir string, moment time.Duration, args ...string) (s stop) {
	t.Helper()
	log, err := os.Create(filepath.Join(dir, "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, name := range []string{"graph.csv", "report.html"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), tool, append([]string{"learn", "signals.npy", "--progress", "plain", "--out", "graph.csv"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	select {
	case <-over:
		return stop{over: true}
	case <-time.After(moment):
	}
	told, err := os.ReadFile(log.Name())
	if err != nil {
		t.Fatal(err)
	}
	before, alive := processorTime(cmd.Process.Pid)
	begun := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil || !alive {
		<-over
		return stop{over: true}
	}
	<-over
	s.took = time.Since(begun)
	s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - before
	s.learned = strings.Contains(string(told), ": learning")
	_, err = os.Stat(filepath.Join(dir, "graph.csv"))
	s.kept = err == nil
	all, err := os.ReadFile(log.Name())
	if err != nil {
		t.Fatal(err)
	}
	s.stderr = string(all[len(told):])
	s.over = cmd.ProcessState.ExitCode() == views.ExitDone // between the look and the signal
	return s
}

// processorTime returns what a process has used so far, and whether it is there.
func processorTime(pid int) (time.Duration, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, ok := strings.Cut(string(stat), ") ")
	if err != nil || !ok {
		return 0, false
	}
	ticks := 0
	for _, field := range strings.Fields(rest)[11:13] { // utime and stime, in hundredths of a second
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, true
}

// gridSignals writes signals of a field on a grid.
func gridSignals(t *testing.T, path string, vertices int) {
	t.Helper()
	g, err := simulate.FieldGraph(simulate.Grid, vertices, 0, *killSeed)
	if err != nil {
		t.Fatal(err)
	}
	y, err := simulate.LargeField(t.Context(), g, 1, 1000, 0.1, *killSeed)
	if err == nil {
		err = dataio.WriteSignals(path, &signals.Set{Y: y, Names: g.Names()})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Ctrl-C ends the learning of a large field within two seconds, whenever it comes, and a graph is kept if one
// had been found; a report takes no longer. More of it:
//
//	go test ./cmd/internal/commands -run StoppedFields -field-stops 20 -timeout 2h -v
func TestStoppedFieldsEndSoonWithAGraph(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees nothing of other processes")
	}
	tool := buildTool(t)
	sizes, stops := []int{600}, 1
	if *fieldStops > 0 {
		sizes, stops = []int{1000, 2500, 10_000}, *fieldStops
	}
	for _, size := range sizes {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			dir := t.TempDir()
			gridSignals(t, filepath.Join(dir, "signals.npy"), size)
			begun := time.Now()
			if s := stopAt(t, tool, dir, time.Hour, "--report", "report.html"); !s.over {
				t.Fatalf("it did not end: %s", s.stderr)
			}
			stopRepeatedly(t, tool, dir, stops, time.Since(begun), rng.Stream(*killSeed, "field stops", size))
		})
	}
}

// stopRepeatedly stops runs of a command that takes so long, half of them with a report.
func stopRepeatedly(t *testing.T, tool, dir string, stops int, whole time.Duration, random *rand.Rand) {
	t.Helper()
	worst, kept, tried, faults := stop{}, 0, 0, 0
	for tries := 0; tried < stops && tries < 4*stops; tries++ {
		var args []string
		if tried%2 == 1 {
			args = []string{"--report", "report.html"}
		}
		moment := time.Duration(random.Float64() * float64(whole))
		s := stopAt(t, tool, dir, moment, args...)
		if s.over {
			continue
		}
		tried++
		t.Logf("after %.1f s %v: %.2f s (%.2f by the clock, %.2f of work), learned %t, kept %t", moment.Seconds(), args, s.seconds(), s.took.Seconds(), s.cpu.Seconds(), s.learned, s.kept)
		if s.kept {
			kept++
		}
		if s.seconds() > worst.seconds() {
			worst = s
		}
		if s.seconds() > longestStop.Seconds() || s.learned && !s.kept {
			faults++
			t.Errorf("stopped after %s of about %s %v, it took %s and %s of work, learned %t, kept %t: %s", moment, whole, args, s.took, s.cpu, s.learned, s.kept, s.stderr)
		}
	}
	t.Attr("tried", fmt.Sprint(tried))
	t.Attr("faults", fmt.Sprint(faults))
	t.Attr("note", fmt.Sprintf("%d kept a graph, the worst took %.2f s", kept, worst.seconds()))
}
