package pages

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/forecast"
)

func TestTableOfForecasts(t *testing.T) {
	set, _ := forecast.SetNamed("molene")
	var records []forecast.Record
	add := func(model string, coefficients int, rmse, excess, doubt float64) {
		for _, ahead := range set.Ahead {
			records = append(records, forecast.Record{Set: set.Name, Model: model, Ahead: ahead, Edges: coefficients / 2, Coefficients: coefficients, RMSE: rmse, MAE: rmse / 2, Excess: excess, Doubt: doubt})
		}
	}
	add(forecast.Learned, 100, 1.06, 0.06, 0.01)
	add(forecast.Arrows, 120, 0.96, -0.06, 0.01)
	add(set.Map, 150, 1, 0, 0)
	add(forecast.All, 2000, 1.01, 0.01, 0.02)
	var rows []string
	for _, row := range forecastTable(set, records).Rows {
		rows = append(rows, strings.Join(row, "|"))
	}
	want := `the learned graph|50|100|5.0 %|1.06|0.53|+6.0 ± 1.0 %|1.06|0.53|+6.0 ± 1.0 %
the learned graph with arrows|60|120|6.0 %|0.96|0.48|−6.0 ± 1.0 %|0.96|0.48|−6.0 ± 1.0 %
the map|75|150|7.5 %|1.00|0.50|–|1.00|0.50|–
all pairs (vector autoregression)|1,000|2,000|100.0 %|1.01|0.51|+1.0 ± 2.0 %|1.01|0.51|+1.0 ± 2.0 %`
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	sentence := forecastSentence(set, 1, records)
	if want := "molene, 1 h ahead, beside the map: the learned graph with arrows is better (squared error −6.0 ± 1.0 %, 6.0 % of the coefficients of all pairs); the learned graph is not as good (squared error +6.0 ± 1.0 %, 5.0 % of the coefficients of all pairs)."; sentence != want {
		t.Errorf("got %s", sentence)
	}
	if got := forecastVerdict(forecast.Record{Excess: 0.01, Doubt: 0.02}); got != "is as good, as far as so few days can tell" {
		t.Errorf("got %s", got)
	}
	if table, s := forecastTable(set, nil), forecastSentence(set, 1, nil); len(table.Rows) > 0 || s != "" {
		t.Errorf("%v and %q out of nothing", table.Rows, s)
	}
}
