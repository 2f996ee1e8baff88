package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
)

// A Server is the page's server as a process of its own, and the page's part in talking to it.
type Server struct {
	URL, Token, Cookie string
	Said               *bufio.Reader // on standard error, after the address
}

// Serve starts a command, which is nervure serve --port 0 with more flags, and reads its address.
func Serve(cmd *exec.Cmd) (*Server, error) {
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &Server{Said: bufio.NewReader(stderr)}
	line, err := s.Said.ReadString('\n')
	if err != nil {
		return nil, err
	}
	s.URL, s.Token, _ = strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "open ")), "/?token=")
	s.Cookie = "nervure-" + s.URL[strings.LastIndex(s.URL, ":")+1:] + "=" + s.Token
	return s, nil
}

// Ask makes a request and returns the answer. A refusal is an error, in the server's words.
func (s *Server) Ask(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Cookie", s.Cookie)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode < 300 {
		return text, err
	}
	var refused struct{ Error string }
	if json.Unmarshal(text, &refused) != nil {
		return nil, fmt.Errorf("%s %s is answered %d: %s", method, path, answer.StatusCode, text)
	}
	return nil, fmt.Errorf("%s", refused.Error)
}

// An Ending is the last event of a job, and where its files are.
type Ending struct {
	Code  int
	Error string
	Files []string

	Job string `json:"-"`
}

// Run has the server do what a document says on files, and waits for the end.
func (s *Server) Run(ctx context.Context, files map[string][]byte, document []byte) (end Ending, err error) {
	made, err := s.Ask(ctx, "POST", "/api/jobs", nil)
	var job struct{ ID string }
	if err == nil {
		err = json.Unmarshal(made, &job)
	}
	end.Job = "/api/jobs/" + job.ID
	for name, content := range files {
		if err == nil {
			_, err = s.Ask(ctx, "PUT", end.Job+"/files/"+url.PathEscape(name), content)
		}
	}
	if err == nil {
		_, err = s.Ask(ctx, "POST", end.Job+"/run", document)
	}
	if err != nil {
		return end, err
	}
	events, err := s.Ask(ctx, "GET", end.Job+"/events", nil) // until the job has ended
	if err != nil {
		return end, err
	}
	return end, json.Unmarshal(events[bytes.LastIndex(events, []byte("data: "))+len("data: "):], &end)
}
