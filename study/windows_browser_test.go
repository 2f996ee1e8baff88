package study

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/nervure/nervure/internal/browsertest"
)

// The page of a series shows its windows on a screen and on a phone, in both themes,
// asks nobody for anything, and never scrolls sideways.
func TestThePageShowsTheSeries(t *testing.T) {
	b := browsertest.Start(t)
	s, o := small(t)
	r, err := LearnWindows(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := r.Write(WindowFolder{Dir: dir, Title: "A <series>", Command: "nervure learn"}, o); err != nil {
		t.Fatal(err)
	}
	for name, view := range map[string]browsertest.View{"screen": {Width: 1280, Height: 900}, "phone, dark": {Width: 390, Height: 844, Dark: true}} {
		p := b.OpenFile(t, filepath.Join(dir, "index.html"), view)
		if got := browsertest.Eval[string](p, `document.querySelector("h1").textContent`); got != "A <series>" {
			t.Errorf("%s: the heading is %q", name, got)
		}
		if !browsertest.Eval[bool](p, "document.documentElement.scrollWidth <= innerWidth") {
			t.Errorf("%s: it scrolls sideways", name)
		}
		if !browsertest.Eval[bool](p, `[...document.querySelectorAll("svg, img")].some(f => f.getBoundingClientRect().width > innerWidth / 2)`) {
			t.Errorf("%s: the figure is missing or small", name)
		}
		grounds := browsertest.Eval[[]string](p, `[...document.querySelectorAll("body, .picture img")].map((e) => getComputedStyle(e).backgroundColor)`)
		for _, ground := range grounds { // of the page, and of its figures
			var red, green, blue int
			if _, err := fmt.Sscanf(ground, "rgb(%d, %d, %d)", &red, &green, &blue); err != nil || (max(red, green, blue) < 128) != view.Dark {
				t.Errorf("%s: a ground is %s", name, ground)
			}
		}
		if complaints := p.Errors(); len(complaints) > 0 {
			t.Errorf("%s: %q", name, complaints)
		}
	}
}
