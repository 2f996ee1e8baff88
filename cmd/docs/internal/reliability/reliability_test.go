package reliability

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWhatTestsCountIsAddedUp(t *testing.T) {
	lines := `{"Action":"start","Package":"p"}
{"Action":"output","Test":"TestA","Output":"hello\n"}
{"Action":"attr","Test":"TestA","Key":"tried","Value":"300"}
{"Action":"attr","Test":"TestA","Key":"faults","Value":"1"}
{"Action":"attr","Test":"TestB","Key":"tried","Value":"20"}
{"Action":"attr","Test":"TestB","Key":"note","Value":"half of them on a Sunday"}
{"Action":"attr","Test":"TestB","Key":"colour","Value":"green"}
{"Action":"pass","Package":"p"}
`
	var r Record
	var shown bytes.Buffer
	if err := r.read(strings.NewReader(lines), &shown); err != nil {
		t.Fatal(err)
	}
	if r.Tried != 320 || r.Faults != 1 || !slices.Equal(r.Notes, []string{"half of them on a Sunday"}) || shown.String() != "hello\n" {
		t.Errorf("got %+v and %q", r, &shown)
	}
	if err := r.read(strings.NewReader(`{"Action":"attr","Test":"TestC","Key":"tried","Value":"many"}`), &shown); err == nil || !strings.Contains(err.Error(), "TestC") {
		t.Errorf("a count that is no number: %v", err)
	}
}

// A trial is measured by the tests of a checkout, and its record replaces the one before.
func TestMeasuredTrialsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.jsonl")
	trials := Trials()
	first, last := trials[0].Name, trials[len(trials)-1].Name
	for _, r := range []Record{{Trial: last, Tried: 1}, {Trial: first, Tried: 2}, {Trial: last, Tried: 3}} {
		if err := keep(path, r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadRecords(path)
	if err != nil || len(got) != 2 || got[0].Trial != first || got[1].Tried != 3 {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte(`{"trial":"tides"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRecords(path); err == nil || !strings.Contains(err.Error(), `no trial "tides"`) {
		t.Errorf("an unknown trial: %v", err)
	}
	if err := (Measurement{Trials: []string{"tides"}}).Measure(t.Context()); err == nil || !strings.Contains(err.Error(), `no trial "tides"`) {
		t.Errorf("an unknown trial: %v", err)
	}
}

// There is a committed record of every trial, which ran at full size and without a fault.
func TestCommittedRecordsAreOfWholeTrials(t *testing.T) {
	records, err := ReadRecords(filepath.Join("..", "..", "..", "..", Results))
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range Trials() {
		k := slices.IndexFunc(records, func(r Record) bool { return r.Trial == trial.Name })
		if k < 0 {
			t.Errorf("%s: there is no record", trial.Name)
			continue
		}
		r := records[k]
		if r.Tried < trial.Least {
			t.Errorf("%s: tried %d times, want at least %d", r.Trial, r.Tried, trial.Least)
		}
		if r.Faults > 0 {
			t.Errorf("%s: %d faults", r.Trial, r.Faults)
		}
	}
}
