package report

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
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
	"github.com/nervure/nervure/learn"
)

type point struct{ X, Y float64 }

// open shows the report of a run, from disk. At the end of the test it must have
// complained about nothing and asked nobody.
func open(t *testing.T, b *browsertest.Browser, r Run, v browsertest.View) *browsertest.Page {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, page(t, r), 0o644); err != nil {
		t.Fatal(err)
	}
	v.Still = true // so that nothing has to be waited for
	p := b.OpenFile(t, file, v)
	p.Wait("window.nervure !== undefined")
	settled(p)
	t.Cleanup(func() {
		if said := p.Errors(); len(said) > 0 {
			t.Errorf("the page complains: %q", said)
		}
		for _, address := range p.Requests() {
			if !strings.HasPrefix(address, "file://") && !strings.HasPrefix(address, "data:") || strings.Contains(address, "alert") {
				t.Errorf("the page asks for %s", address)
			}
		}
		if count := len(slices.DeleteFunc(p.Requests(), func(a string) bool { return strings.HasPrefix(a, "data:") })); count != 1 {
			t.Errorf("got %d requests, want the page alone", count)
		}
	})
	return p
}

// settled waits until what was asked for is drawn.
func settled(p *browsertest.Page) {
	browsertest.Eval[int](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
}

func tip(p *browsertest.Page) string {
	settled(p)
	return browsertest.Eval[string](p, `(() => { const tip = document.querySelector(".graph-tip"); return tip.hidden ? "" : tip.innerText })()`)
}

// inSight scrolls the graph to where a mouse can reach it.
func inSight(p *browsertest.Page) {
	browsertest.Eval[bool](p, `(document.querySelector(".graph-stage").scrollIntoView({block: "center"}), true)`)
	settled(p)
}

func TestReportInABrowser(t *testing.T) {
	b := browsertest.Start(t)
	noisy := learnedRun(t, truth(t, 16, 0.1), learn.Options{})
	confidence := make([]float64, noisy.Graph.EdgeCount())
	for k := range confidence {
		confidence[k] = float64(k) / float64(len(confidence))
	}
	var err error
	if noisy.Graph, err = noisy.Graph.WithConfidence(confidence); err != nil {
		t.Fatal(err)
	}

	t.Run("the slider shows as many edges as it says, heaviest first", func(t *testing.T) { checkSlider(t, b, noisy) })
	t.Run("a vertex and an edge tell about themselves", func(t *testing.T) { checkHover(t, b, noisy) })
	t.Run("a search brings the vertex to the middle", func(t *testing.T) { checkSearch(t, b, noisy) })
	t.Run("keys walk along edges", func(t *testing.T) { checkKeys(t, b, noisy) })
	t.Run("every section is filled", func(t *testing.T) {
		p := open(t, b, noisy, browsertest.View{})
		for _, id := range []string{"weights", "convergence", "edge-rounds", "kernels", "usage", "vertex-residual", "signal-residual"} {
			if browsertest.Eval[int](p, `document.querySelectorAll("#%s svg :is(polyline, rect, path, circle)").length`, id) == 0 {
				t.Errorf("nothing is drawn in %s", id)
			}
		}
		if got := browsertest.Eval[int](p, `document.querySelectorAll("#atoms canvas").length`); got != 6 {
			t.Errorf("got %d atoms, want 6", got)
		}
	})
	t.Run("the theme follows the system and the button", func(t *testing.T) { checkTheme(t, b, noisy) })
	t.Run("it prints light, with the graph", func(t *testing.T) { checkPrint(t, b, noisy) })
	t.Run("names cannot break out", func(t *testing.T) { checkHostile(t, b) })
	t.Run("columns colour the vertices", func(t *testing.T) { checkColumns(t, b) })
	for _, n := range []int{1, 2, 3} {
		t.Run(fmt.Sprintf("%d vertices", n), func(t *testing.T) {
			p := open(t, b, webRun(t, n, graph.DefaultNames(n)), browsertest.View{Width: 390, Height: 844})
			if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth"); wide > 390 {
				t.Errorf("the page is %d pixels wide on a screen of 390", wide)
			}
		})
	}
	t.Run("two thousand vertices", func(t *testing.T) { checkLarge(t, b) })
}

