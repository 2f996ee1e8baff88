//go:build linux || darwin

package commands

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/internal/durable"
)

// everyCall makes each call fail, however many there are.
var everyCall = flag.Bool("every-call", false, "make each call to the file system fail, not some of the many")

// usualCalls is how many of the calls of a command that takes long fail otherwise, at
// least.
const usualCalls = 4

// A diskCase is a command that writes files, with paths below its directory.
type diskCase struct {
	name     string
	setup    [][]string        // commands that come first
	old      map[string]string // files that are there before
	args     func(at func(string) string) []string
	together []string // outputs of which all are new or all are old
	slow     bool     // for all calls to fail every day
	goesOn   string   // what may stay after a failure, for the next run to go on with
}

func diskCases() []diskCase {
	learn := func(at func(string) string, method string, more ...string) []string {
		return append([]string{"learn", at("signals.csv"), "--method", method, "--threads", "1", "--confidence", "no", "--quiet"}, more...)
	}
	return []diskCase{
		{
			name: "learn", slow: true, old: map[string]string{"graph.csv": "old\n", "report.html": "old\n"},
			args: func(at func(string) string) []string {
				return learn(at, "correlation", "--out", at("graph.csv"), "--laplacian", at("l.npy"), "--summary", at("s.json"), "--report", at("report.html"))
			},
		},
		{
			name: "checkpoint", slow: true, old: map[string]string{"graph.csv": "old\n"}, goesOn: "run",
			args: func(at func(string) string) []string {
				return learn(at, "sparse", "--out", at("graph.csv"), "--checkpoint", at("run"), "--checkpoint-every", "0", "--resume")
			},
		},
		{
			name: "windows", slow: true, setup: [][]string{{"learn", "signals.csv", "--method", "correlation", "--window", "10", "--windows", "w", "--quiet"}},
			together: []string{"w/window-001.csv", "w/edges.csv", "w/index.json", "w/index.html"},
			args: func(at func(string) string) []string {
				return []string{"learn", at("signals.csv"), "--method", "correlation", "--window", "12", "--windows", at("w"), "--threads", "1", "--quiet"}
			},
		},
		{
			name: "generate", setup: [][]string{{"generate", "--graph", "rbf", "--vertices", "8", "--signals", "5", "--seed", "7", "--out", "s"}},
			together: []string{"s/signals.csv", "s/truth.csv", "s/codes.npy", "s/manifest.json", "s/vertices.csv"},
			args: func(at func(string) string) []string {
				return []string{"generate", "--graph", "er", "--vertices", "8", "--signals", "5", "--out", at("s")}
			},
		},
		{
			name: "generate into a new directory", slow: true,
			together: []string{"s/signals.csv", "s/truth.csv", "s/codes.npy", "s/manifest.json"},
			args: func(at func(string) string) []string {
				return []string{"generate", "--graph", "er", "--vertices", "8", "--signals", "5", "--out", at("s")}
			},
		},
		{
			name: "convert", old: map[string]string{"in.csv": "source,target,weight\na,b,1\n", "out.graphml": "old\n"},
			args: func(at func(string) string) []string {
				return []string{"convert", at("in.csv"), "--out", at("out.graphml")}
			},
		},
		{
			name: "batch", slow: true, goesOn: "b",
			args: func(at func(string) string) []string {
				return []string{"batch", at("signals.csv"), at("other.csv"), "--method", "correlation", "--threads", "1", "--out", at("b"), "--report", "--quiet"}
			},
		},
		{
			name: "reproduce", slow: true, goesOn: "r",
			args: func(at func(string) string) []string {
				return []string{"reproduce", "kernels", "--instances", "1", "--threads", "1", "--progress", "none", "--out", at("r")}
			},
		},
	}
}

