package viewer

import (
	"bytes"
	"net/http"
	"os/exec"
	"testing"
	"time"
)

// A file of signals may be called as a graph can be: it is not taken for one.
func TestAnUploadIsNeverTakenForAResult(t *testing.T) {
	v := visit(t, Limits{})
	signals := learnable(t)
	job := v.newJob()
	if status, fields := v.upload(job, "graph.csv", signals); status != http.StatusCreated {
		t.Fatal(status, fields)
	}
	if status, fields := v.run(job, "learn graph.csv --confidence no --out graph.json"); status != http.StatusAccepted {
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
	if err := v.server.start(j, []string{"learn", "sample:leaf"}); err != nil {
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
