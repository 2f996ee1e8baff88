package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/signals"
)

// A fact is numbers that pages name and something else decides. Wherever a page says it, in words that
// the pattern knows, its groups have to be these numbers; and some page has to say it.
type fact struct {
	what string
	says *regexp.Regexp
	are  []string
}

func TestPagesNameTheNumbersOfTheCode(t *testing.T) {
	number := func(file, name string) string { return constantOf(t, file, name) }
	version := strings.TrimSuffix(stringOf(t, "internal/build/build.go", `sourceVersion = "([^"]+)"`), "-dev")
	language := stringOf(t, "go.mod", `(?m)^go (\d+\.\d+)`)
	inMacs := stringOf(t, "python/build_backend.py", `macosx_(\d+)_0_arm64`)
	facts := []fact{
		{"the size from which graphs are large", pattern(`[Ww]ith (\d+) or more vertices`), values(learn.DefaultLargeFrom)},
		{"the size from which no graph is exact", pattern(`no graph of (\d+) vertices or more`), values(learn.DefaultLargeFrom)},
		{
			"where sparse has confidence", pattern(`sparse with up to (\d+) vertices and (\d+) values`),
			values(nervure.ConfidenceVertices, nervure.ConfidenceValues),
		},
		{
			"where other methods have confidence", pattern(`other methods with up to \d+ and (\d+), above that with up to (\d+) and (\d+)`),
			values(nervure.FieldConfidenceValues, nervure.FieldConfidenceVertices, nervure.LargeConfidenceValues),
		},
		{"from where an edge is sure", pattern(`confidence (?:of )?(0\.\d+) or (?:more|higher)`), []string{fmt.Sprint(nervure.SureLevel)}},
		{"the largest field", pattern("`field` refuses more than (\\d+)|vertex by vertex\\]\\([^)]*\\) from 500 vertices on, up to (\\d+)"), []string{number("baseline/sizes.go", "mostLocalVertices")}},
		{"the sample of many signals", pattern(`learns? from a sample of (\d+) signals`), values(signals.SampleSize(1))},
		{
			"the signals that a test needs", pattern(`[Ww]ith fewer than (\d+) signals Nervure cannot test`),
			[]string{number("internal/assess/heldout.go", "blocks")},
		},
		{"the rows that are too few", pattern(`with fewer than (\d+) rows`), []string{number("internal/assess/heldout.go", "blocks")}},
		{
			"the signals that confidence needs", pattern(`with fewer than (\d+) it cannot compute confidence`),
			[]string{number("internal/assess/halves.go", "leastBlocks")},
		},
		{
			"where broken sensors are looked for", pattern(`at least (\d+) vertices and (\d+) rows are searched`),
			[]string{number("internal/sensors/find.go", "leastSensors"), number("internal/sensors/find.go", "leastObservations")},
		},
		{"the version of Go", pattern(`\bGo (?:\]\(\S+\) )?(1\.\d+)`), []string{language}},
		{"the version that is linked", pattern(`\[Go\]\(https://go\.dev/dl/\) (1\.\d+)`), []string{language}},
		{"the version of files", pattern(`nervure[_:-](\d+\.\d+\.\d+)`), []string{version}},
		{"the version that is downloaded", pattern(`releases/download/v(\d+\.\d+\.\d+)`), []string{version}},
		{"the version that is built", pattern(`make release VERSION=(0\.\d+\.\d+)`), []string{version}},
		{"the version that is cited", pattern(`^version: (\S+)|"version": "([^"]+)", "upload_type"`), []string{version}},
		{"the least macOS", pattern(`(?:macOS \(|need macOS )(\d+)`), []string{inMacs}},
	}
	texts := manual(t)
	for _, f := range facts {
		said := 0
		for name, text := range texts {
			for _, m := range f.says.FindAllStringSubmatch(text, -1) {
				said++
				got := slices.DeleteFunc(m[1:], func(group string) bool { return group == "" })
				if !slices.Equal(got, f.are) {
					t.Errorf("%s says %q: %s is %s", name, m[0], f.what, strings.Join(f.are, ", "))
				}
			}
		}
		if said == 0 {
			t.Errorf("no page names %s, in words that %v knows", f.what, f.says)
		}
	}
}

// A definition stands in one place; other pages link to it. What is not true stands in none.
func TestDefinitionsStandInOnePlace(t *testing.T) {
	texts := manual(t)
	for _, d := range []struct {
		what, page string
		words      *regexp.Regexp
	}{
		{"what verdicts mean", "docs/tutorial.md", pattern(`\*\*(?:exact|supported|weak|not checked|no structure)\*\*:? (?:–|-)? ?(?:with|the|part|either|no|held-out|in)\b`)},
		{"what sure edges are worth", "docs/tutorial.md", pattern(`in each of \d+ families of simulated signals, of which`)},
		{"where data go", "docs/faq.md", pattern(`[Nn]othing else opens a connection|opens no network connection|your data never leave`)},
		{"what learning does with missing values", "docs/howto.md", pattern(`excludes missing values from the fit`)},
		{"that an index has the package", "", pattern(`pip install nervure(?:[^-\w]|$)`)}, // none has, yet
		{
			"how long ten thousand vertices take", "docs/performance.md",
			pattern(`10000 vertices (?:take )?(?:one|two|some|a few)|for ten thousand:|(?:minutes|hours) for ten thousand`),
		},
		{"what is in which package of the library", "docs/go.md", pattern(`\| package \| what it holds \|`)},
	} {
		there := false
		for name, text := range texts {
			for _, m := range d.words.FindAllString(text, -1) {
				there = there || name == d.page
				if name != d.page {
					t.Errorf("%s says %s: %q; that is in %s", name, d.what, m, cmp.Or(d.page, "no page"))
				}
			}
		}
		if !there && d.page != "" {
			t.Errorf("%s does not say %s, in words that %v knows", d.page, d.what, d.words)
		}
	}
}

