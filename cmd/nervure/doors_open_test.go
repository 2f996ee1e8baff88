//go:build unix

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/nervure/nervure/cmd/internal/viewer"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/needs"
)

func (d doors) learn() {
	for _, c := range d.cases {
		line := append([]string{d.tool, "learn", c.name, "--out", "graph.json", "--summary", "summary.json", "--quiet"}, c.flags()...)
		if c.codes {
			line = append(line, "--codes", "codes.npy")
		}
		d.keepFiles("learn", c, d.do("", line...))
	}
}

// flags are the options of a case.
func (c doorCase) flags() []string {
	list := []string{"--method", c.method}
	if c.seed > 0 {
		list = append(list, "--seed", strconv.FormatUint(c.seed, 10))
	}
	if c.difference {
		list = append(list, "--difference")
	}
	return list
}

// job is the run of a file as a document.
func (d doors) job(c doorCase) string {
	return d.jobWith(c, c.codes)
}

func (d doors) jobWith(c doorCase, codes bool) string {
	run := document.Run{Version: document.RunVersion}
	run.Read.Files, run.Method.Name = []string{c.name}, c.method
	run.Write.Graph, run.Write.Summary, run.Seed = "graph.json", "summary.json", c.seed
	if c.difference {
		run.Prepare.Difference = "yes"
	}
	if codes {
		run.Write.Codes = "codes.npy"
	}
	text, err := json.Marshal(run)
	if err != nil {
		d.Fatal(err)
	}
	return string(text)
}

func (d doors) run() {
	for _, c := range d.through["run"] {
		d.keepFiles("run", c, d.do(d.job(c), d.tool, "run", "-", "--quiet"))
	}
}

// browser runs the program of the page without a server, which is WebAssembly, as a browser does.
func (d doors) browser() {
	node, err := exec.LookPath("node")
	if err != nil {
		needs.LeaveOut(d.T, "there is no node")
	}
	p, err := viewer.Build(d.Context(), "")
	if err != nil {
		d.Fatal(err)
	}
	program := filepath.Join(d.TempDir(), "nervure.wasm")
	if err := os.WriteFile(program, p.Wasm, 0o600); err != nil {
		d.Fatal(err)
	}
	root, err := exec.CommandContext(d.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		d.Fatal(err)
	}
	runner := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	for _, c := range d.through["browser"] {
		d.keepFiles("browser", c, d.do(d.job(c), "env", "GOMAXPROCS=1", node, runner, program, "run", "-", "--quiet"))
	}
}

// server has jobs done by the server of the page.
func (d doors) server() {
	cmd := exec.CommandContext(d.Context(), d.tool, "serve", "--port", "0")
	cmd.Dir = d.dir
	page, err := browsertest.Serve(cmd)
	if err != nil {
		d.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait()
	}()
	go func() { _, _ = io.Copy(io.Discard, page.Said) }()
	for _, c := range d.through["server"] {
		end, err := page.Run(d.Context(), map[string][]byte{c.name: d.file(c.name)}, []byte(d.jobWith(c, false))) // the page has no codes
		if err != nil {
			d.Fatal(err)
		}
		if end.Error != "" {
			d.keep("server", c.name, doorAnswer{Error: end.Error})
			continue
		}
		var files [2][]byte
		for k, name := range []string{"graph.json", "summary.json"} {
			if files[k], err = page.Ask(d.Context(), "GET", end.Job+"/files/"+name, nil); err != nil {
				d.Fatal(err)
			}
		}
		d.keep("server", c.name, d.read(files[0], files[1]))
	}
}

func (d doors) batch() { d.batchTo("batch") }

