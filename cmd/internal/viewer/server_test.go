package viewer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/memory"
)

// A visitor is a browser that has opened the address with the token.
type visitor struct {
	t      testing.TB
	server *Server
	url    string
	client *http.Client
}

var testConfig = Config{
	Version: "test", Methods: []Method{{Name: "auto", About: "the one that fits", Params: []Param{}}, {Name: "sparse", About: "each signal is a few atoms", Params: []Param{}}, {Name: "knn", About: "nearest ones", Params: []Param{{"k", "how many"}}}, {Name: "causal", About: "who follows whom", Params: []Param{}}},
	Samples: []Sample{{"sample:leaf", "Leaf: 200 synthetic signals at 24 sensors, with known ground truth"}},
}

func visit(t testing.TB, l Limits) *visitor {
	t.Helper()
	return visitWith(t, program(t), l)
}

func visitWith(t testing.TB, program string, l Limits) *visitor {
	t.Helper()
	h := httptest.NewUnstartedServer(nil)
	s, err := NewServer(program, testConfig, l, h.Listener.Addr())
	if err != nil {
		t.Fatal(err)
	}
	h.Config.Handler = s.Handler()
	h.Start()
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(s.dir); !os.IsNotExist(err) {
			t.Errorf("%s is left behind", s.dir)
		}
	})
	return &visitor{t, s, h.URL, h.Client()}
}

// request sends a request with the cookie, changed by hand if need be.
func (v *visitor) request(method, path string, body io.Reader, change ...func(*http.Request)) *http.Response {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.url+path, body)
	if err != nil {
		v.t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: v.server.cookie(), Value: v.server.token})
	for _, c := range change {
		c(r)
	}
	answer, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// ask sends a request and returns the status, and the fields of the answer.
func (v *visitor) ask(method, path string, body []byte, change ...func(*http.Request)) (int, map[string]any) {
	v.t.Helper()
	answer := v.request(method, path, bytes.NewReader(body), change...)
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	fields := map[string]any{}
	_ = json.Unmarshal(b, &fields) // not every answer has some
	return answer.StatusCode, fields
}

func (v *visitor) newJob() (path string) {
	v.t.Helper()
	status, fields := v.ask("POST", "/api/jobs", nil)
	if status != http.StatusCreated {
		v.t.Fatalf("a job is refused: %d %v", status, fields)
	}
	return "/api/jobs/" + fields["id"].(string)
}

func (v *visitor) upload(job, name string, content []byte) (int, map[string]any) {
	v.t.Helper()
	return v.ask("PUT", job+"/files/"+name, content)
}

func (v *visitor) run(job, document string) (int, map[string]any) {
	v.t.Helper()
	return v.ask("POST", job+"/run", []byte(document))
}

// start begins a job and returns its path.
func (v *visitor) start(signals []byte, document string) string {
	v.t.Helper()
	job := v.newJob()
	if status, fields := v.upload(job, "signals.csv", signals); status != http.StatusCreated {
		v.t.Fatalf("the upload is refused: %d %v", status, fields)
	}
	if status, fields := v.run(job, document); status != http.StatusAccepted {
		v.t.Fatalf("the run is refused: %d %v", status, fields)
	}
	return job
}

// follow reads the events of a job up to one that done says is enough.
func (v *visitor) follow(job string, done func(map[string]any) bool) (events []map[string]any) {
	v.t.Helper()
	answer := v.request("GET", job+"/events", nil)
	defer answer.Body.Close()
	if got := answer.Header.Get("Content-Type"); got != "text/event-stream" {
		v.t.Fatalf("the stream is of type %q, status %d", got, answer.StatusCode)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		fields := map[string]any{}
		if err := json.Unmarshal([]byte(data), &fields); err != nil {
			v.t.Fatal(err)
		}
		events = append(events, fields)
		if done(fields) {
			return events
		}
	}
	v.t.Fatalf("the stream ends after %d events: %v", len(events), lines.Err())
	return nil
}

func isEnd(e map[string]any) bool { return e["event"] == "end" }

