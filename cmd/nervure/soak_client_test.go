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
	"net/url"
	"strings"
	"time"

	"github.com/nervure/nervure/document"
)

// A client uses the page of a server as a browser does, and worse.
type client struct {
	*soak

	random *rand.Rand
	web    *http.Client
}

// patience is how long anything may take before it counts as a fault.
const patience = 10 * time.Minute

// send makes a request and reads its answer. A fault of the server is noted.
func (c *client) send(method, path string, body []byte, change ...func(*http.Request)) (status int, answer []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	response := c.open(ctx, method, path, body, change...)
	if response == nil {
		return 0, nil
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		c.fault("%s %s: the answer breaks off: %v", method, path, err)
	}
	return response.StatusCode, answer
}

// open makes a request. It returns nil if there is no answer.
func (c *client) open(ctx context.Context, method, path string, body []byte, change ...func(*http.Request)) *http.Response {
	r, err := http.NewRequestWithContext(ctx, method, c.server.url+path, bytes.NewReader(body))
	if err != nil {
		c.fault("%s %s: %v", method, path, err)
		return nil
	}
	r.Header.Set("Cookie", c.server.cookie)
	for _, f := range change {
		f(r)
	}
	c.requests.Add(1)
	response, err := c.web.Do(r)
	if err != nil {
		c.fault("%s %s: no answer: %v", method, path, err)
		return nil
	}
	switch {
	case response.StatusCode == http.StatusServiceUnavailable || response.StatusCode == http.StatusInsufficientStorage:
		c.refused.Add(1) // there is no room, which a crowd sees to
	case response.StatusCode >= 500:
		c.fault("%s %s is answered %d", method, path, response.StatusCode)
	}
	return response
}

// want notes a fault if a request is not answered as it should be.
func (c *client) want(want int, method, path string, body []byte, change ...func(*http.Request)) (answer []byte, ok bool) {
	status, answer := c.send(method, path, body, change...)
	if status != want && status != 0 {
		c.fault("%s %s is answered %d, want %d: %.200s", method, path, status, want, answer)
	}
	return answer, status == want
}

// newJob makes a job. It returns "" if there is no room for one.
func (c *client) newJob() (path string) {
	status, answer := c.send("POST", "/api/jobs", nil)
	var fields struct{ ID string }
	switch {
	case status == http.StatusServiceUnavailable || status == 0:
		return ""
	case status != http.StatusCreated || json.Unmarshal(answer, &fields) != nil:
		c.fault("a new job is answered %d: %.200s", status, answer)
		return ""
	}
	return "/api/jobs/" + fields.ID
}

// start makes a job, uploads a file and runs what a document says on it. It returns "" if
// there is no room.
func (c *client) start(f file, run document.Run) (job string) {
	if job = c.newJob(); job == "" {
		return ""
	}
	return c.run(job, f, run)
}

func (c *client) run(job string, f file, run document.Run) string {
	switch status, answer := c.send("PUT", job+"/files/"+url.PathEscape(f.name), f.content); status {
	case http.StatusCreated:
	case http.StatusInsufficientStorage:
		c.remove(job)
		return ""
	default:
		c.fault("the upload of %s is answered %d: %.200s", f.name, status, answer)
		return ""
	}
	run.Version, run.Read.Files = 1, []string{f.name}
	body, err := json.Marshal(run)
	if err != nil {
		panic(err) // it has nothing but text and numbers
	}
	switch status, answer := c.send("POST", job+"/run", body); status {
	case http.StatusAccepted:
		c.jobs.Add(1)
		return job
	case http.StatusTooManyRequests:
		c.refused.Add(1)
		c.remove(job)
	default:
		c.fault("%s is answered %d: %.200s", body, status, answer)
	}
	return ""
}

func (c *client) remove(job string) { c.want(http.StatusNoContent, "DELETE", job, nil) }

// leave deletes most jobs. The others are left to the server, which drops them when it
// needs the room.
func (c *client) leave(job string) {
	if c.random.IntN(8) > 0 {
		c.remove(job)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = append(c.left, job)
}

// An ending is the last event of a job.
type ending struct {
	Event string
	Code  int
	Error string
	Files []string
}

// watch follows a job from the event after the last one that was heard, until enough
// says so or the job has ended, and returns the id of the event it left at. It is nil
// for the stream's end.
func (c *client) watch(job string, last int, enough func(event string) bool) (heard int, end *ending) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	response := c.open(ctx, "GET", job+"/events", nil, func(r *http.Request) {
		if last >= 0 {
			r.Header.Set("Last-Event-ID", fmt.Sprint(last))
		}
	})
	if response == nil {
		return last, nil
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		c.fault("the events of a job in use are answered %d", response.StatusCode)
		return last, nil
	}
	heard = last
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		line := lines.Text()
		if text, ok := strings.CutPrefix(line, "id: "); ok {
			before := heard
			if _, err := fmt.Sscan(text, &heard); err != nil || heard <= before {
				c.fault("event %s comes after %d", text, before)
			}
		}
		text, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var e ending
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			c.fault("an event is %.100s: %v", text, err)
			return heard, nil
		}
		if e.Event == "end" {
			return heard, &e
		}
		if enough != nil && enough(e.Event) {
			return heard, nil
		}
	}
	c.fault("the events of a job stop at %d without an end: %v", heard, lines.Err())
	return heard, nil
}

// finish follows a job to its end, which must be with that exit code.
func (c *client) finish(job string, last, code int) bool {
	_, end := c.watch(job, last, nil)
	if end != nil && end.Code != code {
		c.fault("a job ends with %d, want %d: %s", end.Code, code, end.Error)
	}
	return end != nil && end.Code == code
}

// half sends half of an upload and hangs up. The server says when it has begun to read, so
// that nothing sent later comes before.
func (c *client) half(job string, f file) {
	host := strings.TrimPrefix(c.server.url, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		c.fault("no connection: %v", err)
		return
	}
	defer conn.Close()
	c.requests.Add(1)
	_ = conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(conn, "PUT %s/files/%s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		job, url.PathEscape(f.name), host, c.server.cookie, len(f.content))
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		c.fault("an upload of which the head has come is answered %q, %v", line, err)
	}
	_, _ = conn.Write(f.content[:len(f.content)/2])
}
