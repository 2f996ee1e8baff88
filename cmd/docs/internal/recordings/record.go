package recordings

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/study"
)

// Results is the file of records in the repository: a line of JSON for each.
const Results = "docs/results/recordings.jsonl"

// Kind is a kind of recordings.
type Kind string

// The kinds of recordings.
const (
	Sensors  Kind = "sensors"  // [simulate.Messy]
	FMRI     Kind = "fmri"     // [simulate.FMRI]
	Changing Kind = "changing" // [simulate.Changing]
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Sensors, FMRI, Changing} }

// A Record is what came of the recordings of one kind and seed.
type Record struct {
	Kind  Kind   `json:"kind"`
	Seed  uint64 `json:"seed"`
	Edges int    `json:"edges"` // the true ones; before the change, in the first setting

	// Sensors: of the field alone, of the recording without broken sensors, of the whole
	// mess, and of the field where the mess leaves anything of it.
	Clean  *Outcome `json:"clean,omitempty"`
	Cycles *Outcome `json:"cycles,omitempty"`
	Messy  *Outcome `json:"messy,omitempty"`
	Known  *Outcome `json:"known,omitempty"`
	Broken []Broken `json:"broken,omitempty"` // the sensors that are broken in the mess

	// FMRI: of values, of differences, and of what the tool chooses.
	Values      *Outcome `json:"values,omitempty"`
	Differences *Outcome `json:"differences,omitempty"`
	Auto        *Outcome `json:"auto,omitempty"`

	// Changing: of each setting, in the order of [Settings].
	Windows []study.Judgement `json:"windows,omitempty"`
}

// An Outcome is what was learned from one recording.
type Outcome struct {
	F1       float64 `json:"f1"`
	Edges    int     `json:"edges"`
	Sure     int     `json:"sure"`      // edges of confidence 0.9 or more
	SureTrue int     `json:"sure_true"` // of them
	Method   string  `json:"method"`
	Seconds  float64 `json:"seconds"`
	Alarms   []Alarm `json:"alarms,omitempty"` // sensors that were called broken and are not
}

// A Broken is a sensor that is broken.
type Broken struct {
	Sensor int    `json:"sensor"`
	Kind   string `json:"kind"`
	// Found is what was found to be wrong with it; empty if nothing was.
	Found []string `json:"found,omitempty"`
}

// An Alarm is a sensor that works and what was said to be wrong with it.
type Alarm struct {
	Sensor int      `json:"sensor"`
	Kinds  []string `json:"kinds"`
}

// Of returns the records of a kind.
func Of(records []Record, k Kind) []Record {
	return slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return r.Kind != k })
}

// ReadRecords reads a file of records; none if it does not exist yet.
func ReadRecords(path string) ([]Record, error) {
	return records.Read(path, Record.check)
}

func (r Record) check() error {
	if !slices.Contains(Kinds(), r.Kind) {
		return fmt.Errorf("there are no recordings of kind %q", r.Kind)
	}
	return nil
}

// keep puts a record into a file of records, in the place of the one of the same kind
// and seed.
func keep(path string, r Record) error {
	return records.Keep(path, r, Record.check, func(a, b Record) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds(), a.Kind), slices.Index(Kinds(), b.Kind)), cmp.Compare(a.Seed, b.Seed))
	})
}

// The seeds of the committed results. Nothing was chosen or tuned on them, nor may it
// be: development has others.
const (
	SensorSeeds = "1001-1020"
	ScanSeeds   = "1001-1010"
)