// end follows a job to its end.
func (v *visitor) end(job string) map[string]any {
	v.t.Helper()
	events := v.follow(job, isEnd)
	return events[len(events)-1]
}

func (v *visitor) download(job, name string) []byte {
	v.t.Helper()
	answer := v.request("GET", job+"/files/"+name, nil)
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		v.t.Fatalf("%s: %d %v %s", name, answer.StatusCode, err, b)
	}
	return b
}

const quick = `{"version": 1, "read": {"files": ["signals.csv"]}, "check": {"confidence": "no"}, "write": {"graph": "graph.json", "summary": "summary.json"}}`

// What is downloaded is what the command line writes, in every format.
func TestDownloadsEqualTheCommandLine(t *testing.T) {
	v := visit(t, Limits{})
	signals := learnable(t)
	job := v.start(signals, `{"version": 1, "read": {"files": ["signals.csv"]}, "seed": 5, "write": {"graph": "graph.json"}}`)
	if end := v.end(job); end["code"] != 0.0 {
		t.Fatal(end)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "signals.csv"), signals, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, format := range newFormats().Graphs {
		name := "graph." + string(format)
		cmd := exec.Command(program(t), "learn", "signals.csv", "--seed", "5", "--out", name)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := v.download(job, name); !bytes.Equal(got, want) {
			t.Errorf("%s differs from the command line's", name)
		}
	}
}

func TestStreamTellsInOrderAndResumes(t *testing.T) {
	v := visit(t, Limits{})
	job := v.start(learnable(t), quick)
	events := v.follow(job, isEnd)
	at := map[any]int{}
	for k, e := range events {
		if _, seen := at[e["event"]]; !seen {
			at[e["event"]] = k
		}
	}
	if !(at["begin"] < at["vertices"] && at["vertices"] < at["step"] && at["vertices"] < at["graph"] && at["step"] < at["end"] && at["begin"] < at["words"] && at["words"] < at["end"]) {
		t.Errorf("the order is %v", at)
	}
	// Who comes late hears all but the graphs that were replaced, and who was there
	// only the rest.
	late := v.follow(job, isEnd)
	if others := len(late) - countEvents(late, "graph"); others != len(events)-countEvents(events, "graph") || countEvents(late, "graph") != 1 {
		t.Errorf("told late: %d events, %d of them graphs, of %d", len(late), countEvents(late, "graph"), len(events))
	}
	answer := v.request("GET", job+"/events", nil, func(r *http.Request) { r.Header.Set("Last-Event-ID", "2") })
	defer answer.Body.Close()
	line, err := bufio.NewReader(answer.Body).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "id: ") || line == "id: 0\n" || line == "id: 1\n" || line == "id: 2\n" {
		t.Errorf("resumed with %q, %v", line, err)
	}
}

func countEvents(events []map[string]any, name string) (n int) {
	for _, e := range events {
		if e["event"] == name {
			n++
		}
	}
	return n
}

func TestStopKeepsTheBest(t *testing.T) {
	v := visit(t, Limits{})
	job := v.start(noise(40, 400), strings.Replace(quick, `"check"`, `"kernels": {"given": ["heat:2"]}, "method": {"sparsity": 4}, "check"`, 1))
	v.follow(job, func(e map[string]any) bool { return e["event"] == "graph" })
	if status, _ := v.ask("POST", job+"/stop", nil); status != http.StatusNoContent {
		t.Fatalf("stop is answered %d", status)
	}
	end := v.end(job)
	if end["code"] != 130.0 || !strings.Contains(end["error"].(string), "best graph so far") {
		t.Fatalf("the end is %v", end)
	}
	if got := v.download(job, "graph.csv"); !bytes.HasPrefix(got, []byte("source,target,weight")) {
		t.Errorf("the graph is %.60q", got)
	}
}

