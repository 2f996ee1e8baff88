package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/browsertest"
)

func checkSlider(t *testing.T, b *browsertest.Browser, r content) {
	p := open(t, b, r, browsertest.View{})
	kept := rank(r.Graph, r.Weights)
	all := len(kept.shown())
	if all <= kept.kept {
		t.Fatalf("the cut dropped nothing: %d of %d edges", kept.kept, all)
	}
	for _, k := range []int{kept.kept, 0, 5, all, kept.kept - 1} {
		if k != kept.kept { // where it stands at first
			browsertest.Eval[bool](
				p,
				`(() => { const s = document.querySelector(".graph-cut input"); s.value = %d; return s.dispatchEvent(new Event("input", {bubbles: true})) })()`,
				k,
			)
		}
		drawn := browsertest.Eval[[][]*float64](p, "nervure.view.visibleEdges()")
		if len(drawn) != k {
			t.Fatalf("the slider at %d shows %d edges", k, len(drawn))
		}
		for e, edge := range drawn {
			if want := kept.edges[e]; *edge[0] != float64(want.I) || *edge[1] != float64(want.J) ||
				math.Abs(*edge[2]-want.Weight) > 1e-5*want.Weight {
				t.Fatalf("edge %d of %d is %g – %g of weight %g, want %v", e, k, *edge[0], *edge[1], *edge[2], want)
			}
		}
		if said := browsertest.Eval[string](p, `document.querySelector(".graph-cut output").textContent`); !strings.HasPrefix(
			said,
			fmt.Sprintf("%d of %d", k, all),
		) {
			t.Errorf("the slider at %d says %q", k, said)
		}
		if cells := browsertest.Eval[int](p, "nervure.heatmap.edges.length"); cells != k {
			t.Errorf("the slider at %d leaves %d edges in the heat map", k, cells)
		}
	}
}

// checkFilter filters edges by confidence and by q, by hand and by keys; the table and the matrix follow.
func checkFilter(t *testing.T, b *browsertest.Browser) {
	names := []string{"a", "b", "c", "d", "e"}
	edges := []graph.Edge{{I: 0, J: 1, Weight: 4}, {I: 1, J: 2, Weight: 3}, {I: 2, J: 3, Weight: 2}, {I: 3, J: 4, Weight: 1}}
	r := content{Title: "Tested", Version: "test", Method: "knn", Verdict: "Learned by hand.", Graph: mustGraph(t, names, edges)}
	r.Weights = mustGraph(t, names, append(edges, graph.Edge{I: 0, J: 4, Weight: 0.5}))
	waysOf := func(p *browsertest.Page) string {
		return browsertest.Eval[string](
			p,
			`document.querySelector(".graph-by").hidden ? "" : [...document.querySelectorAll(".graph-by option")].map((o) => o.value).join(" ")`,
		)
	}
	if got := waysOf(open(t, b, r, browsertest.View{})); got != "number weight" {
		t.Errorf("edges of which nothing is known can be filtered by %q", got)
	}
	var err error
	if r.Graph, err = r.Graph.WithConfidence([]float64{0.5, 0.95, 0.9, 0.2}); err != nil {
		t.Fatal(err)
	}
	of := func(q float64) graph.Evidence { return graph.Evidence{Partial: 0.3, Low: 0.2, High: 0.4, Q: q} }
	if r.Graph, err = r.Graph.WithEvidence([]graph.Evidence{of(0.3), of(0.1), of(0), of(0.04)}); err != nil {
		t.Fatal(err)
	}
	p := open(t, b, r, browsertest.View{})
	if got := waysOf(p); got != "number weight confidence q" {
		t.Errorf("edges with evidence can be filtered by %q", got)
	}
	browsertest.Eval[bool](p, `(document.querySelector(".graph-table").open = true)`)
	choose := `(() => { const s = document.querySelector(".graph-by select"); s.value = %q; return s.dispatchEvent(new Event("change")) })()`
	slide := `(() => { const s = document.querySelector(".graph-cut input"); s.value = %g; return s.dispatchEvent(new Event("input", {bubbles: true})) })()`
	check := func(edges, said string) {
		t.Helper()
		settled(p)
		if got := browsertest.Eval[string](p, `[...document.querySelectorAll(".graph-table tbody tr")].map((row) => row.children[0].textContent + row.children[1].textContent).join(" ")`); got != edges {
			t.Errorf("the table has %q, want %q", got, edges)
		}
		if got, want := browsertest.Eval[int](p, "nervure.heatmap.edges.length"), len(strings.Fields(edges)); got != want {
			t.Errorf("the matrix has %d edges, want %d", got, want)
		}
		if got := browsertest.Eval[string](p, `document.querySelector(".graph-cut output").textContent`); !strings.HasPrefix(got, said) {
			t.Errorf("the slider says %q, want %q", got, said)
		}
	}
	check("ab bc cd de", "4 of 5 · weight ≥ 1")
	const first = `[...document.querySelector(".graph-table tbody tr").children].map((cell) => cell.textContent).join("|")`
	if got := browsertest.Eval[string](p, first); got != "a|b|4|0.5|0.30 [0.20, 0.40]|0.3" {
		t.Errorf("the first row of the table is %q", got)
	}
	for _, c := range []struct {
		by          string // "": as before
		limit       float64
		edges, said string
	}{
		{"confidence", -1, "bc cd", "2 of 4 · confidence ≥ 0.9"},
		{"", 0.2, "bc cd ab de", "4 of 4 · confidence ≥ 0.2"},
		{"weight", 3, "ab bc", "2 of 4 · weight ≥ 3"},
		{"q", -1, "cd de bc", "3 of 4 · q ≤ 0.1"},
		{"", 0, "cd", "1 of 4 · q ≤ 0"},
		{"number", -1, "ab bc cd de", "4 of 5 · weight ≥ 1"},
		{"", 5, "ab bc cd de ae", "5 of 5 · 1 was cut"},
	} {
		if c.by != "" {
			browsertest.Eval[bool](p, choose, c.by)
		}
		if c.limit >= 0 {
			browsertest.Eval[bool](p, slide, c.limit)
		}
		check(c.edges, c.said)
	}
	browsertest.Eval[bool](p, choose, "q")
	browsertest.Eval[bool](p, `(document.querySelector(".graph-cut input").focus(), true)`)
	p.Do(chromedp.KeyEvent(kb.ArrowLeft))
	check("cd de", "2 of 4 · q ≤ 0.09")
	if got := browsertest.Eval[string](p, `document.querySelector(".graph-cut input").getAttribute("aria-valuetext")`); !strings.HasPrefix(
		got,
		"q ≤ 0.09",
	) {
		t.Errorf("a screen reader hears %q", got)
	}
}

