package viewer

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/nervure/nervure/internal/browsertest"
)

var shots = flag.String("shots", "", "write pictures of every state of the page to this directory")

// views are how people look at the page: at a desk and on a phone, in the light and in the dark.
var views = []struct {
	name string
	browsertest.View
}{
	{"1280-light", browsertest.View{Width: 1280, Height: 900, Still: true}},
	{"1280-dark", browsertest.View{Width: 1280, Height: 900, Still: true, Dark: true}},
	{"390-light", browsertest.View{Width: 390, Height: 844, Still: true}},
	{"390-dark", browsertest.View{Width: 390, Height: 844, Still: true, Dark: true}},
}

// checkState holds a state of a page, as it is looked at, to the rules of axe-core.
func checkState(t *testing.T, p *browsertest.Page, axe browsertest.Axe, state string) {
	t.Helper()
	for k, view := range views {
		if *shots == "" && k%3 != 0 { // a wide page in the light and a narrow one in the dark have all colours and both layouts
			continue
		}
		p.Look(view.View)
		browsertest.Eval[bool](p, `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`)
		for _, found := range axe.Findings(p) {
			t.Errorf("%s, %s: %s", state, view.name, found)
		}
		if wide := browsertest.Eval[int64](p, "document.documentElement.scrollWidth"); wide > view.Width {
			t.Errorf("%s, %s: the page is %d pixels wide", state, view.name, wide)
		}
		if *shots != "" {
			path := filepath.Join(*shots, fmt.Sprintf("%s-%s.png", state, view.name))
			if err := os.WriteFile(path, browsertest.Get(p, chromedp.FullScreenshot(100)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	p.Look(views[0].View)
}

func TestNoStateOfThePageKeepsPeopleOut(t *testing.T) {
	axe := browsertest.NeedAxe(t)
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, views[0].View)
	signals := learnable(t)
	checkState(t, p, axe, "1-welcome")
	drop(p, "river.csv", signals)
	browsertest.Eval[bool](p, `(document.querySelectorAll("#settings details").forEach((d) => { d.open = true }), true)`)
	checkState(t, p, axe, "2-chosen")

	drop(p, "noise.csv", noise(40, 400))
	browsertest.Eval[bool](p, countGraphs)
	click(p, "learn")
	p.Wait("drawn > 1")
	checkState(t, p, axe, "3-running")
	click(p, "stop")
	waitFor(p, "stopped")
	checkState(t, p, axe, "4-stopped")

	learnOn(p, "river.csv", signals, "knn")
	learnOn(p, "river.csv", signals, "auto")
	browsertest.Eval[bool](p, `(() => {
		const { view } = nervurePage.live;
		document.querySelector(".graph-table").open = document.getElementById("said").open = true;
		view.setPart([0, 1, 2, 3]);
		view.select(1);
		return true;
	})()`)
	checkState(t, p, axe, "5-result")

	drop(p, "river.csv", signals)
	click(p, "compare")
	waitFor(p, "done")
	checkState(t, p, axe, "6-compared")

	browsertest.Eval[bool](p, `([...document.querySelectorAll("#runs input:enabled")].slice(0, 2).forEach((box) => box.click()), true)`)
	click(p, "beside")
	p.Wait(`document.querySelectorAll("#sides canvas").length === 4`)
	checkState(t, p, axe, "7-beside")

	drop(p, "bad.csv", []byte("a,b,c\n1,2,3\n4,x,6\n"))
	click(p, "learn")
	waitFor(p, "failed")
	checkState(t, p, axe, "8-failed")

	openGraph(p, "roads.csv", "source,target,weight\nBrest,Quimper,2\nQuimper,Vannes,-1\nVannes,Rennes,3\n")
	waitFor(p, "done")
	checkState(t, p, axe, "9-graph")
	noComplaints(t, p, v.url)
}

// openGraph gives a graph to the page, as if it were chosen.
func openGraph(p *browsertest.Page, name, content string) {
	browsertest.Eval[bool](p, `(() => {
		const data = new DataTransfer(), input = document.getElementById("graph-file");
		data.items.add(new File([%q], %q));
		input.files = data.files;
		return input.dispatchEvent(new Event("change"));
	})()`, content, name)
}

// A graph in a file is drawn with all its edges, saved in other formats, and put beside others.
func TestThePageOpensAGraph(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Still: true})
	checkOpens(t, p)
}

func checkOpens(t *testing.T, p *browsertest.Page) {
	t.Helper()
	openGraph(p, "roads.graphml", `<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"/><edge source="b" target="c"/></graph></graphml>`)
	waitFor(p, "done")
	if got := strings.Join(edgesDrawn(p), " "); got != "a-b b-c" {
		t.Errorf("the graph has the edges %q", got)
	}
	if got := text(p, "live-title"); got != "roads.graphml" {
		t.Errorf("the heading is %q", got)
	}
	if got := string(saved(p, "graph.csv")); got != "source,target,weight\na,b,1\nb,c,1\n" {
		t.Errorf("it is saved as %q", got)
	}
	openGraph(p, "bad.mtx", "not a matrix")
	waitFor(p, "failed")
	if got := text(p, "sentence"); !strings.Contains(got, "bad.mtx") {
		t.Errorf("of a file that is no graph the page says %q", got)
	}
	// An edge list that is dropped is a graph, not signals.
	browsertest.Eval[bool](p, `(() => {
		const data = new DataTransfer();
		data.items.add(new File(["source,target,weight\nx,y,2\n"], "roads.csv"));
		return document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })), true;
	})()`)
	waitFor(p, "done")
	if got := strings.Join(edgesDrawn(p), " "); got != "x-y" {
		t.Errorf("the edge list that was dropped has the edges %q", got)
	}
	if got := pastRuns(p); len(got) != 2 || got[0] != "roads.csv from a file 1" {
		t.Errorf("the past runs are %q", got)
	}
}

// A result says of which file it is, and goes when another file is chosen.
func TestAResultIsOfItsFile(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Still: true})
	learnOn(p, "first.csv", learnable(t), "knn")
	if got := text(p, "live-title"); got != "first.csv: done" {
		t.Errorf("the heading is %q", got)
	}
	drop(p, "second.csv", learnable(t))
	if !browsertest.Eval[bool](p, `document.getElementById("live").hidden && document.getElementById("result").hidden`) {
		t.Error("with another file chosen, the result of the first is still there")
	}
	if got := pastRuns(p); len(got) != 1 || !strings.HasPrefix(got[0], "first.csv") {
		t.Errorf("the past runs are %q", got)
	}
}

// The address leads back to the run and to how it was looked at.
func TestTheAddressLeadsBack(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{Still: true})
	learnOn(p, "first.csv", learnable(t), "knn")
	browsertest.Eval[bool](p, `(nervurePage.live.view.setCut(4), nervurePage.live.view.arrange("circle"), true)`)
	p.Wait(`location.hash.includes("edges=4") && location.hash.includes("layout=circle") && location.hash.includes("run=")`)
	fragment := browsertest.Eval[string](p, "location.hash")
	learnOn(p, "second.csv", learnable(t), "sparse")
	browsertest.Eval[bool](p, "(location.hash = %q, true)", fragment)
	p.Wait(`document.querySelector("#runs .is-current .link")?.textContent === "first.csv" && nervurePage.live.view.layout.name === "circle"`)
	reload(p)
	p.Wait(`nervurePage.live.view?.layout.name === "circle"`)
	if got := len(edgesDrawn(p)); got != 4 {
		t.Errorf("after a reload %d edges are drawn, want 4", got)
	}
}
