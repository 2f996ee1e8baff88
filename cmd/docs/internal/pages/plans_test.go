package pages

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/plans"
)

func TestTableOfPlans(t *testing.T) {
	if table := planTable(nil); len(table.Rows) > 0 {
		t.Errorf("%v out of nothing", table.Rows)
	}
	var rows []string
	for _, row := range planTable([]plans.Record{
		{Set: plans.Grid, Seed: 1, Edges: 180, Pilot: 100, Signals: 200, Predicted: plans.Rates{Recall: 0.9, SureRecall: 0.5}, Found: plans.Rates{Recall: 0.8, SureRecall: 0.6}},
		{Set: plans.Grid, Seed: 1, Edges: 180, Pilot: 100, Signals: 400, Predicted: plans.Rates{Recall: 1, SureRecall: 0.8}, Found: plans.Rates{Recall: 1, SureRecall: 0.8}},
		{Set: plans.Grid, Seed: 2, Edges: 180, Pilot: 100, Signals: 200, Predicted: plans.Rates{Recall: 0.7, SureRecall: 0.3}, Found: plans.Rates{Recall: 0.76, SureRecall: 0.3}},
		{Set: "sim04_01", Edges: 61, Pilot: 100, Signals: 200, Predicted: plans.Rates{Recall: 0.9}, Found: plans.Rates{Recall: 0.95}},
	}).Rows {
		rows = append(rows, strings.Join(row, "|"))
	}
	want := `a field on a grid, 180 edges|2|100|200|0.80|0.78|0.08|0.10|0.40|0.45|0.05|0.10
a field on a grid, 180 edges|1|100|400|1.00|1.00|0.00|0.00|0.80|0.80|0.00|0.00
NetSim sim04, 61 edges|1|100|200|0.90|0.95|0.05|0.05|0.00|0.00|0.00|0.00`
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
