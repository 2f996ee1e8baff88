package pages

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// robustRun names the benchmarks of these tables.
const robustRun = "robust"

// A robustGroup is a table: a group of BenchmarkRobust, whose rows have the same
// numbers.
type robustGroup struct {
	name, title string
	columns     []resultColumn
	rows        []robustRow
	notes       []string
}

// A robustRow is a row as people read it, and its target.
type robustRow struct{ name, title, target string }

// row is the name of the results of a row.
func (g robustGroup) row(r robustRow) string { return "Robust/" + g.name + "/" + r.name }

// table is what was measured of a group.
func (g robustGroup) table(all benchmark.Results) experiment.Table {
	t := resultTable{title: g.title, columns: slices.Concat(labels("", "target"), g.columns, []resultColumn{number("graphs", "graphs")}), notes: g.notes}
	for _, r := range g.rows {
		t.rows = append(t.rows, resultRow{name: g.row(r), labels: []string{r.title, r.target}})
	}
	return t.of(all)
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

// sureAndTrue counts the true edges of high confidence as a share of others, over all
// graphs together: not a mean of shares.
func sureAndTrue(title, of string) resultColumn {
	return resultColumn{title, func(all benchmark.Results, r resultRow) string {
		if all[r.name][of] == 0 {
			return unmeasured
		}
		return fmt.Sprintf("%.1f %%", 100*all[r.name]["sure-true"]/all[r.name][of])
	}}
}

var givenAtoms = regexp.MustCompile(`given=\d+`)

// lossOfAtoms is what F1 loses beside the right number of atoms.
var lossOfAtoms = resultColumn{"loss", func(all benchmark.Results, r resultRow) string {
	right := all[givenAtoms.ReplaceAllString(r.name, "given=4")]
	if right == nil {
		return unmeasured
	}
	return fmt.Sprintf("%.4f", right["F1"]-all[r.name]["F1"])
}}

// errorOfScales is none for kernels that are not of the true families.
var errorOfScales = written("error in τ", "most-tau-off", func(v float64) string {
	if v == 1 {
		return unmeasured
	}
	return fmt.Sprintf("%.2g %%", 100*v)
})
