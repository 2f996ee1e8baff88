package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/needs"
)

// Faults made on purpose: the program is built with the tag faults, and panics where NERVURE_FAULT says.

// A faulty program is one in a folder with two files of signals.
type faulty struct {
	*testing.T
	tool, dir string
}

const faultExit = 70

// run runs the program with a fault, and returns what it said.
func (f faulty) run(place string, want int, args ...string) (said string) {
	f.Helper()
	cmd := f.command(place, args...)
	out, err := cmd.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		f.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != want {
		f.Errorf("%s: exit %d, want %d: %s", place, code, want, out)
	}
	return string(out)
}

func (f faulty) command(place string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(f.Context(), f.tool, args...)
	cmd.Dir = f.dir
	cmd.Env = append(os.Environ(), "NERVURE_FAULT="+place)
	return cmd
}

// files are the names in a folder, without those in the folder that were there before.
func (f faulty) files(sub string) []string {
	f.Helper()
	entries, err := os.ReadDir(filepath.Join(f.dir, sub))
	if err != nil {
		f.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), "signals-") {
			names = append(names, e.Name())
		}
	}
	return names
}

var (
	theSentence = regexp.MustCompile(`(?m)^nervure: .*$`)
	theReport   = regexp.MustCompile(`nervure-fault-\d{8}-\d{6}(-\d+)?\.txt`)
)

// checkTold checks that there is one sentence, which names what was ended, no trace of Go, and a report that has the
// place and no value; and removes the report.
func (f faulty) checkTold(place, part, said string) {
	f.Helper()
	sentences := theSentence.FindAllString(said, -1)
	if len(sentences) != 1 || !strings.Contains(sentences[0], "a fault of the program, not of your data, ended "+part) || strings.Contains(said, "goroutine") || strings.Contains(said, ".go:") {
		f.Errorf("%s: said %s", place, said)
		return
	}
	path := filepath.Join(f.dir, theReport.FindString(sentences[0]))
	report, err := os.ReadFile(path)
	if err != nil {
		f.Error(err)
		return
	}
	for _, want := range []string{"panic: a fault made on purpose: " + place, "guard.Trip\n", "version ", `"files"`} {
		if !bytes.Contains(report, []byte(want)) {
			f.Errorf("%s: no %q in %s", place, want, report)
		}
	}
	if bytes.Contains(report, []byte("0.625")) || bytes.Contains(report, []byte("0x")) {
		f.Errorf("%s: there are values in %s", place, report)
	}
	if err := os.Remove(path); err != nil {
		f.Error(err)
	}
}

func TestAFaultOfTheProgramIsOneSentence(t *testing.T) {
	needs.Long(t, "all packages are built again")
	f := faulty{T: t, dir: t.TempDir()}
	f.tool = filepath.Join(f.dir, "signals-nervure.exe")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "faults", "-o", f.tool, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name := range 2 {
		save(t, filepath.Join(f.dir, fmt.Sprintf("signals-%d.csv", name)), faultySignals())
	}
	t.Run("learn", func(t *testing.T) { f.at(t).learn() })
	t.Run("compare", func(t *testing.T) { f.at(t).compare() })
	t.Run("windows", func(t *testing.T) { f.at(t).windows() })
	t.Run("batch", func(t *testing.T) { f.at(t).batch() })
	t.Run("worker", func(t *testing.T) { f.at(t).worker() })
	t.Run("page", func(t *testing.T) { f.at(t).page() })
}

func (f faulty) at(t *testing.T) faulty {
	t.Helper()
	f.T = t
	return f
}

