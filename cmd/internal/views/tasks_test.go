package views

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/study"
)

// Tables of finished runs fit the terminal, whatever the numbers.
func TestReproducedTablesFitEightyColumns(t *testing.T) {
	for _, name := range experiment.Names() {
		e, err := experiment.Declare(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		var records []experiment.Record
		for _, s := range e.Stages {
			for _, c := range s.Cells {
				for k := range 2 {
					v := experiment.Values{}
					for _, score := range []string{
						"edges_precision_at_count", "edges_recall_at_count", "edges_f1_at_count", "edges_f1", "codes_precision",
						"codes_recall", "codes_f1", "certified", "f1", "f1_at_count", "kernel_1", "kernel_2", "exact_1", "exact_2",
						"centre", "atom_1", "atom_2",
					} {
						v[score] = float64(k)
					}
					v["true_edges"] = 100.0
					for bin := range 10 { // of the calibration
						for _, key := range []string{"edges", "true", "confidence"} {
							v[fmt.Sprintf("%s_%d", key, bin)] = 100 * float64(k)
						}
					}
					for _, l := range c.Labels {
						v[l.Key] = l.Value
					}
					records = append(records, experiment.Record{Stage: s.Name, Seconds: 10 + 20*float64(k), Values: v})
				}
			}
		}
		var out bytes.Buffer
		if err := PrintTables(&out, e.Tables(records)); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if w := utf8.RuneCountInString(strings.TrimRight(line, "\n")); w > Columns {
				t.Errorf("%s: %d columns: %s", name, w, line)
			}
		}
		if strings.Contains(out.String(), "NaN") {
			t.Errorf("%s: NaN in the table\n%s", name, out.String())
		}
	}
}

func TestProgressOfARunTellsTheTimeLeft(t *testing.T) {
	var out bytes.Buffer
	p := NewExperimentProgress(&out, arguments.ProgressPlain, "table1", 1, 2)
	p.Show(study.Progress{Total: 10})
	p.Show(study.Progress{Done: 4, Total: 10})
	p.Show(study.Progress{Done: 6, Fresh: 2, Total: 10, Elapsed: 30 * time.Second})
	p.Show(study.Progress{Done: 10, Fresh: 6, Total: 10, Elapsed: time.Minute})
	want := `table1 (1 of 2): 4 of 10 results, resuming
table1 (1 of 2): 6 of 10 results, about 60 s left
table1 (1 of 2): 10 of 10 results
`
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAlteredLinesAreToldOnce(t *testing.T) {
	var said strings.Builder
	warn := AlteredWarning(Console{Err: &said}, "d/results.jsonl", "measured")
	for _, lines := range []int{0, 3, 3} {
		warn(lines)
	}
	if got, want := said.String(), "warning: 3 altered lines of d/results.jsonl: what was there is measured again\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