// A job whose page is gone is deleted, with its process and its files.
func TestAJobThatNobodyWatchesIsDeleted(t *testing.T) {
	v := visit(t, Limits{Away: 50 * time.Millisecond})
	job := v.start(noise(60, 600), quick)
	v.follow(job, func(e map[string]any) bool { return e["event"] == "begin" })
	v.eventually("the job is deleted", func() bool {
		v.server.mu.Lock()
		defer v.server.mu.Unlock()
		left, err := os.ReadDir(v.server.dir)
		return len(v.server.jobs) == 0 && v.server.atWork == 0 && err == nil && len(left) == 0
	})
	if status, fields := v.ask("GET", job+"/events", nil); status != http.StatusNotFound {
		t.Errorf("got %d %v", status, fields)
	}
}

// eventually waits for something to come true; a test that waits for ever fails.
func (v *visitor) eventually(what string, is func() bool) {
	v.t.Helper()
	for range 30_000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	v.t.Fatalf("this never came true: %s", what)
}

func TestAJobTooLargeForItsMemoryIsEnded(t *testing.T) {
	if _, ok := memory.Resident(os.Getpid()); !ok {
		t.Skip("left out: this system does not tell the memory of a process")
	}
	v := visit(t, Limits{Memory: 10 << 20})
	end := v.end(v.start(noise(60, 2000), quick))
	if end["code"] != 1.0 || !strings.Contains(fmt.Sprint(end["error"]), "exceeded 10.5 MB of memory") {
		t.Errorf("the end is %v", end)
	}
}

// On a busy machine the program may not have a graph within the first limit.
func TestAJobThatTakesTooLongKeepsItsBest(t *testing.T) {
	var end map[string]any
	for limit := 700 * time.Millisecond; limit < time.Minute && end["code"] != 130.0; limit *= 2 {
		v := visit(t, Limits{Time: limit})
		end = v.end(v.start(noise(60, 600), quick))
	}
	if end["code"] != 130.0 {
		t.Errorf("the end is %v", end)
	}
}

func TestJobsWaitAndTooManyAreRefused(t *testing.T) {
	v := visit(t, Limits{Queue: 2})
	signals := noise(60, 600)
	first := v.start(signals, quick)
	v.follow(first, func(e map[string]any) bool { return e["event"] == "begin" })
	second, third := v.start(signals, quick), v.start(signals, quick)
	queued := v.follow(third, func(e map[string]any) bool { return e["event"] == "queued" })
	if ahead := queued[len(queued)-1]["ahead"]; ahead != 2.0 {
		t.Errorf("the third waits for %v", ahead)
	}
	fourth := v.newJob()
	v.upload(fourth, "signals.csv", signals)
	if status, fields := v.run(fourth, quick); status != http.StatusTooManyRequests {
		t.Errorf("the fourth: %d %v", status, fields)
	}
	for _, job := range []string{third, second, first} {
		if status, _ := v.ask("DELETE", job, nil); status != http.StatusNoContent {
			t.Errorf("deleting: %d", status)
		}
	}
	v.eventually("nothing is left at work", func() bool {
		v.server.mu.Lock()
		defer v.server.mu.Unlock()
		return v.server.atWork == 0 && len(v.server.queue) == 0
	})
}

func TestOldJobsGoWhenThereAreTooMany(t *testing.T) {
	v := visit(t, Limits{Kept: 3, Idle: time.Nanosecond})
	first := v.newJob()
	for range 3 {
		v.newJob()
	}
	if status, _ := v.upload(first, "a.csv", nil); status != http.StatusNotFound {
		t.Errorf("the first is still there: %d", status)
	}
	if left, err := os.ReadDir(v.server.dir); err != nil || len(left) != 3 {
		t.Errorf("%d directories are left, %v", len(left), err)
	}
}

func TestAStartedJobDoesNotChange(t *testing.T) {
	v := visit(t, Limits{})
	job := v.start(learnable(t), quick)
	if status, _ := v.upload(job, "signals.csv", []byte("1,2")); status != http.StatusConflict {
		t.Errorf("an upload is answered %d", status)
	}
	if status, _ := v.run(job, quick); status != http.StatusConflict {
		t.Errorf("a second start is answered %d", status)
	}
	v.end(job)
}
