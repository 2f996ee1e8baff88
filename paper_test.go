package nervure_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/experiment"
)

var update = flag.Bool("update", false, "write what is generated from committed results anew")

const paperPage = "docs/paper.md"

// markers begin and end what is generated from the results of an experiment.
func markers(name string) (begin, end string) {
	return fmt.Sprintf("<!-- %s: generated -->\n", name), fmt.Sprintf("<!-- %s: end -->\n", name)
}

// The tables of docs/paper.md are what the committed results say.
// `go test . -run PaperPage -update` writes them anew.
func TestPaperPageIsWhatWasMeasured(t *testing.T) {
	page := read(t, paperPage)
	for _, name := range experiment.Names() {
		dir := filepath.Join("docs/results", name)
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			continue
		}
		records, err := experiment.ReadRecords(dir)
		if err != nil {
			t.Fatal(err)
		}
		declared, err := experiment.Declare(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) != declared.Size() {
			t.Errorf("%s: %d results, want %d: the run was not finished", dir, len(records), declared.Size())
		}
		var text strings.Builder
		for _, table := range declared.Tables(records) {
			text.WriteString("\n" + table.Markdown() + "\n")
		}
		begin, end := markers(name)
		before, rest, found := strings.Cut(page, begin)
		old, after, closed := strings.Cut(rest, end)
		switch {
		case !found || !closed:
			t.Errorf("%s has no place for %s", paperPage, name)
		case *update:
			page = before + begin + text.String() + end + after
		case old != text.String():
			t.Errorf("%s: the tables of %s are not what was measured; run go test . -run PaperPage -update", paperPage, name)
		}
	}
	if *update {
		if err := os.WriteFile(paperPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
