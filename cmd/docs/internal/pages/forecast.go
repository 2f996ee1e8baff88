package pages

import (
	"fmt"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/internal/words"
)

// forecasts has a table of forecasts for each set, and what they come to.
func forecasts(root string, p *page) ([]File, error) {
	records, err := measure.Read(root, "forecast")
	text := ""
	for _, set := range measure.Forecasts {
		some := where(records, has("set", set.Name))
		if table := forecastSpec(set, some).of(some); len(table.Rows) > 0 {
			text += "\n" + table.Markdown()
		}
		for _, ahead := range set.Ahead {
			if s := forecastSentence(set, ahead, some); s != "" {
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

// forecastOf returns the record of a model, that number of steps ahead, if there is one.
func forecastOf(records []row, model string, ahead int) []row {
	return where(records, both(has("model", model), has("ahead", float64(ahead))))
}

// ofAll is the share of the coefficients that all pairs have.
func ofAll(r row, records []row) string {
	return percent(r.Number("coefficients") / sum(forecastOf(records, measure.AllPairs, int(r.Number("ahead"))), num("coefficients")))
}

// forecastSpec has a line for each model of a set.
func forecastSpec(set measure.Forecast, records []row) spec {
	thousands := func(title, key string) column {
		return text(title, func(r row) string { return words.Thousands(int(r.Number(key))) })
	}
	s := spec{
		title: fmt.Sprintf("%s: errors of forecasts in %s", set.Name, set.Unit), by: []string{"model"},
		columns: []column{
			label("neighbours of a vertex", "model"), thousands("edges", "edges"), thousands("coefficients", "coefficients"),
			text("of all pairs", func(r row) string { return ofAll(r, records) }),
		},
	}
	for _, ahead := range set.Ahead {
		s.columns = append(s.columns, only(has("ahead", float64(ahead)),
			average(set.Span(ahead)+" ahead: RMSE", hundredths, num("rmse")), average("MAE", hundredths, num("mae")),
			text("squared error beside "+set.Map, func(r row) string {
				if r.Text("model") == set.Map {
					return unmeasured
				}
				return beside(r)
			}))...)
	}
	return s
}

// forecastSentence says how the learned graphs do beside the map, and with how many coefficients.
func forecastSentence(set measure.Forecast, ahead int, records []row) string {
	var parts []string
	for _, model := range []string{measure.Arrows, measure.Learned} {
		found := forecastOf(records, model, ahead)
		if len(found) == 0 {
			return ""
		}
		r := found[0]
		parts = append(parts, fmt.Sprintf("%s %s (squared error %s, %s of the coefficients of all pairs)", model,
			forecastVerdict(r), beside(r), ofAll(r, records)))
	}
	return fmt.Sprintf("%s, %s ahead, beside %s: %s.", set.Name, set.Span(ahead), set.Map, strings.Join(parts, "; "))
}

// forecastVerdict is what an excess of squared error says. Two standard errors are chance.
func forecastVerdict(r row) string {
	switch excess, doubt := r.Number("excess"), r.Number("doubt"); {
	case excess < -2*doubt:
		return "is better"
	case excess > 2*doubt:
		return "is not as good"
	}
	return "is as good, as far as so few days can tell"
}

// beside is an excess and its standard error in percent.
func beside(r row) string {
	return strings.ReplaceAll(fmt.Sprintf("%+.1f ± %.1f %%", 100*r.Number("excess"), 100*r.Number("doubt")), "-", "−")
}