// before is what a directory has before the command.
func (c diskCase) before(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(smallSignals(t, dir, 1))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "other.csv"), string(text))
	for name, text := range c.old {
		put(t, filepath.Join(dir, name), text)
	}
	for _, args := range c.setup {
		args = slices.Clone(args)
		for k, a := range args {
			if k > 0 && (args[k-1] == "--out" || args[k-1] == "--windows") || a == "signals.csv" {
				args[k] = filepath.Join(dir, a)
			}
		}
		if code, _, stderr := run(t.Context(), nil, args...); code != views.ExitDone {
			t.Fatal(stderr)
		}
	}
	return tree(t, dir)
}

// plant makes a directory of what tree found.
func plant(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, "/") {
			put(t, filepath.Join(dir, name), files[name])
		} else if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// do runs the command.
func (c diskCase) do(t *testing.T, dir string) (code int, stderr string) {
	t.Helper()
	code, _, stderr = run(t.Context(), nil, c.args(func(name string) string { return filepath.Join(dir, name) })...)
	return code, stderr
}

// tree returns what is in a directory, by path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			found[filepath.ToSlash(name)+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// faultyDisk makes the k-th change fail, or all from there on, and sees to it that no file
// takes the place of another before it is safely on disk.
type faultyDisk struct {
	mu     sync.Mutex
	k      int  // from 1; 0 for none
	dead   bool // from the k-th on, nothing happens any more
	calls  int
	failed durable.Op
	dirty  map[string]bool
	torn   []string
}

func (d *faultyDisk) ask(op durable.Op, path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	switch {
	case d.k > 0 && d.dead && d.calls > d.k:
		return durable.ErrDead
	case d.calls == d.k:
		d.failed = op
		return syscall.ENOSPC
	}
	switch op {
	case durable.OpWrite:
		d.dirty[path] = true
	case durable.OpSync:
		delete(d.dirty, path)
	case durable.OpRename:
		if d.dirty[path] {
			d.torn = append(d.torn, path)
		}
	}
	return nil
}

// through does the command on the disk.
func (d *faultyDisk) through(t *testing.T, c diskCase, dir string) (code int, stderr string) {
	t.Helper()
	d.dirty = map[string]bool{}
	defer durable.Intercept(d.ask)()
	code, stderr = c.do(t, dir)
	if len(d.torn) > 0 {
		t.Errorf("%v took their places before they were on disk", d.torn)
	}
	return code, stderr
}

// Whichever call to the file system fails, and wherever the process dies, every output is
// whole or as it was. A failure leaves nothing behind; after a death, the next run ends as
// if nothing had happened.
func TestEveryCallToTheFileSystemMayFail(t *testing.T) {
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		t.Setenv("TMPDIR", "/dev/shm") // memory, where syncing takes no time
	}
	for _, c := range diskCases() {
		t.Run(c.name, func(t *testing.T) {
			before := c.before(t)
			dir := plant(t, before)
			sound := &faultyDisk{}
			if code, stderr := sound.through(t, c, dir); code != views.ExitDone {
				t.Fatal(stderr)
			}
			want := tree(t, dir)
			stride := 1
			if !*everyCall && (c.slow || testing.Short()) {
				stride = max(1, sound.calls/usualCalls)
			}
			runs := 0
			for k := 1; k <= sound.calls; k += stride {
				c.fail(t, k, before, want)
				c.die(t, k, before, want)
				runs += 2
			}
			t.Logf("%d calls, %d runs", sound.calls, runs)
			t.Attr("tried", strconv.Itoa(runs))
			if sound.calls < 5 {
				t.Errorf("only %d calls: who writes past internal/durable?", sound.calls)
			}
		})
	}
}

