package experiment

import (
	"fmt"
	"io"

	"github.com/nervure/nervure/internal/figure"
)

// recoveryFigure draws edges above codes, a column for each recipe.
func recoveryFigure(w io.Writer, records []Record) error {
	var charts []figure.Chart
	for _, score := range []struct{ value, title, label string }{
		{"edges_f1_at_count", "Edges", "F1 of edges, at the true count"},
		{"codes_f1", "Sparse codes", "F1 of sparse codes"},
	} {
		for _, recipe := range recipes {
			c := figure.Chart{
				Title: fmt.Sprintf("%s, recipe %s", score.title, recipe), XLabel: "signals M", YLabel: score.label,
				LogX: true, MaxY: 1,
			}
			for k, sparsity := range recoverySparsity {
				line := recoveryLine(records, recipe, sparsity, score.value)
				line.Name, line.Color = fmt.Sprintf("T₀ = %d", sparsity), k
				c.Series = append(c.Series, line)
			}
			charts = append(charts, c)
		}
	}
	return figure.WriteCharts(w, "F1 of edges and of sparse codes against the number of signals M, a line for each number T₀ of atoms a signal", len(recipes), charts...)
}

// recoveryLine has a point for each number of signals that was measured.
func recoveryLine(records []Record, recipe recipe, sparsity int, value string) figure.Series {
	var line figure.Series
	for _, m := range recoverySignals {
		s := Summarize(where(records, Measuring, text("recipe", recipe), amount("sparsity", sparsity), amount("signals", m)), value)
		if s.Count > 0 {
			line.X, line.Y = append(line.X, float64(m)), append(line.Y, s.Mean)
			line.Error = append(line.Error, s.StandardError)
		}
	}
	return line
}
