package viewer

import (
	"bytes"
	"errors"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/nervure/nervure/document"
)

// A file of signals may be called as a graph can be: it is not taken for one.
func TestAnUploadIsNeverTakenForAResult(t *testing.T) {
	v := visit(t, Limits{})
	signals := learnable(t)
	job := v.newJob()
	if status, fields := v.upload(job, "graph.csv", signals); status != http.StatusCreated {
		t.Fatal(status, fields)
	}
	if status, fields := v.run(job, `{"version": 1, "read": {"files": ["graph.csv"]}, "check": {"confidence": "no"}, "write": {"graph": "graph.json"}}`); status != http.StatusAccepted {
		t.Fatal(status, fields)
	}
	if end := v.end(job); end["code"] != 0.0 {
		t.Fatal(end)
	}
	if got := v.download(job, "graph.csv"); !bytes.HasPrefix(got, []byte("source,target,weight")) {
		t.Errorf("the graph is %.60q", got)
	}
}

// Who hears that a job has ended can have its results at once.
func TestAJobHasEndedWhenItSaysSo(t *testing.T) {
	program, err := exec.LookPath("true")
	if err != nil {
		t.Skip("left out: there is no program that does nothing")
	}
	v := visitWith(t, program, Limits{})
	j, err := v.server.newJob()
	if err != nil {
		t.Fatal(err)
	}
	if err := v.server.start(j, &document.Run{Version: document.RunVersion, Read: document.RunRead{Files: []string{"sample:leaf"}}}); err != nil {
		t.Fatal(err)
	}
	// While the mutex is ours no state changes; so it must not say so, either.
	v.server.mu.Lock()
	for range 20 {
		if _, closed, _ := j.log.since(0); closed && j.state != ended {
			t.Errorf("it says that it has ended in state %d", j.state)
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	v.server.mu.Unlock()
	<-j.done
}

// A page gives results back to a server that no longer has them, to have them shown and
// converted again.
func TestResultsThatAreGivenBack(t *testing.T) {
	v := visit(t, Limits{})
	job := v.start(learnable(t), `{"version": 1, "read": {"files": ["signals.csv"]}, "method": {"name": "knn"}, "write": {"graph": "graph.json"}}`)
	v.end(job)
	graph, want := v.download(job, "graph.json"), v.download(job, "graph.gexf")
	again := v.newJob()
	for _, c := range []struct {
		method, path string
		body         []byte
		want         int
	}{
		{"POST", "/adopt", nil, http.StatusConflict}, // nothing to adopt
		{"PUT", "/results/signals.csv", graph, http.StatusBadRequest},
		{"PUT", "/results/..%2Fgraph.json", graph, http.StatusBadRequest},
		{"PUT", "/results/graph.json", graph, http.StatusCreated},
		{"POST", "/run", []byte(`{"version": 1, "read": {"files": ["sample:leaf"]}}`), http.StatusConflict}, // its results would not be its own
		{"GET", "/files/graph.gexf", nil, http.StatusConflict},
		{"POST", "/adopt", nil, http.StatusNoContent},
		{"PUT", "/results/graph.json", graph, http.StatusConflict},
		{"POST", "/adopt", nil, http.StatusConflict},
	} {
		if status, fields := v.ask(c.method, again+c.path, c.body); status != c.want {
			t.Errorf("%s %s is answered by %d %v, want %d", c.method, c.path, status, fields, c.want)
		}
	}
	if got := v.download(again, "graph.gexf"); !bytes.Equal(got, want) {
		t.Errorf("converted from what was given back it is %.100q, want %.100q", got, want)
	}
	if status, _ := v.ask("PUT", job+"/results/graph.json", graph); status != http.StatusConflict {
		t.Errorf("a job that has run takes other results: %d", status)
	}
}

// Two graphs are compared by the program, in the directory of a draft.
func TestTwoGraphsAreCompared(t *testing.T) {
	v := visit(t, Limits{})
	graph := func(low, high string) []byte {
		return []byte(`{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": "a"}, {"id": "b"}],
			"links": [{"source": "a", "target": "b", "weight": 1, "partial": ` + low + `, "low": ` + low + `, "high": ` + high + `, "q": 0.01}]}`)
	}
	job := v.newJob()
	refused := func(want int, when string) {
		t.Helper()
		if status, fields := v.ask("POST", job+"/differences", nil); status != want || fields["error"] == "" {
			t.Errorf("%s it is answered by %d %v, want %d", when, status, fields, want)
		}
	}
	refused(http.StatusConflict, "without graphs")
	v.upload(job, "first.json", graph("0.5", "0.6"))
	refused(http.StatusConflict, "with one graph")
	v.upload(job, "second.json", []byte("no graph"))
	refused(http.StatusBadRequest, "with something else")
	v.upload(job, "second.json", graph("0.1", "0.2"))
	status, fields := v.ask("POST", job+"/differences", nil)
	if status != http.StatusOK || fields["tested"] != 1.0 || fields["different"] != 1.0 {
		t.Errorf("got %d %v", status, fields)
	}
}

// Results are taken back only by a job that is there, and when all of them have arrived.
func TestAJobIsNotAdoptedBeforeItsResultsHaveArrived(t *testing.T) {
	v := visitWith(t, "no program", Limits{})
	j, err := v.server.newJob()
	if err != nil {
		t.Fatal(err)
	}
	if err := v.server.giveBack(j); err != nil {
		t.Fatal(err)
	}
	if err := v.server.expect(j, graphFile, 10); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, v.server.adopt(j), http.StatusConflict)
	v.server.remove(j)
	wantRefusal(t, v.server.arrived(j, graphFile, 10, nil), http.StatusNotFound)
	wantRefusal(t, v.server.adopt(j), http.StatusNotFound)
	wantRefusal(t, v.server.giveBack(j), http.StatusNotFound)
}

func wantRefusal(t *testing.T, err error, status int) {
	t.Helper()
	if r, ok := errors.AsType[*refusal](err); !ok || r.status != status {
		t.Errorf("got %v, want a refusal with status %d", err, status)
	}
}
