package viewer

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/needs"
)

// browser starts one, for make test-all. Of the tests of the page, make test runs one.
func browser(t *testing.T) *browsertest.Browser {
	t.Helper()
	needs.Long(t, "a browser is opened")
	return browsertest.Start(t)
}

// open opens the page of a server in a browser.
func (v *visitor) open(b *browsertest.Browser, view browsertest.View) *browsertest.Page {
	v.t.Helper()
	p := b.Open(v.t, v.server.URL(), view)
	p.Wait(`document.body.dataset.state === "ready"`)
	return p
}

// drop gives a file to the page, as if it were dropped.
func drop(p *browsertest.Page, name string, content []byte) {
	browsertest.Eval[bool](p, `(() => {
		const data = new DataTransfer();
		data.items.add(new File([%s], %s));
		document.querySelector(".questions")?.remove(); // those about the file before
		document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
		return true;
	})()`, strconv.QuoteToASCII(string(content)), strconv.QuoteToASCII(name))
	p.Wait(`!document.getElementById("learn").disabled && document.querySelector(".questions") !== null`)
}

func click(p *browsertest.Page, id string) {
	browsertest.Eval[bool](p, `(document.getElementById(%q).click(), true)`, id)
}

func set(p *browsertest.Page, name, value string) {
	browsertest.Eval[bool](p, `(() => { const e = document.querySelector('[name="%s"]'); e.value = %q; e.dispatchEvent(new Event("change")); return true })()`, name, value)
}

func text(p *browsertest.Page, id string) string {
	return browsertest.Eval[string](p, `document.getElementById(%q).textContent`, id)
}

func waitFor(p *browsertest.Page, state string) {
	p.Wait(`document.body.dataset.state === %q`, state)
}

// saved clicks on the button of a result and returns what the browser would save.
func saved(p *browsertest.Page, name string) []byte {
	return []byte(browsertest.Eval[string](p, `(async () => {
		const kept = new Promise((resolve) => {
			const create = URL.createObjectURL;
			URL.createObjectURL = (blob) => { URL.createObjectURL = create; resolve(blob); return "#saved"; };
		});
		document.getElementById(%q).click();
		return (await kept).text();
	})()`, "save-"+strings.ReplaceAll(name, ".", "-")))
}

// noComplaints holds a page to a silent console and to its own host.
func noComplaints(t *testing.T, p *browsertest.Page, host string) {
	t.Helper()
	for _, said := range p.Errors() {
		t.Errorf("the page complains: %s", said)
	}
	for _, asked := range p.Requests() {
		if !strings.HasPrefix(asked, host) && !strings.HasPrefix(asked, "blob:") && !strings.HasPrefix(asked, "data:") {
			t.Errorf("the page asks for %s", asked)
		}
	}
}

// onCommandLine learns with the command line that the page shows.
func onCommandLine(t *testing.T, command string, signals []byte, name string) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "signals.csv"), signals, 0o644); err != nil {
		t.Fatal(err)
	}
	args := strings.Fields(strings.ReplaceAll(command, "graph.json", name))
	if args[0] != "nervure" {
		t.Fatalf("the command line is %q", command)
	}
	cmd := exec.Command(program(t), args[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", command, err, out)
	}
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// countGraphs counts the graphs that are drawn while a job works.
const countGraphs = `(() => {
	globalThis.drawn = 0;
	const live = nervurePage.live, draw = live.draw;
	live.draw = function (event) { globalThis.drawn++; return draw.call(this, event); };
	return true;
})()`

// Commas may stand in the numbers between semicolons.
func TestThePreviewReadsSemicolons(t *testing.T) {
	p := visit(t, Limits{}).open(browser(t), browsertest.View{})
	drop(p, "semicolons.csv", []byte("1,5;2,5;3,1\n2,5;3,5;1,1\n0,5;1,5;2,1\n"))
	if got := text(p, "chosen"); !strings.Contains(got, "3 rows × 3 columns") {
		t.Errorf("the preview says %q", got)
	}
}

// What the reader makes of an odd file stands beside the graph, also after a reload, as the command line says it.
func TestThePageTellsHowAFileWasRead(t *testing.T) {
	p := visit(t, Limits{}).open(browser(t), browsertest.View{})
	odd := "# export; of a logger\n"
	for k, line := range strings.Split(strings.TrimSpace(string(learnable(t))), "\n") {
		label := ""
		if k > 0 {
			label = strconv.Itoa(k)
		}
		odd += label + ";" + strings.ReplaceAll(line, ",", ";") + "\n"
	}
	drop(p, "odd.csv", []byte(odd))
	if got := text(p, "chosen"); !strings.Contains(got, "80 rows × ") {
		t.Errorf("the preview says %q", got)
	}
	set(p, "method", "knn")
	click(p, "learn")
	waitFor(p, "done")
	reload(p)
	notes := browsertest.Eval[string](p, `document.querySelector("#result .notes")?.textContent ?? ""`)
	for _, want := range []string{"Line 1 comes before the table and is left out", "Column 1 is treated as row labels"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes are %q, without %q", notes, want)
		}
	}
}

