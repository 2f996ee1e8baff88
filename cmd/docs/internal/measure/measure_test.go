package measure

import (
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

const root = "../../../.."

// committed are the records of the repository.
func committed(t *testing.T, name string) []experiment.Record {
	t.Helper()
	records, err := Read(root, name)
	if err != nil || len(records) == 0 {
		t.Fatalf("%s: %d records, %v", name, len(records), err)
	}
	return records
}

// measured is what the first cell of a stage with a word comes to.
func measured(t *testing.T, stages func(Options) ([]experiment.Stage, error), o Options, stage, word string) Values {
	t.Helper()
	all, err := stages(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, c := range s.Cells {
			if s.Name == stage && slices.Contains(wordsOf(stage, c, 0), word) {
				v, err := c.Measure(t.Context(), 0, nil)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
		}
	}
	t.Fatalf("no cell of stage %s has %s", stage, word)
	return nil
}

// Every committed record of what is simulated or in the repository is that of a cell and a seed that can be
// measured again.
func TestCommittedRecordsAreThoseOfTheGrids(t *testing.T) {
	for _, m := range All {
		if m.run != nil {
			continue
		}
		o := Options{Root: root, Data: t.TempDir(), Only: []string{Rivals, "size=99856"}, Python: "python", R: "Rscript", Log: t.Output()}
		if m.Name == "groups" {
			o.Data = "" // which has to have files
		}
		stages, err := m.stages(o)
		if err != nil {
			t.Fatal(err)
		}
		type key struct {
			stage, cell string
			seed        uint64
		}
		known, drawn := map[key]bool{}, map[string]bool{}
		for _, s := range stages {
			drawn[s.Name] = s.Seeds != once || s.Name == experiment.Measuring
			for _, c := range s.Cells {
				for k := range s.Seeds.Count {
					known[key{s.Name, c.Name(), s.Seeds.First + uint64(k)}] = true
				}
			}
		}
		for _, r := range committed(t, m.Name) {
			if drawn[r.Stage] && !known[key{r.Stage, r.Cell, r.Seed}] {
				t.Errorf("%s: nothing makes %v", m.Name, r)
			}
		}
	}
}

// What is there is left out the next time, unless it is asked for; words that nothing has measure nothing.
func TestMeasuringResumes(t *testing.T) {
	k := slices.IndexFunc(All, func(m Measurement) bool { return m.Name == "fields" })
	o := Options{Root: root, Seed: 3, Out: t.TempDir(), Threads: 1, Only: []string{"tree matern:2 size=30 times=10 noise=0 seed=3"}}
	for run, want := range []int{1, 0, 1} {
		var log strings.Builder
		o.Log, o.Again = &log, run == 2
		if err := All[k].Run(t.Context(), o); err != nil || strings.Count(log.String(), "default.found=") != want {
			t.Errorf("run %d: %v\n%s", run, err, &log)
		}
	}
	records, err := experiment.ReadRecords(o.Out)
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	r := records[0]
	if r.Number("vertices") != 30 || r.Number("signals") != 300 || r.Number("edges") != 29 ||
		r.Text("ggl.method") != "ggl" || r.Number("known") < 26 {
		t.Error(r)
	}
	o.Only = []string{"torus"}
	if err := All[k].Run(t.Context(), o); err == nil {
		t.Error("nothing was measured without an error")
	}
	o.Out = ""
	if err := All[k].Run(t.Context(), o); err == nil {
		t.Error("other seeds go among the committed results")
	}
}
