package pages

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// The settings of the summary: those that are large enough for the kernel to matter, with
// as many signals as people have.
const (
	usualTimes  = 10
	leastFields = 100
)

// fieldTables has what comes of fields whose graph is known.
func fieldTables(root string, p *page) ([]File, error) {
	sized, err := measure.Read(root, "sizes")
	if err != nil {
		return nil, err
	}
	p.fillTable("order two", orderTwo.of(sized))
	return tablesOf("fields", tablesOfFields)(root, p)
}

func tablesOfFields(records []row) map[string]experiment.Table {
	return map[string]experiment.Table{
		"summary": fieldSummary.of(records), "graphs": fieldGraphs.of(records), "sizes": fieldSizes.of(records),
		"spectra": fieldSpectra.of(records), "networks": networks.of(inOrder(records, networkNames())), "sets": fieldSets.of(setsOf(records)),
	}
}

// ofKernel holds for simulated fields of one of the kernels.
func ofKernel(r row) bool { return slices.Contains(measure.Kernels, r.Text("kernel")) }

func usual(r row) bool { return r.Number("times") == usualTimes && r.Number("size") >= leastFields }

var noiseShare = text("noise", func(r row) string { return fmt.Sprintf("%g %%", 100*r.Number("noise")) })

var known = per(num("known"), num("edges"))

// secondsOf is the mean processor time of fields of a size.
func secondsOf(size int) []column {
	return only(has("size", float64(size)), average(fmt.Sprintf("CPU s, N = %d", size), digits, num("default.seconds")))
}

// fieldSummary has a line for each kernel and noise.
var fieldSummary = spec{
	title: fmt.Sprintf("Simulated fields, %d signals for each vertex, %d and %d vertices: means over graphs and seeds",
		usualTimes, measure.FieldSizes[1], measure.FieldSizes[2]),
	where: both(ofKernel, usual), by: []string{"kernel", "noise"},
	columns: slices.Concat([]column{
		label("kernel", "kernel"), noiseShare, count("fields"), parts("kernel right", num("chosen"), one),
		average("F1", hundredths, f1("default.")), average("precision", hundredths, precision("default.")),
		average("recall", hundredths, recall("default.")),
		average("F1 of `ggl`", hundredths, f1("ggl.")), average("F1, all known", hundredths, known),
	}, sureColumns, secondsOf(measure.FieldSizes[1]), secondsOf(measure.FieldSizes[2])),
	notes: []string{
		"F1, precision and recall are those of `nervure learn` with nothing but the file.",
		"`ggl` was the default of version 0.2. All known: the true kernel and the true number of edges are given.",
		"Kernel right: it is the nearest of the four, or held-out signals are as likely by it as by the true one, within a standard error.",
		"Sure edges: those with confidence 0.9 or more.",
		"CPU seconds include the choice of method and kernel, the structure test and the confidence.",
	},
}

// kernelColumns are the scores with nothing given, of ggl, and with all known, for each kernel.
func kernelColumns() (list []column) {
	for _, kernel := range measure.Kernels {
		list = append(list, only(has("kernel", kernel), column{title: kernel, cell: func(of []row) string {
			return fmt.Sprintf("%s / %s / %s", hundredths(mean(valuesOf(of, f1("default.")))),
				hundredths(mean(valuesOf(of, f1("ggl.")))), hundredths(mean(valuesOf(of, known))))
		}})...)
	}
	return list
}

var fieldGraphs = spec{
	title: fmt.Sprintf("By graph, %d vertices, %d signals for each: F1 with nothing given / of `ggl` / with all known",
		leastFields, usualTimes),
	where:   both(ofKernel, usual, has("size", float64(leastFields))),
	by:      []string{"graph", "noise"},
	columns: append([]column{label("graph", "graph"), noiseShare}, kernelColumns()...),
}

var fieldSizes = spec{
	title: "By size: F1 with nothing given / of `ggl` / with all known",
	where: ofKernel, by: []string{"size", "times", "noise"},
	columns: append([]column{
		label("N", "size"), text("M", func(r row) string { return fmt.Sprint(r.Number("times"), " N") }), noiseShare,
	}, kernelColumns()...),
	notes: []string{fmt.Sprintf("Means over %s. A grid has the nearest square number of vertices.", strings.Join(measure.FieldGraphs, ", "))},
}

