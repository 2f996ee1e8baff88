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
		c.task.progress.begin(ctx, func(s innerStep) bool { return yield(stepOf(s), nil) })
		found, err := remembered(c.task.progress, "answer", codeAnswer, c.learn)
		switch {
		case errors.Is(err, errStopped):
			return
		case interrupted(err):
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

// A call is what one call of Steps is given.
type call struct {
	task     task
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
	t.chooseSparsity, t.memory = m.Sparsity == 0, new(dictionary.Memory)
	screening, unusable := signals.Screen("learn", y, o.Names)
	m, o, err := resolve(m, o, n)
	if err := errors.Join(err, unusable); err != nil {
		return c, err
	}
	c.options, t.model, t.settings = o, innerModel(m), o.settings()
	t.data, c.aside, c.warnings = prepare(y, screening.Vertices), screening.Aside, screening.Sentences()
	if o.RemoveCommonMode {
		t.data = t.data.withoutCommonMode()
	}
	varying := len(t.data.vertices)
	if t.chooseSparsity { // which vertices vary was not known when the default was filled in
		t.model.Sparsity = sparsityToBegin(varying)
	}
	if atoms := t.model.Sparsity; atoms >= varying {
		return c, input.Errorf("learn", input.Sparsity, "got %d atoms per signal, but only %d vertices vary", atoms, varying)
	}
	side, unused, err := newSideInformation(known{o.Allow, o.Forbid, o.Init, o.Prior, o.PriorWeight}, t.data, n)
	if err != nil {
		return c, err
	}
	t.side, c.warnings = side, append(c.warnings, unused...)
	for _, k := range m.Kernels {
		if w := k.Warning(); w != "" {
			c.warnings = append(c.warnings, w)
		}
	}
	vertices := t.data.vertices
	t.progress = newProgress(func(g *graph.Graph) *graph.Graph { return g.Embed(vertices, o.Names) })
	return c, nil
}

// learn runs the method on the engine that suits the size.
func (c call) learn() (*answer, error) {
	switch {
	case c.paper != nil:
		return learnLiterally(c.task, literal{c.paper.StepSize, c.paper.StepDecay, c.paper.EdgePenalty})
	case c.options.Large(len(c.task.data.vertices)):
		return learnLarge(c.task)
	}
	return learnDense(c.task)
}
