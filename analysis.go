package nervure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/auto"
	"github.com/nervure/nervure/internal/evidence"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// An Analysis is a learned graph, how it was learned and how far to trust it.
type Analysis struct {
	Graph   *graph.Graph // after the cut; its edges have a confidence if that was computed
	Weights *graph.Graph // before the cut
	Verdict Verdict
	Status  method.Status // how the whole run ended
	// LimitReached says that [Options.TimeLimit] ended the run: learning, if the status
	// is method.Interrupted, or else a look at the signals or what tells how far to trust
	// the graph.
	LimitReached bool

	Choice      *MethodChoice // of [AutoMethod]; nil if a method was asked for
	Preparation *Preparation
	Result      *method.Result // of the method, whichever it was; learn.ResultOf has the codes of the sparse one
	Structure   *StructureTest // nil if it was not run; Verdict says why
	Confidence  *Confidence    // nil if it was not computed
	Evidence    *EdgeEvidence  // nil if edges were not tested
	Rest        *RestCheck     // of the signals that were not learned from; nil if all were
	// LearningWarnings are reasons to doubt the graph, a sentence each. Preparation
	// has those to doubt the signals; [Analysis.Warnings] returns all.
	LearningWarnings []string
	// Faults are those of the program, each of a part that is missing; warnings name them, too.
	Faults []error

	Notes    []string      // what the reader of the signals assumed
	Options  Options       // as resolved
	Duration time.Duration // of learning, without the structure test and the confidence

	unchecked uncheckedReason         // why there is no structure test
	signals   *intake.Signals         // learned from; what the methods below say of vertices is of those until putAsGiven
	field     *assess.FieldGaussian   // that the signals are on the graph; nil for methods that learn none
	spectrum  *document.FieldSpectrum // the same, for people
	doubt     *MethodChoice           // held-out evidence, if it bounds the confidence of a graph of codes
	found     *evidence.Finding       // what signals say of the edges
	untested  error                   // why they say nothing
}

// What tells how far to trust a graph, and what it is told by.
type (
	// A StructureTest compares how well held-out signals are explained with what signals
	// without structure would give.
	StructureTest = assess.StructureTest
	// Confidence is how likely each edge is to be there.
	Confidence = assess.Confidence
	// HeldOut is how well a method predicts signals that it has not learned from.
	HeldOut = assess.HeldOut
	// An Estimate is a mean with its standard error.
	Estimate = assess.Estimate
	// A RestCheck reports whether signals that were not learned from are like those that were.
	RestCheck = intake.RestCheck
	// A Ranking is an order of methods and a choice among them, made without any truth.
	Ranking = assess.Ranking
	// A Place is a method's in a ranking.
	Place = assess.Place
)

func newAnalysis(o Options, s *intake.Signals, r *method.Result, took time.Duration) *Analysis {
	return &Analysis{
		Graph: r.Graph, Weights: r.Weights, Status: r.Status,
		Preparation: s.Prepared, Result: r, signals: s,
		LearningWarnings: slices.Clip(r.Warnings),
		Notes:            s.Given.Notes, Options: o, Duration: took,
	}
}

// putAsGiven puts what there is back among all vertices, and of each signal into the order in which
// they were given. It comes last: methods, tests and confidence know only what is learned from.
func (a *Analysis) putAsGiven() {
	inner := len(a.Result.Warnings)
	a.Graph, a.Weights, a.Result = a.signals.Graph(a.Graph), a.signals.Graph(a.Weights), a.signals.Result(a.Result)
	a.LearningWarnings = slices.Concat(a.Result.Warnings, a.LearningWarnings[inner:])
	a.Verdict.Edges = a.Graph.EdgeCount()
	a.showConfidence()
	if a.Evidence != nil {
		a.Evidence = a.Evidence.among(a.signals.Shape)
	}
	if columns := a.Preparation.Columns(); columns != nil {
		if own, ok := a.Result.Own.(method.BySignal); ok {
			own.Reorder(columns)
		}
		a.Preparation = a.Preparation.AsGiven()
	}
}

// Warnings returns all reasons for doubt, a sentence each: those about the signals,
// then those about the graph.
func (a *Analysis) Warnings() []string {
	return slices.Concat(a.Preparation.Sentences(), a.LearningWarnings)
}

