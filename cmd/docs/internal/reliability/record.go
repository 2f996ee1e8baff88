package reliability

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/records"
)

// Results is the file of records in the repository: a line of JSON for each.
const Results = "docs/results/reliability.jsonl"

// A Record is what a trial counted.
type Record struct {
	Trial   string   `json:"trial"`
	Date    string   `json:"date"`
	Tried   int      `json:"tried"`
	Faults  int      `json:"faults"`
	Seconds float64  `json:"seconds"`
	Notes   []string `json:"notes,omitempty"`
}

// ReadRecords reads a file of records, in the order of the trials; none if it does not
// exist yet.
func ReadRecords(path string) ([]Record, error) {
	return records.Read(path, func(r Record) error {
		if place(r) < 0 {
			return fmt.Errorf("there is no trial %q", r.Trial)
		}
		return nil
	})
}

// place is that of a record among the trials.
func place(r Record) int {
	return slices.IndexFunc(Trials(), func(t Trial) bool { return t.Name == r.Trial })
}

// keep puts a record into a file of records, in the place of the one of the same trial.
func keep(path string, r Record) error {
	list, err := ReadRecords(path)
	if err != nil {
		return err
	}
	list = append(slices.DeleteFunc(list, func(old Record) bool { return old.Trial == r.Trial }), r)
	slices.SortFunc(list, func(a, b Record) int { return cmp.Compare(place(a), place(b)) })
	return records.Write(path, list)
}
