//go:build unix

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/needs"
)

func (d *doors) learn() {
	for _, c := range d.cases {
		complaint := d.do("", "learn", c.name, "--method", c.method, "--out", "graph.json", "--summary", "summary.json", "--quiet")
		if complaint != "" {
			d.keep("learn", c.name, answer{Error: complaint})
			continue
		}
		d.keep("learn", c.name, d.read(d.file("graph.json"), d.file("summary.json")))
	}
}

// job is the run of a file as a document.
func (d *doors) job(c doorCase) string {
	run := document.Run{Version: document.RunVersion}
	run.Read.Files, run.Method.Name = []string{c.name}, c.method
	run.Write.Graph, run.Write.Summary = "graph.json", "summary.json"
	text, err := json.Marshal(run)
	if err != nil {
		d.Fatal(err)
	}
	return string(text)
}

func (d *doors) run() {
	for _, c := range d.cases {
		if complaint := d.do(d.job(c), "run", "-", "--quiet"); complaint != "" {
			d.keep("run", c.name, answer{Error: complaint})
			continue
		}
		d.keep("run", c.name, d.read(d.file("graph.json"), d.file("summary.json")))
	}
}

// server has jobs done by the server of the page.
func (d *doors) server() {
	cmd := exec.CommandContext(d.Context(), d.tool, "serve", "--port", "0")
	cmd.Dir = d.dir
	stderr, err := cmd.StderrPipe()
	if err != nil {
		d.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait()
	}()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil {
		d.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	page, token, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "open ")), "/?token=")
	send := func(method, path string, body []byte) []byte {
		d.Helper()
		r, err := http.NewRequestWithContext(d.Context(), method, page+path, bytes.NewReader(body))
		if err != nil {
			d.Fatal(err)
		}
		r.Header.Set("Cookie", "nervure-"+page[strings.LastIndex(page, ":")+1:]+"="+token)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			d.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode >= 300 {
			d.Fatalf("%s %s is answered %d, %v: %s", method, path, response.StatusCode, err, text)
		}
		return text
	}
	for _, c := range d.cases {
		var job struct{ ID string }
		if err := json.Unmarshal(send("POST", "/api/jobs", nil), &job); err != nil {
			d.Fatal(err)
		}
		at := "/api/jobs/" + job.ID
		send("PUT", at+"/files/"+url.PathEscape(c.name), d.file(c.name))
		send("POST", at+"/run", []byte(d.job(c)))
		events := string(send("GET", at+"/events", nil)) // until the job has ended
		var end struct{ Error string }
		last := events[strings.LastIndex(events, "data: ")+len("data: "):]
		if err := json.Unmarshal([]byte(last), &end); err != nil {
			d.Fatalf("%v: %s", err, last)
		}
		if end.Error != "" {
			d.keep("server", c.name, answer{Error: end.Error})
			continue
		}
		d.keep("server", c.name, d.read(send("GET", at+"/files/graph.json", nil), send("GET", at+"/files/summary.json", nil)))
	}
}

func (d *doors) batch() { d.batchTo("batch") }

// cluster has the files learned from by a worker.
func (d *doors) cluster() {
	address := checks.FreeAddress(d).String()
	worker := exec.CommandContext(d.Context(), d.tool, "worker", "--cluster", "nats://"+address, "--idle", "30s")
	if err := worker.Start(); err != nil {
		d.Fatal(err)
	}
	defer func() {
		_ = worker.Process.Kill()
		_ = worker.Wait()
	}()
	d.batchTo("cluster", "--cluster", "listen:"+address)
}

// batchTo learns from all files in one run for each method. A batch has the edges, the
// warnings and the verdict of each file in its index and in a list.
func (d *doors) batchTo(door string, flags ...string) {
	for _, method := range []string{"correlation", "auto"} {
		to := filepath.Join(d.dir, door+"-"+method)
		args := []string{"batch", "--method", method, "--out", to, "--format", "json"}
		args = append(args, flags...)
		for _, c := range d.cases {
			if c.method == method {
				args = append(args, c.name)
			}
		}
		cmd := exec.CommandContext(d.Context(), d.tool, args...)
		cmd.Dir = d.dir
		if said, err := cmd.CombinedOutput(); err != nil && method == "auto" {
			d.Fatalf("%v: %s", err, said)
		}
		d.readIndex(door, to)
	}
}

func (d *doors) readIndex(door, dir string) {
	content, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		d.Fatal(err)
	}
	var index document.Index
	if err := json.Unmarshal(content, &index); err != nil {
		d.Fatal(err)
	}
	for _, row := range index.Rows {
		if row.Error != "" {
			d.keep(door, row.File, answer{Error: row.Error})
			continue
		}
		summary, err := os.ReadFile(filepath.Join(dir, row.Name+".json"))
		if err != nil {
			d.Fatal(err)
		}
		d.Log(string(summary))
	}
}

