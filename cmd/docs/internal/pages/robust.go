package pages

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

// A robustGroup is a table: a group of BenchmarkRobust, whose rows have the same
// numbers.
type robustGroup struct {
	name, title string
	columns     []column
	rows        []robustRow
	notes       []string
}

// A robustRow is a row as people read it, and its target.
type robustRow struct{ name, title, target string }

// row is the name of the results of a row.
func (g robustGroup) row(r robustRow) string { return "Robust/" + g.name + "/" + r.name }

// table is what was measured of a group.
func (g robustGroup) table(all []row) experiment.Table {
	var list []row
	for _, r := range g.rows {
		list = append(list, derived(where(all, func(m row) bool { return m.Cell == g.row(r) }), func(row) experiment.Values {
			return experiment.Values{"title": r.title, "target": r.target}
		})...)
	}
	noise := func(r row) string { // the measured one has the name
		_, noise, _ := strings.Cut(r.Cell, "/noise=")
		return noise
	}
	right := map[string]float64{} // F1 at the right number of atoms
	for _, r := range list {
		if r.Number("given") == 4 {
			right[noise(r)] = r.Number("F1")
		}
	}
	list = derived(list, func(r row) experiment.Values { return experiment.Values{"loss": right[noise(r)] - r.Number("F1")} })
	return spec{title: g.title, columns: slices.Concat(labels("", "title", "target", "target"), g.columns,
		[]column{graphs}), notes: g.notes}.of(list)
}

// checkRobustRows says which rows were not measured, and which results no row shows.
func checkRobustRows(measured []row) error {
	if len(measured) == 0 {
		return nil
	}
	var faults []error
	shown := map[string]bool{}
	for _, g := range robustGroups {
		for _, r := range g.rows {
			name := g.row(r)
			if shown[name] = true; !slices.ContainsFunc(measured, func(m row) bool { return m.Cell == name }) {
				faults = append(faults, fmt.Errorf("robust.txt has no %s", name))
			}
		}
	}
	for _, m := range measured {
		if !shown[m.Cell] {
			faults = append(faults, fmt.Errorf("robust.txt has %s, which no table shows", m.Cell))
		}
	}
	return errors.Join(faults...)
}

// sureAndTrue counts the true edges of high confidence as a share of others, over all
// graphs together: not a mean of shares.
func sureAndTrue(title, of string) column {
	return average(title, percent, per(num("sure-true"), num(of)))
}

var (
	meanF1      = average("F1", tenThousandths, num("F1"))
	worstF1     = average("worst", tenThousandths, num("worstF1"))
	certified   = average("certified", wholeShare, num("certified"))
	atomsFound  = average("T₀ found", wholeShare, num("atoms-right"))
	lossOfAtoms = average("loss", tenThousandths, num("loss")) // of F1 beside the right number of atoms
)

func wholeShare(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }

// errorOfScales is none for kernels that are not of the true families.
var errorOfScales = average("error in τ", func(v float64) string {
	if v == 1 {
		return unmeasured
	}
	return fmt.Sprintf("%.2g %%", 100*v)
}, num("most-tau-off"))

// robustGroups are the tables about departures from the model.
var robustGroups = []robustGroup{
	{
		name: "noise", title: "Noise, all settings chosen automatically",
		columns: []column{meanF1, worstF1, average("noise found", percent, num("noise")), atomsFound},
		rows: []robustRow{
			{"noise=0.05", "noise 5 %", "F1 0.995"},
			{"noise=0.1", "noise 10 %", "F1 0.98"},
			{"noise=0.2", "noise 20 %", "F1 0.95"},
		},
	},
	{
		name: "atoms-given", title: "Wrong number of atoms per signal (4 is right), kernels given",
		columns: []column{meanF1, worstF1, lossOfAtoms, certified},
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
		name: "atoms-chosen", title: "Number of atoms per signal and all other settings chosen automatically",
		columns: []column{atomsFound, meanF1, worstF1, certified},
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
		columns: []column{meanF1, worstF1, errorOfScales, certified},
		rows: []robustRow{
			{"scales/noise=0", "heat:2 and highpass:1, learned from heat:1 and highpass:2", "F1 0.98, τ to 5 %"},
			{"scales/noise=0.1", "the same, noise 10 %", "F1 0.98, τ to 5 %"},
			{"auto/noise=0", "heat:1 and highpass:2, chosen automatically", ""},
			{"auto/noise=0.1", "the same, noise 10 %", ""},
			{"free/noise=0", "heat:2 and highpass:1, learned as polynomials", "F1 0.95"},
			{"free/noise=0.1", "the same, noise 10 %", "F1 0.95"},
		},
		notes: []string{"The error in τ is the largest over all kernels and graphs. Polynomials have no τ."},
	},
	{
		name: "missing", title: "Missing values, all settings chosen automatically",
		columns: []column{meanF1, worstF1, certified},
		rows:    []robustRow{{"lost=0.1", "10 % missing", "F1 0.99"}, {"lost=0.3", "30 % missing", "F1 0.95"}},
	},
	{
		name: "large", title: "Hundreds and thousands of vertices, 2000 signals, all settings chosen automatically",
		columns: []column{meanF1, worstF1},
		rows: []robustRow{
			{"n=500/noise=0.1", "500 vertices, noise 10 %", "F1 0.99"},
			{"n=500/noise=0.2", "500 vertices, noise 20 %", "F1 0.99"},
			{"n=2000/noise=0.1", "2000 vertices, noise 10 %", "F1 0.99"},
			{"n=2000/noise=0.2", "2000 vertices, noise 20 %", "F1 0.99"},
			{"n=500/lowpass", "500 vertices, heat:2 and heat:1", "F1 0.98"},
			{"n=1000/lowpass", "1000 vertices, heat:2 and heat:1", "F1 0.98"},
			{"n=500/kernels", "500 vertices, heat:1 and highpass:2", "F1 0.98"},
			{"n=1000/kernels", "1000 vertices, heat:1 and highpass:2", "F1 0.98"},
			{"n=500/lost=0.1", "500 vertices, 10 % missing", "F1 0.98"},
			{"n=1000/lost=0.1", "1000 vertices, 10 % missing", "F1 0.98"},
		},
	},
	{
		name: "confidence", title: "Confidence, all settings chosen automatically",
		columns: []column{
			sureAndTrue("true edges among those with confidence 0.9 or more", "sure"),
			sureAndTrue("true edges that reach it", "true"), meanF1,
		},
		rows: []robustRow{
			{"noise=0.1/m=100", "noise 10 %, 100 signals", "90 % true"},
			{"noise=0.1/m=400", "noise 10 %, 400 signals", "90 % true"},
			{"noise=0.4/m=400", "noise 40 %, 400 signals", "90 % true"},
		},
	},
	{
		name: "structure", title: "Structure test",
		columns: []column{average("structure found", wholeShare, num("structure"))},
		rows: []robustRow{
			{"pure-noise", "independent noise, no graph", "at most 5 %"},
			{"noise=0.2/m=400", "noise 20 %", "at least 95 %"},
			{"noise=0.5/m=400", "noise 50 %", "at least 95 %"},
			{"noise=0.2/m=100", "noise 20 %, 100 signals", "at least 95 %"},
		},
	},
}
