package site

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const docs = "../../../../docs"

func manual(t *testing.T) *Site {
	t.Helper()
	s, err := Read(docs)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestContentsAreThePagesOfDocs(t *testing.T) {
	files, err := filepath.Glob(docs + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var have, want []string
	for _, file := range files {
		have = append(have, strings.TrimSuffix(filepath.Base(file), ".md"))
	}
	for _, c := range contents {
		want = append(want, c.pages...)
	}
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("docs has %q, the contents %q", have, want)
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	s := manual(t)
	for _, fault := range s.faults() {
		t.Error(fault)
	}
	from := s.page("index")
	for to, faulty := range map[string]bool{
		"faq.md": false, "no-such-page.md": true, "#where-to-go": false, "#nowhere": true, "faq.md#nowhere": true,
		"demo.svg": false, "no-such.svg": true, "../LICENSE": false, "../LICENCE": true, "https://example.org/x": false,
	} {
		if got := s.fault(from, to); (got != "") != faulty {
			t.Errorf("%s: %q, want a fault: %t", to, got, faulty)
		}
	}
}

// So do those of the pages outside docs.
func TestLinksOfTheRepositoryLeadSomewhere(t *testing.T) {
	outside := &Site{docs: "../../../.."}
	for _, name := range []string{"README", "CONTRIBUTING", "CHANGELOG"} {
		p, err := render(name, []byte(content(t, filepath.Join(outside.docs, name+".md"))))
		if err != nil {
			t.Fatal(err)
		}
		outside.pages = append(outside.pages, p)
	}
	for _, fault := range outside.faults() {
		t.Error(fault)
	}
}

// The site asks nothing of any host, is whole, and is the same each time.
func TestSiteStandsAlone(t *testing.T) {
	once, again := t.TempDir(), t.TempDir()
	for _, dir := range []string{once, again} {
		if err := manual(t).Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	asks := regexp.MustCompile(`(?:src|<link[^>]*href)="([^"]*)"`)
	pages, err := filepath.Glob(once + "/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, page := range pages {
		text := content(t, page)
		for _, m := range asks.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "data:") {
				continue
			}
			if _, err := os.Stat(filepath.Join(once, m[1])); err != nil {
				t.Errorf("%s asks for %s, which is not there", filepath.Base(page), m[1])
			}
		}
		if text != content(t, filepath.Join(again, filepath.Base(page))) {
			t.Errorf("%s is not the same each time", filepath.Base(page))
		}
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLinksOnTheSite(t *testing.T) {
	for to, want := range map[string]string{
		"faq.md":                   "faq.html",
		"faq.md#errors":            "faq.html#errors",
		"#here":                    "#here",
		"../examples/molene":       repository + "examples/molene",
		"results/realdata.jsonl":   repository + "docs/results/realdata.jsonl",
		"https://pkg.go.dev/x":     "https://pkg.go.dev/x",
		"../CONTRIBUTING.md#tests": repository + "CONTRIBUTING.md#tests",
	} {
		if got := onSite(to); got != want {
			t.Errorf("%s: got %s, want %s", to, got, want)
		}
	}
}

func TestHeadingsAreNamedAsOnCodeHosts(t *testing.T) {
	p, err := render("x", []byte("# Title\n\n## `nervure learn`\n\n## Is it, or isn't it?\n\n## Twice\n\n## Twice\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"title", "nervure-learn", "is-it-or-isnt-it", "twice", "twice-1"}; !slices.Equal(p.anchors, want) {
		t.Errorf("got %q, want %q", p.anchors, want)
	}
}

func TestCodeIsShownAsTyped(t *testing.T) {
	p, err := render("x", []byte("# T\n\n`--a` and `a b`\n\n```sh\nls # <all>\n```\n\n```console\n$ ls\na & b\n```\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<code class="word">--a</code>`, "<code>a b</code>", "ls <i># &lt;all&gt;</i>\n",
		"<b><i>$ </i>ls</b>\na &amp; b\n",
	} {
		if !strings.Contains(string(p.Body), want) {
			t.Errorf("no %q in\n%s", want, p.Body)
		}
	}
	if _, err := render("x", []byte("# T\n\n```bash\nls\n```\n")); err == nil {
		t.Error("a block marked bash, which no test runs, is no fault")
	}
}
