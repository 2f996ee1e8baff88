package pages

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/reliability"
)

func TestTableOfTrials(t *testing.T) {
	if table := campaignTable(nil); len(table.Rows) > 0 || campaignNotes(nil) != "" {
		t.Errorf("%v out of nothing", table.Rows)
	}
	trials := reliability.Trials()
	records := []reliability.Record{{Trial: trials[0].Name, Tried: 1234, Date: "2026-01-02", Notes: []string{"one", "two"}}}
	table := campaignTable(records)
	if len(table.Rows) != len(trials) {
		t.Fatalf("%d rows for %d trials", len(table.Rows), len(trials))
	}
	if first := table.Rows[0]; first[2] != "1,234" || first[4] != "0" || first[5] != "2026-01-02" {
		t.Errorf("got %q", first)
	}
	if second := table.Rows[1]; second[2] != "not run" || second[4] != "" {
		t.Errorf("a trial that was not run: got %q", second)
	}
	if got, want := campaignNotes(records), "\n- `"+trials[0].Name+"`: one; two.\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if commands := trialCommands(); !strings.Contains(commands, "$ go test -count 1 -timeout 0 -run ") {
		t.Errorf("got %q", commands)
	}
}