func checkSlider(t *testing.T, b *browsertest.Browser, r Run) {
	p := open(t, b, r, browsertest.View{})
	kept := rank(r.Graph, r.Weights)
	all := len(kept.shown())
	if all <= kept.kept {
		t.Fatalf("the cut dropped nothing: %d of %d edges", kept.kept, all)
	}
	for _, k := range []int{kept.kept, 0, 5, all, kept.kept - 1} {
		if k != kept.kept { // where it stands at first
			browsertest.Eval[bool](p, `(() => { const s = document.querySelector(".graph-cut input"); s.value = %d; return s.dispatchEvent(new Event("input", {bubbles: true})) })()`, k)
		}
		drawn := browsertest.Eval[[][]*float64](p, "nervure.view.visibleEdges()")
		if len(drawn) != k {
			t.Fatalf("the slider at %d shows %d edges", k, len(drawn))
		}
		for e, edge := range drawn {
			if want := kept.edges[e]; *edge[0] != float64(want.I) || *edge[1] != float64(want.J) || math.Abs(*edge[2]-want.Weight) > 1e-5*want.Weight {
				t.Fatalf("edge %d of %d is %g – %g of weight %g, want %v", e, k, *edge[0], *edge[1], *edge[2], want)
			}
		}
		if said := browsertest.Eval[string](p, `document.querySelector(".graph-cut output").textContent`); !strings.HasPrefix(said, fmt.Sprintf("%d of %d", k, all)) {
			t.Errorf("the slider at %d says %q", k, said)
		}
		if cells := browsertest.Eval[int](p, "nervure.heatmap.edges.length"); cells != k {
			t.Errorf("the slider at %d leaves %d edges in the heat map", k, cells)
		}
	}
}

func checkHover(t *testing.T, b *browsertest.Browser, r Run) {
	p := open(t, b, r, browsertest.View{})
	inSight(p)
	ranked, names := rank(r.Graph, r.Weights), r.Graph.Names()
	at := browsertest.Eval[point](p, "nervure.view.placeOf(%d)", ranked.edges[0].I)
	p.Hover(at.X, at.Y)
	said := tip(p)
	for _, want := range []string{names[ranked.edges[0].I], names[ranked.edges[0].J], shortNumber(p, ranked.edges[0].Weight)} {
		if !strings.Contains(said, want) {
			t.Errorf("the vertex of the heaviest edge says %q, which lacks %q", said, want)
		}
	}

	// An edge whose middle has no other edge or vertex near.
	found := browsertest.Eval[struct {
		Edge int
		X, Y float64
	}](p, `(() => {
		const { view } = nervure, mid = (e) => { const a = view.placeOf(e[0]), b = view.placeOf(e[1]); return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
		const toSegment = (q, e) => { const a = view.placeOf(e[0]), b = view.placeOf(e[1]), dx = b.x - a.x, dy = b.y - a.y;
			const s = Math.min(1, Math.max(0, ((q.x - a.x) * dx + (q.y - a.y) * dy) / (dx * dx + dy * dy))); return Math.hypot(a.x + s * dx - q.x, a.y + s * dy - q.y) };
		const edges = view.visibleEdges();
		const clear = edges.map((e, k) => { const q = mid(e), others = edges.filter((_, j) => j !== k).map((f) => toSegment(q, f));
			const near = view.model.names.map((_, i) => { const v = view.placeOf(i); return Math.hypot(v.x - q.x, v.y - q.y) - 12 });
			return Math.min(...others, ...near) });
		const edge = clear.indexOf(Math.max(...clear));
		return { edge, ...mid(edges[edge]) };
	})()`)
	p.Hover(found.X, found.Y)
	said = tip(p)
	edge := ranked.edges[found.Edge]
	want := []string{names[edge.I] + " – " + names[edge.J], "weight " + shortNumber(p, edge.Weight), "confidence " + shortNumber(p, ranked.confidence[found.Edge])}
	for _, words := range want {
		if !strings.Contains(said, words) {
			t.Errorf("the edge says %q, which lacks %q", said, words)
		}
	}
	p.Hover(2, 2)
	if said := tip(p); said != "" {
		t.Errorf("away from the graph it still says %q", said)
	}
}