// PrunedEarly reports whether the run was stopped early and pruned by the fast rule.
func (a *Analysis) PrunedEarly() bool {
	if a.Result.Status != method.Interrupted {
		return false
	}
	if about := a.explanation(); about != nil {
		return about.CodedOn.EdgeCount() == a.Graph.EdgeCount()
	}
	return a.Graph.EdgeCount() < a.Weights.EdgeCount()
}

// explanation says how well the graph explains the signals; nil for methods without codes.
func (a *Analysis) explanation() *method.Explanation {
	e := method.ExplainerOf(a.Result)
	if e == nil {
		return nil
	}
	about := e.Explanation()
	return &about
}

// isCertified reports whether the graph proves itself.
func (a *Analysis) isCertified() bool {
	about := a.explanation()
	return about != nil && about.Certified
}

// Signals returns how many signals were learned from.
func (a *Analysis) Signals() int {
	_, m := a.Preparation.Y.Dims()
	return m
}

// size returns the numbers of vertices and of values learned from.
func (a *Analysis) size() (vertices, values int) {
	n, m := a.signals.Values.Dims()
	return n, n * m
}

func (a *Analysis) warn(format string, args ...any) {
	a.LearningWarnings = append(a.LearningWarnings, fmt.Sprintf(format, args...))
}

// part does what says more of the graph, and reports whether it came to its end: a fault of the program in it
// costs no more than itself.
func (a *Analysis) part(name string, do func()) bool {
	err := guard.Run(name, func() error { do(); return nil })
	if err != nil {
		a.Faults = append(a.Faults, err)
		a.warn("%s", err)
	}
	return err == nil
}

// wantsStructureTest reports whether to test whether the signals show a graph at
// all, and notes why if not.
func (a *Analysis) wantsStructureTest() bool {
	switch {
	case a.isCertified():
		return false
	case a.Graph.Directed():
		a.unchecked = isDirected
	case a.Options.Structure == No:
		a.unchecked = switchedOff
	case a.LimitReached:
		a.unchecked = wasOutOfTime
	case a.Status == method.Interrupted:
		a.unchecked = wasInterrupted
	case a.Graph.EdgeCount() == 0 && a.explanation() == nil:
		a.unchecked = hasNoEdges
	default:
		return true
	}
	return false
}

// testStructure runs the structure test. Where it cannot be run, the analysis says why.
func (a *Analysis) testStructure(ctx context.Context) {
	guard.Trip("structure")
	test, err := a.structureTest(ctx)
	switch {
	case err == nil:
		a.Structure = test
		if !test.Structure {
			a.warn("these signals show no graph structure that this model can detect")
			a.withholdEdges()
		}
	case run.OutOfTime(ctx):
		a.LimitReached, a.unchecked = true, wasOutOfTime
	case ctx.Err() != nil:
		a.Status, a.unchecked = method.Interrupted, wasInterrupted
	default:
		a.unchecked = testFailed
		if fault := input.Find(err); fault != nil && fault.Field != input.Vertices {
			a.unchecked = tooFewSignals
		}
		a.warn("the signals could not be tested for graph structure: %s", input.Sentence(err))
	}
}

// withholdEdges takes out the edges of signals that show no structure: what people draw and
// count must not be chance. Who gives a number of edges or a threshold has asked for them, and so
// has who names a method that is never chosen: its edges may say nothing of held-out signals and
// still be what is to be seen.
func (a *Analysis) withholdEdges() {
	if a.Options.KeepEdges || a.hasRequestedCut() || !auto.Takes(a.Result.Method) || a.Graph.EdgeCount() == 0 {
		return
	}
	none, err := graph.New(a.Graph.Names(), nil)
	if err != nil {
		panic(err) // they are the names of a graph
	}
	a.Graph = none
}

// hasRequestedCut reports whether the number of edges, or the least weight, was given.
func (a *Analysis) hasRequestedCut() bool {
	return a.Result.Cut == graph.CutEdges || a.Result.Cut == graph.CutThreshold
}

// structureTest tests by held-out signals and, where these show nothing, by pairs of vertices.
func (a *Analysis) structureTest(ctx context.Context) (*StructureTest, error) {
	o := assess.StructureOptions{Seed: a.Options.Seed, Threads: a.Options.Threads, Independent: a.Preparation.Rows.Independent()}
	test, err := a.heldOutTest(ctx, o)
	if fault := input.Find(err); fault != nil && fault.Field != input.Vertices {
		if few, cause := assess.TestPairs(ctx, a.signals.Learned(), o); few != nil || cause != nil {
			return few, cause
		}
	}
	if err != nil {
		return nil, err
	}
	return test, test.LookAtPairs(ctx, a.signals.Learned(), o)
}

