package nervure_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

var update = flag.Bool("update", false, "write what is generated from committed results anew")

const paperPage = "docs/paper.md"

// The figures and tables of docs/paper.md are what the committed results say.
// `go test . -run PaperPage -update` writes them anew.
func TestPaperPageIsWhatWasMeasured(t *testing.T) {
	page := read(t, paperPage)
	for _, name := range experiment.Names() {
		dir := filepath.Join("docs/results", name)
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			continue
		}
		e, records := finished(t, name, dir)
		if e.Figure != nil {
			hold(t, filepath.Join(dir, "figure.svg"), drawn(t, e, records))
		}
		page = withEvidence(t, paperPage, page, name, evidence(e, records))
	}
	hold(t, paperPage, page)
}

// finished reads the committed results of an experiment.
func finished(t *testing.T, name, dir string) (*experiment.Experiment, []experiment.Record) {
	t.Helper()
	records, err := experiment.ReadRecords(dir)
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Declare(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != e.Size() {
		t.Errorf("%s: %d results, want %d: the run was not finished", dir, len(records), e.Size())
	}
	return e, records
}

func drawn(t *testing.T, e *experiment.Experiment, records []experiment.Record) string {
	t.Helper()
	var svg strings.Builder
	if err := e.Figure(&svg, records); err != nil {
		t.Fatal(err)
	}
	return svg.String()
}

// evidence is what the page shows of an experiment: its figure, then its tables.
func evidence(e *experiment.Experiment, records []experiment.Record) string {
	var text strings.Builder
	if e.Figure != nil {
		fmt.Fprintf(&text, "\n![%s](results/%s/figure.svg)\n", e.Title, e.Name)
	}
	for _, table := range e.Tables(records) {
		text.WriteString("\n" + table.Markdown() + "\n")
	}
	return text.String()
}

// withEvidence returns the page, whose file is path, with text between the markers of name.
func withEvidence(t *testing.T, path, page, name, text string) string {
	t.Helper()
	begin, end := fmt.Sprintf("<!-- %s: generated -->\n", name), fmt.Sprintf("<!-- %s: end -->\n", name)
	before, rest, found := strings.Cut(page, begin)
	old, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Errorf("%s has no place for %s", path, name)
		return page
	}
	if old != text && !*update {
		t.Errorf("%s: what it shows of %s is not what was measured", path, name)
	}
	return before + begin + text + end + after
}

// hold says that a committed file is not as it should be, or makes it so.
func hold(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != want {
		t.Errorf("%s is not what was measured; run go test . -run %s -update", path, t.Name())
	}
}
