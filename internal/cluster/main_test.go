//go:build !js

package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/internal/task"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

// With these set, the program of the tests is a worker or a coordinator, to be killed.
const (
	roleVar = "NERVURE_TEST_ROLE"
	urlVar  = "NERVURE_TEST_URL"
	dirVar  = "NERVURE_TEST_DIR"
)

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(roleVar) {
	case "worker":
		err = Work(context.Background(), WorkerOptions{Link: Link{URL: os.Getenv(urlVar)}, Kinds: kinds, Idle: time.Minute})
	case "coordinator":
		err = coordinate()
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// shortWait is an AckWait for impatient tests.
const shortWait = 3 * time.Second

// kinds are all pure but for trail, which notes that it was begun and waits a little.
var kinds = task.Kinds{
	"join": func(_ context.Context, args []byte, data [][]byte) ([]byte, error) {
		return slices.Concat(append(data, args)...), nil
	},
	"sum": func(_ context.Context, args []byte, data [][]byte) ([]byte, error) {
		return []byte(task.HashOf(slices.Concat(append(data, args)...))), nil
	},
	"long": func(_ context.Context, args []byte, _ [][]byte) ([]byte, error) {
		return bytes.Repeat(args, 3<<20/len(args)), nil
	},
	"length": func(_ context.Context, args []byte, _ [][]byte) ([]byte, error) {
		return fmt.Append(nil, len(args)), nil
	},
	"refuse": func(context.Context, []byte, [][]byte) ([]byte, error) { return nil, errors.New("it is odd") },
	"panic":  func(context.Context, []byte, [][]byte) ([]byte, error) { panic("oops") },
	"die":    func(context.Context, []byte, [][]byte) ([]byte, error) { os.Exit(3); return nil, nil },
	"trail":  trail,
	"learn":  learnGraph,
}

// A step is what trail is asked to do.
type step struct {
	File  string        // to be appended to
	Say   string        // a line
	Sleep time.Duration // after it
}

func trail(ctx context.Context, args []byte, _ [][]byte) ([]byte, error) {
	var s step
	if err := json.Unmarshal(args, &s); err != nil {
		return nil, err
	}
	if err := note(s.File, s.Say); err != nil {
		return nil, err
	}
	if !sleep(ctx, s.Sleep) {
		return nil, errors.Join(ctx.Err(), note(s.File, "stopped"))
	}
	return []byte("done " + s.Say), nil
}

// note appends a line to a file, in one write.
func note(path, line string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

// notes are the lines of a file that are whole.
func notes(path string) []string {
	text, _ := os.ReadFile(path) // none yet
	lines := strings.Split(string(text), "\n")
	return lines[:len(lines)-1]
}

// A lesson is what learnGraph is asked to do.
type lesson struct {
	Seed               uint64
	Vertices, Measured int
}

// learnGraph learns a graph from signals that it draws, and returns the bits of its
// weights.
func learnGraph(ctx context.Context, args []byte, _ [][]byte) ([]byte, error) {
	var l lesson
	if err := json.Unmarshal(args, &l); err != nil {
		return nil, err
	}
	sample, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyER, Vertices: l.Vertices, Probability: 0.2, Seed: l.Seed})
	if err != nil {
		return nil, err
	}
	truth, err := synth.Signals(sample.Graph, learn.PaperModel().Kernels, synth.SignalSpec{Count: l.Measured, Sparsity: 4, Seed: l.Seed})
	if err != nil {
		return nil, err
	}
	analysis, err := nervure.Learn(ctx, &signals.Set{Y: truth.Signals}, nervure.Options{Threads: 1, Confidence: nervure.No})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, e := range analysis.Graph.Edges() {
		fmt.Fprintf(&b, "%d %d %x\n", e.I, e.J, e.Weight)
	}
	return b.Bytes(), nil
}

// process starts this program in a role. It is killed at the end of the test, if not
// before.
func process(t testing.TB, role, url string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, roleVar+"="+role, urlVar+"="+url)...)
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(cmd) })
	return cmd
}

