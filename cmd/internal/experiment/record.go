package experiment

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/internal/durable"
)

// Values are what a record says, by name: float64 or string.
type Values map[string]any

// A Record is the outcome of one cell and one seed. But for Seconds, which
// comparisons must leave out, it is the same in every run of the same build on
// the same kind of machine.
type Record struct {
	Stage   string
	Cell    string
	Seed    uint64
	Seconds float64 // spent on learning
	Values  Values  // the labels of the cell and what was measured
}

// secondsKey is how a measure hands over the time it took, if that is not all
// of its time, and how the line of a record calls it.
const secondsKey = "seconds"

type recordKey struct {
	stage, cell string
	seed        uint64
}

func (r Record) key() recordKey { return recordKey{r.Stage, r.Cell, r.Seed} }

// Number returns a value that is a number, NaN if there is none of that name.
func (r Record) Number(name string) float64 {
	if name == secondsKey {
		return r.Seconds
	}
	if v, ok := r.Values[name].(float64); ok {
		return v
	}
	return math.NaN()
}

// Text returns a value that is a string, "" if there is none of that name.
func (r Record) Text(name string) string {
	s, _ := r.Values[name].(string)
	return s
}

// String says where a record was made, and all its values.
func (r Record) String() string {
	words := []string{r.Stage, r.Cell, fmt.Sprintf("seed=%d:", r.Seed)}
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		words = append(words, fmt.Sprintf("%s=%v", name, r.Values[name]))
	}
	return strings.Join(append(words, fmt.Sprintf("(%.1f s)", r.Seconds)), " ")
}

// has reports whether the record belongs to all of the given coordinates.
func (r Record) has(labels ...Label) bool {
	for _, l := range labels {
		if r.Values[l.Key] != l.Value {
			return false
		}
	}
	return true
}

// newRecord puts a measurement on record, or says why it is none.
func newRecord(key recordKey, cell Cell, measured Values, seconds float64) (Record, error) {
	r := Record{Stage: key.stage, Cell: key.cell, Seed: key.seed, Seconds: seconds, Values: Values{}}
	for _, l := range cell.Labels {
		r.Values[l.Key] = l.Value
	}
	for name, value := range measured {
		if name == secondsKey {
			s, ok := value.(float64)
			if !ok {
				return Record{}, fmt.Errorf("seconds: got %v, want a number", value)
			}
			r.Seconds = s
			continue
		}
		if _, taken := r.Values[name]; taken {
			return Record{}, fmt.Errorf("%s: measured, but a label of the cell", name)
		}
		r.Values[name] = value
	}
	return r, r.check()
}

// check finds values that JSON, or a reader of tables, could not take.
func (r Record) check() error {
	if math.IsNaN(r.Seconds) || math.IsInf(r.Seconds, 0) {
		return fmt.Errorf("seconds: got %g, want a finite number", r.Seconds)
	}
	for name, value := range r.Values {
		switch v := value.(type) {
		case string:
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s: got %g, want a finite number", name, v)
			}
		default:
			return fmt.Errorf("%s: got a %T, want a number or a string", name, value)
		}
		switch name {
		case "stage", "cell", "seed", secondsKey, durable.SumKey:
			return fmt.Errorf("%s: no value can have this name", name)
		}
	}
	return nil
}

// MarshalJSON writes one flat object with its keys sorted.
func (r Record) MarshalJSON() ([]byte, error) {
	flat := maps.Clone(r.Values)
	if flat == nil {
		flat = Values{}
	}
	flat["stage"], flat["cell"], flat["seed"], flat[secondsKey] = r.Stage, r.Cell, r.Seed, r.Seconds
	return json.Marshal(map[string]any(flat))
}

// UnmarshalJSON reads what MarshalJSON writes and takes nothing else.
func (r *Record) UnmarshalJSON(line []byte) error {
	var own struct {
		Stage   *string  `json:"stage"`
		Cell    *string  `json:"cell"`
		Seed    *uint64  `json:"seed"`
		Seconds *float64 `json:"seconds"`
	}
	if err := json.Unmarshal(line, &own); err != nil {
		return err
	}
	if own.Stage == nil || own.Cell == nil || own.Seed == nil || own.Seconds == nil {
		return fmt.Errorf("not a record: stage, cell, seed or seconds is missing")
	}
	flat := Values{}
	if err := json.Unmarshal(line, &flat); err != nil {
		return err
	}
	for _, name := range []string{"stage", "cell", "seed", secondsKey} {
		delete(flat, name)
	}
	*r = Record{Stage: *own.Stage, Cell: *own.Cell, Seed: *own.Seed, Seconds: *own.Seconds, Values: flat}
	return r.check()
}
