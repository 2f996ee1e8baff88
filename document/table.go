package document

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// WriteCSV writes a line for each method; what it does not have is left empty.
func (c *Comparison) WriteCSV(w io.Writer) error {
	whole := func(v *int) string {
		if v == nil {
			return ""
		}
		return strconv.Itoa(*v)
	}
	lines := [][]string{{"method", "status", "seconds", "edges", "precision", "recall", "f1", "f1_at_true_count", "held_out_error", "error", "rank", "held_out_gain", "held_out_gain_stderr", "hidden_explained"}}
	for _, m := range c.Methods {
		lines = append(lines, []string{
			m.Method, string(m.Status), number(m.Seconds), whole(m.Edges),
			number(m.Precision), number(m.Recall), number(m.F1), number(m.F1AtTrueCount), number(m.HeldOutError), m.Error,
			whole(m.Rank), number(m.HeldOutGain), number(m.HeldOutGainError), number(m.HiddenExplained),
		})
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// number is a number in a table, empty if there is none.
func number(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

// WriteCSV writes the values of the kernels, a row for each λ.
func (d *Kernels) WriteCSV(w io.Writer) error {
	header := []string{"lambda"}
	for s := range d.Kernels {
		header = append(header, fmt.Sprintf("p%d", s+1))
	}
	rows := [][]string{header}
	for i, at := range d.Lambda {
		row := []string{strconv.FormatFloat(at, 'g', -1, 64)}
		for _, found := range d.Kernels {
			row = append(row, strconv.FormatFloat(found.Values[i], 'g', -1, 64))
		}
		rows = append(rows, row)
	}
	return csv.NewWriter(w).WriteAll(rows)
}
