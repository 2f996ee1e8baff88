package pages

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/figure"
)

// tablesOfSizes are those of docs/performance.md, by their sections.
func tablesOfSizes(records []row) map[string]experiment.Table {
	fields, sets := pairings(where(records, in(measure.Engines))), pairings(where(records, in("sets")))
	ofSets := engineSets
	if len(sets) > 0 {
		ofSets.all, ofSets.notes = fmt.Sprintf("all, mean of %d", len(sets)), []string{shortfall(sets)}
	}
	return map[string]experiment.Table{
		"field sizes": fieldsBySize.of(records), "crossing": crossing.of(records), "rivals": rivals.of(records), "engines": engines.of(fields),
		"engine sets": ofSets.of(slices.Concat(where(sets, func(r row) bool { return !isScan(r) }), together(where(sets, isScan)))),
	}
}

var seconds = num("seconds")

// fieldsBySize has a line for each setting.
var fieldsBySize = spec{
	title: "Fields of order one by size, 1000 signals, nothing given",
	where: in(measure.BySize), by: []string{"size", "graph", "signed"},
	columns: slices.Concat(only(has("by", measure.Default),
		label("N", "vertices"), label("graph", "graph"), text("edges negative", func(r row) string {
			return map[float64]string{0: "none", 1: "30 %"}[r.Number("signed")]
		}),
		count("fields"), average("F1", thousandths, f1("")), least("lowest", thousandths, f1("")),
		shares("precision", num("right"), num("found")), shares("recall", num("right"), num("edges")), total("wrong signs", "wrong"),
		total("sure edges", "sure"), parts("of these true", num("sure_true"), num("sure")), average("CPU s", digits, seconds)),
		only(has("by", measure.WithoutConfidence), average("without confidence", digits, seconds)),
		only(has("by", measure.Default), average("memory beyond the signals, MB", digits, num("memory")), texts("verdict", "verdict"),
			column{title: "of the sample lack none", cell: func(of []row) string {
				exact, sampled := sum(of, num("exact")), sum(of, num("sampled"))
				if sampled == 0 { // all pairs were looked at
					return unmeasured
				}
				return fmt.Sprintf("%g of %g", exact, sampled)
			}})),
	notes: []string{
		"Precision L + 0.1·I, weights of size 0.5 to 1.5.",
		"Wrong signs: true edges found with the other one, in all fields together; sure edges, those with confidence 0.9 or more, likewise.",
		"CPU seconds are those of two threads together: choice of method, structure test and confidence included.",
		"Of the sample lack none: of the vertices that were held against all others, those that lack no neighbour.",
	},
}

// orderTwo says how far a graph of order one gets where the field is of order two.
var orderTwo = spec{
	title: "Fields of order two at size, nothing given",
	where: in(measure.OrderTwo), by: []string{"size", "signals", "graph"},
	columns: []column{
		label("graph", "graph"), label("N", "vertices"), label("M", "signals"),
		text("learned as", func(r row) string { return cmp.Or(r.Text("kernel"), r.Text("method")) }),
		average("F1", thousandths, f1("")), shares("precision", num("right"), num("found")), shares("recall", num("right"), num("edges")),
		average("CPU s", digits, seconds),
	},
}

// crossing has a line for each size around 1000, and its figure draws the same.
var crossing = spec{
	title: "Sensors around 1000 vertices, 1000 signals, nothing given",
	where: in(measure.Crossing), by: []string{"size"},
	columns: []column{
		label("N", "vertices"), average("F1", tenThousandths, f1("")), average("CPU s", digits, seconds),
		average("memory beyond the signals, MB", digits, num("memory")),
	},
}

func crossingFigure(records []row) (string, error) {
	all := where(records, in(measure.Crossing))
	x := valuesOf(all, num("vertices"))
	return chartsOf("A field of sensors around 1000 vertices", 2,
		figure.Chart{XLabel: "vertices", YLabel: "F1", Series: []figure.Series{{Name: "F1", X: x, Y: valuesOf(all, f1(""))}}},
		figure.Chart{
			XLabel: "vertices", YLabel: "CPU seconds", LogY: true,
			Series: []figure.Series{{Name: "CPU seconds", X: x, Y: valuesOf(all, seconds), Color: 1}},
		})
}