// heldOutTest tests, of a method that explains signals by codes, its codes, and of any other its
// edges.
func (a *Analysis) heldOutTest(ctx context.Context, o assess.StructureOptions) (*StructureTest, error) {
	if explainer := method.ExplainerOf(a.Result); explainer != nil {
		return assess.TestStructure(ctx, a.signals.Values, explainer, o)
	}
	ctx, leave := run.AbandonedAfter(ctx)
	defer leave()
	test, err := assess.TestEdges(ctx, a.signals.Learned(), assess.EdgesAlone(a.learnAgain), o)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	return test, err
}

// learnAgain learns from some of the signals, with as many edges if the method can.
func (a *Analysis) learnAgain(ctx context.Context, y *mat.Dense) (*graph.Graph, error) {
	p := a.Options.problem(y)
	p.Known = method.Known{} // the vertices are fewer
	if relearner, ok := a.Result.Method.(method.Relearner); ok {
		return relearner.Relearn(ctx, p, a.Graph.EdgeCount())
	}
	r, err := a.Result.Method.Learn(ctx, p)
	if err != nil {
		return nil, err
	}
	return r.Graph, nil
}

// [Auto] computes the confidence up to these sizes. That of a method with codes takes
// about ten times as long as learning, that of any other at most about as long as
// learning by ggl.
const (
	ConfidenceVertices = 150
	ConfidenceValues   = 200_000 // vertices times signals

	FieldConfidenceVertices = 20_000
	FieldConfidenceValues   = 3_000_000  // up to 500 vertices, of which all pairs are looked at
	LargeConfidenceValues   = 40_000_000 // above
)

// isFieldSize reports whether [Auto] computes the confidence of edges that are not known by codes.
func isFieldSize(vertices, values int) bool {
	if vertices > assess.MostDensePairs {
		return vertices <= FieldConfidenceVertices && values <= LargeConfidenceValues
	}
	return values <= FieldConfidenceValues
}

// wantsConfidence reports whether the edges are to get a confidence.
func (a *Analysis) wantsConfidence() bool {
	vertices, values := a.size()
	coded := a.explanation() != nil
	switch {
	case a.Options.Confidence == No || a.Status == method.Interrupted || a.Graph.EdgeCount() == 0:
		return false
	case a.Options.Confidence == Yes:
		return true
	case a.Graph.Directed():
		return false
	case coded:
		return a.isCertified() || vertices <= ConfidenceVertices && values <= ConfidenceValues
	}
	return isFieldSize(vertices, values)
}

// isTooLarge reports whether edges would have a confidence if there were fewer vertices or signals.
func (a *Analysis) isTooLarge() bool {
	vertices, values := a.size()
	return a.Options.Confidence == Auto && a.explanation() == nil && vertices > assess.MostDensePairs &&
		!isFieldSize(vertices, values) &&
		a.Status != method.Interrupted && !a.Graph.Directed() && a.Graph.EdgeCount() > 0
}

// assessEdges gives the edges their confidence. Without structure it is 0: what is
// stable in noise is chance.
func (a *Analysis) assessEdges(ctx context.Context, orderOne func() (*mat.Dense, error), show func(done, all int)) {
	y := a.signals.Learned()
	o := assess.StabilityOptions{Block: a.Options.Block, Seed: a.Options.Seed, Threads: a.Options.Threads}
	if o.Block == 0 {
		o.Block = assess.BlockLength(y)
	}
	confidence, err := withProgress(show, func(report func(done, all int)) (*Confidence, error) {
		o.Report = report
		guard.Trip("confidence")
		switch {
		case a.unchecked == testFailed:
			return nil, errors.New("the structure test failed, and edges that are stable may be artefacts")
		case a.Structure != nil && !a.Structure.Structure:
			return assess.NoConfidence(a.Graph)
		case a.explanation() != nil:
			return a.assessCodes(ctx, orderOne, o)
		}
		y, err := orderOne()
		if err != nil {
			return nil, err
		}
		return assess.FieldConfidence(ctx, y, a.Weights, a.Graph, a.findEvidence(ctx, orderOne), o)
	})
	if err == nil {
		confidence, err = confidence.Bounded(a.mostConfidence())
	}
	switch {
	case err == nil:
		a.Graph, a.Confidence = confidence.Graph, confidence
	case run.OutOfTime(ctx):
		a.skipConfidence()
	case ctx.Err() != nil:
		a.Status = method.Interrupted
	default:
		a.warn("confidence was not computed: %s", input.Sentence(err))
	}
}

