package viewer

import (
	"bytes"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// visitKept opens a server that keeps its jobs in dir. leave ends it.
func visitKept(t *testing.T, dir string) (v *visitor, leave func()) {
	t.Helper()
	h := httptest.NewUnstartedServer(nil)
	s, err := NewKeepingServer(program(t), testConfig, Limits{}, h.Listener.Addr(), dir)
	if err != nil {
		t.Fatal(err)
	}
	h.Config.Handler = s.Handler()
	h.Start()
	return &visitor{t, s, h.URL, h.Client()}, func() {
		t.Helper()
		h.CloseClientConnections()
		h.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// words are all that a job told people.
func words(events []map[string]any) string {
	var all []string
	for _, e := range events {
		if text, ok := e["text"].(string); ok {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

const slowJob = `{"version": 1, "read": {"files": ["signals.csv"]}, "check": {"confidence": "yes"}, "write": {"graph": "graph.json"}}`

// fromCommandLine is the graph that the command line learns in the same way.
func fromCommandLine(t *testing.T, signals []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "signals.csv"), signals, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program(t), "learn", "signals.csv", "--confidence", "yes", "--out", "graph.json", "--quiet")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b, err := os.ReadFile(filepath.Join(dir, "graph.json"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Jobs that the death of the server breaks off, or leaves in the queue, go on with the next one, and end as if nothing
// had happened; one that had ended can still be had.
func TestJobsGoOnAfterTheServerWasKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "jobs")
	signals := generated(t, "--vertices", "16", "--signals", "80", "--noise", "0.2")
	cmd, first := serveProcess(t, t.TempDir(), "--jobs-dir", dir)
	over := first.start(learnable(t), quick)
	first.end(over)
	graph := first.download(over, "graph.json")
	job, next := first.start(signals, slowJob), first.start(learnable(t), quick)
	first.request("GET", next+"/events", nil) // a job that nobody watches is deleted
	first.follow(job, func(e map[string]any) bool { return e["event"] == "half" })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	_, second := serveProcess(t, t.TempDir(), "--jobs-dir", dir)
	second.request("GET", next+"/events", nil)
	if second.server.token != first.server.token {
		t.Error("the address has changed: an open page would not find its job")
	}
	if got := second.download(over, "graph.json"); !bytes.Equal(got, graph) {
		t.Error("the result of a job that had ended is another one")
	}
	events := second.follow(job, isEnd)
	if end := events[len(events)-1]; end["code"] != 0.0 {
		t.Fatalf("the job ended otherwise: %v", end)
	}
	if said := words(events); !strings.Contains(said, "going on with the run saved in") {
		t.Errorf("the job has started over: %s", said)
	}
	if got := second.download(job, "graph.json"); !bytes.Equal(got, fromCommandLine(t, signals)) {
		t.Error("the graph differs from one learned without a break")
	}
	if end := second.end(next); end["code"] != 0.0 {
		t.Errorf("the job that waited ended otherwise: %v", end)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", checkpointDir)); len(left) > 0 {
		t.Errorf("%q are left behind", left)
	}
}

// What another build has saved is of no use: the job starts over.
func TestJobsOfAnotherBuildBeginAnew(t *testing.T) {
	dir := t.TempDir()
	first, leave := visitKept(t, dir)
	job := first.start(noise(20, 80), slowJob)
	first.follow(job, func(e map[string]any) bool { return e["event"] == "step" })
	leave()
	heads, _ := filepath.Glob(filepath.Join(dir, "*", checkpointDir, "run.json"))
	if len(heads) != 1 {
		t.Fatalf("%d checkpoints, want 1", len(heads))
	}
	text, err := os.ReadFile(heads[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(heads[0], bytes.Replace(text, []byte(`"build": "`), []byte(`"build": "older `), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	second, leave := visitKept(t, dir)
	defer leave()
	if end := second.end(job); end["code"] != 0.0 {
		t.Errorf("the job ended otherwise: %v", end)
	}
}

// A directory of other things is left alone.
func TestKeepingServerLeavesOtherDirectoriesAlone(t *testing.T) {
	dir := t.TempDir()
	thesis := filepath.Join(dir, "thesis")
	if err := os.Mkdir(thesis, 0o700); err != nil {
		t.Fatal(err)
	}
	h := httptest.NewUnstartedServer(nil)
	defer h.Listener.Close()
	if _, err := NewKeepingServer("", testConfig, Limits{}, h.Listener.Addr(), dir); err == nil || !strings.Contains(err.Error(), "not the directory of a job") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(thesis); err != nil {
		t.Error(err)
	}
}