// shortNumber is a number as the page writes it, for plain sizes.
func shortNumber(p *browsertest.Page, v float64) string {
	return browsertest.Eval[string](p, "String(Number((%g).toPrecision(4)))", v)
}

func checkSearch(t *testing.T, b *browsertest.Browser, r Run) {
	p := open(t, b, r, browsertest.View{})
	inSight(p)
	p.Do(chromedp.SendKeys(chromedp.CSS(".graph-search input"), "v7"+kb.Enter))
	settled(p)
	box := browsertest.Eval[struct{ X, Y, Width, Height float64 }](p, `(() => { const { x, y, width, height } = document.querySelector(".graph-over").getBoundingClientRect(); return { x, y, width, height } })()`)
	at := browsertest.Eval[point](p, `nervure.view.placeOf(nervure.view.model.index("v7"))`)
	if math.Hypot(at.X-box.X-box.Width/2, at.Y-box.Y-box.Height/2) > 2 {
		t.Errorf("v7 is at %v, not in the middle of %v", at, box)
	}
	if said := tip(p); !strings.HasPrefix(said, "v7") {
		t.Errorf("after the search it says %q, want v7", said)
	}
}

func checkKeys(t *testing.T, b *browsertest.Browser, r Run) {
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
	if said := browsertest.Eval[string](p, `document.querySelector(".graph-stage [role=status]").textContent`); !strings.HasPrefix(said, r.Graph.Names()[from]+": ") {
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

func checkTheme(t *testing.T, b *browsertest.Browser, r Run) {
	p := open(t, b, r, browsertest.View{Dark: true})
	ground := func() string { return browsertest.Eval[string](p, "getComputedStyle(document.body).backgroundColor") }
	ink := func() string { return browsertest.Eval[string](p, "nervure.view.colors.ink") }
	dark, darkInk := ground(), ink()
	p.Do(chromedp.Click(chromedp.CSS("#theme")))
	if light := ground(); light == dark || ink() == darkInk {
		t.Errorf("the button leaves the ground at %s and the ink at %s", light, ink())
	}
}

func checkPrint(t *testing.T, b *browsertest.Browser, r Run) {
	p := open(t, b, r, browsertest.View{Dark: true})
	browsertest.Eval[bool](p, `(addEventListener("beforeprint", () => { window.printed = { ink: nervure.view.colors.ink, pixels: nervure.view.under.width } }), true)`)
	// A canvas is printed as what was drawn on it: the first page has the circles of
	// the vertices, unless the canvas is hidden.
	with := curvesIn(p.PDF(chromedp.PDFPageRanges("1")))
	browsertest.Eval[string](p, `nervure.view.under.style.visibility = "hidden"`)
	without := curvesIn(p.PDF(chromedp.PDFPageRanges("1")))
	if vertices := r.Graph.Vertices(); with-without < 4*vertices {
		t.Errorf("the graph adds %d bends to the print, want four for each of %d vertices", with-without, vertices)
	}
	printed := browsertest.Eval[struct {
		Ink    string
		Pixels int
	}](p, "window.printed")
	if screen := browsertest.Eval[string](p, "nervure.view.colors.ink"); screen == printed.Ink {
		t.Errorf("the dark page prints in the ink of the screen, %s", screen)
	}
	if width := browsertest.Eval[int](p, "nervure.view.under.width"); printed.Pixels < 2*width {
		t.Errorf("the graph is printed %d pixels wide, want at least twice the %d of the screen", printed.Pixels, width)
	}
}

// curvesIn counts the pieces of curves in what a PDF draws.
func curvesIn(pdf []byte) int {
	bends := 0
	for part := range bytes.SplitSeq(pdf, []byte("stream\n")) {
		r, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue // not one that is drawn
		}
		text, _ := io.ReadAll(r) // what follows a stream is not its own
		bends += bytes.Count(text, []byte(" c\n"))
	}
	return bends
}

// hostileNames are names that a careless page would take for something else.
var hostileNames = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`, `<!--`, `${alert(3)}`, `' onmouseover='alert(4)`,
	"a\u2028b", `]]>`, "naïve — 日本語 🌿", `back\slash`, "  ",
}

func checkHostile(t *testing.T, b *browsertest.Browser) {
	run := webRun(t, len(hostileNames), hostileNames)
	run.Title, run.Command, run.Verdict = hostileNames[0], hostileNames[1], hostileNames[4]
	run.Warnings, run.Notes = hostileNames[:2], hostileNames[2:4]
	run.Vertices = table(t, hostileNames, "name,<b>kind</b>,empty\n\"</script><script>alert(1)</script>\",\"<i>x</i>\",\n")
	p := open(t, b, run, browsertest.View{})
	got := browsertest.Eval[[]string](p, "nervure.view.model.names")
	if !slices.Equal(got, hostileNames) {
		t.Errorf("got names %q, want %q", got, hostileNames)
	}
	inSight(p)
	browsertest.Eval[bool](p, "(nervure.view.select(0), true)")
	if said := tip(p); !strings.HasPrefix(said, hostileNames[0]) {
		t.Errorf("the vertex says %q, want its name %q", said, hostileNames[0])
	}
	p.Do(chromedp.Click(chromedp.CSS(".graph-table summary")))
	if count := browsertest.Eval[int](p, `document.querySelectorAll("script, img, b, i:not([class]):not(:empty)").length`); count != 2 {
		t.Errorf("there are %d elements that names may have made, want the 2 scripts of the page", count)
	}
	if title := browsertest.Eval[string](p, "document.querySelector('h1').textContent"); title != hostileNames[0] {
		t.Errorf("got title %q", title)
	}
}

func checkColumns(t *testing.T, b *browsertest.Browser) {
	names := []string{"a", "b", "c", "d"}
	run := webRun(t, 4, names)
	run.Vertices = table(t, names, "name,x,y,kind,height\na,0,0,sea,1\nb,1,0,sea,2\nc,1,1,land,3\nd,0,1,,\n")
	p := open(t, b, run, browsertest.View{})
	colors := func(by string) []string {
		quoted, err := json.Marshal(by)
		if err != nil {
			t.Fatal(err)
		}
		return browsertest.Eval[[]string](p, "(nervure.view.colorBy(%s), nervure.view.model.names.map((_, i) => nervure.view.paintBy.of(i)))", quoted)
	}
	if got := colors("kind"); got[0] != got[1] || got[0] == got[2] || got[3] == got[0] || got[3] == got[2] {
		t.Errorf("by kind the colours are %q", got)
	}
	if got := colors("height"); len(slices.Compact(slices.Sorted(slices.Values(got)))) != 4 {
		t.Errorf("by height the colours are %q", got)
	}
	up := browsertest.Eval[[]point](p, "[nervure.view.placeOf(0), nervure.view.placeOf(3)]")
	if up[1].Y >= up[0].Y || up[0].X != up[1].X {
		t.Errorf("(0, 1) is drawn at %v, not above (0, 0) at %v", up[1], up[0])
	}
}

func checkLarge(t *testing.T, b *browsertest.Browser) {
	run := webRun(t, 2000, graph.DefaultNames(2000))
	p := open(t, b, run, browsertest.View{})
	inSight(p)
	if got, want := browsertest.Eval[int](p, "nervure.view.visibleEdges().length"), run.Graph.EdgeCount(); got != want {
		t.Errorf("got %d edges drawn, want %d", got, want)
	}
	// From the moment the pointer moves until the answer is drawn.
	slowest := browsertest.Eval[float64](p, `(async () => {
		let slowest = 0;
		for (let i = 0; i < 20; i++) {
			const at = nervure.view.placeOf(i * 97 %% 2000), begun = performance.now();
			nervure.view.over.dispatchEvent(new PointerEvent("pointermove", { clientX: at.x, clientY: at.y, pointerType: "mouse" }));
			await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
			if (nervure.view.hovered.vertex < 0) throw new Error("vertex " + i + " is not found");
			slowest = Math.max(slowest, performance.now() - begun);
		}
		return slowest;
	})()`)
	t.Logf("pointing at a vertex is answered within %.0f ms, with %d edges", slowest, run.Graph.EdgeCount())
}
