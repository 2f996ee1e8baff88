package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
)

// asked returns the document of a learn command.
func asked(t *testing.T, typed ...string) *document.Run {
	t.Helper()
	cmd, f := &cobra.Command{Use: "learn"}, &arguments.Learn{}
	f.Define(cmd)
	if err := cmd.ParseFlags(typed); err != nil {
		t.Fatal(err)
	}
	doc, err := f.Document(cmd.Flags().Args()...)
	if err != nil {
		t.Fatal(err)
	}
	return &doc
}

// After learning, the next steps are commands for what is not there yet: a score
// where there is a truth, a picture, a page.
func TestNextStepsAreWhatIsNotThereYet(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("made", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"signals.csv", "made/signals.csv", "made/truth.csv"} {
		if err := os.WriteFile(filepath.FromSlash(file), []byte("a,b\n1,2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for typed, want := range map[string]string{
		"signals.csv":                                      "learn signals.csv --report graph.html --out graph.csv",
		"signals.csv --log --report a.html":                "learn signals.csv --log --report a.html --out graph.csv",
		"signals.csv --out g.csv --quiet":                  "plot g.csv --out g.svg; learn signals.csv --out g.csv --report g.html",
		"signals.csv --out g.csv --vertices v.csv":         "plot g.csv --vertices v.csv --out g.svg; learn signals.csv --out g.csv --vertices v.csv --report g.html",
		"signals.csv --out d/g.json --report r.html":       "plot d/g.json --out d/g.svg",
		"signals.csv --out g.dot":                          "learn signals.csv --out g.dot --report g.html",
		"signals.csv --out g.dot --report g.html":          "serve",
		"sample:leaf --out g.csv --report r.html":          "evaluate --truth sample:leaf g.csv; plot g.csv --out g.svg",
		"made/signals.csv --out g.graphml --report r.html": "evaluate --truth made/truth.csv g.graphml; plot g.graphml --out g.svg",
	} {
		run, err := newLearnRun(asked(t, strings.Fields(typed)...), &arguments.Session{}, arguments.Terms{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.ReplaceAll(views.NextSteps(run.doc, run.source.truth()), views.Program()+" ", ""), "\n  ")
		if got := filepath.ToSlash(strings.Join(lines[1:], "; ")); lines[0] != "next:" || got != want {
			t.Errorf("after %s: got %q, want %q", typed, got, want)
		}
	}
}
