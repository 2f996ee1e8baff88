package measure

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/internal/simulate"
)

// The stages of the measurement of sizes.
const (
	BySize   = "sizes"    // fields of 400 to 100,000 vertices, nothing given
	OrderTwo = "order-2"  // fields of order two, of which one of order one is learned at size
	Crossing = "crossing" // from 900 to 1100 vertices
	Engines  = "engines"  // vertex by vertex, and all pairs at once, where both can be had
	Rivals   = "rivals"   // other programs on the same signals, only if asked for
	ofSets   = "sets"     // engines on measured sets
)

// Who learns: the tool in four ways, or another program.
const (
	Default           = "default"            // nothing given
	WithoutConfidence = "without confidence" // and neither tested
	Local             = "local"              // order one vertex by vertex
	Dense             = "dense"              // order one for all pairs at once
)

var learners = map[string]nervure.Options{
	Default:           {},
	WithoutConfidence: {Confidence: nervure.No},
	Local:             {Method: baseline.Field{Order: 1, Engine: 1}, Structure: nervure.No, Confidence: nervure.No},
	Dense:             {Method: baseline.Field{Order: 1, Engine: 2}, Structure: nervure.No, Confidence: nervure.No},
}

// A sizedField is what fields of some seeds have in common: precision (L + ridge·I)^order, and weights
// whose sizes are uniform in [0.5, 1.5).
type sizedField struct {
	graph   string // of package simulate
	signed  bool   // a share of the edges is negative
	order   int
	size    int // vertices; a grid has the nearest square number
	signals int
}

const (
	negative   = 0.3 // share of the edges of signed graphs
	fewSignals = 1000
	// middle is the size that has all graphs and seeds: smaller fields take longer, as more is tried.
	middle = 2500
	// largest is the size that is measured only if it is asked for.
	largest = 99_856
)

// SizedGraphs are the graphs of sized fields.
var SizedGraphs = []string{simulate.Grid, simulate.Sensors, simulate.Tree, simulate.RandomPairs, simulate.SmallWorld}

// sizeStages are the parts, of one seed but for some.
func sizeStages(o Options) ([]experiment.Stage, error) {
	seeds := func(count int) experiment.Seeds { return experiment.Seeds{First: 3201, Count: count} }
	planar, first := SizedGraphs[:2], func(g string, size int) sizedField { return sizedField{g, false, 1, size, fewSignals} }
	var sized, repeated, second, crossing, engines, beside []Cell
	for _, size := range []int{400, 1000, middle, 10_000, largest} {
		if size == largest && !asked(o, "size=99856") {
			continue
		}
		for k, g := range SizedGraphs[:4] {
			of := &sized
			if size == middle {
				of = &repeated
			}
			if size < middle && k >= len(planar) {
				break
			}
			f := first(g, size)
			*of = append(*of, o.learned(f, Default))
			if size >= middle {
				sized = append(sized, o.learned(f, WithoutConfidence))
			}
			f.signed = true
			*of = append(*of, o.learned(f, Default))
		}
	}
	for _, g := range planar {
		for _, size := range []int{400, middle} {
			for _, count := range []int{fewSignals, 4 * size} { // so many that kernels could be told apart
				second = append(second, o.learned(sizedField{g, false, 2, size, count}, Default))
			}
		}
		if asked(o, Rivals) {
			for _, size := range []int{1000, 2500} {
				beside = append(beside, o.besideRivals(first(g, size))...)
			}
		}
	}
	for _, size := range []int{900, 950, 990, 1000, 1010, 1050, 1100} {
		crossing = append(crossing, o.learned(first(simulate.Sensors, size), Default))
	}
	for _, size := range []int{100, 250, 500} {
		for _, g := range SizedGraphs {
			engines = append(engines, o.learned(first(g, size), Local), o.learned(first(g, size), Dense))
		}
	}
	sets, err := o.engineSets()
	return []experiment.Stage{
		{Name: BySize, Seeds: seeds(3), Cells: repeated},
		{Name: BySize, Seeds: seeds(1), Cells: sized},
		{Name: OrderTwo, Seeds: seeds(1), Cells: second},
		{Name: Crossing, Seeds: seeds(1), Cells: crossing},
		{Name: Engines, Seeds: seeds(2), Cells: engines},
		{Name: Rivals, Seeds: seeds(1), Cells: beside},
		{Name: ofSets, Seeds: once, Cells: sets},
	}, err
}

// asked reports whether a word was asked for.
func asked(o Options, word string) bool {
	return slices.ContainsFunc(o.Only, func(list string) bool { return slices.Contains(strings.Fields(list), word) })
}

