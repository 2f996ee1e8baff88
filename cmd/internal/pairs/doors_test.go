//go:build unix

package pairs

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/needs"
)

// openPage starts a server that ends with the test.
func openPage(t *testing.T, tool string) *browsertest.Server {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tool, "serve", "--port", "0", "--jobs", "4", "--max-time", "10m")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = time.Minute
	page, err := browsertest.Serve(cmd)
	must(err)
	t.Cleanup(func() { _ = cmd.Wait() })
	go func() { _, _ = io.Copy(io.Discard, page.Said) }()
	return page
}

// runOnPage has a job done by the server, and puts its results into the directory.
func runOnPage(ctx context.Context, page *browsertest.Server, dir string, doc *document.Run) outcome {
	files := map[string][]byte{}
	for _, name := range []string{signalsFile, knownFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		must(err)
		files[name] = text
	}
	asked := *doc
	asked.Write = document.RunWrite{Graph: "graph.json", Summary: summaryFile, Report: doc.Write.Report}
	text, err := json.Marshal(asked)
	must(err)
	end, err := page.Run(ctx, files, text)
	defer func() { _, _ = page.Ask(ctx, "DELETE", end.Job, nil) }()
	if err != nil {
		return outcome{code: codeMisuse, said: err.Error()}
	}
	for _, name := range end.Files {
		text, err := page.Ask(ctx, "GET", end.Job+"/files/"+name, nil)
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
