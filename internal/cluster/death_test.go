//go:build !js

package cluster

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/task"
)

// The worker that dies has the first task; another one does it again.
func TestAKilledWorkerIsReplaced(t *testing.T) {
	t.Parallel()
	r := open(t, Options{})
	file := filepath.Join(t.TempDir(), "trail")
	tasks := append(trails(file, 1, 1500*time.Millisecond), learns(10)...)
	victim := process(t, "worker", r.URL())
	go func() {
		until(t, "the victim begins", func() bool { return len(notes(file)) == 1 })
		end(victim)
		process(t, "worker", r.URL())
	}()
	mustEqual(t, gather(t, r, tasks, nil), append(trails(os.DevNull, 1, 0), tasks[1:]...), nil)
	if n := len(notes(file)); n < 2 {
		t.Errorf("the first task was begun %d times", n)
	}
	mustBeTidy(t, r)
}

func TestATaskThatKillsIsGivenUp(t *testing.T) {
	t.Parallel()
	r := open(t, Options{AckWait: 2 * time.Second})
	done := make(chan struct{})
	stopped := make(chan struct{})
	died := 0
	go func() { // somebody starts workers, whatever becomes of them
		defer close(stopped)
		for {
			cmd := process(t, "worker", r.URL())
			over := make(chan struct{})
			go func() { _ = cmd.Wait(); close(over) }()
			select {
			case <-done:
				_ = cmd.Process.Kill()
				<-over
				return
			case <-over:
				died++
			}
		}
	}()
	got := gather(t, r, append([]task.Task{{ID: "deadly", Kind: "die"}}, learns(2)...), nil)
	close(done)
	<-stopped
	if want := "given up: 5 workers took it, and none of them finished it"; got["deadly"].Fault != want || !got["deadly"].Lost || died != 5 {
		t.Errorf("got %+v after %d deaths", got["deadly"], died)
	}
	for _, id := range []string{"learn 0", "learn 1"} {
		if got[id].Fault != "" || len(got[id].Value) == 0 {
			t.Errorf("%s: %+v", id, got[id])
		}
	}
}

// The coordinator and its server die twice. The queue and the results that were not read
// yet survive in its store, so what was done is not done again.
func TestAKilledCoordinatorGoesOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	trailFile, journal := filepath.Join(dir, "trail"), filepath.Join(dir, "journal")
	tasks := append(trails(trailFile, 40, 50*time.Millisecond), learns(6)...)
	if err := os.WriteFile(filepath.Join(dir, "tasks"), mustJSON(tasks), 0o600); err != nil {
		t.Fatal(err)
	}
	addr := checks.FreeAddress(t).String()
	start := func() func() error {
		cmd := process(t, "coordinator", "listen:"+addr, dirVar+"="+dir)
		return func() error {
			if err := cmd.Process.Kill(); err != nil {
				return err
			}
			_ = cmd.Wait()
			return nil
		}
	}
	for range 2 {
		hire(t, WorkerOptions{Link: Link{URL: "nats://" + addr}})
	}
	for _, results := range []int{10, 30} {
		kill := start()
		until(t, "there are some results", func() bool { return len(notes(journal)) >= results })
		if err := kill(); err != nil {
			t.Fatal(err)
		}
	}
	start()
	until(t, "all results are there", func() bool { return len(notes(journal)) >= len(tasks) })
	got, err := journalled(journal)
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, got, append(trails(os.DevNull, 40, 0), tasks[40:]...), nil)
	// Of a death, what each of two workers had at hand may be done again.
	if n := len(notes(trailFile)); n > 40+2*2 {
		t.Errorf("40 tasks were begun %d times", n)
	}
}

// lone starts a server that keeps what it has in a directory.
func lone(t testing.TB, port int, dir string) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Minute) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(s.Shutdown)
	return s
}

func TestARestartedServerGoesOn(t *testing.T) {
	t.Parallel()
	dir, port := t.TempDir(), checks.FreeAddress(t).Port
	s := lone(t, port, dir)
	url := s.ClientURL()
	var heard []string
	r := open(t, Options{Link: Link{URL: url, Report: func(s string) { heard = append(heard, s) }}})
	for range 2 {
		hire(t, WorkerOptions{Link: Link{URL: url}})
	}
	shared := []byte("shared")
	tasks := learns(24)
	for k := range tasks {
		tasks[k].Data = []task.Hash{task.HashOf(shared)}
	}
	source := func(task.Hash) ([]byte, error) { return shared, nil }
	got := gather(t, r, tasks, source, func(done int) {
		if done != 6 && done != 12 {
			return
		}
		s.Shutdown()
		s.WaitForShutdown()
		if done == 12 { // its memory is lost, too
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
		s = lone(t, port, dir)
	})
	mustEqual(t, got, tasks, source)
	mustBeTidy(t, r)
	r.Close()
	if !slices.Contains(heard, "connected again") || !strings.HasPrefix(heard[0], "the connection to "+url+" is lost (") {
		t.Errorf("the coordinator said %q", heard)
	}
}

// A server that was killed may take tasks for done that are in its queue. What it wrote then
// is written here by hand.
func TestTasksThatTheServerForgotAreQueuedAnew(t *testing.T) {
	t.Parallel()
	const many = 4
	dir, port := t.TempDir(), checks.FreeAddress(t).Port
	s := lone(t, port, dir)
	url, tasks := s.ClientURL(), learns(many)
	r := open(t, Options{Link: Link{URL: url}})
	j, err := r.newJob(tasks, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.settle(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	s.Shutdown()
	s.WaitForShutdown()
	state := filepath.Join(dir, "jetstream", "$G", "streams", j.id.tasks(), "obs", consumerName, "o.dat")
	const magic, version = 22, 2
	if err := os.WriteFile(state, []byte{magic, version, many, many, many, many, 0, 0}, 0o600); err != nil {
		t.Fatal(err)
	}
	lone(t, port, dir)
	until(t, "the server has forgotten", func() bool {
		forgotten, err := j.isForgotten(t.Context())
		queued, err2 := r.conn.keys(t.Context(), j.id.tasks(), j.id.allTasks())
		return err == nil && err2 == nil && forgotten && len(queued) == many
	})
	hire(t, WorkerOptions{Link: Link{URL: url}})
	mustEqual(t, gather(t, r, tasks, nil), tasks, nil)
	mustBeTidy(t, r)
}

// A coordinator may come back for a part of what it asked for.
func TestTasksThatNobodyWantsAnyMoreAreNotDone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := open(t, Options{Run: "study", Dir: dir})
	file := filepath.Join(t.TempDir(), "trail")
	tasks := trails(file, 10, 0)
	j, err := r.newJob(tasks, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.settle(t.Context(), 0); err != nil { // and then it dies
		t.Fatal(err)
	}
	go func() {
		until(t, "the others are dropped", func() bool {
			queued, err := r.conn.keys(context.Background(), j.id.tasks(), j.id.task("*"))
			return err == nil && len(queued) == 3
		})
		hire(t, WorkerOptions{Link: Link{URL: r.URL()}})
	}()
	gather(t, r, tasks[7:], nil)
	if got := notes(file); !slices.Equal(got, []string{"7", "8", "9"}) {
		t.Errorf("%q were done", got)
	}
}
