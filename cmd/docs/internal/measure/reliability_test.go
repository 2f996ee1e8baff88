package measure

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/internal/experiment"
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
	var c count
	var shown bytes.Buffer
	if err := c.read(strings.NewReader(lines), &shown); err != nil {
		t.Fatal(err)
	}
	if c.tried != 320 || c.faults != 1 || !slices.Equal(c.notes, []string{"half of them on a Sunday"}) || shown.String() != "hello\n" {
		t.Errorf("got %+v and %q", c, &shown)
	}
	if err := c.read(strings.NewReader(`{"Action":"attr","Test":"TestC","Key":"tried","Value":"many"}`),
		&shown); err == nil || !strings.Contains(err.Error(), "TestC") {
		t.Errorf("a count that is no number: %v", err)
	}
}

// There is a committed record of every trial, which ran at full size and without a fault.
func TestCommittedRecordsAreOfWholeTrials(t *testing.T) {
	records := committed(t, "reliability")
	for _, trial := range Trials() {
		k := slices.IndexFunc(records, func(r experiment.Record) bool { return r.Text("trial") == trial.Name })
		if k < 0 || records[k].Number("tried") < float64(trial.Least) || records[k].Number("faults") != 0 {
			t.Errorf("%s: there is no record of a whole trial without a fault", trial.Name)
		}
	}
}
