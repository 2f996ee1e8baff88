package pages

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/cohorts"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

func TestTablesOfGroups(t *testing.T) {
	for name, table := range map[string]experiment.Table{
		"size": errorTable(nil), "found": foundTable(nil), "power": powerTable(nil), "pool": poolTable(nil), "time": timeTable(nil),
	} {
		if len(table.Rows) > 0 {
			t.Errorf("%s: %v out of nothing", name, table.Rows)
		}
	}
	size := []cohorts.Record{
		{Setting: cohorts.Setting{Part: cohorts.Size, Design: cohorts.TwoGroups, Vertices: 10, AR: 0.7}, Studies: 200, Whole: 9, Strength: 11, VerticesP: 0.05, FalseP: 0.051, False: 0.09},
		{Setting: cohorts.Setting{Part: cohorts.Size, Design: cohorts.TwoGroups, Vertices: 10, Changes: 3}, Studies: 100, Whole: 98, Found: 0.9, False: 0.07},
	}
	power := []cohorts.Record{{Setting: cohorts.Setting{Part: cohorts.Power, Vertices: 10, Changes: 1, By: cohorts.NCT}, Studies: 10, Whole: 6, Strength: 1, Found: 0.2, False: 0.1, FoundP: 0.5, FalseP: 0.04, Seconds: 4.25}}
	pool := []cohorts.Record{
		{Setting: cohorts.Setting{Part: cohorts.Pool, Design: "grid", Vertices: 20, Rows: 100}, Study: 1, Edges: 10, Drawn: 10, Right: 9, AtTrue: 10, Seconds: 1},
		{Setting: cohorts.Setting{Part: cohorts.Pool, Design: "random", Vertices: 20, Rows: 100}, Study: 1, Edges: 10, Drawn: 20, Right: 9, AtTrue: 8, Seconds: 2},
	}
	for want, table := range map[string]experiment.Table{
		"two groups|10|correlated by 0.7|200|4.5 %|5.5 %|5.0 %|5.1 %|9.0 %":       errorTable(size),
		"10|no|3|100|98.0 %|90.0 %|7.0 %":                                         foundTable(size),
		"1|NetworkComparisonTest|10|60.0 %|10.0 %|50.0 %|4.0 %|20.0 %|10.0 %|4.2": powerTable(power),
		"100|partial pooling (this tool)|2|0.75|0.60|1.50|0.90|1.5":               poolTable(pool),
	} {
		var rows []string
		for _, row := range table.Rows {
			rows = append(rows, strings.Join(row, "|"))
		}
		if got := strings.Join(rows, "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
