package experiment

import (
	"fmt"
	"io"
	"math"

	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
)

// kernelPoints is how many points of [0, 2] make a smooth curve.
const kernelPoints = 101

// kernelFormulas are the functions that the kernels of the paper stand for.
var kernelFormulas = []string{"e^(−2λ)", "1 − e^(−λ)"}

// kernels has the data of the figure of generating kernels: the functions, and
// the polynomials that stand for them, over the spectrum. Nothing is random:
// it has one instance.
func kernels(int) (*Experiment, error) {
	drawn := learn.PaperModel().Kernels
	exact := []func(float64) float64{
		func(l float64) float64 { return portable.Exp(-2 * l) },
		func(l float64) float64 { return -math.Expm1(-l) },
	}
	cells := make([]Cell, kernelPoints)
	for i := range cells {
		lambda := 2 * float64(i) / (kernelPoints - 1)
		v := Values{}
		for s, k := range drawn {
			v[fmt.Sprintf("kernel_%d", s+1)], v[fmt.Sprintf("exact_%d", s+1)] = k.Eval(lambda), exact[s](lambda)
		}
		cells[i] = cellOf(v, Amount("lambda", lambda))
	}
	return &Experiment{
		Name:      "kernels",
		Title:     "The two generating kernels over the spectrum [0, 2]",
		Claim:     "polynomials of degree 15 stand for e^(−2λ) and 1 − e^(−λ)",
		Source:    "maretic2017, figure of generating kernels",
		Instances: 1,
		Options: map[string]any{
			"kernels": kernelNames(drawn), "degree": drawn[0].Degree(), "approximation": string(kernel.Taylor),
		},
		Stages: []Stage{{Measuring, Seeds{firstMeasuringSeed, 1}, cells}},
		Tables: func(records []Record) []Table { return kernelTables(records, drawn) },
		Figure: kernelFigure,
	}, nil
}

func kernelTables(records []Record, drawn []kernel.Kernel) []Table {
	t := Table{
		Title:  "Kernels over the spectrum",
		Header: []string{"λ", kernelFormulas[0], drawn[0].Name, kernelFormulas[1], drawn[1].Name},
	}
	worst := make([]float64, len(drawn))
	for _, r := range sortedBy(records, "lambda") {
		row := []string{fmt.Sprintf("%.2f", r.Number("lambda"))}
		for s := range drawn {
			exact, p := r.Number(fmt.Sprintf("exact_%d", s+1)), r.Number(fmt.Sprintf("kernel_%d", s+1))
			worst[s] = max(worst[s], math.Abs(exact-p))
			row = append(row, fmt.Sprintf("%.6f", exact), fmt.Sprintf("%.6f", p))
		}
		if isRound(r) { // the file has all of them
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = []string{fmt.Sprintf("The maximum errors of the polynomials are %.1g and %.1g.", worst[0], worst[1])}
	return []Table{t}
}

// isRound picks the eleven points at multiples of 0.2.
func isRound(r Record) bool {
	place := math.Round(r.Number("lambda") / 2 * (kernelPoints - 1))
	return math.Mod(place, (kernelPoints-1)/10) == 0
}

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
