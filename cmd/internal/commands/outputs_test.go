//go:build unix

package commands

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
)

// smallSignals writes signals of six vertices, of the given scale, to a file.
func smallSignals(t *testing.T, dir string, scale float64) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("a,b,c,d,e,f\n")
	for range 24 {
		row := make([]string, 6)
		last := 0.0
		for k := range row {
			last = last/2 + random.NormFloat64()
			row[k] = strconv.FormatFloat(last*scale, 'g', -1, 64)
		}
		text.WriteString(strings.Join(row, ",") + "\n")
	}
	return put(t, filepath.Join(dir, "signals.csv"), text.String())
}

// An output never takes the place of an input, whatever flag names it, nor of another
// output, whatever links lead there.
func TestOutputsAreNeitherInputsNorEachOther(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	signals := smallSignals(t, dir, 1)
	const edges = "source,target,weight\na,b,1\nb,c,1\nc,d,1\nd,e,1\ne,f,1\n"
	known := put(t, at("known.csv"), edges)
	vertices := put(t, at("vertices.csv"), "name,lat,lon\na,1,1\nb,1,2\nc,1,3\nd,2,1\ne,2,2\nf,2,3\n")
	for from, to := range map[string]string{"one.csv": "none.csv", "two.json": "none.csv", "there.csv": "known.csv"} {
		if err := os.Symlink(to, at(from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(dir, at("again")); err != nil {
		t.Fatal(err)
	}
	learn := []string{"learn", signals, "--method", "sparse", "--confidence", "no", "--quiet"}
	for name, args := range map[string][]string{
		"the allowed edges":                         append(learn, "--allow", known, "--out", known),
		"the forbidden edges, by a link":            append(learn, "--forbid", known, "--out", at("there.csv")),
		"the graph to start from":                   append(learn, "--init", known, "--summary", known),
		"the prior":                                 append(learn, "--prior", known, "--laplacian", known),
		"two links to a file that is not there":     append(learn, "--out", at("one.csv"), "--summary", at("two.json")),
		"a link and a file that is not there":       append(learn, "--out", at("none.csv"), "--summary", at("two.json")),
		"one directory under two names":             append(learn, "--out", at("new.csv"), "--laplacian", filepath.Join(at("again"), "new.csv")),
		"an output in the folder of the checkpoint": append(learn, "--checkpoint", at("run"), "--out", filepath.Join(at("run"), "graph.csv")),
		"a table of vertices that is a graph":       {"convert", known, "--out", at("there.csv")},
		"the truth":                                 {"compare", signals, "--truth", known, "--methods", "correlation", "--out", known},
		"the picture of a table":                    {"plot", known, "--vertices", vertices, "--out", vertices},
	} {
		code, _, stderr := run(t.Context(), nil, args...)
		if code != views.ExitMisuse || strings.Count(stderr, "\n") > 2 {
			t.Errorf("%s: exit code %d, %q", name, code, stderr)
		}
		for path, want := range map[string]string{known: edges} {
			if got, err := os.ReadFile(path); err != nil || string(got) != want {
				t.Fatalf("%s: %s is now %q, %v", name, path, got, err)
			}
		}
	}
}

// Who waits for a reader of a pipe stops when told to.
func TestAPipeWithoutAReaderCanBeInterrupted(t *testing.T) {
	dir := t.TempDir()
	signals, pipe := smallSignals(t, dir, 1), filepath.Join(dir, "pipe.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	graph := put(t, filepath.Join(dir, "graph.csv"), "source,target,weight\na,b,1\n")
	for _, args := range [][]string{
		{"learn", signals, "--confidence", "no", "--out", pipe},
		{"convert", graph, "--out", pipe},
	} {
		code, stderr := views.ExitInterrupted, ""
		// On a busy machine it may not have come to the pipe when it is told to stop.
		for after := time.Second; code == views.ExitInterrupted && !strings.Contains(stderr, pipe) && after < 2*time.Minute; after *= 2 {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				code, _, stderr = run(ctx, nil, args...)
			}()
			select {
			case <-ended:
			case <-time.After(10 * time.Minute):
				t.Fatalf("%s is still waiting", args[0])
			}
			cancel()
		}
		if code != views.ExitInterrupted || !strings.Contains(stderr, pipe) {
			t.Errorf("%s: exit code %d, %q", args[0], code, stderr)
		}
	}
}

// A reader that comes late gets everything, once.
func TestAPipeIsWrittenOnceItHasAReader(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	const edges = "source,target,weight\na,b,1\n"
	graph := put(t, filepath.Join(dir, "graph.csv"), edges)
	read := make(chan string)
	go func() {
		time.Sleep(200 * time.Millisecond)
		text, err := os.ReadFile(pipe)
		if err != nil {
			t.Error(err)
		}
		read <- string(text)
	}()
	if code, _, stderr := run(t.Context(), nil, "convert", graph, "--out", pipe); code != views.ExitDone {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if got := <-read; got != edges {
		t.Errorf("the reader got %q", got)
	}
}

// Signals of any size have a report. In this one their squares are beyond all numbers.
func TestHugeSignalsHaveAReport(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "report.html")
	code, stdout, stderr := run(t.Context(), nil, "learn", smallSignals(t, dir, 1e170), "--method", "sparse", "--confidence", "no", "--report", page)
	if code != views.ExitDone || !strings.HasPrefix(stdout, "source,target,weight") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(text), "<body")
	for _, odd := range []string{">NaN", ">+Inf", "NaN%", "Inf%"} {
		if k := strings.Index(shown, odd); k >= 0 {
			t.Errorf("the page says %q: …%s…", odd, shown[max(0, k-200):min(len(shown), k+40)])
		}
	}
}

// A page that cannot be made costs neither the graph, wherever that goes, nor the files
// after it, and the run says so.
func TestAReportThatFailsCostsNothingElse(t *testing.T) {
	dir := t.TempDir()
	g, err := graph.New([]string{"a", "b"}, []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	broken := &nervure.Analysis{Graph: g} // without all that a page tells
	for _, out := range []string{"", filepath.Join(dir, "graph.csv")} {
		var stdout, stderr bytes.Buffer
		r := learnRun{doc: &document.Run{Write: document.RunWrite{Graph: out, Report: filepath.Join(dir, "report.html"), Laplacian: filepath.Join(dir, "laplacian.csv")}}}
		r.source.Files = []string{"-"}
		_, err := r.write(t.Context(), views.NewConsole(&stdout, &stderr), broken)
		if err == nil || views.ExitCode(err) != views.ExitFault || !strings.Contains(err.Error(), "ended writing") || !strings.HasSuffix(err.Error(), "report.html") {
			t.Errorf("%q: got %v", out, err)
		}
		text := stdout.String()
		if out != "" {
			content, err := os.ReadFile(out)
			if err != nil {
				t.Error(err)
			}
			text = string(content)
		}
		if text != "source,target,weight\na,b,1\n" {
			t.Errorf("%q: the graph is %q", out, text)
		}
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range left {
			if name := e.Name(); name != "graph.csv" && name != "laplacian.csv" {
				t.Errorf("%s is left behind", name)
			}
		}
	}
}
