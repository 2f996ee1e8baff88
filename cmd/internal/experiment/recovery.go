package experiment

import (
	"context"
	"fmt"
	"io"

	"github.com/nervure/nervure/internal/figure"
)

// The grid of recovery runs from where nothing is found to where all is, in
// factors of two.
var (
	recoverySignals  = []int{12, 25, 50, 100, 200, 400}
	recoverySparsity = []int{2, 4, 8, 16, 32}
)

// recovery is the paper's figure of recovery against the number of signals and
// their sparsity, on graphs of 100 vertices.
func recovery(instances int) (*Experiment, error) {
	options, err := paperOptions(paperSetting(100, recoverySignals[0], recoverySparsity[0]), "signals", "sparsity")
	if err != nil {
		return nil, err
	}
	var cells []Cell
	for _, recipe := range recipes {
		for _, sparsity := range recoverySparsity {
			for _, signals := range recoverySignals {
				s := paperSetting(100, signals, sparsity)
				cells = append(cells, Cell{
					Labels: []Label{Text("recipe", recipe), Amount("sparsity", sparsity), Amount("signals", signals)},
					Measure: func(ctx context.Context, seed uint64, _ []Record) (Values, error) {
						return s.measure(ctx, recipe, seed)
					},
				})
			}
		}
	}
	return &Experiment{
		Name:      "recovery",
		Title:     "Recovery against the number of signals and their sparsity, 100 vertices",
		Claim:     "more signals, and signals of fewer atoms, lead to better recovery",
		Source:    "maretic2017, figure of recovery accuracy",
		Instances: instances,
		Options:   options,
		Stages:    []Stage{{Measuring, Seeds{firstMeasuringSeed, instances}, cells}},
		Tables:    recoveryTables,
		Figure:    recoveryFigure,
	}, nil
}

func recoveryTables(records []Record) []Table {
	var tables []Table
	for _, score := range []struct{ value, words string }{
		{"edges_f1_at_count", "edges, at the true edge count"},
		{"edges_f1", "edges, automatic cut"},
		{"codes_f1", "sparse codes"},
	} {
		for _, recipe := range recipes {
			tables = append(tables, recoveryTable(records, recipe, score.value, score.words))
		}
	}
	last := &tables[len(tables)-1]
	last.Notes = append(last.Notes, "The paper shows these as a figure without numbers.")
	return tables
}

// recoveryTable has a row for each sparsity and a column for each number of signals.
func recoveryTable(records []Record, recipe recipe, value, words string) Table {
	t := Table{Title: fmt.Sprintf("Recovery, F1 of %s, recipe %s", words, recipe), Header: []string{"atoms"}}
	for _, m := range recoverySignals {
		t.Header = append(t.Header, fmt.Sprintf("M = %d", m))
	}
	var graphs counter
	for _, sparsity := range recoverySparsity {
		row := []string{fmt.Sprint(sparsity)}
		for _, m := range recoverySignals {
			s := Summarize(where(records, Measuring, Text("recipe", recipe), Amount("sparsity", sparsity), Amount("signals", m)), value)
			graphs.see(s.Count)
			row = append(row, s.short())
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{graphs.note()}
	return t
}

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
		s := Summarize(where(records, Measuring, Text("recipe", recipe), Amount("sparsity", sparsity), Amount("signals", m)), value)
		if s.Count > 0 {
			line.X, line.Y = append(line.X, float64(m)), append(line.Y, s.Mean)
			line.Error = append(line.Error, s.StandardError)
		}
	}
	return line
}
