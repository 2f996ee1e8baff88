package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

func pageOf(t *testing.T, text string) *page {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := openPage(dir, "page.md")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFillReplacesItsSectionAlone(t *testing.T) {
	p := pageOf(t, "one\n<!-- a: generated -->\nold\n<!-- a: end -->\ntwo\n<!-- both ways: generated -->\n<!-- both ways: end -->\nthree\n")
	p.fill("a", "new\n")
	p.fillTable("both ways", experiment.Table{Title: "T", Header: []string{"x"}, Rows: [][]string{{"1"}}})
	got, err := p.file()
	want := "one\n<!-- a: generated -->\nnew\n<!-- a: end -->\ntwo\n<!-- both ways: generated -->\n\n**T**\n\n| x |\n|---|\n| 1 |\n\n<!-- both ways: end -->\nthree\n"
	if err != nil || got.Path != "page.md" || got.Text != want {
		t.Errorf("%v, got %q, want %q", err, got.Text, want)
	}
}

func TestATableWithoutRowsIsNotShown(t *testing.T) {
	p := pageOf(t, "<!-- a: generated -->\nold\n<!-- a: end -->\n")
	p.fillTable("a", experiment.Table{Title: "T", Header: []string{"x"}})
	if got, err := p.file(); err != nil || got.Text != "<!-- a: generated -->\n<!-- a: end -->\n" {
		t.Errorf("%q, %v", got.Text, err)
	}
}

func TestSectionsAndTheirMakersBelongTogether(t *testing.T) {
	for name, c := range map[string]struct{ text, fault string }{
		"no place":            {"no section\n", "page.md: there is no place for a"},
		"a place without end": {"<!-- a: generated -->\n", "page.md: there is no place for a"},
		"a place nobody fills": {
			"<!-- a: generated -->\n<!-- a: end -->\n<!-- b: generated -->\n<!-- b: end -->\n",
			"page.md: nothing generates b",
		},
	} {
		p := pageOf(t, c.text)
		p.fill("a", "")
		if _, err := p.file(); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v, want %q", name, err, c.fault)
		}
	}
}
