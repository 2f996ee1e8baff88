//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A client uses the page of a server as a browser does, and worse.
type client struct {
	*soak

	random *rand.Rand
	web    *http.Client
}

// patience is how long anything may take before it counts as a fault.
const patience = 10 * time.Minute

// actions are what clients do, from beginning to end.
var actions = []func(*client){
	(*client).learns, (*client).learns, (*client).learns, (*client).comesBack, (*client).uploadsRubbish, (*client).asksWhatIsRefused,
	(*client).hangsUp, (*client).stops, (*client).deletesARun, (*client).vanishes, (*client).crowds,
}

// open makes a request. Answers of these statuses are expected, and that there is no room, which is nil.
func (c *client) open(ctx context.Context, method, path string, body []byte, want ...int) *http.Response {
	r, err := http.NewRequestWithContext(ctx, method, c.server.url+path, bytes.NewReader(body))
	if err != nil {
		c.fault("%s %s: %v", method, path, err)
		return nil
	}
	r.Header.Set("Cookie", c.server.cookie)
	c.requests.Add(1)
	response, err := c.web.Do(r)
	if err != nil {
		c.fault("%s %s: no answer: %v", method, path, err)
		return nil
	}
	if slices.Contains(want, response.StatusCode) {
		return response
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusServiceUnavailable, http.StatusInsufficientStorage, http.StatusTooManyRequests:
		c.refused.Add(1)
	default:
		c.fault("%s %s is answered %d, want %d", method, path, response.StatusCode, want)
	}
	return nil
}

// ask makes a request and reads its answer.
func (c *client) ask(method, path string, body []byte, want ...int) (answer []byte, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	response := c.open(ctx, method, path, body, want...)
	if response == nil {
		return nil, false
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		c.fault("%s %s: the answer breaks off: %v", method, path, err)
	}
	return answer, err == nil
}

// newJob makes a job. It returns "" if there is no room for one.
func (c *client) newJob() (path string) {
	answer, ok := c.ask("POST", "/api/jobs", nil, http.StatusCreated)
	var fields struct{ ID string }
	if !ok || json.Unmarshal(answer, &fields) != nil {
		return ""
	}
	return "/api/jobs/" + fields.ID
}

// start runs a document on signals, and returns the job; "" if there is no room.
func (c *client) start(signals []byte, more string) (job string) {
	if job = c.newJob(); job != "" {
		job = c.run(job, signals, more)
	}
	return job
}

func (c *client) run(job string, signals []byte, more string) string {
	if _, ok := c.ask("PUT", job+"/files/signals.csv", signals, http.StatusCreated); ok {
		document := `{"version": 1, "read": {"files": ["signals.csv"]}, "check": {"confidence": "no"}, "write": {"graph": "graph.json"}` + more + `}`
		if _, ok := c.ask("POST", job+"/run", []byte(document), http.StatusAccepted); ok {
			c.jobs.Add(1)
			return job
		}
	}
	c.remove(job)
	return ""
}

func (c *client) remove(job string) { c.ask("DELETE", job, nil, http.StatusNoContent) }

// watch follows a job until enough says so of an event, or to its end, whose exit code it returns; -1 before.
func (c *client) watch(job string, enough func(event string) bool) (code int) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	response := c.open(ctx, "GET", job+"/events", nil, http.StatusOK)
	if response == nil {
		return -1
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		var e struct {
			Event string
			Code  int
		}
		switch {
		case !ok:
		case json.Unmarshal([]byte(text), &e) != nil:
			c.fault("an event is %.100s", text)
		case e.Event == "end":
			return e.Code
		case enough(e.Event):
			return -1
		}
	}
	c.fault("the events of a job stop without an end: %v", lines.Err())
	return -1
}

func never(string) bool       { return false }
func works(event string) bool { return event == "step" || event == "graph" }

// finish follows a job to its end, which must be with that exit code, and deletes it, but for one of eight.
func (c *client) finish(job string, want int) {
	if code := c.watch(job, never); code != want {
		c.fault("a job ends with %d, want %d", code, want)
	}
	if want != 2 {
		c.ask("GET", job+"/files/graph.csv", nil, http.StatusOK)
	}
	if c.random.IntN(8) > 0 {
		c.remove(job)
	}
}