// Two vertices are joined both ways, and one arrow leads against the order of vertices.
func checkArrows(t *testing.T, b *browsertest.Browser) {
	r := webRun(t, 4, []string{"a", "b", "c", "d"})
	g, err := graph.NewDirected(
		r.Graph.Names(),
		[]graph.Edge{{I: 0, J: 1, Weight: 0.5}, {I: 1, J: 0, Weight: 0.25}, {I: 3, J: 0, Weight: 0.75}},
	)
	if err != nil {
		t.Fatal(err)
	}
	r.Graph, r.Weights = g, g
	p := open(t, b, r, browsertest.View{})
	inSight(p)
	at := func(i, j int) point { // between them, a little to the right
		return browsertest.Eval[point](
			p,
			"(() => { const a = nervure.view.placeOf(%d), b = nervure.view.placeOf(%d), far = Math.hypot(b.x - a.x, b.y - a.y) || 1; "+
				"return { x: (a.x + b.x) / 2 - (2 * (b.y - a.y)) / far, y: (a.y + b.y) / 2 + (2 * (b.x - a.x)) / far } })()",
			i,
			j,
		)
	}
	for _, c := range []struct {
		i, j int
		want []string
	}{
		{0, 0, []string{"a", "3 arrows", "← d", "→ b", "← b"}},
		{3, 0, []string{"d → a", "weight 0.75"}},
		{1, 0, []string{"b → a", "weight 0.25", "the other way: weight 0.5"}},
	} {
		place := at(c.i, c.j)
		p.Hover(place.X, place.Y)
		said := tip(p)
		for _, words := range c.want {
			if !strings.Contains(said, words) {
				t.Errorf("between %d and %d it says %q, which lacks %q", c.i, c.j, said, words)
			}
		}
	}
	if cells := browsertest.Eval[int](p, "nervure.heatmap.at.size"); cells != 3 {
		t.Errorf("the heat map has %d cells, want 3", cells)
	}
}

