//go:build !js

package cluster

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/task"
)

var (
	stress = flag.Duration("stress", 0, "kill workers and coordinators for so long")
	seed   = flag.Uint64("seed", 1, "of the moments of death")
)

// go test ./cluster -run Stress -stress 2m -timeout 10m
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
	addr := fmt.Sprintf("127.0.0.1:%d", freePort(t))
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
	got := map[string]task.Result{}
	for _, line := range notes(journal) {
		var r task.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if _, twice := got[r.ID]; twice {
			t.Errorf("two results of %s", r.ID)
		}
		r.By = ""
		got[r.ID] = r
	}
	mustEqual(t, got, tasks, nil)
}