// pairings are fields or sets that were learned in both ways, vertex by vertex and for all pairs at once.
func pairings(records []row) []row {
	of := func(r row) string { return strings.Replace(r.Cell, "by="+r.Text("by"), "", 1) + fmt.Sprint(r.Seed) }
	dense := map[string]row{}
	for _, r := range where(records, has("by", measure.Dense)) {
		dense[of(r)] = r
	}
	both := where(records, func(r row) bool { return r.Text("by") == measure.Local && dense[of(r)].Values != nil })
	return derived(both, func(r row) experiment.Values {
		d := dense[of(r)]
		return experiment.Values{
			"local": f1("")(r), "dense": f1("")(d), "difference": f1("")(r) - f1("")(d), "local.seconds": r.Seconds, "dense.seconds": d.Seconds,
		}
	})
}

var pairColumns = []column{
	average("F1, vertex by vertex", thousandths, num("local")), average("F1, all pairs", thousandths, num("dense")),
	average("difference", signed, num("difference")), least("lowest", signed, num("difference")),
	average("CPU s, vertex by vertex", digits, num("local.seconds")), average("CPU s, all pairs", digits, num("dense.seconds")),
}

func signed(v float64) string {
	if math.Abs(v) < 5e-4 {
		return "0"
	}
	return strings.Replace(fmt.Sprintf("%+.3f", v), "-", "−", 1)
}

// engines has a line for each graph and size, and one for all.
var engines = spec{
	title:   "Order one vertex by vertex and for all pairs at once: simulated fields, 1000 signals",
	by:      []string{"size", "graph"},
	columns: append([]column{label("graph", "graph"), label("N", "vertices"), count("fields")}, pairColumns...),
	notes:   []string{"The field's order and the way to learn are given; the number of edges is each way's own. Lowest: the difference of the field on which it is lowest."},
	all:     "all",
}

// engineSets has a line for each set; those of netsim stand together.
var engineSets = spec{
	title:   "Order one vertex by vertex and for all pairs at once: measured sets and simulated scans",
	by:      []string{"set"},
	columns: append([]column{label("set", "set"), single("N", "vertices"), single("M", "signals")}, pairColumns...),
}

// worseBy is from which difference on a set is named as falling short.
const worseBy = 0.03

// shortfall names the sets on which vertex by vertex is worse.
func shortfall(all []row) string {
	var names []string
	for _, r := range all {
		if d := r.Number("difference"); d < -worseBy {
			names = append(names, fmt.Sprintf("%s (%s)", r.Text("set"), signed(d)))
		}
	}
	if names == nil {
		return fmt.Sprintf("On no set is vertex by vertex worse by more than %g.", worseBy)
	}
	return fmt.Sprintf("Vertex by vertex is worse by more than %g on: %s.", worseBy, strings.Join(names, ", "))
}

// learnerNames are what the lines of rivals are called.
var learnerNames = map[string]string{
	measure.Default:           "`nervure learn`",
	measure.WithoutConfidence: "`nervure learn --confidence no`",
	measure.Local:             "`--method field`, order 1, neither chosen nor tested",
	measure.SKLearn:           "scikit-learn, `GraphicalLasso`",
	measure.SKLearnChosen:     "scikit-learn, `GraphicalLassoCV`",
	measure.BigQUICChosen:     "BigQUIC, `BigQuic.select`",
}

// done is a cell of those who have a graph.
func done(title string, form func(float64) string, v value) column {
	return text(title, func(r row) string {
		if r.Text("failed") != "" {
			return unmeasured
		}
		return form(v(r))
	})
}

// rivals has a line for each field and learner.
var rivals = spec{
	title: "Fields beside other programs, 1000 signals, CPU seconds",
	where: in(measure.Rivals), by: []string{"size", "graph", "by"},
	columns: []column{
		label("graph", "graph"), label("N", "vertices"),
		text("learned by", func(r row) string { return cmp.Or(learnerNames[r.Text("by")], r.Text("by")) }),
		average("penalty", digits, num("penalty")), done("edges", whole, num("found")), done("F1", thousandths, f1("")),
		text("CPU s", func(r row) string { return cmp.Or(r.Text("failed"), digits(r.Seconds)) }),
	},
}
