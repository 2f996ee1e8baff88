// Package learn finds the graph on which signals are sparse ([maretic2017]): it
// minimises
//
//	‖Y − D(L)·X‖²_F + β‖W‖₁   over W ≥ 0 and codes X with at most T₀ entries per column
//
// by alternating sparse coding and updates of the edge weights. [Sparse] is the method
// that does so quickly and exactly, without step size or penalty; [Fit] is the same as a
// function and [Steps] as a loop over the steps. [Maretic2017] is the paper's own
// algorithm, to the letter. [KernelSteps] learns the kernels of a graph that is known.
//
// This package is the face: methods, options and results, [Maretic2017], and kernels of a
// graph that is known. What works is in packages of their own, from the lowest up:
//
//   - fitting: signals in an order and a scale that depend on their values alone; weights,
//     codes and residuals, over an engine with whole atoms or one with local atoms; the
//     losses; what of kernels can move; what is known of pairs beforehand;
//   - job: what an engine is given, its progress, its answer, and checkpoints of both;
//   - dense and large: the two searches for a graph.
package learn

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/learn/internal/dense"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/large"
	"github.com/nervure/nervure/signals"
)

// Fit learns the graph on which the columns of y (vertices × signals) are sparse.
//
// y is not modified. A vertex that is the same in every signal is left isolated,
// with a warning. Signals or options that cannot be used are an *input.Error.
// If ctx ends, Fit returns its best graph so far together with the cause.
//
// Neither the scale of y nor the number of threads changes the graph, and the
// same seed gives the same bits.
func Fit(ctx context.Context, y *mat.Dense, m Model, o Options) (*Result, error) {
	return resultOf(Steps(ctx, y, m, o))
}

// resultOf goes through the steps to their result.
func resultOf(steps iter.Seq2[Step, error]) (*Result, error) {
	var last Step
	for step, err := range steps {
		if err != nil {
			return step.Result, err
		}
		last = step
	}
	return last.Result, nil
}

// Steps learns like Fit and yields after each phase of the work, so that a
// progress bar or a recorder is a loop body; leaving the loop stops the work.
// The last step has Phase Done and carries the result. If ctx ended, it comes
// with the cause as error.
func Steps(ctx context.Context, y *mat.Dense, m Model, o Options) iter.Seq2[Step, error] {
	return steps(ctx, func() (call, error) { return newCall(y, m, o) })
}

// steps does what a call asks for as [Steps] says.
func steps(ctx context.Context, begin func() (call, error)) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		c, err := begin()
		if err != nil {
			yield(Step{}, err)
			return
		}
		c.task.Progress.Begin(ctx, func(s job.Step) bool { return yield(stepOf(s), nil) })
		found, err := job.Remember(c.task.Progress, "answer", c.learn)
		switch {
		case errors.Is(err, job.ErrStopped):
			return
		case job.Interrupted(err):
			err = context.Cause(ctx)
		case err != nil:
			yield(Step{}, fmt.Errorf("learn: %w", err))
			return
		}
		r := c.result(found)
		yield(Step{
			Phase: Done, Start: r.Starts, Round: r.Rounds, Residual: r.Residual,
			Objective: r.Objective, Edges: r.Graph.EdgeCount(), Gradients: r.Gradients, Result: r,
		}, err)
	}
}

// leastPattern is how many vertices an atom shows at least: its own and a neighbour. Signals whose
// atoms cannot have shown every vertex cannot tell the edges of all, unless edges are known before.
const leastPattern = 2

// A call is what one call of Steps is given.
type call struct {
	task     job.Task
	options  Options      // as resolved
	paper    *Maretic2017 // the method, as resolved, if it is not Sparse
	aside    []signals.Aside
	warnings []string // about what was given
}

// newCall checks and prepares what Steps is given.
func newCall(y *mat.Dense, m Model, o Options) (call, error) {
	n, _ := y.Dims()
	c := call{}
	t := &c.task
	t.ChooseSparsity, t.Memory = m.Sparsity == 0, new(dictionary.Memory)
	screening, unusable := signals.Screen("learn", y, o.Names)
	m, o, err := resolve(m, o, n)
	if err := errors.Join(err, unusable); err != nil {
		return c, err
	}
	c.options, t.Model, t.Settings = o, fitting.Model(m), o.settings()
	t.Data, c.aside, c.warnings = fitting.Arrange(y, screening.Vertices), screening.Aside, screening.Sentences()
	if o.RemoveCommonMode {
		t.Data = t.Data.WithoutCommonMode()
	}
	varying := len(t.Data.Vertices)
	if t.ChooseSparsity { // which vertices vary was not known when the default was filled in
		t.Model.Sparsity = sparsityToBegin(varying)
	}
	if atoms := t.Model.Sparsity; atoms >= varying {
		return c, input.Errorf("learn", input.Sparsity, "got %d atoms per signal, but only %d vertices vary", atoms, varying)
	}
	unknown := o.Allow == nil && o.Init == nil && o.Prior == nil
	if _, m := y.Dims(); unknown && t.Model.Sparsity*m*leastPattern < varying {
		return c, input.Errorf("learn", input.Signals, "got %d: %d atoms each show too few of %d vertices", m, t.Model.Sparsity, varying)
	}
	given := fitting.Given{Allow: o.Allow, Forbid: o.Forbid, Init: o.Init, Prior: o.Prior, PriorWeight: o.PriorWeight}
	side, unused, err := fitting.NewInformation(given, t.Data, n)
	if err != nil {
		return c, err
	}
	t.Side, c.warnings = side, append(c.warnings, unused...)
	for _, k := range m.Kernels {
		if w := k.Warning(); w != "" {
			c.warnings = append(c.warnings, w)
		}
	}
	vertices := t.Data.Vertices
	t.Progress = job.NewProgress(func(g *graph.Graph) *graph.Graph { return g.Embed(vertices, o.Names) })
	return c, nil
}

// learn runs the method on the engine that suits the size.
func (c call) learn() (*job.Answer, error) {
	switch {
	case c.paper != nil:
		return c.paper.learn(c.task)
	case c.options.Large(len(c.task.Data.Vertices)):
		return large.Learn(c.task)
	}
	return dense.Learn(c.task)
}
