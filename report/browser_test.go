package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/learn"
)

type point struct{ X, Y float64 }

// open shows the report of a run, from disk. At the end of the test it must have
// complained about nothing and asked nobody.
func open(t *testing.T, b *browsertest.Browser, r content, v browsertest.View) *browsertest.Page {
	t.Helper()
	return openText(t, b, page(t, r), v)
}

func openText(t *testing.T, b *browsertest.Browser, html []byte, v browsertest.View) *browsertest.Page {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, html, 0o644); err != nil {
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
	return browsertest.Eval[string](
		p,
		`(() => { const tip = document.querySelector(".graph-tip"); return tip.hidden ? "" : tip.innerText })()`,
	)
}

// inSight scrolls the graph to where a mouse can reach it.
func inSight(p *browsertest.Page) {
	browsertest.Eval[bool](p, `(document.querySelector(".graph-stage").scrollIntoView({block: "center"}), true)`)
	settled(p)
}

func TestReportInABrowser(t *testing.T) {
	needs.Long(t, "a browser is opened") // that a report opens, the test of the page holds
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
	t.Run("edges are filtered by confidence and by q", func(t *testing.T) { checkFilter(t, b) })
	t.Run("edges are filtered by sign and community", func(t *testing.T) { checkRestricted(t, b) })
	t.Run("a line around vertices selects and lists them", func(t *testing.T) { checkLasso(t, b) })
	t.Run("filters, selections and moves are undone", func(t *testing.T) { checkUndo(t, b, noisy) })
	t.Run("the address leads to the view", func(t *testing.T) { checkLink(t, b) })
	t.Run("arrows tell where they lead", func(t *testing.T) { checkArrows(t, b) })
	t.Run("keys walk along edges", func(t *testing.T) { checkKeys(t, b, noisy) })
	t.Run("nothing keeps people out", func(t *testing.T) { checkAccess(t, b, noisy) })
	t.Run("every section is filled", func(t *testing.T) {
		p := open(t, b, noisy, browsertest.View{})
		for _, id := range []string{"weights", "spectrum", "convergence", "edge-rounds", "kernels", "usage", "vertex-residual", "signal-residual"} {
			if browsertest.Eval[int](p, `document.querySelectorAll("#%s svg :is(polyline, rect, path, circle)").length`, id) == 0 {
				t.Errorf("nothing is drawn in %s", id)
			}
		}
		if got := browsertest.Eval[int](p, `document.querySelectorAll("#atoms canvas").length`); got != 6 {
			t.Errorf("got %d atoms, want 6", got)
		}
	})
	t.Run("a hand moves vertices, the view and the zoom", func(t *testing.T) { checkHand(t, b, noisy) })
	t.Run("the frame in a notebook is as high and as dark as it should be", func(t *testing.T) { checkFramed(t, b, noisy) })
	t.Run("it prints light, with the graph", func(t *testing.T) { checkPrint(t, b, noisy) })
	t.Run("names cannot break out", func(t *testing.T) { checkHostile(t, b) })
	t.Run("layouts move the vertices, and communities colour them", func(t *testing.T) { checkLayouts(t, b) })
	t.Run("names never touch, and zooming brings more", func(t *testing.T) { checkNames(t, b) })
	t.Run("of a tangle the surest edges are shown first", func(t *testing.T) { checkTangle(t, b) })
	t.Run("the picture is saved as on screen, but light", func(t *testing.T) { checkPicture(t, b, noisy) })
	t.Run("faults of sensors lie on a time line", func(t *testing.T) { checkSensors(t, b) })
	t.Run("one vertex", func(t *testing.T) {
		p := open(t, b, webRun(t, 1, graph.DefaultNames(1)), browsertest.View{Width: 390, Height: 844})
		if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth"); wide > 390 {
			t.Errorf("the page is %d pixels wide on a screen of 390", wide)
		}
	})
	t.Run("of very many edges the surest are drawn at once", func(t *testing.T) { checkLayered(t, b) })
}