// cluster has the files learned from by a worker.
func (d doors) cluster() {
	address := checks.FreeAddress(d.T).String()
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

// batchTo learns from all files in one run for each method.
func (d doors) batchTo(door string, flags ...string) {
	files := map[string][]string{} // by options
	for _, c := range d.through[door] {
		files[strings.Join(c.flags(), " ")] = append(files[strings.Join(c.flags(), " ")], c.name)
	}
	for options, names := range files {
		to := door + options
		args := slices.Concat([]string{"batch", "--each", "--out", to, "--quiet"}, strings.Fields(options), flags, names)
		cmd := exec.CommandContext(d.Context(), d.tool, args...)
		cmd.Dir = d.dir
		said, err := cmd.CombinedOutput() // a fault, since some files have no graph
		var index document.Index
		if json.Unmarshal(d.file(to, "index.json"), &index) != nil || len(index.Rows) == 0 {
			d.Fatalf("%v: %s", err, said)
		}
		for _, row := range index.Rows {
			if row.Error != "" {
				d.keep(door, row.File, doorAnswer{Error: row.Error})
				continue
			}
			a := d.read([]byte("{}"), d.file(to, row.Name+".json"))
			header, edges, _ := strings.Cut(string(d.file(to, row.Name+".csv")), "\n")
			for line := range strings.Lines(edges) {
				cells, confidence := strings.Split(strings.TrimSpace(line), ","), ""
				if at := slices.Index(strings.Split(header, ","), "confidence"); at >= 0 {
					confidence = cells[at]
				}
				a.Edges = append(a.Edges, d.edge(cells[0], cells[1], d.number(cells[2]), confidence))
			}
			d.keep(door, row.File, a)
		}
	}
}

func (d doors) number(text string) float64 {
	d.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		d.Fatal(err)
	}
	return x
}