// table is noise, or a chain of vertices that is easy to learn from.
func (c *client) table(vertices, rows int, chain float64) []byte {
	var b bytes.Buffer
	for range rows {
		before := 0.0
		for v := range vertices {
			if v > 0 {
				b.WriteByte(',')
			}
			before = chain*before + c.random.NormFloat64()
			fmt.Fprintf(&b, "%.3f", before)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// A slow job is noise, and rounds without an end.
const slowly = `, "method": {"name": "sparse", "sparsity": 4, "rounds": 10000}, "kernels": {"given": ["heat:2"]}`

func (c *client) slow() []byte { return c.table(60, 1500, 0) }

func (c *client) learns() {
	methods := []string{"auto", "knn", "correlation", "glasso"}
	if job := c.start(c.table(6+c.random.IntN(12), 80, 0.7), fmt.Sprintf(`, "method": {"name": %q}`, methods[c.random.IntN(len(methods))])); job != "" {
		c.finish(job, 0)
	}
}

// comesBack leaves the stream of a job and hears its end all the same.
func (c *client) comesBack() {
	if job := c.start(c.table(12, 80, 0.7), ""); job != "" {
		c.watch(job, func(string) bool { return true })
		c.finish(job, 0)
	}
}

func (c *client) stops() {
	if job := c.start(c.slow(), slowly); job != "" && c.watch(job, works) < 0 {
		c.ask("POST", job+"/stop", nil, http.StatusNoContent)
		c.finish(job, 130)
	}
}

func (c *client) deletesARun() {
	if job := c.start(c.slow(), slowly); job != "" {
		c.watch(job, works)
		c.remove(job)
	}
}

// vanishes leaves a run to the server, which ends it when nobody watches for a while.
func (c *client) vanishes() {
	if job := c.start(c.slow(), slowly+`, "time_limit": "2m"`); job != "" {
		c.watch(job, works)
	}
}

// hangsUp sends half of an upload and leaves, then all of it. The server says when it has begun to read.
func (c *client) hangsUp() {
	job := c.newJob()
	if job == "" {
		return
	}
	host, content := strings.TrimPrefix(c.server.url, "http://"), c.table(12, 80, 0.7)
	conn, err := net.Dial("tcp", host)
	if err != nil {
		c.fault("no connection: %v", err)
		return
	}
	_ = conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(conn, "PUT %s/files/signals.csv HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		job, host, c.server.cookie, len(content))
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		c.fault("an upload of which the head has come is answered %q, %v", line, err)
	}
	_, _ = conn.Write(content[:len(content)/2])
	conn.Close()
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(50 * time.Millisecond) { // until the server has noticed
		if answer, _ := c.ask("PUT", job+"/files/signals.csv", content, http.StatusCreated, http.StatusConflict); !bytes.Contains(answer, []byte("error")) {
			break
		}
	}
	if job = c.run(job, content, ""); job != "" {
		c.finish(job, 0)
	}
}

func (c *client) uploadsRubbish() {
	bad := []string{"", "a,b,c\n1,2,x\n4,5,7\n", "a,b,c\n1,2,3\n4,5\n", "a,b,c\n0,0,0\n0,0,0\n", strings.Repeat("\x00", 3000)}
	if job := c.start([]byte(bad[c.random.IntN(len(bad))]), ""); job != "" {
		c.finish(job, 2)
	}
}

// crowds asks for more jobs than the server keeps.
func (c *client) crowds() {
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			if job := c.newJob(); job != "" {
				c.remove(job)
			}
		})
	}
	all.Wait()
}

func (c *client) asksWhatIsRefused() {
	job := c.newJob()
	if job == "" {
		return
	}
	for _, r := range []struct {
		want         int
		method, path string
		body         string
	}{
		{200, "GET", "/page.js", ""},
		{404, "GET", "/api/jobs/nobody/events", ""},
		{405, "PATCH", job, ""},
		{400, "PUT", job + "/files/..%2fa.csv", "1"},
		{413, "PUT", job + "/files/large.csv", strings.Repeat("1", 2_000_001)},
		{400, "POST", job + "/run", "{"},
		{409, "POST", job + "/adopt", ""},
	} {
		c.ask(r.method, r.path, []byte(r.body), r.want)
	}
	c.remove(job)
}
