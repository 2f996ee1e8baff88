//go:build unix

package pairs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/needs"
)

// A page is a server that jobs are given to as the page does.
type page struct{ url, cookie string }

// openPage starts a server that ends with the test.
func openPage(t *testing.T, tool string) *page {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tool, "serve", "--port", "0", "--jobs", "4", "--max-time", "10m")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = time.Minute
	stderr, err := cmd.StderrPipe()
	must(err)
	must(cmd.Start())
	t.Cleanup(func() { _ = cmd.Wait() })
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	must(err)
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	url, token, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "open ")), "/?token=")
	return &page{url, "nervure-" + url[strings.LastIndex(url, ":")+1:] + "=" + token}
}

// send makes a request and returns the answer; a refusal of what a job may do is an error.
func (p *page) send(method, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(context.Background(), method, p.url+path, bytes.NewReader(body))
	must(err)
	r.Header.Set("Cookie", p.cookie)
	response, err := http.DefaultClient.Do(r)
	must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(err)
	if response.StatusCode >= 300 {
		var refused struct{ Error string }
		_ = json.Unmarshal(text, &refused)
		return nil, fmt.Errorf("%s", refused.Error)
	}
	return text, nil
}

// run has a job done by the server, and puts its results into the directory.
func (p *page) run(dir string, doc *document.Run) outcome {
	made, err := p.send("POST", "/api/jobs", nil)
	must(err)
	var job struct{ ID string }
	must(json.Unmarshal(made, &job))
	at := "/api/jobs/" + job.ID
	defer func() { _, _ = p.send("DELETE", at, nil) }()
	for _, name := range []string{signalsFile, knownFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		must(err)
		_, err = p.send("PUT", at+"/files/"+name, text)
		must(err)
	}
	asked := *doc
	asked.Write = document.RunWrite{Graph: "graph.json", Summary: summaryFile, Report: doc.Write.Report}
	text, err := json.Marshal(asked)
	must(err)
	if _, err := p.send("POST", at+"/run", text); err != nil {
		return outcome{code: codeMisuse, said: err.Error()}
	}
	events, err := p.send("GET", at+"/events", nil) // until the job has ended
	must(err)
	var end struct {
		Code  int
		Error string
		Files []string
	}
	last := events[bytes.LastIndex(events, []byte("data: "))+len("data: "):]
	must(json.Unmarshal(last, &end))
	for _, name := range end.Files {
		text, err := p.send("GET", at+"/files/"+name, nil)
		must(err)
		must(os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	return outcome{code: end.Code, said: end.Error, dir: dir}
}

// A python is an interpreter that learns from files, one after another.
type python struct {
	mu      sync.Mutex
	ask     *json.Encoder
	answers *json.Decoder
}

// learnInPython answers each line of standard input, a run, by a line.
const learnInPython = `
import json, os, sys, traceback, warnings
import pandas as pd
import nervure
warnings.simplefilter("ignore")
for line in sys.stdin:
    run = json.loads(line)
    os.chdir(run["dir"])
    answer = {"code": 0, "said": ""}
    try:
        X = "signals.csv"
        if run["frame"]:
            X = pd.read_csv(X, header=0 if run["header"] else None, keep_default_na=False, na_values=[""])
        nervure.learn_graph(X, options=run["options"], progress=False, report=run["report"]).save(run["save"])
    except ValueError as fault:
        answer = {"code": 2, "said": str(fault)}
    except BaseException:
        answer = {"code": 1, "said": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
`

// openPython starts an interpreter that ends with the test; nil if there is none with what the package needs.
func openPython(t *testing.T, tool string) *python {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	must(err)
	cmd := exec.CommandContext(t.Context(), needs.Python(), "-c", learnInPython)
	cmd.Env = append(os.Environ(), "NERVURE_BINARY="+tool, "PYTHONPATH="+filepath.Join(root, "python", "src"))
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	must(err)
	stdout, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	t.Cleanup(func() { stdin.Close(); _ = cmd.Wait() })
	return &python{ask: json.NewEncoder(stdin), answers: json.NewDecoder(stdout)}
}

// hasPython reports whether there is an interpreter with what the package needs.
func hasPython(ctx context.Context) bool {
	return exec.CommandContext(ctx, needs.Python(), "-c", "import numpy, pandas").Run() == nil
}

// run has a file learned from or, half of the time, a frame that pandas reads from it if it reads it as such.
func (p *python) run(dir string, doc *document.Run, format string, readsFrames bool) outcome {
	p.mu.Lock()
	defer p.mu.Unlock()
	text, err := json.Marshal(doc)
	must(err)
	var options map[string]any
	exact := json.NewDecoder(bytes.NewReader(text))
	exact.UseNumber() // a seed has more digits than a float
	must(exact.Decode(&options))
	for _, key := range []string{"read", "write", "version"} {
		delete(options, key)
	}
	if doc.Read.Resample != "" {
		options["read"] = map[string]any{"resample": doc.Read.Resample}
	}
	head, err := os.ReadFile(filepath.Join(dir, signalsFile))
	must(err)
	must(p.ask.Encode(map[string]any{
		"dir": dir, "options": options, "save": "graph." + format, "report": doc.Write.Report != "",
		"frame": readsFrames && len(head)%2 == 0, "header": bytes.ContainsAny(head[:bytes.IndexByte(head, '\n')], "va"),
	}))
	var answer struct {
		Code int
		Said string
	}
	must(p.answers.Decode(&answer))
	return outcome{code: answer.Code, said: answer.Said, dir: dir}
}
