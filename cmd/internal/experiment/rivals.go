package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// A rival is a way to learn a graph that takes part in a comparison, with the
// points of parameter space among which it is tuned.
type rival struct {
	name   string
	axes   []axis
	grid   []params // their product, at least one point; a parameter left out is the method's choice
	method func(params) (method.Method, error)
}

// params are numbers by the names of the parameters that they are for.
type params map[string]float64

// grids lists the methods that tables measure and, for each parameter that is
// tuned, the values tried; all others keep the method's choice. Where a range is
// usual in the literature it is covered; widths and the like that do not change the
// order of edges are not tuned. Methods that are not here, such as tree, are rivals
// on data of other kinds: on signals of the sparse model correlation, knn and glasso
// stand for them.
var grids = map[string][]axis{
	string(paperRecipe): {{param: "step", values: []float64{0.1, 0.2}}, {param: "beta", values: []float64{0.2, 0.4, 0.8}}},
	"correlation":       {{param: "degree", values: []float64{3, 4, 5, 6, 7, 8, 9}, cutOnly: true}},
	"knn":               {{param: "k", values: neighbours}},
	"gaussian-kernel":   {{param: "k", values: neighbours, cutOnly: true}},
	"glasso":            {{param: "rho", values: []float64{0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3}}},
	"smooth-log":        {{param: "degree", values: degrees}},
	"smooth-l2":         {{param: "degree", values: degrees}},
	"sigrep": {
		{param: "smoothness", values: []float64{0.003, 0.01, 0.03, 0.1}}, // only the ratio matters much
		{param: "spread", values: []float64{0.0005, 0.001, 0.002, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2}},
	},
	"spectral-templates": {
		{param: "set", values: []float64{0, 1}},
		{param: "rounds", values: []float64{1, 3}},
		{param: "epsilon", values: []float64{0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5}}, // the scale differs between the sets
	},
	"kernel-inversion": nil, // nothing to tune
}

// Up to all of the 19 others, or nearly.
var (
	neighbours = []float64{2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 19}
	degrees    = []float64{2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18}
)

type axis struct {
	param   string
	values  []float64 // rising; zero is the method's own choice
	cutOnly bool      // it moves the method's own cut and no weight
}

// endsAt reports whether v is the least or the greatest of the values tried, where
// there is anything between them.
func (a axis) endsAt(v float64) bool {
	tried := slices.DeleteFunc(slices.Clone(a.values), func(v float64) bool { return v == 0 })
	return len(tried) > 2 && (v == tried[0] || v == tried[len(tried)-1])
}

// product returns all points of a grid, the last axis running fastest.
func product(axes []axis) []params {
	points := []params{{}}
	for _, a := range axes {
		var next []params
		for _, p := range points {
			for _, v := range a.values {
				q := params{a.param: v}
				for name, value := range p {
					q[name] = value
				}
				next = append(next, q)
			}
		}
		points = next
	}
	return points
}

// rivals lists ours and those of baseline that have a grid, those that the paper compares
// with first.
func rivals() []rival {
	var all []rival
	for _, r := range []recipe{ourRecipe, paperRecipe} {
		all = append(all, newRival(string(r), method.Entry{Default: r.method(learn.Model{Sparsity: table2Sparsity})}))
	}
	for _, inPaper := range []bool{true, false} {
		for _, e := range baseline.Methods() {
			if measured(e.Name()) && (printedTable2[e.Name()] != nil) == inPaper {
				all = append(all, newRival(e.Name(), e))
			}
		}
	}
	return all
}

// measured reports whether tables measure a method.
func measured(name string) bool {
	_, ok := grids[name]
	return ok
}

func newRival(name string, e method.Entry) rival {
	return rival{name, grids[name], product(grids[name]), func(p params) (method.Method, error) { return e.WithParams(p.text()) }}
}

// learn runs the rival's method, which is told the true kernels.
func (r rival) learn(ctx context.Context, truth *synth.Truth, p params, seed uint64) (*nervure.Analysis, error) {
	m, err := r.method(p)
	if err != nil {
		return nil, err
	}
	return learnFrom(ctx, truth.Signals, nervure.Options{Method: m, Kernels: truth.Kernels, Seed: seed})
}

// text writes parameters as a command line would.
func (p params) text() map[string]string {
	text := map[string]string{}
	for name, v := range p {
		text[name] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return text
}

// point writes parameters as "step=0.1,beta=0.8"; "-" if there are none.
func (r rival) point(p params) string {
	var words []string
	text := p.text()
	for _, a := range r.axes {
		if v, ok := text[a.param]; ok {
			words = append(words, a.param+"="+v)
		}
	}
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, ",")
}

// An outcome is what a rival achieved with some parameters on one graph.
type outcome struct {
	point   string
	own     float64 // F1 of the edges as the method cuts them
	atCount float64 // F1 of the heaviest edges, as many as there are in truth
	failure string  // why there is no graph, which scores 0; else ""
}

// try runs a rival. Only the end of ctx is an error: a method that gives up on
// some graph has lost it, and the others go on.
func (r rival) try(ctx context.Context, truth *synth.Truth, p params, seed uint64) (outcome, error) {
	o := outcome{point: r.point(p)}
	a, err := r.learn(ctx, truth, p, seed)
	if ctx.Err() != nil {
		return o, context.Cause(ctx)
	}
	if err != nil {
		o.failure = err.Error()
		return o, nil //nolint:nilerr // it is on record
	}
	own, err := metrics.Edges(a.Graph, truth.Graph)
	atCount, fault := metrics.EdgesAtCount(a.Weights, truth.Graph)
	o.own, o.atCount = own.F1(), atCount.F1()
	return o, errors.Join(err, fault)
}

// tryAll runs a rival at all points of its grid.
func (r rival) tryAll(ctx context.Context, truth *synth.Truth, seed uint64) ([]outcome, error) {
	var all []outcome
	for _, p := range r.grid {
		o, err := r.try(ctx, truth, p, seed)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// at returns the parameters written as point.
func (r rival) at(point string) (params, error) {
	for _, p := range r.grid {
		if r.point(p) == point {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s: no point %s in the grid", r.name, point)
}

// atEnds lists the parameters of a point that lie at an end of their axis; with
// weighing, without those that move no weight.
func (r rival) atEnds(point string, weighing bool) []string {
	p, err := r.at(point)
	if err != nil {
		return nil // nothing was tuned
	}
	var list []string
	for _, a := range r.axes {
		if v := p[a.param]; a.endsAt(v) && !(weighing && a.cutOnly) {
			list = append(list, fmt.Sprintf("%s %s=%g", r.name, a.param, v))
		}
	}
	return list
}

// describe lists the points tried, for the manifest.
func (r rival) describe() []string {
	var list []string
	for _, p := range r.grid {
		list = append(list, r.point(p))
	}
	return list
}
