package pages

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/sizes"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/figure"
)

// sizeRecords are those of the repository.
func sizeRecords(root string) ([]sizes.Record, error) {
	return sizes.ReadRecords(filepath.Join(root, sizes.Results))
}

// tablesOfSizes are those of docs/performance.md, by their sections.
func tablesOfSizes(records []sizes.Record) map[string]experiment.Table {
	return map[string]experiment.Table{
		"field sizes": fieldsBySize(records),
		"crossing":    crossingTable(records),
		"engines":     enginesTable(records),
		"engine sets": engineSets(records),
		"rivals":      rivalsTable(records),
	}
}

// of returns the records of a part by some learner.
func ofPart(records []sizes.Record, part, by string) (some []sizes.Record) {
	for _, r := range records {
		if r.Part == part && r.By == by {
			some = append(some, r)
		}
	}
	return some
}

// settingsIn returns the settings of some records, in their order.
func settingsIn(records []sizes.Record) (all []sizes.Setting) {
	for _, r := range records {
		if !slices.Contains(all, r.Setting) {
			all = append(all, r.Setting)
		}
	}
	return all
}

// with returns the records of a setting.
func with(records []sizes.Record, s sizes.Setting) (some []sizes.Record) {
	for _, r := range records {
		if r.Setting == s {
			some = append(some, r)
		}
	}
	return some
}

// column returns a number of each record.
func column(records []sizes.Record, of func(sizes.Record) float64) (values []float64) {
	for _, r := range records {
		values = append(values, of(r))
	}
	return values
}

func secondsOf(r sizes.Record) float64 { return r.Seconds }

// meanDigits is a mean, or a dash if there is nothing.
func meanDigits(values []float64) string {
	if len(values) == 0 {
		return unmeasured
	}
	return digits(mean(values))
}

func thousandths(v float64) string { return fmt.Sprintf("%.3f", v) }

// fieldsBySize has a row for each setting.
func fieldsBySize(records []sizes.Record) experiment.Table {
	all, quick := ofPart(records, sizes.BySize, sizes.Default), ofPart(records, sizes.BySize, sizes.WithoutConfidence)
	table := experiment.Table{
		Title: "Fields of order one by size, 1000 signals, nothing given",
		Header: []string{
			"N", "graph", "edges negative", "fields", "F1", "lowest", "precision", "recall", "wrong signs", "sure edges", "of these true", "CPU s", "without confidence", "memory beyond the signals, MB", "verdict",
			"of the sample lack none",
		},
		Notes: []string{
			"Precision L + 0.1·I, weights of size 0.5 to 1.5. Wrong signs: true edges found with the other one, in all fields together; sure edges, those with confidence 0.9 or more, likewise. CPU seconds are those of two threads together: choice of method, structure test and confidence included.",
			"Of the sample lack none: of the vertices that were held against all others, those that lack no neighbour.",
		},
	}
	for _, s := range settingsIn(all) {
		of := with(all, s)
		t := sizes.Outcome{}
		edges := 0
		verdicts := map[string]bool{}
		for _, r := range of {
			edges += r.Edges
			t.Found, t.Right, t.Wrong = t.Found+r.Found, t.Right+r.Right, t.Wrong+r.Wrong
			t.Sure, t.SureTrue, t.Sampled, t.Exact = t.Sure+r.Sure, t.SureTrue+r.SureTrue, t.Sampled+r.Sampled, t.Exact+r.Exact
			verdicts[r.Verdict] = true
		}
		f1 := column(of, sizes.Record.F1)
		sign := "none"
		if s.Signed {
			sign = "30 %"
		}
		table.Rows = append(table.Rows, []string{
			whole(of[0].Vertices), s.Graph, sign, whole(len(of)), thousandths(mean(f1)), thousandths(slices.Min(f1)), share3(t.Right, t.Found), share3(t.Right, edges), whole(t.Wrong), whole(t.Sure), part(t.SureTrue, t.Sure),
			meanDigits(column(of, secondsOf)), meanDigits(column(with(quick, s), secondsOf)), meanDigits(column(of, func(r sizes.Record) float64 { return r.Memory })),
			strings.Join(slices.Sorted(maps.Keys(verdicts)), ", "), sampleShare(t.Exact, t.Sampled),
		})
	}
	return table
}

func share3(part, of int) string { return thousandths(float64(part) / float64(max(of, 1))) }