// What README says of its figure is what the script behind it prints.
func TestReadmeSaysWhatItsFigureShows(t *testing.T) {
	gallery, readme := read(t, "docs/gallery.md"), strings.Join(strings.Fields(read(t, "README.md")), " ")
	line := regexp.MustCompile(`(?m)^  (Nervure|Correlation|Graphical lasso): +(\d+) of +(\d+), and of the (\d+) heaviest (\d+)$`)
	found := map[string][]string{}
	for _, m := range line.FindAllStringSubmatch(gallery, -1) {
		found[m[1]] = m[2:]
	}
	sure := regexp.MustCompile(`(?m)^  Nervure is sure of (\d+): (\d+)$`).FindStringSubmatch(gallery)
	if len(found) != 3 || sure == nil || sure[1] != sure[2] {
		t.Fatalf("the gallery does not print what README is about: %q, %q", found, sure)
	}
	ours, correlation, lasso := found["Nervure"], found["Correlation"], found["Graphical lasso"]
	for _, words := range []string{
		fmt.Sprintf("Nervure draws %s edges, %s of them between neighbours on the map, and so are all %s that it is sure of.", ours[1], ours[0], sure[1]),
		fmt.Sprintf("%s correlations are significant, and the graphical lasso of scikit-learn keeps %s edges.", correlation[1], lasso[1]),
		fmt.Sprintf("If each may have only %s, correlation has %s between neighbours and the graphical lasso %s", ours[2],
			correlation[3], lasso[3]),
	} {
		if !strings.Contains(readme, words) {
			t.Errorf("README.md does not say %q", words)
		}
	}
}

// manual is the texts that users read, on one line each, with numbers as 20000.
func manual(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(root + "/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"README.md", "python/README.md", "CITATION.cff", ".zenodo.json"}
	for _, path := range paths {
		names = append(names, "docs/"+filepath.Base(path))
	}
	texts := map[string]string{}
	for _, name := range names {
		text := read(t, name)
		if name == "CITATION.cff" { // a line a key
			text = regexp.MustCompile(`(?m)^version: .*$`).FindString(text)
		}
		texts[name] = plainNumbers(strings.Join(strings.Fields(text), " "))
	}
	return texts
}

var (
	thousands = regexp.MustCompile(`(\d)[ ,](\d{3})\b`)
	millions  = regexp.MustCompile(`\b(\d+) million\b`)
)

// plainNumbers writes 20,000 and 20 000 as 20000, and 3 million as 3000000.
func plainNumbers(text string) string {
	for {
		now := thousands.ReplaceAllString(text, "$1$2")
		if now == text {
			return millions.ReplaceAllString(text, "${1}000000")
		}
		text = now
	}
}

func TestPlainNumbers(t *testing.T) {
	if got := plainNumbers("20 000 of 1,313, 3 million and 40,000,000"); got != "20000 of 1313, 3000000 and 40000000" {
		t.Errorf("got %q", got)
	}
}

func pattern(text string) *regexp.Regexp { return regexp.MustCompile(text) }

func values(list ...int) (texts []string) {
	for _, n := range list {
		texts = append(texts, fmt.Sprint(n))
	}
	return texts
}

// stringOf is what the group of a pattern matches in a file of the repository.
func stringOf(t *testing.T, file, words string) string {
	t.Helper()
	m := pattern(words).FindStringSubmatch(read(t, file))
	if m == nil {
		t.Fatalf("%s has nothing like %s", file, words)
	}
	return m[1]
}

// constantOf is a number that a file of Go declares.
func constantOf(t *testing.T, file, name string) string {
	t.Helper()
	syntax, err := parser.ParseFile(token.NewFileSet(), file, read(t, file), 0)
	if err != nil {
		t.Fatal(err)
	}
	value := ""
	ast.Inspect(syntax, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for k, id := range spec.Names {
				if lit, isNumber := valueAt(spec, k).(*ast.BasicLit); isNumber && id.Name == name {
					value = constant.MakeFromLiteral(lit.Value, lit.Kind, 0).ExactString()
				}
			}
		}
		return true
	})
	if value == "" {
		t.Fatalf("%s declares no number %s", file, name)
	}
	return value
}

func valueAt(spec *ast.ValueSpec, k int) ast.Expr {
	if k < len(spec.Values) {
		return spec.Values[k]
	}
	return nil
}
