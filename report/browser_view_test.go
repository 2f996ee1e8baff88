package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/browsertest"
)

// edgesShown are the edges that are drawn, by the numbers of their vertices.
func edgesShown(p *browsertest.Page) []string {
	return browsertest.Eval[[]string](p, `nervure.view.visibleEdges().map((e) => e[0] + "-" + e[1]).sort()`)
}

// signedRun is two groups of three vertices, with negative edges in one of them and between both.
func signedRun(t *testing.T) content {
	t.Helper()
	names := []string{"a", "b", "c", "d", "e", "f"}
	run := content{Title: "Signed", Version: "test", Method: "field", Verdict: "Learned by hand."}
	run.Graph = mustGraph(t, names, []graph.Edge{
		{I: 0, J: 1, Weight: 3},
		{I: 0, J: 2, Weight: 2.5},
		{I: 1, J: 2, Weight: -2},
		{I: 3, J: 4, Weight: 3},
		{I: 3, J: 5, Weight: 2.5},
		{I: 4, J: 5, Weight: 2},
		{I: 2, J: 3, Weight: -0.1},
	})
	run.Weights = mustGraph(t, names, append(slices.Clone(run.Graph.Edges()), graph.Edge{I: 0, J: 4, Weight: -0.05}))
	return run
}

func checkRestricted(t *testing.T, b *browsertest.Browser) {
	run := signedRun(t)
	p := open(t, b, run, browsertest.View{})
	label, _ := run.Graph.Communities()
	for _, sign := range []string{"all", "positive", "negative"} {
		for community := -1; community <= slices.Max(label); community++ {
			choose(p, "graph-sign", sign)
			choose(p, "graph-only", fmt.Sprint(community))
			var want []string
			for _, e := range run.Graph.Edges() {
				isWanted := sign == "all" || (e.Weight < 0) == (sign == "negative")
				if isWanted && (community < 0 || label[e.I] == community && label[e.J] == community) {
					want = append(want, fmt.Sprintf("%d-%d", e.I, e.J))
				}
			}
			slices.Sort(want)
			if got := edgesShown(p); !slices.Equal(got, want) {
				t.Errorf("sign %s, community %d: got the edges %q, want %q", sign, community, got, want)
			}
		}
	}
	choose(p, "graph-only", "-1")
	choose(p, "graph-by", "weight")
	if got := edgesShown(p); !slices.Equal(got, []string{"1-2"}) {
		t.Errorf("of the negative edges those of a tenth of the largest weight are %q, want 1-2", got)
	}
	plain := open(t, b, webRun(t, 8, graph.DefaultNames(8)), browsertest.View{})
	if browsertest.Eval[bool](plain, `!document.querySelector(".graph-sign").hidden`) {
		t.Error("one can filter by sign where all edges have the same")
	}
}

// Vertices are within a line if they are within the box that it is drawn as.
func checkLasso(t *testing.T, b *browsertest.Browser) {
	p := open(t, b, signedRun(t), browsertest.View{})
	inSight(p)
	at := browsertest.Eval[[]point](p, "nervure.view.model.names.map((_, i) => nervure.view.placeOf(i))")
	// A box around vertices 0 and 1, and whatever else is there.
	left, right := min(at[0].X, at[1].X)-6, max(at[0].X, at[1].X)+6
	low, high := min(at[0].Y, at[1].Y)-6, max(at[0].Y, at[1].Y)+6
	var want []string
	for i, v := range at {
		if v.X > left && v.X < right && v.Y > low && v.Y < high {
			want = append(want, string(rune('a'+i)))
		}
	}
	browsertest.Eval[bool](p, `(document.querySelector(".graph-acts button").click(), true)`)
	p.Do(
		chromedp.MouseEvent("mouseMoved", left, low),
		chromedp.MouseEvent("mousePressed", left, low, chromedp.ButtonLeft, chromedp.ClickCount(1)),
	)
	for _, to := range []point{{right, low}, {right, high}, {left, high}, {left, low + 1}} {
		p.Do(chromedp.MouseEvent("mouseMoved", to.X, to.Y, chromedp.ButtonLeft))
	}
	p.Do(chromedp.MouseEvent("mouseReleased", left, low+1, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	listed := func() []string {
		return browsertest.Eval[[]string](
			p,
			`[...document.querySelectorAll(".graph-part [aria-label='vertices of the part'] tbody tr")].map((row) => row.cells[0].textContent).sort()`,
		)
	}
	if got := listed(); !slices.Equal(got, want) {
		t.Fatalf("within the line there are %q, want %q", got, want)
	}
	// The keyboard takes one vertex out, and puts it back.
	p.Do(chromedp.Focus(chromedp.CSS(".graph-over")))
	browsertest.Eval[bool](p, "(nervure.view.select(0), true)")
	p.Do(chromedp.KeyEvent(" "))
	if got := listed(); slices.Contains(got, "a") || len(got) != len(want)-1 {
		t.Errorf("after a was taken out there are %q", got)
	}
	p.Do(chromedp.KeyEvent(" "))
	if got := listed(); !slices.Equal(got, want) {
		t.Errorf("after a was put back there are %q, want %q", got, want)
	}
	saved := browsertest.Eval[string](p, `(async () => {
		nervure.view.setPart([0, 1, 2]);
		const kept = new Promise((resolve) => {
			const create = URL.createObjectURL;
			URL.createObjectURL = (blob) => { URL.createObjectURL = create; resolve(blob); return "#saved"; };
		});
		document.querySelector(".graph-part-head button").click();
		return (await kept).text();
	})()`)
	if want := "source,target,weight\na,b,3\na,c,2.5\nb,c,-2\n"; saved != want {
		t.Errorf("the part is saved as %q, want %q", saved, want)
	}
	p.Do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.Escape))
	if got := listed(); len(got) != 0 {
		t.Errorf("after Escape there are %q", got)
	}
}