// sampleShare is a dash where all pairs were looked at.
func sampleShare(exact, sampled int) string {
	if sampled == 0 {
		return unmeasured
	}
	return fmt.Sprintf("%d of %d", exact, sampled)
}

// fieldsOfOrderTwo says how far a graph of order one gets where the field is of order two.
func fieldsOfOrderTwo(records []sizes.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Fields of order two at size, nothing given",
		Header: []string{"graph", "N", "M", "learned as", "F1", "precision", "recall", "CPU s"},
	}
	for _, r := range ofPart(records, sizes.OrderTwo, sizes.Default) {
		table.Rows = append(table.Rows, []string{
			r.Graph, whole(r.Vertices), whole(r.Signals), cmp.Or(r.Kernel, r.Method), thousandths(r.F1()), share3(r.Right, r.Found), share3(r.Right, r.Edges), digits(r.Seconds),
		})
	}
	return table
}

// crossingTable has a row for each size around 1000.
func crossingTable(records []sizes.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Sensors around 1000 vertices, 1000 signals, nothing given",
		Header: []string{"N", "F1", "CPU s", "memory beyond the signals, MB"},
	}
	for _, r := range ofPart(records, sizes.Crossing, sizes.Default) {
		table.Rows = append(table.Rows, []string{whole(r.Vertices), tenThousandths(r.F1()), digits(r.Seconds), digits(r.Memory)})
	}
	return table
}

// crossingFigure draws the same; nothing if there is nothing.
func crossingFigure(records []sizes.Record) (string, error) {
	all := ofPart(records, sizes.Crossing, sizes.Default)
	if len(all) == 0 {
		return "", nil
	}
	x := column(all, func(r sizes.Record) float64 { return float64(r.Vertices) })
	var svg strings.Builder
	err := figure.WriteCharts(&svg, "A field of sensors around 1000 vertices", 2,
		figure.Chart{XLabel: "vertices", YLabel: "F1", Series: []figure.Series{{Name: "F1", X: x, Y: column(all, sizes.Record.F1)}}},
		figure.Chart{XLabel: "vertices", YLabel: "CPU seconds", LogY: true, Series: []figure.Series{{Name: "CPU seconds", X: x, Y: column(all, secondsOf), Color: 1}}})
	return svg.String(), err
}

// A pairing is a field or a set that was learned in both ways.
type pairing struct{ local, dense sizes.Record }

func (p pairing) difference() float64 { return p.local.F1() - p.dense.F1() }

// pairings returns them, of sets or of fields.
func pairings(records []sizes.Record, sets bool) (all []pairing) {
	dense := ofPart(records, sizes.Engines, sizes.Dense)
	for _, l := range ofPart(records, sizes.Engines, sizes.Local) {
		k := slices.IndexFunc(dense, func(d sizes.Record) bool { return d.Set == l.Set && d.Setting == l.Setting && d.Seed == l.Seed })
		if k >= 0 && (l.Set != "") == sets {
			all = append(all, pairing{l, dense[k]})
		}
	}
	return all
}

// A pairTally is the means over some pairings.
type pairTally struct{ local, dense, difference, localSeconds, denseSeconds []float64 }

func tallyPairs(all []pairing) (t pairTally) {
	for _, p := range all {
		t.local, t.dense, t.difference = append(t.local, p.local.F1()), append(t.dense, p.dense.F1()), append(t.difference, p.difference())
		t.localSeconds, t.denseSeconds = append(t.localSeconds, p.local.Seconds), append(t.denseSeconds, p.dense.Seconds)
	}
	return t
}

func (t pairTally) cells() []string {
	return []string{
		thousandths(mean(t.local)), thousandths(mean(t.dense)), signed(mean(t.difference)), signed(slices.Min(t.difference)), digits(mean(t.localSeconds)), digits(mean(t.denseSeconds)),
	}
}

func signed(v float64) string {
	if math.Abs(v) < 5e-4 {
		return "0"
	}
	return strings.Replace(fmt.Sprintf("%+.3f", v), "-", "−", 1)
}

var pairHeader = []string{"F1, vertex by vertex", "F1, all pairs", "difference", "lowest", "CPU s, vertex by vertex", "CPU s, all pairs"}

