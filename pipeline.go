package nervure

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/auto"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/solver"
)

// A Stage is a part of the pipeline.
type Stage string

// The stages, in their order. Those that do not apply are left out.
const (
	Preparing        Stage = "preparing"  // done once the step is seen: it carries the preparation
	ChoosingMethod   Stage = "choosing"   // the choice of [AutoMethod]: the sparse method was tried on Done of Of halves
	Learning         Stage = "learning"   // a step of the method, or, at first, the beginning
	TestingStructure Stage = "structure"  // the structure test on held-out signals begins
	AssessingEdges   Stage = "confidence" // learning from half-samples: Done of Of
	CheckingRest     Stage = "rest"       // signals that were not learned from are held against the graph
	Finished         Stage = "finished"   // the last step: it carries the analysis
)

// A Step is a look at the pipeline at work.
type Step struct {
	Stage       Stage
	Preparation *Preparation  // of Preparing
	Choice      *MethodChoice // of Learning when the stage begins, if [AutoMethod] chose
	Method      method.Step   // of Learning; the zero value when the stage begins
	Done, Of    int           // halves of ChoosingMethod, half-samples of AssessingEdges; 0 when the stage begins
	Analysis    *Analysis     // of Finished
}

// Steps is [Learn] as a loop over the work in progress, for a progress bar or a
// recorder; leaving the loop stops the work. The last step carries the analysis.
// An error comes with it if ctx ended, and without one if there is no graph.
func Steps(ctx context.Context, s *Signals, o Options) iter.Seq2[Step, error] {
	return run.Iterate(ctx, func(ctx context.Context, show func(Step)) (Step, error) {
		o, err := o.resolve(s)
		if err != nil {
			return Step{}, err
		}
		p := &pipeline{options: o, names: s.Names, show: show, budget: timeBudget{o.TimeLimit, time.Now()}}
		analysis, err := p.run(ctx, s)
		return Step{Stage: Finished, Analysis: analysis}, err
	})
}

// A pipeline is one run of Learn.
type pipeline struct {
	options Options
	names   []string
	show    func(Step)
	budget  timeBudget
}

func (p *pipeline) run(ctx context.Context, s *Signals) (*Analysis, error) {
	s, err := p.options.sampleOf(s)
	if err != nil {
		return nil, err
	}
	prepared, err := prepareFor(ctx, s, p.options.Prepare, p.options.BadSensors, commonModeOf(p.options, s), p.budget)
	if err == nil {
		prepared, err = p.chooseValues(ctx, s, prepared)
	}
	if err != nil {
		return nil, err
	}
	p.show(Step{Stage: Preparing, Preparation: prepared})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if prepared.hurried {
		ctx = checkpoint.Without(ctx) // with more time, the signals will be others
	}
	begun := time.Now()
	choice, err := p.choose(ctx, prepared)
	if err != nil {
		return nil, err
	}
	p.show(Step{Stage: Learning, Choice: choice})
	result, err := p.learn(ctx, prepared)
	if err != nil {
		return nil, err
	}
	a := newAnalysis(p.options, s, prepared, result, time.Since(begun))
	a.Choice = choice
	if result.Status == solver.Interrupted && ctx.Err() == nil {
		a.LimitReached, a.unchecked = true, wasOutOfTime
		pruned := ""
		if a.PrunedEarly() {
			pruned = ", pruned quickly"
		}
		a.warn("the time limit of %s ended learning: this is the best graph so far%s", p.options.TimeLimit, pruned)
	}
	p.check(ctx, a, s)
	a.judge()
	if a.Status == solver.Interrupted {
		return a, context.Cause(ctx) // none if it was the time limit
	}
	a.LimitReached = a.LimitReached || prepared.hurried
	return a, nil
}