func TestThePageLearnsWhatTheCommandLineLearns(t *testing.T) {
	b := browsertest.Start(t)
	v := visit(t, Limits{})
	signals := learnable(t)
	p := v.open(b, browsertest.View{})
	drop(p, "signals.csv", signals)
	if got := text(p, "chosen"); !strings.Contains(got, "80 rows × ") || !strings.Contains(got, "with names in the first row") {
		t.Errorf("the preview says %q", got)
	}
	set(p, "seed", "5")
	browsertest.Eval[bool](p, countGraphs)
	click(p, "learn")
	waitFor(p, "done")
	if drawn := browsertest.Eval[int](p, "drawn"); drawn < 2 {
		t.Errorf("%d graphs were drawn while it worked, want some", drawn)
	}
	if log := text(p, "log"); !strings.Contains(log, "learned ") {
		t.Errorf("the log is %q", log)
	}
	if verdict := text(p, "verdict"); !strings.Contains(verdict, "Confidence: ") {
		t.Errorf("the verdict is without what was found: %q", verdict)
	}
	command := text(p, "command")
	if !strings.Contains(command, "--seed 5") {
		t.Errorf("the command line is %q", command)
	}
	for _, name := range []string{"graph.csv", "graph.gexf"} {
		if got, want := saved(p, name), onCommandLine(t, command, signals, name); !bytes.Equal(got, want) {
			t.Errorf("%s saved by the page differs from the command line's:\n%.300s\n%.300s", name, got, want)
		}
	}
	if report := saved(p, "report.html"); !bytes.Contains(report, []byte("<!doctype html>")) {
		t.Errorf("the report is %.100q", report)
	}
	edges := browsertest.Eval[int](p, "nervurePage.live.view.visibleEdges().length")
	if want := bytes.Count(onCommandLine(t, command, signals, "graph.csv"), []byte("\n")) - 1; edges != want {
		t.Errorf("%d edges are drawn, want %d", edges, want)
	}
	click(p, "theme")
	if got := browsertest.Eval[string](p, `getComputedStyle(document.body).backgroundColor`); got != "rgb(18, 23, 20)" { // --paper in the dark
		t.Errorf("in the dark the paper is %s", got)
	}
	noComplaints(t, p, v.url)

	reportOpens(t, p)
	report := b.Open(t, v.url+"/"+browsertest.Eval[string](p, `nervurePage.job.fileURL("report.html")`)+"?view", browsertest.View{})
	report.Wait(`document.querySelectorAll("canvas").length > 0`)
	noComplaints(t, report, v.url)
}

// reportOpens opens the report by its button, as a page of its own that works.
func reportOpens(t *testing.T, p *browsertest.Page) {
	t.Helper()
	browsertest.Eval[bool](p, `(() => {
		const open = window.open;
		window.open = (url) => (globalThis.opened = open.call(window, url));
		return true;
	})()`)
	p.Do(chromedp.Click("#open-report"))
	waitBehind(p, "globalThis.opened")
}

// waitBehind waits for something in a page that is no longer in front, where
// frames are not drawn and Wait would not look.
func waitBehind(p *browsertest.Page, expression string) {
	browsertest.Eval[bool](p, `new Promise((resolve) => {
		const timer = setInterval(() => { if (%s) { clearInterval(timer); resolve(true); } }, 50);
	})`, expression)
}

func TestThePageStopsAndKeepsTheBest(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{})
	drop(p, "signals.csv", noise(40, 400))
	browsertest.Eval[bool](p, countGraphs)
	click(p, "learn")
	p.Wait("drawn > 1")
	click(p, "stop")
	waitFor(p, "stopped")
	if got := text(p, "status"); !strings.Contains(got, "best graph so far") || strings.Contains(got, "graph.json") {
		t.Errorf("the status is %q", got)
	}
	if got := text(p, "answer"); strings.Contains(got, "wrote graph.json") || strings.Contains(got, "written to") {
		t.Errorf("the page says that files were written, which are nowhere on the reader's disk: %q", got)
	}
	if got := pastRuns(p); len(got) != 1 || !strings.Contains(text(p, "runs"), "stopped early") {
		t.Errorf("the list of past runs does not say that it was stopped: %q", got)
	}
	if got := saved(p, "graph.csv"); !bytes.HasPrefix(got, []byte("source,target,weight")) {
		t.Errorf("the graph is %.60q", got)
	}
	noComplaints(t, p, v.url)
}

func TestThePageShowsTheSentenceOfABadFile(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{})
	bad := []byte("a,b,c\n1,2,3\n4,x,6\n")
	drop(p, "signals.csv", bad)
	click(p, "learn")
	waitFor(p, "failed")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "signals.csv"), bad, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program(t), "learn", "signals.csv")
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()                                                                         // it fails
	words := strings.ReplaceAll(strings.TrimPrefix(string(out), "nervure: "), "--columns", "read.columns") // pages and documents name keys
	if got, want := text(p, "sentence"), strings.TrimSpace(words); got != want {
		t.Errorf("the page says %q, the command line %q", got, want)
	}
	// A better file mends it.
	drop(p, "signals.csv", learnable(t))
	click(p, "learn")
	waitFor(p, "done")
	if browsertest.Eval[bool](p, `!document.getElementById("fault").hidden`) {
		t.Error("the fault is still shown")
	}
}

func TestThePageComparesMethods(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{})
	drop(p, "signals.csv", learnable(t))
	click(p, "compare")
	waitFor(p, "done")
	if got := text(p, "result"); !strings.Contains(got, "Recommended: ") {
		t.Errorf("the result is %.300q", got)
	}
	if rows := browsertest.Eval[int](p, `document.querySelectorAll("#methods tbody tr").length`); rows < 5 {
		t.Errorf("%d methods are shown", rows)
	}
	browsertest.Eval[bool](p, `(document.querySelector('[aria-label="Use knn"]').click(), true)`)
	if got := browsertest.Eval[string](p, `document.querySelector('[name="method"]').value`); got != "knn" {
		t.Errorf("the method is %q", got)
	}
	noComplaints(t, p, v.url)
}
