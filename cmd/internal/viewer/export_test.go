package viewer

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nervure/nervure/internal/browsertest"
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
