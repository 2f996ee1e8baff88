//go:build !js

package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/task"
)

func TestResultsAreThoseOfThisProcess(t *testing.T) {
	t.Parallel()
	shared := bytes.Repeat([]byte("signals "), 100_000)
	hash := task.HashOf(shared)
	var asked atomic.Int32
	source := func(h task.Hash) ([]byte, error) {
		if h != hash {
			return nil, fmt.Errorf("%s is lost", h)
		}
		asked.Add(1)
		return shared, nil
	}
	tasks := append(learns(6),
		task.Task{ID: "fault", Kind: "refuse"},
		task.Task{ID: "panic", Kind: "panic"},
		task.Task{ID: "no kind", Kind: "other"},
		task.Task{ID: "no data", Kind: "join", Data: []task.Hash{"nothing"}},
		task.Task{ID: "a long result", Kind: "long", Args: []byte("ab")},
		task.Task{ID: "long arguments", Kind: "length", Args: make([]byte, 2<<20)},
		task.Task{ID: "no value", Kind: "join"},
	)
	for k := range 30 {
		tasks = append(tasks, task.Task{ID: fmt.Sprint(k), Kind: "sum", Args: fmt.Append(nil, k), Data: []task.Hash{hash, hash}})
	}
	r := open(t, Options{})
	for k := range 2 {
		hire(t, WorkerOptions{Link: Link{URL: r.URL()}, Threads: 2, Name: fmt.Sprint("w", k)})
	}
	got := gather(t, r, tasks, source)
	if n := asked.Load(); n != 1 {
		t.Errorf("shared data were asked for %d times", n)
	}
	mustEqual(t, got, tasks, source)
	if r := got["7"]; r.Fault != "" || len(r.Value) != 64 {
		t.Errorf("got %+v", r)
	}
	mustBeTidy(t, r)
	until(t, "four threads are counted", func() bool { return r.Workers() == 4 })
}

func TestNoTasks(t *testing.T) {
	t.Parallel()
	r := open(t, Options{})
	gather(t, r, nil, nil)
	for _, err := range r.Run(t.Context(), []task.Task{{ID: "a"}, {ID: "a", Kind: "join"}}, nil) {
		if err == nil {
			t.Error("two tasks with one ID are done")
		}
	}
}

func TestWorkersEndWhenIdle(t *testing.T) {
	t.Parallel()
	r := open(t, Options{})
	const idle = 3 * time.Second
	begun := time.Now()
	left := hire(t, WorkerOptions{Link: Link{URL: r.URL()}, Idle: idle})
	until(t, "the worker is counted", func() bool { return r.Workers() == 1 })
	if err := <-left; err != nil || time.Since(begun) < idle {
		t.Errorf("it ended after %s: %v", time.Since(begun), err)
	}
	until(t, "it does not count any more", func() bool { return r.Workers() == 0 })
}