// end kills a process, as the system does: it has no time for last words.
func end(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// open starts a coordinator with a server of its own.
func open(t testing.TB, o Options) *Runner {
	t.Helper()
	if o.URL == "" {
		o.URL = "listen:127.0.0.1:0"
	}
	if o.AckWait == 0 {
		o.AckWait = shortWait
	}
	r, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// hire starts a worker in this process, which leaves at the end of the test.
func hire(t testing.TB, o WorkerOptions) (left <-chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	if o.Kinds == nil {
		o.Kinds = kinds
	}
	done := make(chan error, 1)
	gone := make(chan struct{})
	go func() {
		done <- Work(ctx, o)
		close(gone)
	}()
	t.Cleanup(func() {
		stop()
		<-gone
	})
	return done
}

// gather collects the results of tasks, each of which must come once, without who did it.
// then hears how many there are after each.
func gather(t testing.TB, r task.Runner, tasks []task.Task, data task.Source, then ...func(done int)) map[string]task.Result {
	t.Helper()
	got := map[string]task.Result{}
	for result, err := range r.Run(t.Context(), tasks, data) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := got[result.ID]; twice {
			t.Errorf("two results of %s", result.ID)
		}
		result.By = ""
		got[result.ID] = result
		for _, act := range then {
			act(len(got))
		}
	}
	if len(got) != len(tasks) {
		t.Errorf("%d results of %d tasks", len(got), len(tasks))
	}
	return got
}

// mustEqual compares results with those of this process.
func mustEqual(t testing.TB, got map[string]task.Result, tasks []task.Task, data task.Source) {
	t.Helper()
	want := gather(t, task.Local{Kinds: kinds, Threads: 2}, tasks, data)
	if !maps.EqualFunc(got, want, func(a, b task.Result) bool {
		return a.ID == b.ID && a.Fault == b.Fault && bytes.Equal(a.Value, b.Value)
	}) {
		for id, r := range want {
			if g := got[id]; g.Fault != r.Fault || !bytes.Equal(g.Value, r.Value) {
				t.Errorf("%s: got %.100s (%s), want %.100s (%s)", id, g.Value, g.Fault, r.Value, r.Fault)
			}
		}
	}
}

// learns are tasks that learn graphs. The race detector, which has nothing to see in
// there and makes it slow, gets others.
func learns(count int) []task.Task {
	l, kind := lesson{Vertices: 8, Measured: 60}, "learn"
	if testing.Short() {
		kind = "sum"
	}
	var list []task.Task
	for k := range count {
		l.Seed = uint64(k + 1)
		list = append(list, task.Task{ID: fmt.Sprintf("learn %d", k), Kind: kind, Args: mustJSON(l)})
	}
	return list
}

func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// trails are tasks that leave lines in a file.
func trails(file string, count int, each time.Duration) []task.Task {
	var list []task.Task
	for k := range count {
		list = append(list, task.Task{ID: fmt.Sprint(k), Kind: "trail", Args: mustJSON(step{file, fmt.Sprint(k), each})})
	}
	return list
}

// mustBeTidy looks for streams that were left.
func mustBeTidy(t testing.TB, r *Runner) {
	t.Helper()
	names := r.conn.js.StreamNames(t.Context())
	for name := range names.Name() {
		t.Errorf("the servers still have %s", name)
	}
	if err := names.Err(); err != nil {
		t.Error(err)
	}
}

func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for begun := time.Now(); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > 10*time.Minute { // only so that a fault ends
			t.Fatalf("in vain: %s", what)
		}
	}
}

// coordinate is a coordinator that keeps all in a directory: it runs the tasks that are there and writes their results to
// a journal, those that are not there yet.
func coordinate() error {
	dir := os.Getenv(dirVar)
	r, err := Open(context.Background(), Options{Link: Link{URL: os.Getenv(urlVar)}, Dir: filepath.Join(dir, "store"), Run: dir, AckWait: shortWait})
	if err != nil {
		return err
	}
	defer r.Close()
	journal := filepath.Join(dir, "journal")
	text, err := os.ReadFile(filepath.Join(dir, "tasks"))
	if err != nil {
		return err
	}
	var tasks []task.Task
	if err := json.Unmarshal(text, &tasks); err != nil {
		return err
	}
	have, err := journalled(journal)
	if err != nil {
		return err
	}
	tasks = slices.DeleteFunc(tasks, func(t task.Task) bool { return have[t.ID].ID != "" })
	for result, err := range r.Run(context.Background(), tasks, nil) {
		if err != nil {
			return err
		}
		if err := note(journal, string(mustJSON(result))); err != nil {
			return err
		}
	}
	return nil
}

// journalled are the results of a journal, each of which may be there once, without who
// did them.
func journalled(path string) (map[string]task.Result, error) {
	got := map[string]task.Result{}
	for _, line := range notes(path) {
		var r task.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, err
		}
		if _, twice := got[r.ID]; twice {
			return nil, fmt.Errorf("two results of %s", r.ID)
		}
		r.By = ""
		got[r.ID] = r
	}
	return got, nil
}
