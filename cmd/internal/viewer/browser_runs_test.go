package viewer

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/nervure/nervure/internal/browsertest"
)

// learnOn learns from a file on the page, with a method.
func learnOn(p *browsertest.Page, name string, signals []byte, method string) {
	drop(p, name, signals)
	set(p, "method", method)
	click(p, "learn")
	waitFor(p, "done")
}

// pastRuns are the rows of the list: signals, method and edges.
func pastRuns(p *browsertest.Page) []string {
	return browsertest.Eval[[]string](p, `[...document.querySelectorAll("#runs tbody tr")].map((row) => [1, 3, 5].map((k) => row.cells[k].textContent).join(" "))`)
}

func reload(p *browsertest.Page) {
	browsertest.Eval[bool](p, "(document.body.dataset.state = 'old', true)")
	p.Do(chromedp.Reload())
	waitFor(p, "ready")
}

// edgesDrawn are the edges on the page, by name.
func edgesDrawn(p *browsertest.Page) []string {
	return browsertest.Eval[[]string](p, `nervurePage.live.view.visibleEdges().map(([i, j]) => [i, j].map((k) => nervurePage.live.view.model.names[k]).sort().join("-")).sort()`)
}

// checkPastRuns learns twice, reloads, and looks at what is left.
func checkPastRuns(t *testing.T, p *browsertest.Page) {
	t.Helper()
	signals := learnable(t)
	learnOn(p, "first.csv", signals, "knn")
	first, firstCSV := edgesDrawn(p), saved(p, "graph.csv")
	learnOn(p, "second.csv", signals, "sparse")
	second, secondGEXF := edgesDrawn(p), saved(p, "graph.gexf")
	want := []string{fmt.Sprintf("second.csv sparse %d", len(second)), fmt.Sprintf("first.csv knn %d", len(first))}

	reload(p)
	if got := pastRuns(p); len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Fatalf("after a reload the past runs are %q, want %q", got, want)
	}
	if got := edgesDrawn(p); strings.Join(got, " ") != strings.Join(second, " ") {
		t.Errorf("after a reload the edges are %q, want %q", got, second)
	}
	if got := text(p, "verdict"); got == "" {
		t.Error("after a reload there is no verdict")
	}
	if got := saved(p, "graph.gexf"); !bytes.Equal(got, secondGEXF) {
		t.Errorf("after a reload the GEXF file is %.100q, want %.100q", got, secondGEXF)
	}
	browsertest.Eval[bool](p, `(document.querySelectorAll("#runs .link")[1].click(), true)`)
	p.Wait(`document.querySelector("#runs .is-current .link").textContent === "first.csv" && !document.getElementById("result").hidden`)
	if got := edgesDrawn(p); strings.Join(got, " ") != strings.Join(first, " ") {
		t.Errorf("the first run has the edges %q, want %q", got, first)
	}
	if got := saved(p, "graph.csv"); !bytes.Equal(got, firstCSV) {
		t.Errorf("the first run is saved as %.100q, want %.100q", got, firstCSV)
	}
	if got := text(p, "command"); !strings.Contains(got, "first.csv --method knn") {
		t.Errorf("the command line of the first run is %q", got)
	}

	checkBeside(t, p, first, second)

	browsertest.Eval[bool](p, `(document.querySelectorAll("#runs .forget button")[0].click(), true)`)
	p.Wait(`document.querySelectorAll("#runs tbody tr").length === 1`)
	click(p, "forget-all")
	p.Wait(`document.getElementById("past").hidden`)
	reload(p)
	if !browsertest.Eval[bool](p, `document.getElementById("past").hidden && !document.getElementById("welcome").hidden`) {
		t.Error("what was forgotten is back")
	}
}

// checkBeside puts both runs side by side.
func checkBeside(t *testing.T, p *browsertest.Page, first, second []string) {
	t.Helper()
	inFirst, both := map[string]bool{}, 0
	for _, e := range first {
		inFirst[e] = true
	}
	for _, e := range second {
		if inFirst[e] {
			both++
		}
	}
	if !browsertest.Eval[bool](p, `document.getElementById("beside").disabled`) {
		t.Error("one can put side by side what is not chosen")
	}
	browsertest.Eval[bool](p, `(document.querySelectorAll("#runs input").forEach((box) => box.click()), true)`)
	click(p, "beside")
	p.Wait(`document.querySelectorAll("#sides canvas").length === 4`)
	all := len(first) + len(second) - both
	want := fmt.Sprintf("%d edges in both, %d only in the first, %d only in the second (%.0f%% shared).", both, len(first)-both, len(second)-both, math.Floor(100*float64(both)/float64(all)+0.5))
	if got := text(p, "sides-words"); got != want {
		t.Errorf("side by side it says %q, want %q", got, want)
	}
}

func TestPastRunsOutliveAReload(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Still: true})
	checkPastRuns(t, p)
	noComplaints(t, p, v.url)
}

func TestAJobGoesOnWhenThePageIsLoadedAnew(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Still: true})
	drop(p, "signals.csv", noise(40, 400))
	browsertest.Eval[bool](p, countGraphs)
	click(p, "learn")
	p.Wait("drawn > 1")
	browsertest.Eval[bool](p, "(document.body.dataset.state = 'old', true)")
	p.Do(chromedp.Reload())
	waitFor(p, "running")
	p.Wait(`document.querySelectorAll("#graph canvas").length > 0`)
	click(p, "stop")
	waitFor(p, "stopped")
	if got := pastRuns(p); len(got) != 1 || !strings.HasPrefix(got[0], "signals.csv") {
		t.Errorf("the past runs are %q", got)
	}
	reload(p) // there is no job any more
	if got := text(p, "verdict"); !strings.HasPrefix(got, "Stopped early.") {
		t.Errorf("the verdict is %q", got)
	}
	noComplaints(t, p, v.url)
}