// fail makes the k-th call fail.
func (c diskCase) fail(t *testing.T, k int, before, want map[string]string) {
	t.Helper()
	dir := plant(t, before)
	d := &faultyDisk{k: k}
	code, stderr := d.through(t, c, dir)
	after := tree(t, dir)
	c.check(t, k, "fails", before, after, want)
	if code != views.ExitDone && strings.Contains(stderr, ".nervure-") {
		t.Errorf("call %d fails: the message names a temporary file: %s", k, stderr)
	}
	if code == views.ExitDone {
		for name := range want {
			if _, ok := after[name]; !ok {
				t.Errorf("call %d (%s) fails: exit code 0 without %s", k, d.failed, name)
			}
		}
	}
	if d.failed != durable.OpRemove { // who cannot remove leaves something
		for name := range after {
			if _, ok := before[name]; !ok && want[name] == "" && !c.mayStay(name, code) && !isIn(want, name) {
				t.Errorf("call %d (%s) fails, exit code %d: %s is left behind", k, d.failed, code, name)
			}
		}
		if c.together != nil {
			c.checkTogether(t, k, before, after)
		}
	}
	c.again(t, k, "failed", dir, want)
}

// mayStay reports whether a run that failed may leave something for the next.
func (c diskCase) mayStay(name string, code int) bool {
	return c.goesOn != "" && code != views.ExitDone && strings.HasPrefix(name, c.goesOn+"/") && !strings.Contains(name, ".nervure-")
}

func isIn(files map[string]string, name string) bool {
	_, ok := files[name]
	return ok
}

// die stops the process dead at the k-th call.
func (c diskCase) die(t *testing.T, k int, before, want map[string]string) {
	t.Helper()
	dir := plant(t, before)
	d := &faultyDisk{k: k, dead: true}
	d.through(t, c, dir)
	c.check(t, k, "is the last", before, tree(t, dir), want)
	c.again(t, k, "was the last", dir, want)
}

// check holds each file to be whole or as it was.
func (c diskCase) check(t *testing.T, k int, what string, before, after, want map[string]string) {
	t.Helper()
	for name, text := range after {
		if strings.Contains(name, ".nervure-") || c.goesOn != "" && strings.HasSuffix(name, ".jsonl") || !isIn(want, name) && !isIn(before, name) {
			continue // temporary; a journal, which is made to be cut off; kept for the next run
		}
		if old, ok := before[name]; ok && text == old || alike(name, text, want[name]) {
			continue
		}
		t.Errorf("call %d %s: %s is neither whole nor as it was: %.80q", k, what, name, text)
	}
	for name := range before {
		if !isIn(after, name) && isIn(want, name) {
			t.Errorf("call %d %s: %s is gone", k, what, name)
		}
	}
}

// alike compares two files but for times.
func alike(name, a, b string) bool {
	if a == b {
		return true
	}
	switch filepath.Ext(name) {
	case ".json":
		return json.Valid([]byte(a)) == json.Valid([]byte(b))
	case ".html":
		end := []byte("</html>")
		return bytes.Contains([]byte(a), end) && bytes.Contains([]byte(b), end)
	case ".csv": // an index has seconds
		return filepath.Base(name) == "index.csv" && strings.Count(a, "\n") == strings.Count(b, "\n")
	case ".jsonl":
		return strings.Count(a, "\n") == strings.Count(b, "\n")
	}
	return false
}

// checkTogether holds outputs to be all new or all old.
func (c diskCase) checkTogether(t *testing.T, k int, before, after map[string]string) {
	t.Helper()
	var old, fresh []string
	for _, name := range c.together {
		was, had := before[name]
		is, has := after[name]
		if had == has && was == is {
			old = append(old, name)
		} else {
			fresh = append(fresh, name)
		}
	}
	if len(old) > 0 && len(fresh) > 0 {
		t.Errorf("call %d fails: %v are new and %v are old", k, fresh, old)
	}
}

// again runs the command on a disk that works and expects that nothing shows.
func (c diskCase) again(t *testing.T, k int, what, dir string, want map[string]string) {
	t.Helper()
	if code, stderr := c.do(t, dir); code != views.ExitDone {
		t.Errorf("after call %d %s: exit code %d, %s", k, what, code, stderr)
		return
	}
	got := tree(t, dir)
	if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
		t.Errorf("after call %d %s, the next run leaves\n%v, want\n%v", k, what, a, b)
		return
	}
	for name, text := range got {
		if !alike(name, text, want[name]) {
			t.Errorf("after call %d %s, the next run has another %s", k, what, name)
		}
	}
}
