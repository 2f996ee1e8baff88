package nervure

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/auto"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// A Stage is a part of the pipeline.
type Stage string

// The stages, in their order. Those that do not apply are left out.
const (
	Preparing        Stage = "preparing"  // done once the step is seen: it carries the preparation
	ChoosingMethod   Stage = "choosing"   // the choice of [AutoMethod]: a step of the sparse method, or it was tried on Done of Of halves
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
	Method      method.Step   // of Learning, and of ChoosingMethod while the sparse method may prove itself; the zero value when the stage begins
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
		p := &pipeline{options: o, show: show, budget: run.Budget{Limit: o.TimeLimit, Begun: time.Now()}}
		analysis, err := p.run(ctx, s)
		return Step{Stage: Finished, Analysis: analysis}, err
	})
}

// A pipeline is one run of Learn.
type pipeline struct {
	options Options
	show    func(Step)
	signals *intake.Signals
	budget  run.Budget
	learned *method.Result // while the method was chosen; nil if it is still to be learned
	hurried bool           // the time limit ended the choice of a method
}

func (p *pipeline) run(ctx context.Context, s *Signals) (*Analysis, error) {
	o := p.options
	all, err := intake.ForLearning(ctx, s, intake.Request{
		Prepare: o.Prepare, BadSensors: o.BadSensors, Sample: o.Sample,
		Method: o.Method.Name(), CommonMode: method.CommonModeOf(o.Method, s.Y, o.Kernels), Budget: p.budget,
		Scores: auto.Is(o.Method) || intake.UsesScores(o.Method, o.Prepare.Scores),
	})
	if err != nil {
		return nil, err
	}
	prepared := all.Prepared
	p.signals = all
	p.show(Step{Stage: Preparing, Preparation: prepared})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if prepared.CutShort {
		ctx = checkpoint.Without(ctx) // with more time, the signals will be others
	}
	begun := time.Now()
	choice, err := p.choose(ctx)
	if err != nil {
		return nil, err
	}
	if p.hurried {
		ctx = checkpoint.Without(ctx) // with more time, the method may be another
	}
	if choice != nil { // what the method that was chosen makes of a common mode is known now
		intake.WarnOfCommonMode(prepared, method.CommonModeOf(p.options.Method, all.Given.Y, o.Kernels))
	}
	result, err := p.learn(ctx, choice)
	for err != nil && result == nil && ctx.Err() == nil && choice.Instead(input.Find(err)) {
		p.options.Method = choice.Taken() // what was taken cannot learn from these signals
		result, err = p.learn(ctx, choice)
	}
	if err != nil {
		return nil, err
	}
	a := newAnalysis(p.options, all, result, time.Since(begun))
	a.Choice = choice
	if result.Status == method.Interrupted && ctx.Err() == nil {
		a.LimitReached, a.unchecked = true, wasOutOfTime
		pruned := ""
		if a.PrunedEarly() {
			pruned = ", pruned quickly"
		}
		a.warn("the time limit of %s ended learning: this is the best graph so far%s", p.options.TimeLimit, pruned)
	}
	a.part("the kernel of the field", func() { a.describeField(ctx) })
	p.check(ctx, a)
	a.judge()
	a.keepEvident()
	a.putAsGiven()
	if a.Status == method.Interrupted {
		return a, context.Cause(ctx) // none if it was the time limit
	}
	a.LimitReached = a.LimitReached || prepared.CutShort || p.hurried
	return a, nil
}

