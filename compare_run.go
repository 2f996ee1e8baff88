package nervure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/auto"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// comparisonRun is one run of Compare.
type comparisonRun struct {
	options CompareOptions
	signals *intake.Signals
	folds   int
	limit   time.Duration // for each method; 0 means none
}

const (
	// usualLimit is how long each method may take where signals are many.
	usualLimit = 90 * time.Second
	// sizePerSecond is N²M for each second where that is more: a field of 2500 vertices takes 5 s, its half
	// included, and one of 10,000 takes 30 s.
	sizePerSecond = 1_000_000_000
)

// errCutOff is the cause when a method has used up its time.
var errCutOff = errors.New("its time was used up")

func (c *comparisonRun) run(ctx context.Context, s *Signals, show func(CompareStep)) (*Comparison, error) {
	all, err := intake.ForComparison(ctx, s, intake.Request{
		Prepare: c.options.Prepare, BadSensors: c.options.BadSensors,
		Scores: slices.ContainsFunc(c.options.Methods,
			func(m method.Method) bool { return intake.UsesScores(m, c.options.Prepare.Scores) }),
	})
	if err != nil {
		return nil, err
	}
	prepared := all.Prepared
	c.signals = all
	var notTried []string
	if c.options.Timely {
		n, _ := all.Values.Dims()
		c.options.Methods = slices.DeleteFunc(slices.Clone(c.options.Methods), func(m method.Method) bool {
			e, _ := MethodByName(m.Name())
			isSlow := e.MostCompared > 0 && n > e.MostCompared
			if isSlow {
				notTried = append(notTried, m.Name())
			}
			return isSlow
		})
		if len(notTried) > 0 && len(c.options.Methods) == 0 {
			return nil, input.Errorf("nervure", "methods",
				"Timely leaves out all of them, because with %d vertices each may take minutes: %s", n, words.List(notTried, "and"))
		}
	}
	c.folds, c.limit = c.chooseFolds(), c.chooseLimit()
	result := &Comparison{Preparation: prepared.AsGiven(), NotTried: notTried, Options: c.options, Folds: c.folds}
	if c.folds == 0 && !c.options.Unranked {
		_, m := prepared.Y.Dims()
		result.Unranked = fmt.Sprintf("methods are not ranked: %s are too few for cross-validation", words.Plural(m, "signal"))
	}
	show(CompareStep{Preparation: prepared, Of: len(c.options.Methods)})
	if err := c.sideBySide(ctx, result, show); err != nil {
		return nil, err
	}
	result.Interrupted = ctx.Err() != nil
	if result.rank(func(list []assess.Contender) assess.Favoured { return c.favoured(ctx, list) }); result.Ranking == nil &&
		c.folds > 0 && len(result.LeftOut) > 0 {
		result.Unranked = fmt.Sprintf("methods are not ranked: none was done within %s", c.limit)
	}
	if err := result.agree(); err != nil {
		return nil, err
	}
	if result.Interrupted {
		return result, context.Cause(ctx)
	}
	return result, nil
}

// favoured returns the method that [Learn] takes of these, by the same rule and the same evidence.
func (c *comparisonRun) favoured(ctx context.Context, list []assess.Contender) assess.Favoured {
	if c.limit > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, c.limit, errCutOff)
		defer cancel()
		ctx = limited
	}
	return auto.Favoured(ctx, method.Problem{
		Y: c.signals.Values, Kernels: c.options.Kernels, Seed: c.options.Seed,
		Threads: c.options.Threads,
	}, c.signals.Scores != nil, list)
}

// chooseLimit returns how long each method may take, 0 for no limit.
func (c *comparisonRun) chooseLimit() time.Duration {
	switch {
	case c.options.NoTimeLimit:
		return 0
	case c.options.TimeLimit > 0:
		return c.options.TimeLimit
	}
	return limitBySize(c.size())
}

// limitBySize returns how long each method may take by the size N²M, 0 for no limit.
func limitBySize(size float64) time.Duration {
	if size > sizeForManyFolds {
		return max(usualLimit, time.Duration(size/sizePerSecond)*time.Second)
	}
	return 0
}

