package baseline

import (
	"context"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

type interim struct{ name string }

func (i interim) Name() string { return i.name }

func (i interim) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	m, _ := ByName(i.name)
	y, filled := signals.FillMissing(p.Y)
	r, err := m.Learn(ctx, Problem{Y: y, Names: p.Names, Kernels: p.Kernels, Cut: p.Cut}, nil)
	if r == nil {
		return nil, err
	}
	var rule graph.CutRule = method.OwnCut
	if p.Cut.Rule != "" {
		rule = p.Cut.Rule
	}
	return &method.Result{Method: i, Graph: r.Graph, Weights: r.Weights, Cut: rule, Rounds: r.Iterations, Status: r.Status, Warnings: r.Warnings, Filled: filled}, err
}

func Entries() []method.Entry {
	var list []method.Entry
	for _, m := range Methods() {
		e := method.Entry{Default: interim{m.Name}, About: m.About, Source: m.Source}
		if m.NeedsKernels {
			e.Can = append(e.Can, method.UsesKernels)
		}
		list = append(list, e)
	}
	return list
}