// check says how far to trust the graph, as far as there is time.
func (p *pipeline) check(all context.Context, a *Analysis) {
	ctx, cancel := p.budget.ForTests(all)
	defer cancel()
	if a.wantsStructureTest() {
		if p.budget.Allows(a.Duration) {
			p.show(Step{Stage: TestingStructure})
			if !a.part("the structure test", func() { a.testStructure(ctx) }) {
				a.unchecked = testFailed
			}
		} else {
			a.LimitReached, a.unchecked = true, wasOutOfTime
		}
	}
	orderOne := sync.OnceValues(func() (*mat.Dense, error) { return a.orderOne(ctx) })
	switch {
	case a.wantsConfidence() && !p.budget.Allows(a.confidenceTime()):
		a.skipConfidence()
	case a.wantsConfidence():
		p.show(Step{Stage: AssessingEdges})
		a.part("the confidence of edges", func() {
			a.assessEdges(ctx, orderOne, func(done, all int) { p.show(Step{Stage: AssessingEdges, Done: done, Of: all}) })
		})
	case a.isTooLarge():
		a.warn("how sure edges are was not checked: unless it is asked for, confidence is computed for up to %s vertices and %d million values", words.Thousands(FieldConfidenceVertices), LargeConfidenceValues/1_000_000)
	}
	if a.wantsEvidence() {
		a.part("the evidence of edges", func() { a.weighEdges(ctx, orderOne) })
	}
	if whole := p.signals.Given.Whole; whole != nil && a.Status != method.Interrupted {
		p.show(Step{Stage: CheckingRest})
		a.part("the check of the other signals", func() { a.checkRest(ctx, whole) })
	}
}

// checkRest holds the signals that were not learned from against the graph.
func (a *Analysis) checkRest(ctx context.Context, whole *signals.Whole) {
	check := &RestCheck{Learned: a.Signals(), All: whole.Signals, Coded: a.explanation() != nil}
	measure, err := a.measure(ctx)
	if err == nil {
		err = check.Compare(ctx, whole, a.signals, a.Options.BadSensors, measure)
	}
	switch {
	case err == nil:
		a.Rest = check
	case ctx.Err() != nil:
	default:
		a.warn("learned from %s of %s signals; the others could not be held against the graph: %s",
			words.Thousands(check.Learned), words.Thousands(check.All), input.Sentence(err))
	}
}

// measure returns what says of each signal, as prepared, how well it fits the graph.
func (a *Analysis) measure(ctx context.Context) (func(y *mat.Dense) ([]float64, error), error) {
	if explainer := method.ExplainerOf(a.Result); explainer != nil {
		return func(y *mat.Dense) ([]float64, error) {
			left, energy, err := explainer.Residuals(a.signals.Values, y, a.Options.Threads)
			for k, e := range energy {
				if e > 0 {
					left[k] /= e
				}
			}
			return left, err
		}, nil
	}
	train, _, err := signals.FillMissing(ctx, a.signals.Values)
	if err != nil {
		return nil, err
	}
	var density func(*mat.Dense) []float64
	if n, _ := train.Dims(); n > assess.MostTestedVertices { // a Gaussian takes a matrix of all pairs
		model := assess.FitApart(ctx, train, a.Graph, a.Options.Threads)
		density = func(y *mat.Dense) []float64 { return model.LogDensity(ctx, y, a.Options.Threads) }
	} else {
		model, err := assess.FitGaussian(train, a.Graph)
		if err != nil {
			return nil, err
		}
		density = model.LogDensity
	}
	return func(y *mat.Dense) ([]float64, error) {
		y, _, err := signals.FillMissing(ctx, y)
		if err != nil {
			return nil, err
		}
		return density(y), nil
	}, nil
}

// choose puts the method that [AutoMethod] takes in its place; nil if another one was
// asked for. What was learned meanwhile is kept.
func (p *pipeline) choose(all context.Context) (*MethodChoice, error) {
	if !auto.Is(p.options.Method) {
		return nil, nil //nolint:nilnil // there was nothing to choose
	}
	p.show(Step{Stage: ChoosingMethod})
	learning, endLearning := p.budget.ForLearning(all)
	defer endLearning()
	comparing, endComparing := p.budget.ForChoosing(all)
	defer endComparing()
	problem := p.problem(ChoosingMethod)
	problem.Y = p.signals.Values // codes are of values
	d, err := auto.Choose(learning, comparing, problem, p.signals.Scores,
		func(done, of int) { p.show(Step{Stage: ChoosingMethod, Done: done, Of: of}) })
	p.options.Method = d.Method
	outOfTime := err != nil && all.Err() == nil && (run.OutOfTime(learning) || run.OutOfTime(comparing))
	if outOfTime {
		p.hurried = true
		d.Choice.LimitReached()
		if learning.Err() == nil { // and what was learned is whole
			err = nil
		}
	}
	switch {
	case d.Result != nil:
		p.learned, err = completed(learning, d.Result, err, problem)
	case outOfTime:
		err = nil
	}
	return d.Choice, err
}

