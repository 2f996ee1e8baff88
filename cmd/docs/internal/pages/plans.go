package pages

import (
	"fmt"
	"math"
	"strings"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

// offBy is how far the recall that a plan predicted is from the one found, of all edges or of sure ones.
func offBy(prefix string) value {
	return func(r row) float64 {
		return math.Abs(r.Number("predicted."+prefix+"recall") - r.Number("learned."+prefix+"recall"))
	}
}

// planTable has what plans predicted against what was then found: a line for each kind of set and
// number of signals.
func planTable(records []row) experiment.Table {
	columns := []column{
		text("signals of", func(r row) string { return fmt.Sprintf("%s, %g edges", r.Text("kind"), r.Number("edges")) }),
		count("plans"), label("pilot", "pilot"), label("planned for", "signals"),
	}
	for _, of := range []struct{ prefix, title string }{{"", "predicted"}, {"sure_", "sure predicted"}} {
		columns = append(columns, average(of.title, hundredths, num("predicted."+of.prefix+"recall")),
			average("found", hundredths, num("learned."+of.prefix+"recall")),
			average("off by", hundredths, offBy(of.prefix)), most("at most", hundredths, offBy(of.prefix)))
	}
	kinds := derived(records, func(r row) experiment.Values {
		name, _, subject := strings.Cut(r.Text("set"), "_")
		if subject {
			return experiment.Values{"kind": "NetSim " + name}
		}
		return experiment.Values{"kind": "a field on a " + name}
	})
	return spec{
		title: "Recall that plans predicted, and that was found", by: []string{"kind", "pilot", "signals"}, columns: columns,
		notes: []string{
			"Means over plans.",
			"Off by: the mean difference between the recall predicted and the one found, whichever is larger; at most: the largest.",
		},
	}.of(kinds)
}