func TestABusyWorkerIsNotIdle(t *testing.T) {
	t.Parallel()
	r := open(t, Options{})
	file := filepath.Join(t.TempDir(), "trail")
	tasks := trails(file, 1, 4*time.Second)
	j, err := r.newJob(tasks, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.settle(t.Context(), 0); err != nil { // there is work before the worker comes
		t.Fatal(err)
	}
	left := hire(t, WorkerOptions{Link: Link{URL: r.URL()}, Idle: 2 * time.Second})
	gather(t, r, tasks, nil)
	if lines := notes(file); len(lines) != 1 {
		t.Errorf("%q", lines)
	}
	if err := <-left; err != nil {
		t.Error(err)
	}
}

// This test is not parallel: another one's server might get the port that is free for a
// while.
func TestAWorkerWaitsForItsServer(t *testing.T) {
	first := open(t, Options{})
	url := first.URL()
	first.Close()
	if err := Work(t.Context(), WorkerOptions{Link: Link{URL: url}, Kinds: kinds, Idle: time.Second}); err == nil || err.Error() != "no server answers at "+url {
		t.Errorf("got %v", err)
	}
	hire(t, WorkerOptions{Link: Link{URL: url}})
	time.Sleep(200 * time.Millisecond)
	r := open(t, Options{Link: Link{URL: "listen:" + strings.TrimPrefix(url, "nats://")}})
	gather(t, r, []task.Task{{ID: "a", Kind: "join"}}, nil)
}

func TestLeavingTheLoopStopsTheWork(t *testing.T) {
	t.Parallel()
	r := open(t, Options{})
	hire(t, WorkerOptions{Link: Link{URL: r.URL()}, Threads: 2})
	file := filepath.Join(t.TempDir(), "trail")
	tasks := append(trails(file, 1, 0), trails(file+"2", 50, time.Hour)[1:]...)
	for _, err := range r.Run(t.Context(), tasks, nil) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	until(t, "the tasks that were begun are stopped", func() bool {
		lines := notes(file + "2")
		return len(lines) == 2*strings.Count(strings.Join(lines, " "), "stopped")
	})
}

func TestTheEndOfTheContextKeepsResults(t *testing.T) {
	t.Parallel()
	r := open(t, Options{})
	file := filepath.Join(t.TempDir(), "trail")
	tasks := trails(file, 20, 20*time.Millisecond)
	hire(t, WorkerOptions{Link: Link{URL: r.URL()}})
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	cause := errors.New("that is enough")
	seen := map[string]bool{}
	for result, err := range r.Run(ctx, tasks, nil) {
		if err == nil {
			if seen[result.ID] = true; len(seen) == 5 {
				stop(cause)
			}
		} else if !errors.Is(err, cause) || result.ID != "" {
			t.Errorf("got %+v, %v", result, err)
		}
	}
	if len(seen) != 5 {
		t.Errorf("%d results before the end", len(seen))
	}
	mustEqual(t, gather(t, r, tasks, nil), tasks[:0], nil) // see below for what they are
	mustBeTidy(t, r)
	if n := len(notes(file)); n > 22 { // one was cut short, and one may have been begun
		t.Errorf("20 tasks were begun %d times", n)
	}
}

// Calls that follow one another in a run that is kept have the results of their own tasks, and of tasks that
// were done before: by calls that ended, that were left, and of a coordinator that is no more.
func TestCallsOfARunThatIsKept(t *testing.T) {
	t.Parallel()
	server := open(t, Options{})
	o := Options{Link: Link{URL: server.URL()}, Run: "kept", Keep: true}
	first := open(t, o)
	hire(t, WorkerOptions{Link: Link{URL: server.URL()}})
	of := func(names ...string) (tasks []task.Task) {
		for _, name := range names {
			tasks = append(tasks, task.Task{ID: name, Kind: "join", Args: []byte(name)})
		}
		return tasks
	}
	whole := func(r *Runner, calls ...[]task.Task) {
		for _, tasks := range calls {
			mustEqual(t, gather(t, r, tasks, nil), tasks, nil)
		}
	}
	leave := func(r *Runner, after int, tasks []task.Task) {
		for _, err := range r.Run(t.Context(), tasks, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if after--; after == 0 {
				return
			}
		}
	}
	whole(first, of("a", "b"), of("c"), of("d", "b"), of("e", "f"), of("a", "b", "c", "d"))
	leave(first, 1, of("g", "h"))
	whole(first, of("i", "j"), of("g", "h"), of("k", "l"))
	leave(first, 2, of("m", "n", "o"))
	first.conn.nc.Close() // as if it was killed: it leaves what there is

	second := open(t, o)
	whole(second, of("k", "l"), of("m", "n", "o"), of("a", "p"))
}

func TestWorkersOfAnotherBuildAreRefused(t *testing.T) {
	t.Parallel()
	heard := make(chan string, 10)
	r := open(t, Options{Link: Link{Build: "one", Report: func(s string) { heard <- s }}})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		for range r.Run(ctx, []task.Task{{ID: "a", Kind: "join"}}, nil) {
		}
	}()
	err := Work(t.Context(), WorkerOptions{Link: Link{URL: r.URL(), Build: "two"}, Name: "w"})
	refused, ok := errors.AsType[*RefusedError](err)
	if !ok {
		t.Fatalf("the worker got %v", err)
	}
	if got := <-heard; got != "worker w was "+refused.Error() {
		t.Errorf("the coordinator got %s", got)
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	me := identity{"1.2", "AVX"}
	for _, run := range []identity{me, {"1.3", "AVX"}, {"", "portable"}, {"1.2", "portable"}} {
		if got := me.difference(run); (got == "") != (run == me) {
			t.Errorf("%v: got %q", run, got)
		}
	}
	if a, b := (Link{}).identity(), (Link{Build: "x"}).identity(); a == b || a.Arithmetic == "" || !strings.Contains(a.Build, "program ") {
		t.Errorf("%v, %v", a, b)
	}
}

// Two workers may do the same task; the servers take what comes first.
func TestASecondResultIsRefused(t *testing.T) {
	t.Parallel()
	r := open(t, Options{})
	j, err := r.newJob([]task.Task{{ID: "a", Kind: "join"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.makeStreams(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, key := &worker{conn: r.conn}, j.keys[0]
	offered := offer{runID: j.id}
	for k := range 2 {
		if done, err := w.isDone(t.Context(), offered, key); err != nil || done != (k > 0) {
			t.Errorf("%d: done is %t, %v", k, done, err)
		}
		if err := w.publish(t.Context(), offered, key, &task.Result{ID: "a", Value: fmt.Append(nil, k)}); err != nil {
			t.Error(err)
		}
		if _, err := r.conn.js.Publish(t.Context(), j.id.result(key), []byte("x")); !isTwice(err) {
			t.Errorf("another one: %v", err)
		}
	}
	for result, err := range r.Run(t.Context(), []task.Task{{ID: "a", Kind: "join"}}, nil) {
		if err != nil || string(result.Value) != "0" {
			t.Errorf("got %+v, %v", result, err)
		}
	}
	mustBeTidy(t, r)
}

func TestCache(t *testing.T) {
	t.Parallel()
	c := newCache(10)
	fetched := ""
	get := func(name string, size int, fault error) {
		data, err := c.get(task.Hash(name), func() ([]byte, error) {
			fetched += name
			return make([]byte, size), fault
		})
		if !errors.Is(err, fault) || len(data) != size {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
	get("a", 4, nil)
	get("b", 4, nil)
	get("a", 4, nil)
	get("c", 4, nil) // b is dropped, which was not used last
	get("a", 4, nil)
	get("b", 4, nil)
	get("d", 40, nil) // alone, it is more than there should be
	get("d", 40, nil)
	get("a", 4, nil)
	get("e", 0, context.Canceled) // is tried again
	get("e", 2, nil)
	if want := "abcbdaee"; fetched != want {
		t.Errorf("fetched %s, want %s", fetched, want)
	}
}
