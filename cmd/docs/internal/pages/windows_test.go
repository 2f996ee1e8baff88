package pages

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/recordings"
	"github.com/nervure/nervure/study"
)

func TestTableOfGraphsThatChange(t *testing.T) {
	if table := changingTable(nil); len(table.Rows) > 0 {
		t.Errorf("%v out of nothing", table.Rows)
	}
	good := study.Judgement{Flicker: 0.004, Away: 0.02, AtMoment: 0.01, Alone: 0.4, Found: 0.9, F1: 0.98, F1Alone: 0.8}
	bad := study.Judgement{Flicker: 0.012, AtMoment: 0.05, Alone: 0.5, Found: 0.7, Off: 3, F1: 0.9, F1Alone: 0.7}
	table := changingTable([]recordings.Record{
		{Kind: recordings.Changing, Seed: 1, Windows: []study.Judgement{good, good, good, good}},
		{Kind: recordings.Changing, Seed: 2, Windows: []study.Judgement{good, bad, bad, good}},
	})
	var rows []string
	for _, row := range table.Rows {
		rows = append(rows, strings.Join(row[:3], "|"))
	}
	want := `series|2|2
stable edges that change at a step, mean|0.4 %|0.8 %
in the worst series|0.4 %|1.2 %
at the worst step away from the moment|2.0 %|2.0 %
at the moment, mean|1.0 %|3.0 %
at the moment, worst series|1.0 %|5.0 %
series with 5 % or more at the moment|0|1
without the prior, mean|40.0 %|45.0 %
series in which most edges change at the moment|2|1
or at most two windows off|2|1
changed pairs that show by the second window|90.0 %|80.0 %
F1, mean|0.98|0.94
F1 without the prior, mean|0.80|0.75`
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := strings.Join(table.Header[1:4], "|"), "24 × 250|36 × 400|30 × 200, a window every 100"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