// A methodEvent is what a method at work, the one of the step's index, has to tell: a step, or its end.
type methodEvent struct {
	step    CompareStep
	outcome *methodOutcome // nil for a step
}

// A methodOutcome is the end of a method.
type methodOutcome struct {
	row     *Compared // nil if ctx cut it short
	heldOut int       // signals behind its HeldOutError
	err     error     // a fault of ours
}

// sideBySide runs the methods, one on each thread, and adds what came of them in the
// order asked for. Steps are shown of the first method that is not done yet.
func (c *comparisonRun) sideBySide(ctx context.Context, into *Comparison, show func(CompareStep)) error {
	methods := c.options.Methods
	workers := min(max(c.options.Threads, 1), len(methods))
	events := make(chan methodEvent)
	var aside guard.Group
	aside.Go(func() {
		defer close(events)
		checkpoint.EachPart(ctx, "methods", workers, len(methods), func(ctx context.Context, k int) {
			w := methodRun{
				comparisonRun: c, method: methods[k], threads: max(c.options.Threads/workers, 1),
				at:   CompareStep{Name: c.label(k), Index: k + 1, Of: len(methods)},
				tell: func(s CompareStep) { events <- methodEvent{step: s} },
			}
			outcome := w.safely(ctx)
			events <- methodEvent{w.at, &outcome}
		})
	})
	ended := make([]*methodEvent, len(methods))
	first := 0 // that is not done yet
	for e := range events {
		if e.outcome == nil {
			if e.step.Index == first+1 {
				show(e.step)
			}
			continue
		}
		ended[e.step.Index-1] = &e
		for ; first < len(methods) && ended[first] != nil; first++ {
			into.add(ended[first], show)
		}
	}
	aside.Wait()
	for _, e := range ended {
		if e != nil && e.outcome.err != nil { // all have ended, unless only one was to be done
			return e.outcome.err
		}
	}
	return nil
}

// add takes in the outcome of a method.
func (c *Comparison) add(e *methodEvent, show func(CompareStep)) {
	row := e.outcome.row
	if row == nil {
		return
	}
	c.Methods = append(c.Methods, *row)
	c.SignalsHeldOut = max(c.SignalsHeldOut, e.outcome.heldOut)
	if row.CutOff {
		c.LeftOut = append(c.LeftOut, row.Name)
		if row.Result != nil && row.Result.Status != method.Interrupted {
			c.Unjudged = append(c.Unjudged, row.Name)
		}
	}
	e.step.Compared = row
	show(e.step)
}

// A methodRun is a method at work.
type methodRun struct {
	*comparisonRun
	method  method.Method
	threads int
	at      CompareStep
	tell    func(CompareStep)
}

// safely runs the method: a fault of the program in one costs none of the others.
func (w *methodRun) safely(ctx context.Context) (outcome methodOutcome) {
	err := guard.Run("the method "+w.at.Name, func() error {
		guard.Trip(w.at.Name)
		outcome = w.run(ctx)
		return nil
	})
	if err != nil {
		return methodOutcome{row: &Compared{Name: w.at.Name, Err: err}}
	}
	return outcome
}

// run runs the method on all signals and on folds of them.
func (w *methodRun) run(all context.Context) methodOutcome {
	if all.Err() != nil {
		return methodOutcome{}
	}
	ctx, leave := run.AbandonedAfter(all) // a method that is not done is not shown
	defer leave()
	if w.limit > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, w.limit, errCutOff)
		defer cancel()
		last, cancelLast := context.WithTimeoutCause(ctx, w.limit+w.limit/2, errCutOff)
		defer cancelLast()
		ctx = run.WithGrace(limited, last)
	}
	w.begin(LearningGraph)
	begun := time.Now()
	r, err := runMethod(ctx, w.method, w.problem())
	if all.Err() != nil && (r == nil || r.Status == method.Interrupted) {
		return methodOutcome{}
	}
	row := &Compared{Name: w.at.Name, Err: err}
	if r == nil {
		if row.CutOff = ctx.Err() != nil; row.CutOff {
			row.Err = fmt.Errorf("no graph within %s", w.limit)
		}
		return methodOutcome{row: row}
	}
	took, _ := checkpoint.Piece(ctx, "took", codeDuration,
		func(context.Context) (time.Duration, error) { return time.Since(begun), nil })
	r = w.signals.Result(r)
	row.Result, row.Duration, row.Warnings = r, took, slices.Clip(r.Warnings)
	if r.Status == method.MaxRounds && method.ExplainerOf(r) == nil {
		row.warn("stopped at the limit of %s before it converged", words.Plural(r.Rounds, "iteration"))
	}
	if err := row.score(w.options.Truth); err != nil {
		return methodOutcome{err: err}
	}
	outcome := methodOutcome{row: row}
	if r.Status != method.Interrupted {
		outcome.heldOut = w.holdOutSignals(ctx, row)
	}
	judged := row.HeldOut != nil || !w.ranked()
	if all.Err() != nil && !judged {
		return methodOutcome{}
	}
	if ctx.Err() != nil && all.Err() == nil && (r.Status == method.Interrupted || !judged) {
		row.CutOff = true
		what := "its graph is the best so far"
		if r.Status != method.Interrupted {
			what = "its graph was learned, but not judged by held-out signals"
		}
		row.warn("cut off after %s: %s", w.limit, what)
	}
	return outcome
}