// check says how far to trust the graph, as far as there is time.
func (p *pipeline) check(all context.Context, a *Analysis, s *Signals) {
	ctx, cancel := p.budget.forTests(all)
	defer cancel()
	if a.wantsStructureTest() {
		if p.budget.allows(a.Duration) {
			p.show(Step{Stage: TestingStructure})
			a.testStructure(ctx)
		} else {
			a.LimitReached, a.unchecked = true, wasOutOfTime
		}
	}
	if a.wantsConfidence() && !p.budget.allows(a.confidenceTime()) {
		a.skipConfidence()
	} else if a.wantsConfidence() {
		p.show(Step{Stage: AssessingEdges})
		a.assessEdges(ctx, func(done, all int) { p.show(Step{Stage: AssessingEdges, Done: done, Of: all}) })
	}
	if s.Whole != nil && a.Status != solver.Interrupted {
		p.show(Step{Stage: CheckingRest})
		a.checkRest(ctx, s.Whole)
	}
}

// choose puts the method that [AutoMethod] takes in its place; nil if another one was
// asked for.
func (p *pipeline) choose(all context.Context, prepared *Preparation) (*MethodChoice, error) {
	if !auto.Is(p.options.Method) {
		return nil, nil //nolint:nilnil // there was nothing to choose
	}
	p.show(Step{Stage: ChoosingMethod})
	ctx, cancel := p.budget.forChoosing(all)
	defer cancel()
	chosen, choice, err := auto.Choose(ctx, p.problem(prepared), func(done, of int) { p.show(Step{Stage: ChoosingMethod, Done: done, Of: of}) })
	p.options.Method = chosen
	if err != nil && all.Err() == nil && outOfTime(ctx) {
		choice.LimitReached()
		return choice, nil
	}
	return choice, err
}

// learn runs the method. If ctx ends, the result is the best so far, with the
// status Interrupted, or an error if that has no edges.
func (p *pipeline) learn(all context.Context, prepared *Preparation) (*method.Result, error) {
	ctx, cancel := p.budget.forLearning(all)
	defer cancel()
	r, err := runMethod(ctx, p.options.Method, p.problem(prepared))
	if r == nil && all.Err() == nil && outOfTime(ctx) {
		return nil, p.budget.noGraphInTime()
	}
	return r, err
}

// problem is what the method is given.
func (p *pipeline) problem(prepared *Preparation) method.Problem {
	problem := p.options.problem(prepared.Y)
	problem.Names = p.names
	problem.Progress = func(s method.Step) { p.show(Step{Stage: Learning, Method: s}) }
	return problem
}

// problem is what a method is given by these options to learn from signals.
func (o Options) problem(y *mat.Dense) method.Problem {
	return method.Problem{Y: y, Kernels: o.Kernels, Known: o.Known, Cut: o.Cut, Seed: o.Seed, Threads: o.Threads}
}

// runMethod runs a method. If ctx ends, the result is the best so far, with the
// status Interrupted; it is an error if there are no edges yet, for then there is
// nothing to put in the place of an older graph.
func runMethod(ctx context.Context, m method.Method, p method.Problem) (*method.Result, error) {
	r, err := m.Learn(ctx, p)
	switch interrupted := ctx.Err() != nil; {
	case r == nil:
		return nil, err
	case err != nil && !interrupted:
		return nil, err
	case err != nil:
		r.Status = solver.Interrupted
	}
	if r.Status == solver.Interrupted && r.Graph.EdgeCount() == 0 {
		return nil, context.Cause(ctx)
	}
	if asked, found := p.Cut.Edges, r.Graph.EdgeCount(); found < asked && r.Status != solver.Interrupted {
		r.Warnings = append(slices.Clip(r.Warnings),
			fmt.Sprintf("only %s kept, not the %d requested: all others have weight 0", words.Plural(found, "edge"), asked))
	}
	return r, nil
}

// commonModeOf returns what a method needs done about a common mode.
func commonModeOf(o Options, s *Signals) commonMode {
	if method.Has(o.Method, method.UsesOrder) {
		return keepForOrder
	}
	if user, ok := o.Method.(method.CommonModeUser); ok {
		return map[method.CommonMode]commonMode{
			method.KeepCommonMode: keepCommonMode, method.RemoveCommonMode: removeCommonMode,
			method.OwnCommonMode: leaveToLearner, method.NeedsCommonMode: keepForHighPassKernels,
		}[user.CommonMode(s.Y, o.Kernels)]
	}
	return keepCommonMode
}