// script runs a program of another language, whose lines are a door, a file, what is said
// and the words, with tabs between them.
func (d *doors) script(program, name, text string, args ...string) {
	d.Helper()
	if _, err := exec.LookPath(program); err != nil {
		needs.LeaveOut(d, "there is no "+program)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		d.Fatal(err)
	}
	script := filepath.Join(d.TempDir(), name)
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		d.Fatal(err)
	}
	cmd := exec.CommandContext(d.Context(), program, append(args, script)...)
	cmd.Dir = d.dir
	cmd.Env = append(os.Environ(), "NERVURE_BINARY="+d.tool, "LC_ALL=C.UTF-8", "PYTHONPATH="+filepath.Join(root, "python", "src"), "NERVURE_R="+filepath.Join(root, "r", "nervure.R"), "OCTAVE_PATH="+filepath.Join(root, "matlab"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		d.Fatalf("%v: %s", err, stderr.Bytes())
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(words) < 4 {
			d.Fatalf("%q", line)
		}
		a := d.answers[words[0]][words[1]]
		switch words[2] {
		case "edge":
			weight, err := strconv.ParseFloat(words[5], 64)
			if err != nil {
				d.Fatal(err)
			}
			a.Edges = append(a.Edges, edge(words[3], words[4], weight))
		case "verdict":
			a.Verdict = words[3]
		case "said":
			a.Said = append(a.Said, words[3])
		case "error":
			a.Error = words[3]
		}
		d.keep(words[0], words[1], a)
	}
}

func (d *doors) python() {
	var b strings.Builder
	b.WriteString(`
import warnings
import numpy as np, pandas as pd
import nervure

def go(door, f, read, method):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            g = nervure.learn_graph(read(f), method=method)
        except ValueError as fault:
            print(door, f, "error", fault, sep="\t")
            return
    print(door, f, "verdict", g.verdict, sep="\t")
    for w in told:
        print(door, f, "said", w.message, sep="\t")
    for (i, j), w in zip(g.edges, g.weights):
        print(door, f, "edge", g.names[i], g.names[j], repr(float(w)), sep="\t")

`)
	for _, c := range d.cases {
		frame := c.pandas
		if c.framesDiffer != "" {
			frame = ""
		}
		for door, read := range map[string]string{"python file": "f", "python frame": frame, "python array": c.numpy} {
			if read != "" {
				b.WriteString("go(" + strconv.Quote(door) + ", " + strconv.Quote(c.name) + ", lambda f: " + read + ", " + strconv.Quote(c.method) + ")\n")
			}
		}
	}
	d.script(needs.Python(), "doors.py", b.String())
}

func (d *doors) r() {
	var b strings.Builder
	b.WriteString(`
source(Sys.getenv("NERVURE_R"))
go <- function(door, f, read, method) {
  say <- function(...) cat(door, f, ..., sep = "\t", fill = FALSE)
  g <- tryCatch(suppressWarnings(nervure(read(f), method = method)), error = function(e) {
    cat(door, "\t", f, "\terror\t", conditionMessage(e), "\n", sep = "")
    NULL
  })
  if (is.null(g)) return()
  cat(door, "\t", f, "\tverdict\t", g$verdict, "\n", sep = "")
  for (s in c(g$notes, g$warnings)) cat(door, "\t", f, "\tsaid\t", s, "\n", sep = "")
  for (k in seq_len(nrow(g$edges))) {
    e <- g$edges[k, ]
    cat(door, "\t", f, "\tedge\t", e$source, "\t", e$target, "\t", sprintf("%.17g", e$weight), "\n", sep = "")
  }
}
`)
	for _, c := range d.cases {
		frame := c.r
		if c.framesDiffer != "" {
			frame = ""
		}
		for door, read := range map[string]string{"r file": "f", "r frame": frame} {
			if read != "" {
				b.WriteString("go(" + strconv.Quote(door) + ", " + strconv.Quote(c.name) + ", function(f) " + read + ", " + strconv.Quote(c.method) + ")\n")
			}
		}
	}
	d.script("Rscript", "doors.R", b.String(), "--vanilla")
}

func (d *doors) octave() {
	var b strings.Builder
	b.WriteString(`1;
function go(door, f, Y, names, method)
  try
    G = nervure(Y, 'method', method, 'names', names);
  catch fault
    printf("%s\t%s\terror\t%s\n", door, f, fault.message);
    return;
  end
  printf("%s\t%s\tverdict\t%s\n", door, f, G.verdict);
  said = [G.notes(:); G.warnings(:)];
  for k = 1:numel(said), printf("%s\t%s\tsaid\t%s\n", door, f, said{k}); end
  for k = 1:numel(G.edges)
    printf("%s\t%s\tedge\t%s\t%s\t%.17g\n", door, f, G.edges(k).source, G.edges(k).target, G.edges(k).weight);
  end
end
warning('off', 'all');
`)
	for _, c := range d.cases {
		words := strconv.Quote(c.name) + ", "
		b.WriteString("go(\"octave file\", " + words + words + "{}, " + strconv.Quote(c.method) + ");\n")
		if c.octave != "" {
			names := cmp.Or(map[bool]string{true: "{}"}[strings.Contains(c.name, "no-header")], "{'s0', 's1', 's2', 's3', 's4'}")
			b.WriteString("f = " + strconv.Quote(c.name) + "; go(\"octave matrix\", f, " + c.octave + ", " + names + ", " + strconv.Quote(c.method) + ");\n")
		}
	}
	d.script("octave-cli", "doors.m", b.String(), "--norc", "--quiet")
}