func TestOnlySoManyRunsAreKept(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{})
	add := `(async () => {
		const { runs } = nervurePage;
		for (let k = 0; k < %d; k++) await runs.add({ kind: "learn", label: "run " + k, time: k }, new Map([["graph.json", new Blob([new Uint8Array(%d)])]]));
		return runs.heads.map((run) => run.label);
	})()`
	if got := browsertest.Eval[[]string](p, add, 25, 10); len(got) != 20 || got[0] != "run 24" || got[19] != "run 5" {
		t.Errorf("of 25 small runs %q are kept", got)
	}
	if got := browsertest.Eval[[]string](p, `nervurePage.runs.forgetAll().then(() => %s)`, fmt.Sprintf(add, 5, 25_000_000)); len(got) != 2 || got[0] != "run 4" {
		t.Errorf("of 5 runs of 25 MB %q are kept", got)
	}
	if got := browsertest.Eval[bool](p, `nervurePage.runs.add({ time: 9 }, new Map([["graph.json", new Blob([new Uint8Array(7e7)])]])).then((run) => run === null)`); !got {
		t.Error("a run of 70 MB is kept")
	}
	if stored := browsertest.Eval[int](p, `new Promise((resolve) => {
		const ask = nervurePage.runs.base.transaction("files").objectStore("files").count();
		ask.onsuccess = () => resolve(ask.result);
	})`); stored != 2 {
		t.Errorf("the files of %d runs are stored, want 2", stored)
	}
}

func TestAPageThatMayKeepNothingWorks(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Still: true})
	browsertest.Eval[bool](p, `(async () => {
		IDBFactory.prototype.open = () => { throw new Error("not allowed"); };
		const { Runs } = await import("./runs.js");
		nervurePage.runs = nervurePage.past.runs = await Runs.open();
		return true;
	})()`)
	learnOn(p, "signals.csv", learnable(t), "knn")
	if got := pastRuns(p); len(got) != 1 {
		t.Errorf("the past runs are %q", got)
	}
	if got := text(p, "past"); !strings.Contains(got, "the list ends with this visit") {
		t.Errorf("the list says %q", got)
	}
}

func TestTheSliderBringsBackDroppedEdgesOnThePage(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Still: true})
	drop(p, "signals.csv", learnable(t))
	set(p, "edges", "10")
	click(p, "learn")
	waitFor(p, "done")
	kept := len(edgesDrawn(p))
	if kept != 10 {
		t.Errorf("%d edges are shown, want the 10 that were asked for", kept)
	}
	most := browsertest.Eval[int](p, `Number(document.querySelector(".graph-cut input").max)`)
	if most <= kept {
		t.Fatalf("the slider goes to %d, and %d edges are shown already", most, kept)
	}
	browsertest.Eval[bool](p, `(() => { const s = document.querySelector(".graph-cut input"); s.value = s.max; return s.dispatchEvent(new Event("input", { bubbles: true })) })()`)
	if got := len(edgesDrawn(p)); got != most {
		t.Errorf("at its end the slider shows %d of %d edges", got, most)
	}
	if got := browsertest.Eval[string](p, `document.querySelector(".graph-legend").textContent`); !strings.Contains(got, "edges that were cut") {
		t.Errorf("the legend is %q", got)
	}
	if got := browsertest.Eval[int](p, `document.querySelectorAll(".graph-layout option").length`); got != 3 {
		t.Errorf("there are %d layouts, want force, circle and community", got)
	}
}

func TestOnAPhoneThePageGoesToTheGraph(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Width: 390, Height: 844, Still: true})
	learnOn(p, "a file with a rather long name, as people have them.csv", learnable(t), "sparse")
	shown := browsertest.Eval[struct{ Top, Bottom float64 }](p, `(() => { const { top, bottom } = document.querySelector("#graph .graph-stage").getBoundingClientRect(); return { top, bottom } })()`)
	if shown.Top < 0 || shown.Top > 500 || shown.Bottom > 844+40 {
		t.Errorf("the graph is at %v on a screen of 844 pixels", shown)
	}
	learnOn(p, "second.csv", learnable(t), "knn")
	browsertest.Eval[bool](p, `(document.querySelectorAll("#runs input").forEach((box) => box.click()), true)`)
	click(p, "beside")
	p.Wait(`document.querySelectorAll("#sides canvas").length === 4`)
	if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth"); wide > 390 {
		t.Errorf("the page is %d pixels wide on a screen of 390", wide)
	}
}

func TestThePageAsksForTimeSeries(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Still: true})
	drop(p, "signals.csv", learnable(t))
	for name, value := range map[string]string{"method": "knn", "difference": "yes", "detrend": "no", "season": "24, 12", "bad-sensors": "report"} {
		set(p, name, value)
	}
	click(p, "learn")
	waitFor(p, "done")
	if got, want := text(p, "command"), "signals.csv --bad-sensors report --season 24,12 --detrend=no --difference --method knn"; !strings.Contains(got, want) {
		t.Errorf("the command line is %q, which lacks %q", got, want)
	}
}
