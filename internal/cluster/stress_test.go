//go:build !js

package cluster

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/task"
)

var (
	stress = flag.Duration("stress", 0, "kill workers and coordinators for so long")
	seed   = flag.Uint64("seed", 1, "of the moments of death")
	count  = flag.Int("learns", 0, "measure what that many learns cost in a cluster")
)

// go test ./internal/cluster -run Stress -stress 2m -timeout 10m
//
// Four workers, one of them killed every few seconds, and a coordinator with its server,
// killed at times: the results are the same, and each is there once.
func TestStress(t *testing.T) {
	if *stress == 0 {
		t.Skip("takes as long as -stress says")
	}
	dir := t.TempDir()
	journal := filepath.Join(dir, "journal")
	tasks := learns(int(stress.Seconds() * 8)) // more than can be done in that time
	if err := os.WriteFile(filepath.Join(dir, "tasks"), mustJSON(tasks), 0o600); err != nil {
		t.Fatal(err)
	}
	addr := checks.FreeAddress(t).String()
	coordinator := func() *exec.Cmd { return process(t, "coordinator", "listen:"+addr, dirVar+"="+dir) }
	worker := func() *exec.Cmd { return process(t, "worker", "nats://"+addr) }
	c := coordinator()
	crew := []*exec.Cmd{worker(), worker(), worker(), worker()}
	random := rng.Stream(*seed, "deaths")
	kills, coordinators := 0, 0
	for begun := time.Now(); time.Since(begun) < *stress && len(notes(journal)) < len(tasks); {
		time.Sleep(time.Duration(random.Int64N(int64(4 * time.Second))))
		if random.IntN(5) == 0 {
			end(c)
			c = coordinator()
			coordinators++
			continue
		}
		k := random.IntN(len(crew))
		end(crew[k])
		crew[k] = worker()
		kills++
	}
	for begun, last := time.Now(), 0; len(notes(journal)) < len(tasks); time.Sleep(100 * time.Millisecond) {
		if n := len(notes(journal)); n > last {
			begun, last = time.Now(), n
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("nothing comes any more after %d of %d", last, len(tasks))
		}
	}
	t.Logf("%d tasks, %d workers and %d coordinators killed", len(tasks), kills, coordinators)
	got, err := journalled(journal)
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, got, tasks, nil)
	faults := 0
	if t.Failed() {
		faults = 1
	}
	t.Attr("tried", fmt.Sprint(kills+coordinators))
	t.Attr("faults", fmt.Sprint(faults))
}

// go test ./internal/cluster -run Overhead -learns 1000 -v
//
// What two workers cost, with their coordinator and its server, against two threads of one
// process.
func TestOverhead(t *testing.T) {
	if *count == 0 {
		t.Skip("learns as many graphs as -learns says, twice")
	}
	tasks := learns(*count)
	journals := []map[string]task.Result{}
	measure := func(what string, do func(dir string) []*exec.Cmd) (wall, cpu time.Duration) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "tasks"), mustJSON(tasks), 0o600); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		all := do(dir)
		if err := all[0].Wait(); err != nil {
			t.Fatal(err)
		}
		wall = time.Since(begun)
		for k, cmd := range all {
			if k > 0 {
				end(cmd)
			}
			cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		got, err := journalled(filepath.Join(dir, "journal"))
		if err != nil {
			t.Fatal(err)
		}
		journals = append(journals, got)
		t.Logf("%s: %.1f s, %.1f s of processors", what, wall.Seconds(), cpu.Seconds())
		return wall, cpu
	}
	wall, cpu := measure("two threads", func(dir string) []*exec.Cmd { return []*exec.Cmd{process(t, "alone", "", dirVar+"="+dir)} })
	wall2, cpu2 := measure("two workers", func(dir string) []*exec.Cmd {
		addr := checks.FreeAddress(t).String()
		return []*exec.Cmd{
			process(t, "coordinator", "listen:"+addr, dirVar+"="+dir),
			process(t, "worker", "nats://"+addr, "GOMAXPROCS=1"), process(t, "worker", "nats://"+addr, "GOMAXPROCS=1"),
		}
	})
	t.Logf("time %.3f times, processors %.3f times", wall2.Seconds()/wall.Seconds(), cpu2.Seconds()/cpu.Seconds())
	for id, r := range journals[0] {
		if string(journals[1][id].Value) != string(r.Value) {
			t.Errorf("%s differs", id)
		}
	}
}
