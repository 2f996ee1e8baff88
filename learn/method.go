package learn

import (
	"context"

	"github.com/nervure/nervure/method"
)

// Sparse is the learner as a method among others (package method): its fields are
// what Fit takes. What a problem says of names, cut, seed and threads counts; its
// kernels do if the model has none.
type Sparse struct {
	Model   Model
	Options Options
}

// Entry is how the sparse method is listed.
var Entry = method.Entry{
	Default: Sparse{}, About: "each signal is a few atoms of known kernels on the graph", Source: "maretic2017",
	Can: []method.Capability{method.UsesKernels, method.TakesMissing, method.ExplainsSelf},
}

// Name implements method.Method.
func (Sparse) Name() string { return "sparse" }

// Learn implements method.Method. The result's Own is a *Result, and its Method
// has what was chosen as given.
func (s Sparse) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	model, o := s.Model, s.Options
	if model.Kernels == nil {
		model.Kernels = p.Kernels
	}
	o.Names, o.Cut, o.Seed, o.Threads = p.Names, p.Cut, p.Seed, p.Threads
	var r *Result
	var cause error
	for step, err := range Steps(ctx, p.Y, model, o) {
		if r, cause = step.Result, err; err != nil && r == nil {
			return nil, err
		}
		if p.Progress != nil {
			p.Progress(method.Step{
				Phase: string(step.Phase), Start: step.Start, Round: step.Round, Residual: step.Residual,
				Objective: step.Objective, Edges: step.Edges, Weights: step.Weights,
			})
		}
	}
	chosen := Sparse{r.Model, s.Options}
	chosen.Options.Kernels, chosen.Options.RemoveCommonMode = KernelsGiven, r.Options.RemoveCommonMode
	return &method.Result{
		Method: chosen, Graph: r.Graph, Weights: r.Weights, Cut: r.Threshold.Rule,
		Rounds: r.Rounds, Status: r.Status, Warnings: r.Warnings, Own: r,
	}, cause
}