// fieldSpectra has a line for each spectrum that is no kernel of the summary, and noise.
var fieldSpectra = spec{
	title: fmt.Sprintf("Other spectra, %d vertices, %d signals for each", leastFields, usualTimes),
	where: func(r row) bool { return slices.Contains(measure.Spectra, r.Text("kernel")) }, by: []string{"kernel", "noise"},
	columns: slices.Concat([]column{
		label("spectrum", "kernel"), noiseShare, count("fields"),
		{title: "kernels taken", cell: kernelsTaken},
		average("F1", hundredths, f1("default.")), least("lowest", hundredths, f1("default.")), average("F1 of `ggl`", hundredths, f1("ggl.")),
		average("F1, all known", hundredths, known),
	}, sureColumns),
	notes: []string{fmt.Sprintf("Means over %s. A sum with + has half of the energy of each kernel; one with = has equal variances at the median frequency. Lowest: the F1 of the field on which it is lowest. All known: `ggl` on the root by the true spectrum and noise, with the true number of edges.", strings.Join(measure.FieldGraphs, ", "))},
}

func kernelsTaken(of []row) string {
	counts := map[string]int{}
	for _, r := range of {
		counts[r.Text("default.kernel")]++
	}
	var taken []string
	for _, kernel := range slices.Sorted(maps.Keys(counts)) {
		taken = append(taken, fmt.Sprintf("%s (%d)", kernel, counts[kernel]))
	}
	return strings.Join(taken, ", ")
}

// learnedBy names the method of a line of one record, and its kernel.
var learnedBy = column{title: "learned by", cell: func(of []row) string {
	method, kernel := of[0].Text("default.method"), of[0].Text("default.kernel")
	switch {
	case len(of) > 1:
		return ""
	case kernel == "":
		return method
	}
	return method + ", " + kernel
}, each: true}

// singleSeconds is the processor time of a line of one record.
var singleSeconds = column{title: "CPU s", cell: func(of []row) string {
	if len(of) > 1 {
		return ""
	}
	return digits(of[0].Number("default.seconds"))
}, each: true}

func networkNames() (names []string) {
	for _, s := range measure.Networks {
		names = append(names, s.Name)
	}
	return names
}

// inOrder returns the records of some sets, in the order of these.
func inOrder(records []row, sets []string) (list []row) {
	for _, name := range sets {
		list = append(list, where(records, has("set", name))...)
	}
	return list
}

// networks has a line for each power grid and water network, and one for all.
var networks = spec{
	title: "Power grids and water networks, nothing given",
	columns: slices.Concat([]column{
		label("network", "set"), text("what", func(r row) string {
			return measure.Networks[slices.Index(networkNames(), r.Text("set"))].Kind
		}),
		label("N", "vertices"), label("M", "signals"), label("edges", "edges"), learnedBy,
		average("F1", hundredths, f1("default.")), average("precision", hundredths, precision("default.")),
		average("recall", hundredths, recall("default.")),
		average("F1 of `ggl`", hundredths, f1("ggl.")),
	}, sureColumns, []column{singleSeconds}),
	all: "mean",
}

// setsOf are measured sets in the order of their page, and simulated scans under one name.
func setsOf(records []row) []row {
	var names []string
	for _, s := range measure.Sets {
		names = append(names, s.Name)
	}
	return append(inOrder(records, names), together(where(records, isScan))...)
}

func isScan(r row) bool { return strings.HasPrefix(r.Text("set"), "netsim/") }

// together gives scans one name.
func together(scans []row) []row {
	name := fmt.Sprintf("netsim, mean of %d", len(scans))
	return derived(scans, func(row) experiment.Values { return experiment.Values{"set": name} })
}

// fieldSets has a line for each measured set, and one for all simulated scans.
var fieldSets = spec{
	title: "Measured sets, nothing given",
	by:    []string{"set"},
	columns: slices.Concat([]column{
		label("set", "set"), single("N", "vertices"), single("M", "signals"), learnedBy,
		average("score", hundredths, f1("default.")), average("of `ggl`", hundredths, f1("ggl.")),
	}, sureColumns, []column{singleSeconds}),
	notes: []string{"Score: F1, or the share of edges inside groups for animals and stocks. The sets are those of [real data](real-data.md), here without the flags that a user would give; netsim are simulated brain scans, whose fields are of order one."},
}