const (
	// fewIndependent is the number of independent signals that they must count as for an
	// edge to be called sure, and a graph supported.
	fewIndependent = 10
	// capFewIndependent is the most confidence of an edge where there are fewer.
	capFewIndependent = 0.8
	// capCopiedSensor is the most confidence of an edge of a sensor that carries the
	// same values as another one: they may belong to either.
	capCopiedSensor = 0.5
)

// mostConfidence bounds the confidence of an edge by what is known about its sensors
// and about the signals as a whole.
func (a *Analysis) mostConfidence() func(graph.Edge) float64 {
	most := 1.0
	if a.independent() < fewIndependent {
		most = capFewIndependent
	}
	origin := map[int]bool{}
	for _, f := range a.Preparation.Faults {
		if f.Kind == prepare.Copy {
			origin[f.Origin] = true
		}
	}
	return func(e graph.Edge) float64 {
		if i, j := a.signals.Pair(e.I, e.J); origin[i] || origin[j] {
			return min(most, capCopiedSensor)
		}
		return most
	}
}

// independent returns how many independent signals those learned from count as. Those
// that a certificate speaks for need not be.
func (a *Analysis) independent() float64 {
	switch {
	case a.isCertified():
		return math.Inf(1)
	case intake.IsOutweighed(a.Preparation):
		return 1 // the others are a trace beside them
	case a.Preparation.Rows.Independent():
		return prepare.ObservedValues(a.signals.Learned())
	}
	return prepare.EffectiveObservations(a.signals.Learned())
}

// skipConfidence notes that there is no time for the confidence.
func (a *Analysis) skipConfidence() {
	a.LimitReached = true
	a.warn("edges have no confidence: the time limit of %s left no time for it", a.Options.TimeLimit)
}

// assessCodes is for a graph of a method with codes. Unless held-out signals clearly are
// sums of few patterns, its edges may be artefacts of a wrong model, which may be as
// stable as any: then no confidence is above what signals say of a field.
func (a *Analysis) assessCodes(ctx context.Context, orderOne func() (*mat.Dense, error),
	o assess.StabilityOptions,
) (*Confidence, error) {
	y := a.signals.Values
	c, err := assess.Stability(ctx, y, a.Result, o)
	if err != nil || a.isCertified() {
		return c, err
	}
	choice := a.Choice
	if choice == nil {
		p := method.Problem{Y: y, Kernels: a.explanation().AskedKernels, Seed: a.Options.Seed, Threads: o.Threads}
		if choice, err = auto.Compare(ctx, p, false, nil); err != nil {
			return nil, err
		}
	}
	if choice.Uncompared() != "" || choice.CodesAreClear() {
		return c, nil
	}
	a.doubt = choice
	o.Report = nil
	field, err := assess.FieldConfidence(ctx, y, a.Weights, a.Graph, a.findEvidence(ctx, orderOne), o)
	if err != nil {
		return nil, err
	}
	field.Halves, field.Agreement = c.Halves, c.Agreement
	return field.AtMost(c.Graph.Confidence())
}

// withProgress does work elsewhere and calls show here, as often as the work
// reports: show may be the body of a loop, which belongs to one goroutine.
func withProgress[T any](show func(done, all int), work func(report func(done, all int)) (T, error)) (T, error) {
	type state struct{ done, all int }
	states, gone := make(chan state), make(chan struct{})
	defer close(gone) // also if show panics: the work must not wait for it
	var value T
	var err error
	var aside guard.Group
	aside.Go(func() {
		defer close(states)
		value, err = work(func(done, all int) {
			select {
			case states <- state{done, all}:
			case <-gone:
			}
		})
	})
	for s := range states {
		show(s.done, s.all)
	}
	aside.Wait()
	return value, err
}

// SureLevel is the confidence from which on an edge is called sure.
const SureLevel = 0.9