func checkKeys(t *testing.T, b *browsertest.Browser, r content) {
	p := open(t, b, r, browsertest.View{})
	selected := func() int { return browsertest.Eval[int](p, "nervure.view.selected") }
	p.Do(chromedp.Focus(chromedp.CSS(".graph-over")), chromedp.KeyEvent(kb.ArrowRight))
	joined := map[[2]int]bool{}
	for _, e := range r.Graph.Edges() {
		joined[[2]int{e.I, e.J}], joined[[2]int{e.J, e.I}] = true, true
	}
	from, moves := selected(), 0
	if from < 0 {
		t.Fatal("an arrow key selects nothing")
	}
	for _, key := range []string{kb.ArrowLeft, kb.ArrowUp, kb.ArrowRight, kb.ArrowDown} {
		p.Do(chromedp.KeyEvent(key))
		if to := selected(); to != from {
			if !joined[[2]int{from, to}] {
				t.Errorf("a key went from %d to %d, which are not joined", from, to)
			}
			from, moves = to, moves+1
		}
	}
	if moves == 0 {
		t.Error("no key went anywhere")
	}
	if said := browsertest.Eval[string](p, `document.querySelector(".graph-stage [role=status]").textContent`); !strings.HasPrefix(
		said,
		r.Graph.Names()[from]+": ",
	) {
		t.Errorf("a screen reader hears %q, want vertex %d", said, from)
	}
	before := browsertest.Eval[float64](p, "nervure.view.camera.scale")
	p.Do(chromedp.KeyEvent("+"))
	if after := browsertest.Eval[float64](p, "nervure.view.camera.scale"); after <= before {
		t.Errorf("plus went from scale %g to %g", before, after)
	}
	p.Do(chromedp.KeyEvent(kb.Escape))
	if selected() != -1 {
		t.Error("Escape does not clear the selection")
	}
}

func checkHand(t *testing.T, b *browsertest.Browser, r content) {
	p := open(t, b, r, browsertest.View{})
	inSight(p)
	places := func() []point {
		settled(p)
		return browsertest.Eval[[]point](p, "nervure.view.model.names.map((_, i) => nervure.view.placeOf(i))")
	}
	before := places()
	p.Do(chromedp.DragAndDropXY(before[3].X, before[3].Y, before[3].X+60, before[3].Y+40, 4))
	after := places()
	for i := range after {
		dx, dy := after[i].X-before[i].X, after[i].Y-before[i].Y
		if i == 3 && math.Hypot(dx-60, dy-40) > 1 || i != 3 && math.Hypot(dx, dy) > 1e-6 {
			t.Errorf("vertex 3 was dragged by (60, 40); vertex %d moved by (%g, %g)", i, dx, dy)
		}
	}

	const under = `(() => {
		const box = (name) => document.querySelector(name).getBoundingClientRect(), zoom = box(".graph-zoom"), stage = box(".graph-stage");
		return zoom.width > 0 && zoom.top < stage.bottom && zoom.bottom > stage.top && zoom.left < stage.right && zoom.right > stage.left;
	})()`
	if browsertest.Eval[bool](p, under) {
		t.Error("the buttons that zoom hide what is drawn below them")
	}

	corner := browsertest.Eval[point](
		p,
		`(() => { const { x, y } = document.querySelector(".graph-over").getBoundingClientRect(); return { x: x + 8, y: y + 8 } })()`,
	)
	p.Do(chromedp.DragAndDropXY(corner.X, corner.Y, corner.X+50, corner.Y+30, 4))
	for i, moved := range places() {
		if math.Hypot(moved.X-after[i].X-50, moved.Y-after[i].Y-30) > 1 {
			t.Errorf("the view was dragged by (50, 30); vertex %d went from %v to %v", i, after[i], moved)
		}
	}

	at := places()[3]
	p.Do(chromedp.TapXY(at.X, at.Y))
	if said := tip(p); !strings.HasPrefix(said, r.Graph.Names()[3]+"\n") {
		t.Errorf("a finger on vertex 3 brings up %q", said)
	}

	// The wheel scrolls the page until the graph has the focus.
	wheel := `(() => { const e = new WheelEvent("wheel", { deltaY: -100, clientX: %g, clientY: %g, cancelable: true }); nervure.view.over.dispatchEvent(e); return e.defaultPrevented })()`
	browsertest.Eval[bool](p, "(document.activeElement.blur(), true)")
	if browsertest.Eval[bool](p, wheel, corner.X, corner.Y) {
		t.Error("a graph without the focus keeps the page from scrolling")
	}
	p.Do(chromedp.Focus(chromedp.CSS(".graph-over")))
	scale := browsertest.Eval[float64](p, "nervure.view.camera.scale")
	if !browsertest.Eval[bool](p, wheel, corner.X, corner.Y) || browsertest.Eval[float64](p, "nervure.view.camera.scale") <= scale {
		t.Error("the wheel does not zoom a graph that has the focus")
	}
}
