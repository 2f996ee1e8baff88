package pages

import (
	"fmt"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// A resultTable is a table of benchmarks, with a row for each that was measured.
type resultTable struct {
	title   string
	columns []resultColumn
	rows    []resultRow
	notes   []string
}

// A resultRow is a benchmark, and what its row states besides results.
type resultRow struct {
	name   string
	labels []string
	size   float64 // of its signals, in MB, where a column asks for it
}

// A resultColumn is a cell of each row as text, made from the results of all.
type resultColumn struct {
	title string
	cell  func(all benchmark.Results, r resultRow) string
}

// of is what was measured of a table.
func (t resultTable) of(all benchmark.Results) experiment.Table {
	table := experiment.Table{Title: t.title, Notes: t.notes}
	for _, c := range t.columns {
		table.Header = append(table.Header, c.title)
	}
	for _, r := range t.rows {
		if all[r.name] == nil {
			continue
		}
		var cells []string
		for _, c := range t.columns {
			cells = append(cells, c.cell(all, r))
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}

// labels are columns of the first labels of a row.
func labels(titles ...string) []resultColumn {
	var list []resultColumn
	for k, title := range titles {
		list = append(list, resultColumn{title, func(_ benchmark.Results, r resultRow) string { return r.labels[k] }})
	}
	return list
}

// written is a column of one unit, in a form.
func written(title, unit string, form func(float64) string) resultColumn {
	return resultColumn{title, func(all benchmark.Results, r resultRow) string { return form(all[r.name][unit]) }}
}

func number(title, unit string) resultColumn { return written(title, unit, digits) }

func inTenThousandths(title, unit string) resultColumn { return written(title, unit, tenThousandths) }

func inPercent(title, unit string, digits int) resultColumn {
	return written(title, unit, func(v float64) string { return fmt.Sprintf("%.*f %%", digits, 100*v) })
}

// quotient is one unit over another.
func quotient(title, unit, of string) resultColumn {
	return resultColumn{title, func(all benchmark.Results, r resultRow) string { return ratio(all[r.name][unit], all[r.name][of]) }}
}

// elsewhere is a column of the results that have another name.
func (c resultColumn) elsewhere(name func(string) string) resultColumn {
	return resultColumn{c.title, func(all benchmark.Results, r resultRow) string {
		if r.name = name(r.name); all[r.name] == nil {
			return unmeasured
		}
		return c.cell(all, r)
	}}
}

// unmeasured stands where there is no number.
const unmeasured = "–"

func whole(n int) string { return fmt.Sprint(n) }

// digits writes a positive number with three digits, or all before the point.
func digits(v float64) string {
	switch {
	case v == 0:
		return unmeasured
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func hundredths(v float64) string { return fmt.Sprintf("%.2f", v) }

func tenThousandths(v float64) string { return fmt.Sprintf("%.4f", v) }

func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return unmeasured
	}
	return digits(a / b)
}

// share is a part in percent.
func share(part, of float64) string {
	if part == 0 || of == 0 {
		return unmeasured
	}
	return fmt.Sprintf("%.0f %%", 100*part/of)
}
