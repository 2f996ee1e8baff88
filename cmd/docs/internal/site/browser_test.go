package site

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/browsertest"
	"github.com/nervure/nervure/internal/needs"
)

// Every page opens from disk without a complaint and asks nobody but the disk; no
// page is wider than a telephone.
func TestPagesInABrowser(t *testing.T) {
	needs.Long(t, "a browser is opened")
	browser, dir, s := browsertest.Start(t), t.TempDir(), manual(t)
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	for k, page := range s.pages {
		p := browser.OpenFile(t, filepath.Join(dir, page.Name+".html"), browsertest.View{Width: 390, Height: 800, Dark: k%2 == 1})
		if width := browsertest.Eval[float64](p, "document.documentElement.scrollWidth"); width > 390 {
			t.Errorf("%s is %g pixels wide on a screen of 390", page.Name, width)
		}
		if broken := browsertest.Eval[float64](p, "[...document.images].filter((i) => i.complete && i.naturalWidth === 0).length"); broken > 0 {
			t.Errorf("%s: %g images are broken", page.Name, broken)
		}
		if said := p.Errors(); len(said) > 0 {
			t.Errorf("%s complains: %q", page.Name, said)
		}
		for _, asked := range p.Requests() {
			if !strings.HasPrefix(asked, "file:") && !strings.HasPrefix(asked, "data:") {
				t.Errorf("%s asks for %s", page.Name, asked)
			}
		}
	}
}

func TestSearchAndMenu(t *testing.T) {
	needs.Long(t, "a browser is opened")
	browser, dir := browsertest.Start(t), t.TempDir()
	if err := manual(t).Write(dir); err != nil {
		t.Fatal(err)
	}
	p := browser.OpenFile(t, filepath.Join(dir, "index.html"), browsertest.View{Width: 390, Height: 800})
	search := func(words string) string {
		t.Helper()
		return browsertest.Eval[string](p, `(() => {
			const input = document.querySelector('.search input');
			input.value = %q;
			input.dispatchEvent(new Event('input'));
			return [...document.querySelectorAll('.results a')].map((a) => a.getAttribute('href')).join(' ');
		})()`, words)
	}
	if found := search("exit codes"); !strings.HasPrefix(found, "reference.html#exit-codes") {
		t.Errorf("exit codes leads to %q", found)
	}
	if found := search("xylophone"); found != "" {
		t.Errorf("xylophone leads to %q", found)
	}
	shown := "getComputedStyle(document.querySelector('nav')).display !== 'none'"
	if browsertest.Eval[bool](p, "%s", shown) {
		t.Error("the menu is open before it is asked for")
	}
	if !browsertest.Eval[bool](p, "document.querySelector('.menu').click(), %s", shown) {
		t.Error("the menu does not open")
	}
}
