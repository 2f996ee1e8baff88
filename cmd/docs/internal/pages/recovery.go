package pages

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
)

// fillRecovery puts the table of recovery onto a page.
func fillRecovery(root string, p *page) error {
	measured, _, err := measure.ReadBenchmarks(root, "recovery")
	if err != nil {
		return err
	}
	table, err := recoveryTable(measured)
	if err != nil {
		p.fault(err)
	}
	p.fill("recovery", "\n"+table+"\n")
	return nil
}

// recoveryOf is what was measured of a recipe in a setting; nothing if it was not.
func recoveryOf(all []row, recipe, setting string) row {
	for _, r := range all {
		if r.Cell == "Recovery/"+recipe+"/"+setting {
			return r
		}
	}
	return row{}
}

// recoverySettings are the rows of the table, with what [maretic2017] prints in
// its tables 1 and 2.
var recoverySettings = []struct{ title, setting, edges, codes string }{
	{"Erdős–Rényi, N = 20, M = 200", "er/n=20/m=200", ".9985 / .9983", ".7708 / .8001"},
	{"Erdős–Rényi, N = 50, M = 200", "er/n=50/m=200", ".9948 / .9946", ".9317 / .9464"},
	{"Erdős–Rényi, N = 100, M = 200", "er/n=100/m=200", ".9818 / .9810", ".9244 / .9316"},
	{"low-pass, Erdős–Rényi, N = 20, M = 500", "lowpass/er/n=20/m=500", "F1 1", "–"},
	{"low-pass, RBF, N = 20, M = 500", "lowpass/rbf/n=20/m=500", "F1 1", "–"},
}

// fewestGraphs is the least number of graphs that a row of the table is a mean over.
const fewestGraphs = 20

func recoveryTable(all []row) (string, error) {
	var table strings.Builder
	table.WriteString("| graphs and signals | `default`: edges F1 | exact | codes P / R | `maretic2017`: edges P / R | codes P / R | paper: edges P / R | codes P / R |\n")
	table.WriteString("|---|---|---|---|---|---|---|---|\n")
	var faults []error
	for _, line := range recoverySettings {
		ours, theirs := recoveryOf(all, "default", line.setting), recoveryOf(all, "maretic2017", line.setting)
		if !(min(ours.Number("N"), theirs.Number("N")) >= fewestGraphs) {
			faults = append(faults, fmt.Errorf("%s: %g and %g graphs, want %d at least", line.setting, ours.Number("N"),
				theirs.Number("N"), fewestGraphs))
		}
		fmt.Fprintf(&table, "| %s | %.4f | %.0f of %.0f | %s | %s | %s | %s | %s |\n", line.title,
			ours.Number("F1"), ours.Number("certified")*ours.Number("N"), ours.Number("N"), pair(ours, "codeP", "codeR"),
			pair(theirs, "edgeP", "edgeR"), pair(theirs, "codeP", "codeR"), line.edges, line.codes)
	}
	return table.String(), errors.Join(faults...)
}

func pair(r row, a, b string) string { return fmt.Sprintf("%.4f / %.4f", r.Number(a), r.Number(b)) }
