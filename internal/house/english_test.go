package house

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// translated are words that give a translation away, with what a native writer of the
// field would say.
var translated = []struct {
	words  *regexp.Regexp
	better string
}{
	{regexp.MustCompile(`(?i)\banew\b`), "again, or a verb with re-: rewrite, refit, start over"},
	{regexp.MustCompile(`^\s*//.*\b(says|tells) whether\b`), "reports whether"},
	{regexp.MustCompile(`(?i)\bwhat becomes of\b`), "how … is treated, the outcome of"},
	{regexp.MustCompile(`\bbe it\b`), "even if, whether or not"},
	{regexp.MustCompile(`\bso many\b`), "that many, or the given number of"},
	{regexp.MustCompile(`\bone a line\b`), "one per line"},
	{regexp.MustCompile(`\bis no chance\b`), "is beyond chance"},
}

// anyTranslated is quickly told not to be in a text.
var anyTranslated = regexp.MustCompile(`(?i)anew|says whether|tells whether|what becomes of|be it|so many|one a line|no chance`)

// soManyThat is the one good use of "so many".
var soManyThat = regexp.MustCompile(`\bso many\b.* that\b|\bonly so many\b`)

// notProse are files whose words are not ours to choose: what was, what was measured, and
// this list.
var notProse = regexp.MustCompile(`^(CHANGELOG\.md|docs/results/.*|internal/house/english_test\.go|NOTICE)$|/testdata/`)

func translatedWords(line string) []string {
	var faults []string
	for _, t := range translated {
		if found := t.words.FindString(line); found != "" && !soManyThat.MatchString(line) {
			faults = append(faults, "say "+t.better+", not "+strings.TrimSpace(found))
		}
	}
	return faults
}

// Messages, help, comments and the manual are written in the usual words of the field.
func TestTextsAreNotTranslated(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		if notProse.MatchString(name) || !slices.Contains([]string{".go", ".md", ".py", ".js", ".html", ".R", ".m"}, path.Ext(name)) && path.Base(name) != "Makefile" {
			continue
		}
		text := read(t, name)
		if !anyTranslated.MatchString(text) {
			continue
		}
		for k, line := range strings.Split(text, "\n") {
			for _, fault := range translatedWords(line) {
				t.Errorf("%s:%d: %s", name, k+1, fault)
			}
		}
	}
}

func TestTranslatedWordsAreFound(t *testing.T) {
	for line, want := range map[string]int{
		"// It says whether the graph is written anew.": 2,
		"it says whether two vertices are connected":    0,
		"// up to so many vertices":                     1,
		"so many that next to nothing is shrunk":        0,
	} {
		if got := translatedWords(line); len(got) != want {
			t.Errorf("%q: %q, want %d", line, got, want)
		}
	}
}