// faultySignals are a chain of eight vertices.
func faultySignals() []byte {
	var b bytes.Buffer
	b.WriteString("a,b,c,d,e,f,g,h\n")
	state := 1
	for range 200 {
		sum := 0.0
		for v := range 8 {
			state = state * 16807 % 2147483647
			sum = 0.625*sum + float64(state%2000-1000)/1000
			if v > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, "%g", sum)
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

// What was learned before a fault is written; after one in learning, there is nothing.
func (f faulty) learn() {
	args := []string{"learn", "signals-0.csv", "--method", "ggl", "--confidence", "yes", "--out", "graph.csv", "--summary", "summary.json", "--report", "report.html"}
	all := []string{"graph.csv", "report.html", "summary.json"}
	f.run("", 0, args...)
	healthy := f.read("graph.csv")
	for _, c := range []struct {
		place, part string
		written     []string
	}{
		{"learning", "the run", nil},
		{"structure", "the structure test", all},
		{"confidence", "the confidence of edges", all},
		{"half", "the confidence of edges", all}, // in a goroutine
		{"report", "writing report.html", []string{"graph.csv", "summary.json"}},
	} {
		for _, name := range all {
			_ = os.Remove(filepath.Join(f.dir, name))
		}
		f.checkTold(c.place, c.part, f.run(c.place, faultExit, args...))
		if got := f.files(""); !slices.Equal(got, c.written) {
			f.Errorf("%s: there are %q", c.place, got)
			continue
		}
		if c.written == nil {
			continue
		}
		if now := f.read("graph.csv"); len(edgesOf(now)) == 0 || !slices.Equal(edgesOf(now), edgesOf(healthy)) {
			f.Errorf("%s: the graph is %s, not %s", c.place, now, healthy)
		}
		if warned := strings.Contains(f.read("summary.json"), "a fault of the program, not of your data, ended "+c.part); warned != (c.place != "report") {
			f.Errorf("%s: warned is %t", c.place, warned)
		}
	}
	for _, name := range all {
		_ = os.Remove(filepath.Join(f.dir, name))
	}
}

func (f faulty) read(name string) string {
	f.Helper()
	b, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		f.Error(err)
	}
	return string(b)
}

// edgesOf are the edges of a list with their weights, without what is known of them.
func edgesOf(list string) []string {
	var edges []string
	for line := range strings.Lines(list) {
		edges = append(edges, strings.Join(strings.SplitN(strings.TrimSpace(line), ",", 4)[:3], ","))
	}
	return edges
}

// A fault of one method costs none of the others.
func (f faulty) compare() {
	said := f.run("ggl", faultExit, "compare", "signals-0.csv", "--methods", "ggl,tree,correlation", "--out", "compared.csv")
	f.checkTold("ggl", "the method ggl", said)
	for _, name := range []string{"tree", "correlation"} {
		if !strings.Contains(said, name) || !strings.Contains(f.read("compared.csv"), name) {
			f.Errorf("%s is not compared: %s", name, said)
		}
	}
	_ = os.Remove(filepath.Join(f.dir, "compared.csv"))
}

// A fault of one window costs none of the others.
func (f faulty) windows() {
	said := f.run("window 2", faultExit, "learn", "signals-0.csv", "--method", "ggl", "--window", "100", "--step", "50", "--windows", "windows")
	f.checkTold("window 2", "window 2", said)
	for _, name := range []string{"window-001.csv", "window-003.csv", "index.html", "whole.csv"} {
		f.read(filepath.Join("windows", name))
	}
	if !strings.Contains(f.read(filepath.Join("windows", "index.csv")), "ended window 2") {
		f.Error("the index does not say it")
	}
}

// A fault in one file costs that file; one in its confidence or page costs those.
func (f faulty) batch() {
	args := []string{"batch", "signals-0.csv", "signals-1.csv", "--each", "--report", "--method", "ggl", "--out"}
	f.checkTold("worker", "the task signals-", f.run("worker", faultExit, append(args, "worker")...))
	f.checkTold("confidence", "the confidence of edges", f.run("confidence", faultExit, append(args, "confidence")...))
	f.checkTold("report", "the page", f.run("report", faultExit, append(args, "report")...))
	for folder, want := range map[string][]string{
		"worker": {"index.csv", "index.json"}, "confidence": {"signals-0.csv", "signals-0.html", "signals-1.csv", "index.html"}, "report": {"signals-0.csv", "signals-1.json", "index.html"},
	} {
		for _, name := range want {
			if _, err := os.Stat(filepath.Join(f.dir, folder, name)); err != nil {
				f.Error(err)
			}
		}
	}
	if said := f.run("", 0, append(args, "confidence")...); strings.Contains(said, "fault") {
		f.Errorf("the next run said %s", said)
	}
}

// A fault of a worker comes to the command that shares its work, which does it by itself; the worker lives on.
func (f faulty) worker() {
	learn := f.command("", "learn", "signals-0.csv", "--method", "ggl", "--confidence", "yes", "--out", "graph.csv", "--cluster", "listen:127.0.0.1:0")
	pipe, err := learn.StderrPipe()
	if err != nil {
		f.Fatal(err)
	}
	if err := learn.Start(); err != nil {
		f.Fatal(err)
	}
	var said strings.Builder
	var worker *exec.Cmd
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		fmt.Fprintln(&said, lines.Text())
		if _, address, ok := strings.Cut(lines.Text(), "nervure worker --cluster "); ok {
			worker = f.command("worker", "worker", "--cluster", strings.Fields(address)[0], "--idle", "2s")
			if err := worker.Start(); err != nil {
				f.Fatal(err)
			}
		}
	}
	_ = learn.Wait()
	if code := learn.ProcessState.ExitCode(); code != faultExit || worker == nil {
		f.Fatalf("exit %d: %s", code, said.String())
	}
	f.checkTold("worker", "the task ", said.String())
	if len(edgesOf(f.read("graph.csv"))) < 2 {
		f.Error("there is no graph")
	}
	_ = os.Remove(filepath.Join(f.dir, "graph.csv"))
	_ = worker.Wait()
}

// The page shows the sentence, the report is where the server was started, and the server lives on.
func (f faulty) page() {
	ctx, stop := context.WithCancel(f.Context())
	serve := exec.CommandContext(ctx, f.tool, "serve", "--port", "0")
	serve.Dir, serve.Env = f.dir, append(os.Environ(), "NERVURE_FAULT=confidence")
	page, err := browsertest.Serve(serve)
	if err != nil {
		f.Fatal(err)
	}
	defer func() {
		stop()
		_ = serve.Wait()
	}()
	for range 2 {
		end, err := page.Run(ctx, map[string][]byte{"signals.csv": faultySignals()},
			[]byte(`{"version": 1, "read": {"files": ["signals.csv"]}, "method": {"name": "ggl"}, "write": {"graph": "graph.json", "summary": "summary.json", "report": "report.html"}}`))
		if err != nil {
			f.Fatal(err)
		}
		if end.Code != faultExit || len(end.Files) != 3 || !strings.Contains(end.Error, f.dir) {
			f.Errorf("got %+v", end)
		}
		f.checkTold("confidence", "the confidence of edges", "nervure: "+end.Error)
	}
}