func codeDuration(c *checkpoint.Coder, d *time.Duration) { c.Struct(d) }

// holdOutSignals judges what the method has learned by signals that it has not learned
// from, and returns how many are behind its HeldOutError.
func (w *methodRun) holdOutSignals(ctx context.Context, row *Compared) (heldOut int) {
	// What a method with codes chose takes most of its time, and is kept in the folds. The others
	// choose again, so that nothing of the held-out signals is in their parameters.
	again, coded := w.method, method.ExplainerOf(row.Result) != nil
	if coded {
		again = row.Result.Method
	}
	if coded && w.options.Truth == nil {
		w.begin(CodingHeldOut)
		var err error
		if row.HeldOutError, heldOut, err = w.heldOutError(ctx, again); err != nil { // the graph is none the worse
			row.warn("the held-out error was not computed: %s", input.Sentence(err))
		}
	}
	switch {
	case w.folds > 0 && !w.ranked():
		row.warn("not ranked: held-out signals are predicted without regard to their order in time")
	case w.folds > 0:
		w.begin(RankingByHeldOut)
		var err error
		if row.HeldOut, err = w.holdOut(ctx, again); err != nil && !errors.Is(err, errCutOff) {
			row.warn("not ranked: learning from folds of the signals failed: %s", input.Sentence(err))
		}
	}
	return heldOut
}

// ranked reports whether the method is to be ranked by held-out signals.
func (w *methodRun) ranked() bool {
	return w.folds > 0 && !method.Has(w.method, method.UsesOrder)
}

// label is the name of the k-th method, with a number if it was there before.
func (c *comparisonRun) label(k int) string {
	name, times := c.options.Methods[k].Name(), 1
	for _, m := range c.options.Methods[:k] {
		if m.Name() == name {
			times++
		}
	}
	if times == 1 {
		return name
	}
	return fmt.Sprintf("%s (%d)", name, times)
}

func (w *methodRun) begin(doing CompareStage) {
	w.at.Doing = doing
	w.tell(w.at)
}

// learnedFrom returns the signals as the method has them.
func (w *methodRun) learnedFrom() *mat.Dense {
	switch {
	case intake.UsesScores(w.method, w.options.Prepare.Scores):
		return w.signals.Learned()
	case method.Has(w.method, method.UsesOrder):
		return w.signals.Rows(w.signals.Prepared.AsGiven().Y)
	}
	return w.signals.Values
}

// problem is what every method is given.
func (w *methodRun) problem() method.Problem {
	o := w.options
	return method.Problem{
		Y: w.learnedFrom(), Names: w.signals.Names(), Kernels: o.Kernels, Cut: o.Cut, Seed: o.Seed, Threads: w.threads,
		Progress: func(s method.Step) {
			step := w.at
			step.Method = w.signals.Step(s)
			w.tell(step)
		},
	}
}

