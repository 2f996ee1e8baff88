package nervure_test

import (
	"fmt"
	"regexp"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

const robustResults = "docs/results/robust.txt"

// A robustGroup is a table: a group of BenchmarkRobust, whose rows have the same
// numbers.
type robustGroup struct {
	name, title string
	columns     []robustColumn
	rows        []robustRow
	notes       []string
}

// A robustRow is a row as people read it, and what was aimed at.
type robustRow struct{ name, title, target string }

// A robustColumn is a number of each row as text, made from the results of all.
type robustColumn struct {
	title string
	cell  func(all results, name string) string
}

var robustGroups = []robustGroup{
	{
		name: "noise", title: "Noise, everything chosen by the tool",
		columns: []robustColumn{inTenThousandths("F1", "F1"), inTenThousandths("worst", "worstF1"), inPercent("noise found", "noise", 1), inPercent("T₀ found", "atoms-right", 0)},
		rows: []robustRow{
			{"noise=0.05", "noise 5 %", "F1 0.995"},
			{"noise=0.1", "noise 10 %", "F1 0.98"},
			{"noise=0.2", "noise 20 %", "F1 0.95"},
		},
	},
	{
		name: "atoms-given", title: "A wrong number of atoms a signal, 4 being right, kernels given",
		columns: []robustColumn{inTenThousandths("F1", "F1"), inTenThousandths("worst", "worstF1"), lossOfAtoms, inPercent("certified", "certified", 0)},
		rows: []robustRow{
			{"given=4/noise=0", "4", ""},
			{"given=3/noise=0", "3", "loss below 0.02"},
			{"given=5/noise=0", "5", "loss below 0.02"},
			{"given=4/noise=0.1", "4, noise 10 %", ""},
			{"given=3/noise=0.1", "3, noise 10 %", "loss below 0.02"},
			{"given=5/noise=0.1", "5, noise 10 %", "loss below 0.02"},
		},
	},
	{
		name: "atoms-chosen", title: "The number of atoms a signal, and everything else, chosen by the tool",
		columns: []robustColumn{inPercent("T₀ found", "atoms-right", 0), inTenThousandths("F1", "F1"), inTenThousandths("worst", "worstF1"), inPercent("certified", "certified", 0)},
		rows: []robustRow{
			{"t0=2/noise=0", "T₀ = 2", "T₀ in 90 %"},
			{"t0=3/noise=0", "T₀ = 3", "T₀ in 90 %"},
			{"t0=4/noise=0", "T₀ = 4", "T₀ in 90 %"},
			{"t0=6/noise=0", "T₀ = 6", "T₀ in 90 %"},
			{"t0=2/noise=0.1", "T₀ = 2, noise 10 %", "T₀ in 80 %"},
			{"t0=3/noise=0.1", "T₀ = 3, noise 10 %", "T₀ in 80 %"},
			{"t0=4/noise=0.1", "T₀ = 4, noise 10 %", "T₀ in 80 %"},
			{"t0=6/noise=0.1", "T₀ = 6, noise 10 %", "T₀ in 80 %"},
		},
	},
	{
		name: "kernels", title: "Unknown kernels",
		columns: []robustColumn{inTenThousandths("F1", "F1"), inTenThousandths("worst", "worstF1"), errorOfScales, inPercent("certified", "certified", 0)},
		rows: []robustRow{
			{"scales/noise=0", "heat:2 and highpass:1, learned from heat:1 and highpass:2", "F1 0.98, τ to 5 %"},
			{"scales/noise=0.1", "the same, noise 10 %", "F1 0.98, τ to 5 %"},
			{"auto/noise=0", "heat:1 and highpass:2, nothing said", ""},
			{"auto/noise=0.1", "the same, noise 10 %", ""},
			{"free/noise=0", "heat:2 and highpass:1, learned as polynomials", "F1 0.95"},
			{"free/noise=0.1", "the same, noise 10 %", "F1 0.95"},
		},
		notes: []string{"The error of τ is the largest of all kernels and graphs; polynomials have no τ."},
	},
	{
		name: "missing", title: "Missing entries, everything chosen by the tool",
		columns: []robustColumn{inTenThousandths("F1", "F1"), inTenThousandths("worst", "worstF1"), inPercent("certified", "certified", 0)},
		rows:    []robustRow{{"lost=0.1", "10 % missing", "F1 0.99"}, {"lost=0.3", "30 % missing", "F1 0.95"}},
	},
	{
		name: "confidence", title: "Confidence, everything chosen by the tool",
		columns: []robustColumn{shareOfTotals("true among edges at 0.9 or more", "sure-true", "sure"), shareOfTotals("true edges that get there", "sure-true", "true"), inTenThousandths("F1", "F1")},
		rows: []robustRow{
			{"noise=0.1/m=100", "noise 10 %, 100 signals", "90 % true"},
			{"noise=0.1/m=400", "noise 10 %, 400 signals", "90 % true"},
			{"noise=0.4/m=400", "noise 40 %, 400 signals", "90 % true"},
		},
	},
	{
		name: "structure", title: "Whether there is a graph at all, as the tool says",
		columns: []robustColumn{inPercent("a graph is seen", "structure", 0)},
		rows: []robustRow{
			{"pure-noise", "independent noise, no graph", "at most 5 %"},
			{"noise=0.2/m=400", "noise 20 %", "at least 95 %"},
			{"noise=0.5/m=400", "noise 50 %", "at least 95 %"},
			{"noise=0.2/m=100", "noise 20 %, 100 signals", "at least 95 %"},
		},
	},
}

// column is a column of one unit, times a factor.
func column(title, unit, format string, factor float64) robustColumn {
	return robustColumn{title, func(all results, name string) string { return fmt.Sprintf(format, factor*all[name][unit]) }}
}

func inTenThousandths(title, unit string) robustColumn { return column(title, unit, "%.4f", 1) }

func inPercent(title, unit string, digits int) robustColumn {
	return column(title, unit, fmt.Sprintf("%%.%df %%%%", digits), 100)
}

// shareOfTotals is a share of totals over all graphs, not a mean of shares.
func shareOfTotals(title, part, of string) robustColumn {
	return robustColumn{title, func(all results, name string) string {
		if all[name][of] == 0 {
			return unmeasured
		}
		return fmt.Sprintf("%.1f %%", 100*all[name][part]/all[name][of])
	}}
}

var givenAtoms = regexp.MustCompile(`given=\d+`)

// lossOfAtoms is what F1 loses beside the right number of atoms.
var lossOfAtoms = robustColumn{"loss", func(all results, name string) string {
	right := all[givenAtoms.ReplaceAllString(name, "given=4")]
	if right == nil {
		return unmeasured
	}
	return fmt.Sprintf("%.4f", right["F1"]-all[name]["F1"])
}}

// errorOfScales is none for kernels that are not of the true families.
var errorOfScales = robustColumn{"error of τ", func(all results, name string) string {
	if all[name]["most-tau-off"] == 1 {
		return unmeasured
	}
	return fmt.Sprintf("%.2g %%", 100*all[name]["most-tau-off"])
}}

// row is the name of the results of a row.
func (g robustGroup) row(r robustRow) string { return "Robust/" + g.name + "/" + r.name }

// table is what was measured of a group.
func (g robustGroup) table(all results) experiment.Table {
	table := experiment.Table{Title: g.title, Header: []string{"", "aimed at"}, Notes: g.notes}
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