// checkUndo does one thing after the other and takes them back in turn.
func checkUndo(t *testing.T, b *browsertest.Browser, r content) {
	p := open(t, b, r, browsertest.View{})
	inSight(p)
	looks := func() string {
		settled(p)
		return browsertest.Eval[string](p, "JSON.stringify([nervure.view.state, [...nervure.view.model.x], nervure.view.model.cut])")
	}
	states := []string{looks()}
	for _, act := range []func(){
		func() { choose(p, "graph-by", "confidence") },
		func() {
			for _, limit := range []string{"0.3", "0.4", "0.5"} { // one pull of the slider
				browsertest.Eval[bool](p, `(() => { const s = document.querySelector(".graph-cut input"); s.value = %q; return s.dispatchEvent(new Event("input", {bubbles: true})) })()`, limit)
			}
			browsertest.Eval[bool](p, `document.querySelector(".graph-cut input").dispatchEvent(new Event("change", {bubbles: true}))`)
		},
		func() {
			place := browsertest.Eval[point](p, "nervure.view.placeOf(3)")
			p.Do(chromedp.DragAndDropXY(place.X, place.Y, place.X+60, place.Y+40, 4))
		},
		func() { choose(p, "graph-layout", "circle") },
		func() {
			at := browsertest.Eval[point](p, "nervure.view.placeOf(5)")
			p.Do(chromedp.MouseClickXY(at.X, at.Y))
		},
		func() { p.Do(chromedp.Focus(chromedp.CSS(".graph-over")), chromedp.KeyEvent(" ")) },
	} {
		act()
		states = append(states, looks())
	}
	for k := len(states) - 2; k >= 0; k-- {
		if states[k] == states[k+1] {
			t.Errorf("the %dth act did nothing: %.100s", k, states[k])
		}
		browsertest.Eval[bool](p, `(document.querySelectorAll(".graph-acts button")[1].click(), true)`)
		if got := looks(); got != states[k] {
			t.Errorf("after undoing to the %dth state it is %.400s, want %.400s", k, got, states[k])
		}
	}
	if !browsertest.Eval[bool](p, `document.querySelectorAll(".graph-acts button")[1].disabled`) {
		t.Error("there is still something to undo")
	}
}

func checkLink(t *testing.T, b *browsertest.Browser) {
	run := signedRun(t)
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, page(t, run), 0o644); err != nil {
		t.Fatal(err)
	}
	show := func(fragment string) *browsertest.Page {
		p := b.Open(t, "file://"+filepath.ToSlash(file)+fragment, browsertest.View{Still: true})
		p.Wait("window.nervure !== undefined")
		settled(p)
		return p
	}
	p := show("")
	if got := browsertest.Eval[string](p, "location.hash"); got != "" {
		t.Errorf("before anything is done the address ends in %q", got)
	}
	browsertest.Eval[bool](p, `(() => {
		const { view } = nervure;
		view.filterBy("weight", 0.5);
		view.restrict({ sign: "positive" });
		view.arrange("circle");
		view.select(4);
		view.setPart([0, 1, 2, 5]);
		view.moveVertex(2, 100, 120);
		view.zoomBy(2);
		return true;
	})()`)
	p.Wait(`location.hash.includes("look=")`)
	fragment := browsertest.Eval[string](p, "location.hash")
	for _, want := range []string{"by=weight", "limit=0.5", "sign=positive", "layout=circle", "vertex=e", "part=0-2.5", "moved=2_", "look="} {
		if !strings.Contains(fragment, want) {
			t.Errorf("the address ends in %q, without %s", fragment, want)
		}
	}
	const looks = `(() => { const { view } = nervure; return JSON.stringify([view.state, view.visibleEdges()]) })()`
	const places = "nervure.view.model.names.map((_, i) => nervure.view.placeOf(i))"
	q := show(fragment)
	if got, want := browsertest.Eval[string](q, looks), browsertest.Eval[string](p, looks); normal(got) != normal(want) {
		t.Errorf("the address leads to %s, want %s", got, want)
	}
	was := browsertest.Eval[[]point](p, places)
	for i, at := range browsertest.Eval[[]point](q, places) {
		if math.Hypot(at.X-was[i].X, at.Y-was[i].Y) > 1 {
			t.Errorf("vertex %d is at %v, and was at %v", i, at, was[i])
		}
	}
	// What a link says that the graph does not have is left out.
	odd := show("#by=q&limit=2&sign=odd&community=99&layout=none&vertex=nobody&part=4-2.99.1&moved=7_1_1*x&look=1_2")
	if got := browsertest.Eval[string](odd, "JSON.stringify(nervure.view.state)"); got != `{"part":[1]}` {
		t.Errorf("an odd address leads to %s", got)
	}
	for _, p := range []*browsertest.Page{p, q, odd} {
		if said := p.Errors(); len(said) > 0 {
			t.Errorf("the page complains: %q", said)
		}
	}
}

// normal cuts the digits of places, which a link rounds.
func normal(state string) string {
	if at := strings.Index(state, `"moved"`); at >= 0 {
		return state[:at] + state[at+strings.Index(state[at:], "}"):]
	}
	return state
}
