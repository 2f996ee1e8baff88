package pages

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/recordings"
)

func TestUnmeasuredRecordingTablesAreEmpty(t *testing.T) {
	for section, table := range tablesOfRecordings(nil) {
		if len(table.Rows) > 0 {
			t.Errorf("%s: %v out of nothing", section, table.Rows)
		}
	}
}

func TestTablesOfRecordings(t *testing.T) {
	outcome := func(f1 float64, sure, right int, alarms ...recordings.Alarm) *recordings.Outcome {
		return &recordings.Outcome{F1: f1, Sure: sure, SureTrue: right, Alarms: alarms, Seconds: 2}
	}
	tables := tablesOfRecordings([]recordings.Record{
		{
			Kind: recordings.Sensors, Seed: 1, Edges: 90, Clean: outcome(0.9, 10, 10), Cycles: outcome(0.8, 0, 0), Messy: outcome(0.7, 10, 5, recordings.Alarm{Sensor: 3}), Known: outcome(0.85, 10, 10),
			Broken: []recordings.Broken{{Sensor: 1, Kind: "stuck", Found: []string{"stuck", "noise"}}, {Sensor: 2, Kind: "copy"}},
		},
		{
			Kind: recordings.Sensors, Seed: 2, Edges: 80, Clean: outcome(0.7, 10, 9), Cycles: outcome(0.7, 1, 1), Messy: outcome(0.7, 30, 25), Known: outcome(0.65, 10, 10),
			Broken: []recordings.Broken{{Sensor: 4, Kind: "stuck", Found: []string{"drift"}}},
		},
		{Kind: recordings.FMRI, Seed: 3, Edges: 70, Values: outcome(0.4, 0, 0), Differences: outcome(0.1, 0, 0), Auto: outcome(0.35, 0, 0)},
	})
	for section, want := range map[string]string{
		"summary": `F1, mean|0.80|0.75|0.70|0.75
F1, least|0.70|0.70|0.70|0.65
below clean, mean|0.00|0.05|0.10|0.05
below clean, most|0.00|0.10|0.20|0.05
edges with confidence 0.9 or more|20|1|40|20
of these true|19 (0.95)|1 (1.00)|30 (0.75)|20 (1.00)
of these true, worst recording|0.90|1.00|0.50|1.00
broken sensors|0|0|3|0
of these found|–|–|2 (0.67)|–
sensors called broken that are|–|–|2 (0.67)|–
recordings with a false alarm|0|0|1|0`,
		"files": `1|90|0.90|0.80|0.70|0.85|10|5|2|1|1|2
2|80|0.70|0.70|0.70|0.65|30|25|1|1|0|2`,
		"faults": `stuck|2|2|1|drift, noise
copy|1|0|0|`,
		"fmri": "3|70|0.40|0.10|0.35|0.05",
	} {
		var rows []string
		for _, row := range tables[section].Rows {
			rows = append(rows, strings.Join(row, "|"))
		}
		if got := strings.Join(rows, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", section, got, want)
		}
	}
}
