package pages

import (
	"errors"
	"fmt"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// robustRun names the benchmarks of these tables.
const robustRun = "robust"

// A robustGroup is a table: a group of BenchmarkRobust, whose rows have the same
// numbers.
type robustGroup struct {
	name, title string
	columns     []robustColumn
	rows        []robustRow
	notes       []string
}

// A robustRow is a row as people read it, and its target.
type robustRow struct{ name, title, target string }

// row is the name of the results of a row.
func (g robustGroup) row(r robustRow) string { return "Robust/" + g.name + "/" + r.name }

// table is what was measured of a group.
func (g robustGroup) table(all benchmark.Results) experiment.Table {
	table := experiment.Table{Title: g.title, Header: []string{"", "target"}, Notes: g.notes}
	for _, c := range g.columns {
		table.Header = append(table.Header, c.title)
	}
	table.Header = append(table.Header, "graphs")
	for _, r := range g.rows {
		name := g.row(r)
		if all[name] == nil {
			continue
		}
		cells := []string{r.title, r.target}
		for _, c := range g.columns {
			cells = append(cells, c.cell(all, name))
		}
		table.Rows = append(table.Rows, append(cells, digits(all[name]["graphs"])))
	}
	return table
}

// checkRobustRows says which rows were not measured, and which results no row shows.
func checkRobustRows(measured benchmark.Results) error {
	if len(measured) == 0 {
		return nil
	}
	var faults []error
	shown := map[string]bool{}
	for _, g := range robustGroups {
		for _, r := range g.rows {
			if shown[g.row(r)] = true; measured[g.row(r)] == nil {
				faults = append(faults, fmt.Errorf("%s has no %s", benchmark.File(robustRun), g.row(r)))
			}
		}
	}
	for name := range measured {
		if !shown[name] {
			faults = append(faults, fmt.Errorf("%s has %s, which no table shows", benchmark.File(robustRun), name))
		}
	}
	return errors.Join(faults...)
}