// learn runs the method. If ctx ends, the result is the best so far, with the
// status Interrupted, or an error if that has no edges.
func (p *pipeline) learn(all context.Context, choice *MethodChoice) (*method.Result, error) {
	if !intake.UsesScores(p.options.Method, p.options.Prepare.Scores) {
		p.signals.WithoutScores()
	}
	p.show(Step{Stage: Learning, Choice: choice})
	guard.Trip("learning")
	if p.learned != nil {
		return p.learned, nil
	}
	ctx, cancel := p.budget.ForLearning(all)
	defer cancel()
	r, err := runMethod(ctx, p.options.Method, p.problem(Learning))
	if r == nil && all.Err() == nil && run.OutOfTime(ctx) {
		return nil, p.budget.NoGraph()
	}
	return r, err
}

// problem is what the method is given. Its steps are shown as those of a stage.
func (p *pipeline) problem(stage Stage) method.Problem {
	problem := p.options.problem(p.signals.Learned())
	problem.Names, problem.Known = p.signals.Names(), p.signals.Known(p.options.Known)
	problem.Progress = func(s method.Step) { p.show(Step{Stage: stage, Method: p.signals.Step(s)}) }
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
	return completed(ctx, r, err, p)
}

// completed is runMethod after learning.
func completed(ctx context.Context, r *method.Result, err error, p method.Problem) (*method.Result, error) {
	switch interrupted := ctx.Err() != nil; {
	case r == nil:
		return nil, err
	case err != nil && !interrupted:
		return nil, err
	case err != nil:
		r.Status = method.Interrupted
	}
	if r.Status == method.Interrupted && r.Graph.EdgeCount() == 0 {
		return nil, context.Cause(ctx)
	}
	if asked, found := p.Cut.Edges, r.Graph.EdgeCount(); found < asked && r.Status != method.Interrupted {
		r.Warnings = append(slices.Clip(r.Warnings),
			fmt.Sprintf("only %s kept, not the %d requested: all others have weight 0", words.Plural(found, "edge"), asked))
	}
	return r, nil
}

// An Identity says what the bits of a run depend on, part by part.
type Identity = checkpoint.Identity

// RunIdentity returns what the result of [Learn] depends on, to the last bit: a run that
// was broken off can go on if this is the same; see [dataio.OpenCheckpoint]. The number of
// threads has no part in it. Signals or options that cannot be used are an *input.Error.
func RunIdentity(s *Signals, o Options) (Identity, error) {
	o, err := o.resolve(s)
	if err != nil {
		return Identity{}, err
	}
	var times []int64
	for _, t := range s.Times {
		times = append(times, t.UnixNano())
	}
	program := build.Read()
	id := checkpoint.Identity{
		Signals:    checkpoint.Fingerprint(s.Y.RawMatrix(), s.Names, times, s.Dropped, s.Notes),
		Seed:       o.Seed,
		Build:      fmt.Sprintf("%s %s %t", program.Version, program.Revision, program.Modified),
		Arithmetic: runtime.GOARCH + " " + linalg.Arithmetic(),
	}
	o.Seed, o.Threads, o.TimeLimit = 0, 0, 0 // more time may be allowed when it goes on
	if m, ok := o.Method.(method.Canonical); ok {
		o.Method = m.Canonical()
	}
	id.Options = checkpoint.Fingerprint(o)
	return id, nil
}

// Version returns the version of nervure in this build, without the v.
func Version() string { return build.Read().Version }
