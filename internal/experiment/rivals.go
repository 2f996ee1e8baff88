package experiment

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// A rival is a way to learn a graph that takes part in a comparison, with the
// points of parameter space among which it is tuned.
type rival struct {
	name  string
	order []string          // of its parameters
	grid  []baseline.Params // at least one point; a parameter left out is the method's choice
	learn func(ctx context.Context, truth *synth.Truth, params baseline.Params, seed uint64) (weights, cut *graph.Graph, err error)
}

// grids lists, for each parameter that is tuned, the values tried; all others
// keep the method's choice. Where a range is usual in the literature it is
// covered; widths and the like that do not change the order of edges are not tuned.
var grids = map[string][]axis{
	string(learn.Maretic2017): {{"step", []float64{0.1, 0.2}}, {"beta", []float64{0.2, 0.4, 0.8}}},
	"correlation":             {{"degree", []float64{3, 4, 5, 6, 7, 8, 9}}},
	"knn":                     {{"k", []float64{2, 3, 4, 5, 6, 7, 8}}},
	"gaussian-kernel":         {{"k", []float64{2, 3, 4, 5, 6, 7, 8}}},
	"glasso":                  {{"rho", []float64{0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3}}},
	"smooth-log":              {{"degree", []float64{2, 3, 4, 5, 6, 7, 8, 10, 12}}},
	"smooth-l2":               {{"degree", []float64{2, 3, 4, 5, 6, 7, 8, 10, 12}}},
	"sigrep": {
		{"smoothness", []float64{0.003, 0.01, 0.03, 0.1}}, // only the ratio matters much
		{"spread", []float64{0.002, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2}},
	},
	"spectral-templates": {
		{"set", []float64{0, 1}},
		{"rounds", []float64{1, 3}},
		{"epsilon", []float64{0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5}}, // the scale differs between the sets
	},
	"kernel-inversion": nil, // nothing to tune
}

type axis struct {
	param  string
	values []float64
}

// product returns all points of a grid, the last axis running fastest.
func product(axes []axis) []baseline.Params {
	points := []baseline.Params{{}}
	for _, a := range axes {
		var next []baseline.Params
		for _, p := range points {
			for _, v := range a.values {
				q := baseline.Params{a.param: v}
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

// rivals lists ours and all of baseline's.
func rivals() []rival {
	all := []rival{recipeRival(learn.Default), recipeRival(learn.Maretic2017)}
	methods := baseline.Methods()
	slices.SortStableFunc(methods, func(a, b baseline.Method) int { return inPaper(b.Name) - inPaper(a.Name) })
	for _, m := range methods {
		all = append(all, methodRival(m))
	}
	return all
}

// inPaper is 1 for the methods that the paper compares with.
func inPaper(method string) int {
	if _, ok := printedTable2[method]; ok {
		return 1
	}
	return 0
}

func newRival(name string) rival {
	r := rival{name: name, grid: product(grids[name])}
	for _, a := range grids[name] {
		r.order = append(r.order, a.param)
	}
	return r
}

func recipeRival(recipe learn.Recipe) rival {
	r := newRival(string(recipe))
	r.learn = func(ctx context.Context, truth *synth.Truth, params baseline.Params, seed uint64) (weights, cut *graph.Graph, err error) {
		model := learn.Model{Kernels: truth.Kernels, Sparsity: table2Sparsity}
		found, err := learn.Fit(ctx, truth.Signals, model,
			learn.Options{Recipe: recipe, Seed: seed, StepSize: params["step"], EdgePenalty: params["beta"]})
		if err != nil {
			return nil, nil, err
		}
		return found.Weights, found.Graph, nil
	}
	return r
}

func methodRival(m baseline.Method) rival {
	r := newRival(m.Name)
	r.learn = func(ctx context.Context, truth *synth.Truth, params baseline.Params, _ uint64) (weights, cut *graph.Graph, err error) {
		found, err := m.Learn(ctx, baseline.Problem{Y: truth.Signals, Kernels: truth.Kernels}, params)
		if err != nil {
			return nil, nil, err
		}
		return found.Weights, found.Graph, nil
	}
	return r
}

// point writes parameters as "step=0.1,beta=0.8"; "-" if there are none.
func (r rival) point(p baseline.Params) string {
	var words []string
	for _, name := range r.order {
		if v, ok := p[name]; ok {
			words = append(words, name+"="+strconv.FormatFloat(v, 'g', -1, 64))
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
func (r rival) try(ctx context.Context, truth *synth.Truth, params baseline.Params, seed uint64) (outcome, error) {
	o := outcome{point: r.point(params)}
	weights, cut, err := r.learn(ctx, truth, params, seed)
	if ctx.Err() != nil {
		return o, context.Cause(ctx)
	}
	if err != nil {
		o.failure = err.Error()
		return o, nil //nolint:nilerr // it is on record
	}
	own, err := metrics.Edges(cut, truth.Graph)
	if err != nil {
		return o, err
	}
	atCount, err := metrics.EdgesAtCount(weights, truth.Graph)
	if err != nil {
		return o, err
	}
	o.own, o.atCount = own.F1(), atCount.F1()
	return o, nil
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
func (r rival) at(point string) (baseline.Params, error) {
	for _, p := range r.grid {
		if r.point(p) == point {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s: no point %s in the grid", r.name, point)
}

// describe lists the points tried, for the manifest.
func (r rival) describe() []string {
	var list []string
	for _, p := range r.grid {
		list = append(list, r.point(p))
	}
	return list
}