// enginesTable has a row for each graph and size, and one for all.
func enginesTable(records []sizes.Record) experiment.Table {
	all := pairings(records, false)
	table := experiment.Table{
		Title:  "Order one vertex by vertex and for all pairs at once: simulated fields, 1000 signals",
		Header: append([]string{"graph", "N", "fields"}, pairHeader...),
		Notes:  []string{"The field's order and the way to learn are given; the number of edges is each way's own. Lowest: the difference of the field on which it is lowest."},
	}
	var seen []sizes.Setting
	for _, p := range all {
		s := p.local.Setting
		if slices.Contains(seen, s) {
			continue
		}
		seen = append(seen, s)
		some := slices.DeleteFunc(slices.Clone(all), func(p pairing) bool { return p.local.Setting != s })
		table.Rows = append(table.Rows, append([]string{s.Graph, whole(p.local.Vertices), whole(len(some))}, tallyPairs(some).cells()...))
	}
	if len(all) > 0 {
		table.Rows = append(table.Rows, append([]string{"all", "", whole(len(all))}, tallyPairs(all).cells()...))
	}
	return table
}

// worseBy is from which difference on a set is named as falling short.
const worseBy = 0.03

// engineSets has a row for each set; those of netsim stand together, and those that fall short are named.
func engineSets(records []sizes.Record) experiment.Table {
	all := pairings(records, true)
	table := experiment.Table{
		Title:  "Order one vertex by vertex and for all pairs at once: measured sets and simulated scans",
		Header: append([]string{"set", "N", "M"}, pairHeader...),
	}
	const scans = "netsim/"
	var together []pairing
	for _, p := range all {
		if strings.HasPrefix(p.local.Set, scans) {
			together = append(together, p)
			continue
		}
		table.Rows = append(table.Rows, append([]string{p.local.Set, whole(p.local.Vertices), whole(p.local.Signals)}, tallyPairs([]pairing{p}).cells()...))
	}
	if len(together) > 0 {
		table.Rows = append(table.Rows, append([]string{fmt.Sprintf("netsim, mean of %d", len(together)), "", ""}, tallyPairs(together).cells()...))
	}
	if len(all) > 0 {
		table.Rows = append(table.Rows, append([]string{fmt.Sprintf("all, mean of %d", len(all)), "", ""}, tallyPairs(all).cells()...))
		table.Notes = []string{shortfall(all)}
	}
	return table
}

// shortfall names the sets on which vertex by vertex is worse.
func shortfall(all []pairing) string {
	var names []string
	for _, p := range all {
		if d := p.difference(); d < -worseBy {
			names = append(names, fmt.Sprintf("%s (%s)", p.local.Set, signed(d)))
		}
	}
	if names == nil {
		return fmt.Sprintf("On no set is vertex by vertex worse by more than %g.", worseBy)
	}
	return fmt.Sprintf("Vertex by vertex is worse by more than %g on: %s.", worseBy, strings.Join(names, ", "))
}

// learnerNames are what the rows of rivals are called.
var learnerNames = map[string]string{
	sizes.Default:           "`nervure learn`",
	sizes.WithoutConfidence: "`nervure learn --confidence no`",
	sizes.Local:             "`--method field`, order 1, neither chosen nor tested",
	sizes.SKLearn:           "scikit-learn, `GraphicalLasso`",
	sizes.SKLearnChosen:     "scikit-learn, `GraphicalLassoCV`",
	sizes.BigQUICChosen:     "BigQUIC, `BigQuic.select`",
}

// rivalsTable has a row for each field and learner.
func rivalsTable(records []sizes.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Fields beside other programs, 1000 signals, CPU seconds",
		Header: []string{"graph", "N", "learned by", "penalty", "edges", "F1", "CPU s"},
	}
	for _, s := range settingsIn(ofPart(records, sizes.Rivals, sizes.Default)) {
		for _, by := range []string{sizes.Default, sizes.WithoutConfidence, sizes.Local, sizes.QUIC, sizes.BigQUIC, sizes.BigQUICChosen, sizes.SKLearn, sizes.SKLearnChosen} {
			for _, r := range with(ofPart(records, sizes.Rivals, by), s) {
				table.Rows = append(table.Rows, rivalRow(r))
			}
		}
	}
	return table
}

func rivalRow(r sizes.Record) []string {
	penalty := unmeasured
	if r.Penalty > 0 {
		penalty = fmt.Sprintf("%.3g", r.Penalty)
	}
	row := []string{r.Graph, whole(r.Vertices), cmp.Or(learnerNames[r.By], r.By), penalty}
	if r.Failed != "" {
		return append(row, unmeasured, unmeasured, r.Failed)
	}
	return append(row, whole(r.Found), thousandths(r.F1()), digits(r.Seconds))
}
