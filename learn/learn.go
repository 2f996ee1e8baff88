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
	return steps(ctx, func() (task, error) { return newTask(y, m, o) })
}

// steps does a task as [Steps] says.
func steps(ctx context.Context, prepare func() (task, error)) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		t, err := prepare()
		if err != nil {
			yield(Step{}, err)
			return
		}
		t.progress.ctx, t.progress.yield = ctx, func(s Step) bool { return yield(s, nil) }
		found, err := remembered(t.progress, "answer", codeAnswer, t.learn)
		switch {
		case errors.Is(err, errStopped):
			return
		case interrupted(err):
			err = context.Cause(ctx)
		case err != nil:
			yield(Step{}, fmt.Errorf("learn: %w", err))
			return
		}
		r := t.result(found)
		yield(Step{
			Phase: Done, Start: r.Starts, Round: r.Rounds, Residual: r.Residual,
			Objective: r.Objective, Edges: r.Graph.EdgeCount(), Gradients: r.Gradients, Result: r,
		}, err)
	}
}

// A task is what one call of Steps is given, in the form in which methods use it.
// It is a value: a method that needs to change something changes its own copy.
type task struct {
	data    prepared
	model   Model        // to begin with
	options Options      // as resolved
	paper   *Maretic2017 // the method, as resolved, if it is not the default one
	side    sideInformation
	memory  *dictionary.Memory // of its fits, which take turns

	chooseSparsity bool // the number of atoms was not given
	lowPass        bool // low-pass kernels were chosen: neither gaps nor description lengths say much

	aside    []signals.Aside
	warnings []string // about what was given
	progress *progress
}

// newTask checks and prepares what Steps is given.
func newTask(y *mat.Dense, m Model, o Options) (task, error) {
	n, _ := y.Dims()
	t := task{chooseSparsity: m.Sparsity == 0, memory: new(dictionary.Memory)}
	screening, unusable := signals.Screen("learn", y, o.Names)
	var err error
	t.model, t.options, err = resolve(m, o, n)
	if err := errors.Join(err, unusable); err != nil {
		return t, err
	}
	t.data, t.aside, t.warnings = prepare(y, screening.Vertices), screening.Aside, screening.Sentences()
	if t.options.RemoveCommonMode {
		t.data = t.data.withoutCommonMode()
	}
	varying := len(t.data.vertices)
	if t.chooseSparsity { // which vertices vary was not known when the default was filled in
		t.model.Sparsity = sparsityToBegin(varying)
	}
	if atoms := t.model.Sparsity; atoms >= varying {
		return t, input.Errorf("learn", input.Sparsity, "got %d atoms per signal, but only %d vertices vary", atoms, varying)
	}
	side, unused, err := newSideInformation(t.options, t.data, n)
	if err != nil {
		return t, err
	}
	t.side, t.warnings = side, append(t.warnings, unused...)
	for _, k := range t.model.Kernels {
		if w := k.Warning(); w != "" {
			t.warnings = append(t.warnings, w)
		}
	}
	t.progress = &progress{embed: func(g *graph.Graph) *graph.Graph { return g.Embed(t.data.vertices, t.options.Names) }}
	return t, nil
}

// learn runs the method on the engine that suits the size.
func (t task) learn() (*answer, error) {
	switch {
	case t.options.Large(len(t.data.vertices)):
		return newLargeSearch(t).learn()
	case t.paper != nil:
		return t.maretic(*t.paper)
	}
	switch t.options.Kernels {
	case KernelsAuto:
		return t.learnWithAutomaticKernels()
	case KernelsScaled:
		return t.learnWith(t.model, kernelScales{})
	case KernelsFree:
		return t.learnWithFreeKernels()
	}
	return t.learnWith(t.model, nil)
}
