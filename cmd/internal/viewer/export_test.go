package viewer

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/needs"
)

// The program for the browser is built once.
var builtForBrowsers = sync.OnceValues(func() (Program, error) { return Build(context.Background(), "") })

func forBrowsers(t *testing.T) Program {
	t.Helper()
	p, err := builtForBrowsers()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Node.js runs the program for the browser as a browser does, and it computes the same
// bytes as the one for this machine. make processors tries more signals.
func TestNodeLearnsTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees nothing of other processes")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		needs.LeaveOut(t, "there is no node")
	}
	p, dir := forBrowsers(t), t.TempDir()
	root, err := runGo(t.Context(), ".", "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"nervure.wasm": p.Wasm, "signals.csv": learnable(t)} {
		write(t, filepath.Join(dir, name), data)
	}
	var graphs [][]byte
	for _, line := range [][]string{{program(t)}, {node, filepath.Join(root, "lib", "wasm", "wasm_exec_node.js"), "nervure.wasm"}} {
		line = append(line, "learn", "signals.csv", "--confidence", "no", "--out", "graph.csv")
		cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line[0], err, out)
		}
		graph, err := os.ReadFile(filepath.Join(dir, "graph.csv"))
		if err != nil {
			t.Fatal(err)
		}
		graphs = append(graphs, graph)
	}
	if !bytes.Equal(graphs[0], graphs[1]) || bytes.Count(graphs[0], []byte("\n")) < 5 {
		t.Errorf("here the graph is\n%sby Node.js it is\n%s", graphs[0], graphs[1])
	}
}

// site exports the page and serves its files as any host does, below some path.
func site(t *testing.T) (url string) {
	t.Helper()
	p := forBrowsers(t)
	dir := t.TempDir()
	if err := Export(dir, testConfig, p); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "nervure.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the program for the browser takes %s, %s packed", bytesInWords(int64(len(p.Wasm))), bytesInWords(info.Size()))
	h := httptest.NewServer(http.StripPrefix("/some/where/", http.FileServer(http.Dir(dir))))
	t.Cleanup(h.Close)
	return h.URL + "/some/where/"
}