// Up to the size N²M of the first there are many folds, up to the second there are
// few, and beyond it one half of the signals is held out: then a method learns twice
// in all, and one that has its graph in half of the time is judged in the other half.
// So many signals tell methods apart by one half. The number is fixed by size and not
// by time, and is the same for all methods, so that a comparison is fair and can be
// repeated.
const (
	sizeForManyFolds = 10_000_000
	sizeForFewFolds  = 300_000_000
	manyFolds        = 5
	fewFolds         = 2
)

// size is N²M.
func (c *comparisonRun) size() float64 {
	n, m := c.signals.Values.Dims()
	return float64(n) * float64(n) * float64(m)
}

// chooseFolds returns how many folds of signals are held out, 0 if there are too few
// signals or none are wanted.
func (c *comparisonRun) chooseFolds() int {
	_, m := c.signals.Values.Dims()
	folds := manyFolds
	switch {
	case c.options.Unranked:
		return 0
	case c.options.Folds > 0:
		folds = c.options.Folds
	case c.size() > sizeForFewFolds:
		folds = 1
	case c.size() > sizeForManyFolds:
		folds = fewFolds
	}
	if m < 2*max(folds, 2) {
		return 0
	}
	return folds
}

// holdOut returns how a method, with what it chose from all signals as given, does
// on folds of signals that it has not learned from.
func (w *methodRun) holdOut(ctx context.Context, m method.Method) (*HeldOut, error) {
	ctx, leave := run.AbandonedAfter(ctx)
	defer leave()
	return assess.HoldOut(ctx, w.signals.Learned(),
		func(ctx context.Context, train *mat.Dense) (*graph.Graph, assess.SignalModel, error) {
			p := w.problem()
			p.Y = train
			r, err := runMethod(ctx, m, p)
			switch {
			case ctx.Err() != nil:
				return nil, nil, context.Cause(ctx)
			case err != nil:
				return nil, nil, err
			case r.Graph.Vertices() > assess.MostTestedVertices:
				return r.Graph, nil, nil // own models have no part there
			}
			if own, ok := r.Method.(fieldMethod); ok && r.Graph.EdgeCount() > 0 && r.Graph.Negative() == 0 &&
				r.Graph.Vertices() <= assess.MostFieldVertices {
				if train, _, err = signals.FillMissing(ctx, train); err != nil { // as for the Gaussian on the edges
					return nil, nil, err
				}
				k, fixed := own.FieldKernel()
				field, err := assess.FieldModel(train, r.Graph, k, fixed, p.Threads)
				return r.Graph, field, err
			}
			explainer := method.ExplainerOf(r)
			if explainer == nil || matrix.Missing(train) > 0 {
				return r.Graph, nil, nil // no model of the signals, or not of all of them
			}
			about := explainer.Explanation()
			if about.CommonModeRemoved {
				return r.Graph, nil, nil
			}
			own, err := assess.CodeModel(train, r.Graph, about.Kernels, about.Sparsity, p.Threads)
			return r.Graph, own, err
		}, assess.HeldOutOptions{Folds: w.folds, Seed: w.options.Seed, Threads: w.threads, Learned: w.learnedFrom()})
}

// heldOutError learns by a method with codes from four fifths of the signals, drawn
// at random, codes the others on the graph, and returns ‖Y − DX‖²/‖Y‖² of those
// and how many they are. There is no error, nil, if the signals are too few, do
// not suffice for learning, or ctx ends.
func (w *methodRun) heldOutError(ctx context.Context, m method.Method) (*float64, int, error) {
	p := w.problem()
	_, count := p.Y.Dims()
	order := rng.Stream(w.options.Seed, "held-out").Perm(count)
	held, used := order[:count/5], order[count/5:]
	if len(held) == 0 {
		return nil, 0, nil
	}
	slices.Sort(held)
	slices.Sort(used)
	test := matrix.Columns(p.Y, held)
	p.Y = matrix.Columns(p.Y, used)
	r, err := runMethod(ctx, m, p)
	if ctx.Err() != nil || input.Find(err) != nil {
		r, err = nil, nil
	}
	if r == nil {
		return nil, 0, err
	}
	left, energy, err := method.ExplainerOf(r).Residuals(p.Y, test, p.Threads)
	if err != nil || portable.Sum(energy) == 0 {
		return nil, 0, err
	}
	share := portable.Sum(left) / portable.Sum(energy)
	return &share, len(held), nil
}