func (f sizedField) labels(by string) []experiment.Label {
	return []experiment.Label{
		experiment.Text("graph", f.graph), experiment.Amount("signed", flag(f.signed)), experiment.Amount("order", f.order),
		experiment.Amount("size", f.size), experiment.Amount("signals", f.signals), experiment.Text("by", by),
	}
}

// draw draws the graph and the signals of a seed.
func (f sizedField) draw(ctx context.Context, seed uint64) (*nervure.Signals, *graph.Graph, error) {
	g, err := simulate.FieldGraph(f.graph, f.size, negative*flag(f.signed), seed)
	if err != nil {
		return nil, nil, err
	}
	y, err := simulate.LargeField(ctx, g, f.order, f.signals, ridge, seed)
	if err != nil {
		return nil, nil, err
	}
	return &nervure.Signals{Y: y, Names: g.Names()}, g, nil
}

// learned is a cell in which this tool learns from a field.
func (o Options) learned(f sizedField, by string) Cell {
	return cell(func(ctx context.Context, seed uint64) (Values, error) {
		s, g, err := f.draw(ctx, seed)
		if err != nil {
			return nil, err
		}
		v, err := learnSized(ctx, s, truth(g), by, o.Threads)
		delete(v, "signals") // a label
		return v, err
	}, f.labels(by)...)
}

// besideRivals are the cells of a field from which other programs learn, too, at the penalty that the
// truth likes best.
func (o Options) besideRivals(f sizedField) []Cell {
	list := []Cell{o.learned(f, Default), o.learned(f, WithoutConfidence), o.learned(f, Local)}
	var best shared[float64]
	for _, r := range rivals(o) {
		list = append(list, cell(func(ctx context.Context, seed uint64) (Values, error) {
			s, g, err := f.draw(ctx, seed)
			if err != nil {
				return nil, err
			}
			penalty, err := best.get(func() (float64, error) { return bestPenalty(ctx, s.Y, g) })
			if err != nil {
				return nil, err
			}
			v, err := r.learn(ctx, s, g, penalty)
			put(v, "", Values{"vertices": float64(g.Vertices()), "edges": float64(g.EdgeCount())})
			return v, err
		}, f.labels(r.name)...))
	}
	return list
}

// engineSets are the sets of the directory that have a truth, learned in both ways.
func (o Options) engineSets() (list []Cell, err error) {
	if o.Data == "" {
		return nil, nil
	}
	all := slices.DeleteFunc(realSources(o.Data), func(s source) bool { return SetNamed(s.name).groups != "" })
	for _, kind := range []string{"dream4/net*", "netsim/sim*"} {
		more, err := plainSources(o.Data, kind, "signals.csv")
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	for _, by := range []string{Local, Dense} {
		some := cells(all, func(ctx context.Context, s *nervure.Signals, known Target) (Values, error) {
			return learnSized(ctx, s, known, by, o.Threads)
		})
		for k := range some {
			some[k].Labels = append(some[k].Labels, experiment.Text("by", by))
		}
		list = append(list, some...)
	}
	return list, nil
}

// collectorPercent is what the command sets for signals of this size.
const collectorPercent = 15

// learnSized learns in one of the ways, and measures what that takes beyond the signals.
func learnSized(ctx context.Context, s *nervure.Signals, known Target, by string, threads int) (Values, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(collectorPercent))
	debug.FreeOSMemory()
	memory.WatchPeak()
	before, _ := memory.Peak()
	a, v, err := learn(ctx, s, known, learners[by], threads)
	if err != nil {
		return nil, err
	}
	peak, _ := memory.Peak()
	put(v, "", sizeOf(s, known))
	v["memory"], v["wrong"] = rounded(float64(peak-before)/1e6), float64(wrongSigns(a.Graph.Edges(), known.truth))
	if by == Default {
		v["verdict"] = string(a.Verdict.Grade)
	}
	if fit := baseline.FieldFitOf(a.Result); fit != nil && fit.Local != nil {
		v["sampled"], v["exact"] = float64(fit.Local.Sampled), float64(fit.Local.Exact)
	}
	return v, nil
}

// wrongSigns counts the true edges that were found with the other sign.
func wrongSigns(found []graph.Edge, truth *graph.Graph) (count int) {
	weights := map[[2]int]float64{}
	for _, e := range truth.Edges() {
		weights[[2]int{e.I, e.J}] = e.Weight
	}
	for _, e := range found {
		if weights[[2]int{e.I, e.J}]*e.Weight < 0 {
			count++
		}
	}
	return count
}
