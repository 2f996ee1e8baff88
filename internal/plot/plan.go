package plot

import (
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/figure"
)

// Plan draws what to expect of numbers of signals: recall on the left and precision on the right,
// of all edges and of those that are sure, and the share that is aimed for.
func Plan(title string, p *document.Plan) figure.Charts {
	recall := figure.Chart{Title: "Recall", XLabel: "signals", YLabel: "share of the true edges", LogX: true, MaxY: 1}
	precision := figure.Chart{Title: "Precision", XLabel: "signals", YLabel: "share that is true", LogX: true, MaxY: 1}
	for color, kind := range []struct {
		name string
		of   func(document.PlanPoint) *document.PlanRates
	}{
		{"all edges", func(at document.PlanPoint) *document.PlanRates { return &at.All }},
		{"sure edges", func(at document.PlanPoint) *document.PlanRates { return at.Sure }},
	} {
		found := figure.Series{Name: kind.name, Color: color}
		right := figure.Series{Name: kind.name, Color: color}
		for _, at := range p.Points {
			r := kind.of(at)
			if r == nil {
				continue
			}
			found.X, found.Y, found.Error = append(found.X, float64(at.Signals)), append(found.Y, r.Recall), append(found.Error, r.RecallSD)
			if r.Precision != nil {
				right.X, right.Y = append(right.X, float64(at.Signals)), append(right.Y, *r.Precision)
			}
		}
		if len(found.X) > 0 {
			recall.Series = append(recall.Series, found)
		}
		if len(right.X) > 0 {
			precision.Series = append(precision.Series, right)
		}
	}
	if last := len(p.Points) - 1; last >= 0 {
		ends := []float64{float64(p.Points[0].Signals), float64(p.Points[last].Signals)}
		recall.Series = append(
			recall.Series,
			figure.Series{Name: "aimed for", X: ends, Y: []float64{p.Recall, p.Recall}, Dashed: true, Plain: true, Color: 2},
		)
	}
	return figure.Charts{Title: title, PerRow: 2, Charts: []figure.Chart{recall, precision}}
}