// script runs a program of another language, whose lines are a door, a file, what is said
// and the words, with tabs between them.
func (d doors) script(program, name, text string, args ...string) {
	d.Helper()
	if _, err := exec.LookPath(program); err != nil {
		needs.LeaveOut(d.T, "there is no "+program)
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
			a.Edges = append(a.Edges, d.edge(words[3], words[4], d.number(words[5]), words[6]))
		case "codes":
			a.Codes = codesOf(int(d.number(words[3])), int(d.number(words[4])), int(d.number(words[5])), d.number(words[6]))
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

func (d doors) python() {
	var b strings.Builder
	b.WriteString(`
import warnings
import numpy as np, pandas as pd
import nervure

def go(door, f, read, asked, names=None, codes=False):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            g = nervure.learn_graph(read(f), names=names, **asked)
        except ValueError as fault:
            print(door, f, "error", fault, sep="\t")
            return
    print(door, f, "verdict", g.verdict, sep="\t")
    for w in told:
        print(door, f, "said", w.message, sep="\t")
    for k, ((i, j), w) in enumerate(zip(g.edges, g.weights)):
        sure = "" if g.confidence is None else repr(float(g.confidence[k]))
        print(door, f, "edge", g.names[i], g.names[j], repr(float(w)), sure, sep="\t")
    if codes:
        x = g.codes.T
        print(door, f, "codes", *x.shape, np.count_nonzero(x), repr(float(x.sum())), sep="\t")

`)
	asked := func(c doorCase) string {
		if c.seed == 0 {
			return fmt.Sprintf("{'method': %q}", c.method)
		}
		difference := map[bool]string{true: "True", false: "'auto'"}[c.difference]
		return fmt.Sprintf("{'options': {'method': {'name': %q}, 'seed': %d, 'prepare': {'difference': %s}}}", c.method, c.seed, difference)
	}
	codes := map[bool]string{true: ", codes=True"}
	for _, c := range d.through["python file"] {
		fmt.Fprintf(&b, "go('python file', %q, str, %s)\n", c.name, asked(c)) // of a file, no codes are kept
	}
	for _, c := range d.through["python frame"] {
		fmt.Fprintf(&b, "go('python frame', %q, lambda f: %s, %s%s)\n", c.name, cmp.Or(c.pandas, pandas), asked(c), codes[c.codes])
	}
	for _, c := range d.through["python array"] {
		names := ", names=['s0', 's1', 's2', 's3', 's4']"
		if strings.HasPrefix(c.name, "no-header") || c.name == "array.npy" {
			names = ""
		}
		fmt.Fprintf(&b, "go('python array', %q, lambda f: %s, %s%s%s)\n", c.name, c.numpy, asked(c), names, codes[c.codes])
	}
	d.script(needs.Python(), "doors.py", b.String())
}

func (d doors) r() {
	var b strings.Builder
	b.WriteString(`
source(Sys.getenv("NERVURE_R"))
go <- function(door, f, read, ..., codes = FALSE) {
  g <- tryCatch(suppressWarnings(nervure(read(f), ..., codes = codes)), error = function(e) {
    cat(door, "\t", f, "\terror\t", conditionMessage(e), "\n", sep = "")
    NULL
  })
  if (is.null(g)) return(invisible())
  cat(door, "\t", f, "\tverdict\t", g$verdict, "\n", sep = "")
  for (s in c(g$notes, g$warnings)) cat(door, "\t", f, "\tsaid\t", s, "\n", sep = "")
  for (k in seq_len(nrow(g$edges))) {
    e <- g$edges[k, ]
    cat(door, "\t", f, "\tedge\t", e$source, "\t", e$target, "\t", sprintf("%.17g", e$weight), "\t",
        if (!is.null(e$confidence)) sprintf("%.17g", e$confidence), "\n", sep = "")
  }
  if (codes) cat(door, f, "codes", dim(g$codes), sum(g$codes != 0), paste0(sprintf("%.17g", sum(g$codes)), "\n"), sep = "\t")
}
`)
	asked := func(c doorCase) string {
		text := fmt.Sprintf("method = %q", c.method)
		if c.seed > 0 {
			difference := map[bool]string{true: "TRUE", false: "'auto'"}[c.difference]
			text = fmt.Sprintf("options = list(method = list(name = %q), seed = %d, prepare = list(difference = %s))", c.method, c.seed, difference)
		}
		return text + map[bool]string{true: ", codes = TRUE"}[c.codes]
	}
	for _, c := range d.through["r file"] {
		fmt.Fprintf(&b, "go('r file', %q, identity, %s)\n", c.name, asked(c))
	}
	for _, c := range d.through["r frame"] {
		fmt.Fprintf(&b, "go('r frame', %q, function(f) %s, %s)\n", c.name, cmp.Or(c.r, readR), asked(c))
	}
	d.script("Rscript", "doors.R", b.String(), "--vanilla")
}

func (d doors) octave() {
	var b strings.Builder
	b.WriteString(`1;
function go(door, f, Y, names, varargin)
  try
    G = nervure(Y, 'names', names, varargin{:});
  catch fault
    printf("%s\t%s\terror\t%s\n", door, f, fault.message);
    return;
  end
  printf("%s\t%s\tverdict\t%s\n", door, f, G.verdict);
  said = [G.notes(:); G.warnings(:)];
  for k = 1:numel(said), printf("%s\t%s\tsaid\t%s\n", door, f, said{k}); end
  for k = 1:numel(G.edges)
    e = G.edges(k);
    printf("%s\t%s\tedge\t%s\t%s\t%.17g\t%.17g\n", door, f, e.source, e.target, e.weight, e.confidence);
  end
  if isfield(G, 'codes')
    printf("%s\t%s\tcodes\t%d\t%d\t%d\t%.17g\n", door, f, size(G.codes), nnz(G.codes), full(sum(G.codes(:))));
  end
end
warning('off', 'all');
`)
	asked := func(c doorCase) string {
		text := fmt.Sprintf("'method', %q", c.method)
		if c.seed > 0 {
			difference := map[bool]string{true: "true", false: "'auto'"}[c.difference]
			text = fmt.Sprintf("'options', struct('method', struct('name', %q), 'seed', %d, 'prepare', struct('difference', %s))", c.method, c.seed, difference)
		}
		return text + map[bool]string{true: ", 'codes', true"}[c.codes]
	}
	for _, c := range d.through["octave file"] {
		fmt.Fprintf(&b, "f = %q; go('octave file', f, f, {}, %s);\n", c.name, asked(c))
	}
	for _, c := range d.through["octave matrix"] {
		names := "{'s0', 's1', 's2', 's3', 's4'}"
		if c.name == "no-header.csv" {
			names = "{}"
		}
		fmt.Fprintf(&b, "f = %q; go('octave matrix', f, %s, %s, %s);\n", c.name, c.octave, names, asked(c))
	}
	d.script("octave-cli", "doors.m", b.String(), "--norc", "--quiet")
}
