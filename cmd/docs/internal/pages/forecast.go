package pages

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/forecast"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/words"
)

// forecastTables has a table of forecasts for each set, and what they come to.
func forecastTables(root string, p *page) ([]File, error) {
	records, err := forecast.ReadRecords(filepath.Join(root, forecast.Results))
	text := ""
	for _, set := range forecast.Sets {
		if table := forecastTable(set, records); len(table.Rows) > 0 {
			text += "\n" + table.Markdown()
		}
		for _, ahead := range set.Ahead {
			if s := forecastSentence(set, ahead, records); s != "" {
				text += "\n- " + s + "\n"
			}
		}
	}
	if text != "" {
		text += "\n"
	}
	p.fill("forecast", text)
	return nil, err
}

// forecastTable has a row for each model of a set.
func forecastTable(set forecast.Set, records []forecast.Record) experiment.Table {
	table := experiment.Table{
		Title:  fmt.Sprintf("%s: errors of forecasts in %s", set.Name, set.Unit),
		Header: []string{"neighbours of a vertex", "edges", "coefficients", "of all pairs"},
	}
	for _, ahead := range set.Ahead {
		table.Header = append(table.Header, set.Span(ahead)+" ahead: RMSE", "MAE", "squared error beside "+set.Map)
	}
	for _, first := range records {
		if first.Set != set.Name || first.Ahead != set.Ahead[0] {
			continue
		}
		all, _ := forecast.Of(records, set.Name, forecast.All, first.Ahead)
		cells := []string{first.Model, words.Thousands(first.Edges), words.Thousands(first.Coefficients), percent(float64(first.Coefficients) / float64(max(all.Coefficients, 1)))}
		for _, ahead := range set.Ahead {
			r, found := forecast.Of(records, set.Name, first.Model, ahead)
			switch {
			case !found:
				cells = append(cells, unmeasured, unmeasured, unmeasured)
			case r.Model == set.Map:
				cells = append(cells, hundredths(r.RMSE), hundredths(r.MAE), unmeasured)
			default:
				cells = append(cells, hundredths(r.RMSE), hundredths(r.MAE), beside(r))
			}
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}

// forecastSentence says how the learned graphs do beside the map, and with how many coefficients.
func forecastSentence(set forecast.Set, ahead int, records []forecast.Record) string {
	all, found := forecast.Of(records, set.Name, forecast.All, ahead)
	if !found {
		return ""
	}
	var parts []string
	for _, model := range []string{forecast.Arrows, forecast.Learned} {
		r, found := forecast.Of(records, set.Name, model, ahead)
		if !found {
			return ""
		}
		parts = append(parts, fmt.Sprintf("%s %s (squared error %s, %s of the coefficients of all pairs)",
			model, forecastVerdict(r), beside(r), percent(float64(r.Coefficients)/float64(all.Coefficients))))
	}
	return fmt.Sprintf("%s, %s ahead, beside %s: %s.", set.Name, set.Span(ahead), set.Map, strings.Join(parts, "; "))
}

// forecastVerdict is what an excess of squared error says. Two standard errors are chance.
func forecastVerdict(r forecast.Record) string {
	switch {
	case r.Excess < -2*r.Doubt:
		return "is better"
	case r.Excess > 2*r.Doubt:
		return "is not as good"
	}
	return "is as good, as far as so few days can tell"
}

// beside is an excess and its standard error in percent.
func beside(r forecast.Record) string {
	return strings.ReplaceAll(fmt.Sprintf("%+.1f ± %.1f %%", 100*r.Excess, 100*r.Doubt), "-", "−")
}
