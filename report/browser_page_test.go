package report

import (
	"bytes"
	"compress/zlib"
	"html"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/rng"
)

// The script that the Python package adds to a notebook gives the frame the height that its page
// needs, also when the table of edges is opened, and has the page be dark where the notebook is.
func checkFramed(t *testing.T, b *browsertest.Browser, r content) {
	script, err := os.ReadFile("../python/src/nervure/frame.js")
	if err != nil {
		t.Fatal(err)
	}
	inner := strings.Replace(string(page(t, r)), `<html lang="en">`, `<html lang="en" class="is-embedded">`, 1)
	file := filepath.Join(t.TempDir(), "notebook.html")
	around := `<!doctype html><link rel="icon" href="data:,"><body style="background: #ffffff">` +
		`<iframe class="nervure-graph" style="width: 100%; height: 10px" srcdoc="` + html.EscapeString(inner) + `"></iframe><script>` + string(script) + `</script>`
	if err := os.WriteFile(file, []byte(around), 0o644); err != nil {
		t.Fatal(err)
	}
	p := b.OpenFile(t, file, browsertest.View{Dark: true}) // as the system has it, but not the notebook
	const inside = `document.querySelector("iframe").contentDocument.`
	height := func() int { return browsertest.Eval[int](p, `document.querySelector("iframe").clientHeight`) }
	p.Wait("%s", inside+`documentElement.dataset.theme === "light"`)
	fits := `document.querySelector("iframe").clientHeight >= ` + inside + `documentElement.scrollHeight`
	p.Wait("%s", fits)
	before := height()
	browsertest.Eval[bool](p, `(`+inside+`querySelector(".graph-table summary").click(), true)`)
	p.Wait("%s && %s > %d", fits, `document.querySelector("iframe").clientHeight`, before+40)
	browsertest.Eval[bool](p, `(`+inside+`querySelector(".graph-table summary").click(), true)`)
	p.Wait(`document.querySelector("iframe").clientHeight === %d`, before)
	browsertest.Eval[bool](p, `(document.body.style.background = "#111111", true)`)
	p.Wait("%s", inside+`documentElement.dataset.theme === "dark"`)
	if said := p.Errors(); len(said) > 0 {
		t.Errorf("the page complains: %q", said)
	}
}

func checkPrint(t *testing.T, b *browsertest.Browser, r content) {
	p := open(t, b, r, browsertest.View{Dark: true})
	browsertest.Eval[bool](
		p,
		`(addEventListener("beforeprint", () => { window.printed = { ink: nervure.view.colors.ink, pixels: nervure.view.under.width } }), true)`,
	)
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
	run.Vertices = vertexTable(t, hostileNames, "name,<b>kind</b>,empty\n\"</script><script>alert(1)</script>\",\"<i>x</i>\",\n")
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

// Of more edges than a frame has time for, the surest are drawn at once and the others soon after, beneath.
func checkLayered(t *testing.T, b *browsertest.Browser) {
	const n = 3000
	draw := rng.Stream(*seed, "layered")
	run := webRun(t, n, graph.DefaultNames(n))
	confidence := make([]float64, run.Graph.EdgeCount())
	for k := range confidence {
		confidence[k] = draw.Float64()
	}
	var err error
	if run.Graph, err = run.Graph.WithConfidence(confidence); err != nil {
		t.Fatal(err)
	}
	p := open(t, b, run, browsertest.View{})
	inSight(p)
	strokes := browsertest.Eval[struct {
		Drawn, Surest, All, Shown int
	}](p, `(async () => {
		const { view } = nervure, context = view.under.getContext("2d"), line = context.lineTo;
		let lines = 0;
		context.lineTo = function (x, y) { lines++; line.call(this, x, y); };
		view.paint("under");
		const drawn = lines, least = view.model.shown[drawn - 1][3];
		const surest = view.model.shown.slice(drawn).every((e) => e[3] <= least) ? drawn : 0;
		for (let k = 0; k < 200 && lines < view.model.shown.length; k++) await new Promise((done) => setTimeout(done, 50));
		delete context.lineTo;
		return { drawn, surest, all: lines, shown: view.model.shown.length };
	})()`)
	if strokes.Drawn == 0 || strokes.Drawn > strokes.Shown*3/4 || strokes.Surest != strokes.Drawn {
		t.Errorf(
			"at once %d of %d edges are drawn, and it is %t that they are the surest",
			strokes.Drawn,
			strokes.Shown,
			strokes.Surest == strokes.Drawn,
		)
	}
	if strokes.All != strokes.Shown {
		t.Errorf("in the end %d of %d edges are drawn", strokes.All, strokes.Shown)
	}
	// A list of names to choose from is never long.
	if offered := browsertest.Eval[int](p, `document.querySelectorAll("datalist option").length`); offered == 0 || offered > 50 {
		t.Errorf("%d names are offered", offered)
	}
}

// axe-core finds nothing, wide and in the light or narrow and in the dark, with all that can be opened.
func checkAccess(t *testing.T, b *browsertest.Browser, r content) {
	axe := browsertest.NeedAxe(t)
	for _, view := range []browsertest.View{{Width: 1280, Height: 900}, {Width: 390, Height: 844, Dark: true}} {
		p := open(t, b, r, view)
		browsertest.Eval[bool](
			p,
			`(document.querySelectorAll("details").forEach((d) => { d.open = true }), nervure.view.setPart([0, 1, 2]), nervure.view.select(1), true)`,
		)
		settled(p)
		for _, found := range axe.Findings(p) {
			t.Errorf("%d pixels wide: %s", view.Width, found)
		}
	}
}
