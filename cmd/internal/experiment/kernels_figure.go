package experiment

import (
	"fmt"
	"io"

	"github.com/nervure/nervure/internal/figure"
)

// kernelFigure draws the polynomials as lines, and the functions they stand for
// as points on them: as lines they could not be told apart.
func kernelFigure(w io.Writer, records []Record) error {
	sorted := sortedBy(records, "lambda")
	chart := figure.Chart{Title: "Polynomials, and functions as points", XLabel: "λ", YLabel: "p(λ)", MaxY: 1}
	for s, formula := range kernelFormulas {
		line := figure.Series{Name: formula, Color: s}
		exact := figure.Series{Color: s, Points: true}
		for _, r := range sorted {
			lambda := r.Number("lambda")
			line.X, line.Y = append(line.X, lambda), append(line.Y, r.Number(fmt.Sprintf("kernel_%d", s+1)))
			if isRound(r) {
				exact.X, exact.Y = append(exact.X, lambda), append(exact.Y, r.Number(fmt.Sprintf("exact_%d", s+1)))
			}
		}
		chart.Series = append(chart.Series, line, exact)
	}
	return figure.WriteCharts(w, "The two generating kernels over the spectrum", 1, chart)
}