func TestTheStaticSiteLearnsTheSameGraphInTheBrowser(t *testing.T) {
	b := browser(t)
	url := site(t)
	signals := learnable(t)
	p := b.Open(t, url, browsertest.View{})
	waitFor(p, "ready")
	drop(p, "signals.csv", signals)
	set(p, "seed", "5")
	browsertest.Eval[bool](p, countGraphs)
	click(p, "learn")
	waitFor(p, "done")
	if drawn := browsertest.Eval[int](p, "drawn"); drawn < 2 {
		t.Errorf("%d graphs were drawn while it worked, want some", drawn)
	}
	sameEdges(t, saved(p, "graph.csv"), onCommandLine(t, text(p, "command"), signals, "graph.csv"))
	if got := saved(p, "graph.gexf"); !bytes.Contains(got, []byte("<gexf")) {
		t.Errorf("the GEXF file is %.100q", got)
	}
	if report := saved(p, "report.html"); !bytes.Contains(report, []byte("<!doctype html>")) {
		t.Errorf("the report is %.100q", report)
	}
	reportOpens(t, p)
	waitBehind(p, `globalThis.opened.document.querySelectorAll("canvas").length > 0`)
	browsertest.Eval[bool](p, "(globalThis.opened.close(), true)")
	noComplaints(t, p, url)

	t.Run("and keeps past runs", func(t *testing.T) {
		p := b.Open(t, url, browsertest.View{Still: true})
		waitFor(p, "ready")
		click(p, "forget-all")
		p.Wait(`document.getElementById("past").hidden`)
		checkPastRuns(t, p)
		noComplaints(t, p, url)
	})
	t.Run("and shows the sentence of a bad file", func(t *testing.T) {
		drop(p, "signals.csv", []byte("a,b,c\n1,2,3\n4,x,6\n"))
		click(p, "learn")
		waitFor(p, "failed")
		if got := text(p, "sentence"); !strings.HasPrefix(got, `signals.csv: line 3, column 2: "x" is not a number`) {
			t.Errorf("the page says %q", got)
		}
	})
	t.Run("and stops", func(t *testing.T) {
		drop(p, "signals.csv", noise(24, 200))
		browsertest.Eval[bool](p, "(globalThis.drawn = 0, true)")
		click(p, "learn")
		p.Wait("drawn > 0")
		click(p, "stop")
		waitFor(p, "stopped")
		if got := saved(p, "graph.csv"); !bytes.HasPrefix(got, []byte("source,target,weight")) {
			t.Errorf("the graph is %.60q", got)
		}
	})
	t.Run("and stops while a method is chosen", func(t *testing.T) {
		drop(p, "field.csv", generated(t, "--kind", "field", "--vertices", "64", "--signals", "300"))
		click(p, "learn")
		p.Wait(`document.getElementById("status").textContent.includes("choosing")`)
		browsertest.Eval[bool](p, "(nervurePage.job.endAtOnce = () => {}, true)") // however busy the machine is
		click(p, "stop")
		waitFor(p, "stopped")
		if !browsertest.Eval[bool](p, `nervurePage.job.results.has("summary.json")`) {
			t.Error("the program has not ended by itself")
		}
		if got := saved(p, "graph.csv"); !bytes.HasPrefix(got, []byte("source,target,weight")) {
			t.Errorf("the graph is %.60q", got)
		}
	})
	t.Run("and keeps what was drawn of a run that does not stop", func(t *testing.T) {
		drop(p, "signals.csv", noise(24, 200))
		browsertest.Eval[bool](p, "(globalThis.drawn = 0, true)")
		click(p, "learn")
		p.Wait("drawn > 1")
		browsertest.Eval[bool](p, `(nervurePage.job.worker.postMessage = () => {}, true)`)
		click(p, "stop")
		waitFor(p, "stopped")
		if got := text(p, "status"); !strings.Contains(got, "as it was drawn last") {
			t.Errorf("the status is %q", got)
		}
		if got := saved(p, "graph.csv"); !bytes.HasPrefix(got, []byte("source,target,weight")) || len(edgesDrawn(p)) != bytes.Count(got, []byte("\n"))-1 {
			t.Errorf("the graph is %.60q, and %d edges are drawn", got, len(edgesDrawn(p)))
		}
	})
	t.Run("and opens a graph", func(t *testing.T) {
		click(p, "forget-all")
		p.Wait(`document.getElementById("past").hidden`)
		checkOpens(t, p)
	})
}

// sameEdges holds two edge lists to the same edges, and weights that differ by
// rounding: a browser has other instructions than this machine.
func sameEdges(t *testing.T, got, want []byte) {
	t.Helper()
	const rounding = 1e-9
	a, errA := csv.NewReader(bytes.NewReader(got)).ReadAll()
	b, errB := csv.NewReader(bytes.NewReader(want)).ReadAll()
	if errA != nil || errB != nil || len(a) != len(b) || len(a) < 2 {
		t.Fatalf("%v, %v: %d and %d edges", errA, errB, len(a)-1, len(b)-1)
	}
	for k := range a[1:] {
		x, y := a[k+1], b[k+1]
		weightX, errX := strconv.ParseFloat(x[2], 64)
		weightY, errY := strconv.ParseFloat(y[2], 64)
		if errX != nil || errY != nil || x[0] != y[0] || x[1] != y[1] || math.Abs(weightX-weightY) > rounding*weightY {
			t.Errorf("edge %d: got %v, want %v", k, x, y)
		}
	}
}

func TestAnExportIsTheSameEachTime(t *testing.T) {
	p := Program{Wasm: []byte("\x00asm"), Exec: []byte("// exec")}
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := Export(dir, testConfig, p); err != nil {
			t.Fatal(err)
		}
	}
	err := filepath.WalkDir(first, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(first, path)
		if err != nil {
			return err
		}
		a, errA := os.ReadFile(path)
		b, errB := os.ReadFile(filepath.Join(second, name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v, %v", name, errA, errB)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
