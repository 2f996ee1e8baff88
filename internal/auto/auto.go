// Package auto chooses the method for signals by what was held out of them.
package auto

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// Method learns by the method that held-out signals speak for: the sparse method, if
// codes of few atoms make them likelier than any edges can by themselves, or else
// [baseline.Field], whose edges say which vertices predict each other. Signals that
// are sums of few patterns are far likelier by codes, even with much noise. Too few
// signals of a field may look so, too: see docs/method.md for how often.
//
// The sparse method itself comes first: where it proves its graph, that is the result. The
// choice then looks at a sample of the signals. Cheap evidence comes first: a spanning
// tree has most of what edges can say, so ggl is tried only where codes are neither
// likelier than any edges can be expected to be nor less likely than those of a tree. With more
// than 1000 vertices, or from 500 on if that is clear, the choice is by how signals are spread over these; see chooseLarge.
type Method struct{}

// fieldMethod is the method for signals that are not sums of few patterns.
var fieldMethod = baseline.Field{}

// Entry describes the method to a registry.
var Entry = method.Entry{
	Default: Method{}, Source: "maretic2017",
	About: "sparse if held-out signals are likelier as sums of few patterns, otherwise field",
}

// Name returns "auto".
func (Method) Name() string { return "auto" }

// Learn keeps the contract of [method.Method]. The method of the result is the one
// that was chosen.
func (Method) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	d, err := Choose(ctx, ctx, p, nil, nil)
	if err != nil || d.Result != nil {
		return d.Result, err
	}
	return d.Method.Learn(ctx, p)
}

const (
	// decisiveZ is how many standard errors make a difference clear.
	decisiveZ = 2
	// minCodesZ is how many standard errors codes must gain for a confidence to rest
	// on them alone. Signals of the sparse model gain 5 and more, except few ones under
	// much noise; those of fields gain up to 4 if codes seem to be better than edges.
	minCodesZ = 4.5
	// mostOverTree is how many times as much as a spanning tree the edges of a field
	// gain at most.
	mostOverTree = 2
	// muchPredicted is the share of hidden values above which edges that predict them are taken in
	// doubt, that is, where codes do not win: those of wide patterns predict as much, and codes win.
	muchPredicted = 0.3
	// leastSignals is the number of signals below which nothing can be held out.
	leastSignals = 10
)

// Is reports whether a method is left to be chosen.
func Is(m method.Method) bool {
	switch m.(type) {
	case Method, *Method:
		return true
	}
	return false
}

// Takes reports whether a method is one of those that are chosen between.
func Takes(m method.Method) bool {
	return m.Name() == fieldMethod.Name() || m.Name() == (learn.Sparse{}).Name()
}

// A Choice says which method [Method] took, and on what evidence.
type Choice struct {
	Method  string
	Proved  bool // the sparse method left nothing for others to explain: they were not compared
	Signals int  // that were held out, half of them at a time; 0 if methods were not compared

	// How much likelier held-out signals are than without a graph, in nats per signal:
	Codes assess.Estimate // by the codes of the sparse method
	Edges assess.Estimate // by edges
	// Difference is that of the two, signal by signal.
	Difference assess.Estimate
	// Predicted is the share of the energy of hidden values that the edges predict, and
	// PredictedByCodes the share that the codes do.
	Predicted, PredictedByCodes float64
	// EdgesOf is what makes held-out signals as likely as Edges says: the edges of tree, ggl or ggm,
	// or the covariance, without any.
	EdgesOf string

	uncompared string // why methods were not compared
	failed     string // the method that was taken before, and cannot learn from these signals
}

// Because says why the method was chosen, as a part of a sentence.
func (c *Choice) Because() string {
	own, other, of := c.PredictedByCodes, c.Predicted, "a simple Gaussian graph"
	if c.IsField() {
		own, other, of = other, own, "the sparse model"
	}
	switch {
	case c.uncompared != "":
		return c.uncompared
	case c.Proved:
		return "a few patterns for each signal leave nothing unexplained"
	case !c.IsField() && !c.codesWin(1):
		return "edges alone do not predict held-out signals"
	case c.IsField() && !c.edgesWin() && c.codesLose():
		return "it finds edges, and the sparse model makes held-out signals less likely than these do"
	case c.IsField() && !c.edgesWin():
		return "it finds edges, and the sparse model does not make held-out signals likelier than these do"
	case !(own > max(other, 0)): // or one of them is not known
		return fmt.Sprintf("held-out signals are likelier under it than under %s (by %.3g nats per signal)", of,
			math.Abs(c.Difference.Mean))
	case c.IsField():
		return fmt.Sprintf("a simple Gaussian graph predicts %s of hidden values, %s %s", words.Percent(own), of,
			words.Percent(max(other, 0)))
	}
	return fmt.Sprintf("it predicts %s of hidden values, %s %s", words.Percent(own), of, words.Percent(max(other, 0)))
}

// IsField reports whether the method for fields was taken.
func (c *Choice) IsField() bool { return c.Method == fieldMethod.Name() }

// Uncompared says why methods were not compared; empty if they were.
func (c *Choice) Uncompared() string { return c.uncompared }

// Instead takes the next best method where the one that was taken cannot learn from the signals, for
// the given reason: the other of the two, and then a spanning tree, which any signals have. It
// reports whether there was one to take; there is none if methods were not chosen between.
func (c *Choice) Instead(fault *input.Error) bool {
	if c == nil || fault == nil || c.Method == (baseline.Tree{}).Name() {
		return false
	}
	failed, next := c.Method, c.Other()
	if c.failed != "" {
		next = baseline.Tree{}.Name()
	}
	c.uncompared = fmt.Sprintf("%s cannot be used (%s)", failed, fault.Fault())
	c.Method, c.failed = next, failed
	return true
}

// Taken returns the method that was taken, with its defaults.
func (c *Choice) Taken() method.Method {
	return c.entry().Default
}

// entry returns the method that was taken, as the registry has it.
func (c *Choice) entry() method.Entry {
	all := append(learn.Methods(), baseline.Methods()...)
	return all[slices.IndexFunc(all, func(e method.Entry) bool { return e.Name() == c.Method })]
}

// LimitReached notes that there was no time to compare methods, unless what was seen decided.
func (c *Choice) LimitReached() {
	if c.uncompared != "" {
		c.uncompared = "the time limit left no time to compare methods"
	}
}

// Title is the name of the method, spelled out.
func (c *Choice) Title() string { return c.entry().Spelled() }

// String returns which method was chosen, and why.
func (c *Choice) String() string { return "method: " + c.Title() + ": " + c.Because() }

// Other returns the method that was not chosen; empty if it cannot learn from these signals.
func (c *Choice) Other() string {
	if c.failed != "" {
		return ""
	}
	if sparse := (learn.Sparse{}).Name(); c.Method != sparse {
		return sparse
	}
	return fieldMethod.Name()
}

// codesWin reports whether held-out signals are clearly likelier by codes than edges
// would make them that gain that many times as much as those tried.
func (c *Choice) codesWin(times float64) bool {
	return c.Codes.Mean > decisiveZ*c.Codes.StdErr && c.Difference.Mean-(times-1)*max(c.Edges.Mean, 0) > decisiveZ*c.Difference.StdErr
}

// CodesWin reports whether held-out signals are clearly likelier by codes than by edges, or codes
// leave nothing to explain: not only that edges say nothing.
func (c *Choice) CodesWin() bool { return c.Proved || c.uncompared == "" && c.codesWin(1) }

// CodesAreClear reports whether held-out signals are sums of few patterns beyond doubt:
// their codes gain by far more than chance, and clearly more than twice what edges do.
// Too few signals of a field, or such that depend on each other in time, may make codes
// look better than edges, but never that clearly.
func (c *Choice) CodesAreClear() bool {
	return c.Proved ||
		c.Codes.Mean > minCodesZ*c.Codes.StdErr && c.Difference.Mean-max(c.Edges.Mean, 0) > decisiveZ*c.Difference.StdErr
}

// edgesWin reports whether edges make held-out signals clearly likelier than none do,
// and codes do not make them clearly likelier than edges.
func (c *Choice) edgesWin() bool {
	return !c.codesWin(1) && c.Edges.Mean > decisiveZ*c.Edges.StdErr
}

// edgesMay reports whether edges may be right although held-out signals do not say so clearly: codes
// do not make these likelier, and are worse, or edges better than none or good at predicting.
func (c *Choice) edgesMay() bool {
	return !c.codesWin(1) && (c.codesLose() || c.Edges.Mean > max(c.Codes.Mean, 0) || c.Predicted > muchPredicted)
}

// codesLose reports whether codes make held-out signals clearly less likely than edges do.
func (c *Choice) codesLose() bool { return -c.Difference.Mean > decisiveZ*c.Difference.StdErr }

// Favoured says which method is taken of those that were compared with others, by the same rule as
// in [Choose], with a field of scores if scored is true; none if one of the two is not among them,
// or one proves itself, or nothing speaks for either.
func Favoured(ctx context.Context, p method.Problem, scored bool, list []assess.Contender) assess.Favoured {
	edges, coded := -1, false
	for _, other := range list {
		switch {
		case other.Certified:
			return assess.Favoured{}
		case other.Name == fieldMethod.Name():
			edges = other.Edges
		case other.Name == sparseMethod(p).Name():
			coded = true
		}
	}
	if edges < 0 || !coded || ctx.Err() != nil {
		return assess.Favoured{}
	}
	choice, _ := Compare(ctx, p, scored, nil)
	return choice.favoured(edges)
}

// favoured returns which method is taken by this evidence if the one for fields finds that many edges.
func (c *Choice) favoured(fieldEdges int) assess.Favoured {
	switch {
	case c == nil || c.uncompared != "":
		return assess.Favoured{}
	case c.IsField() || c.codesWin(1):
	case c.edgesMay() && fieldEdges > 0:
		taken := *c
		taken.Method = fieldMethod.Name()
		c = &taken
	default:
		return assess.Favoured{}
	}
	return assess.Favoured{Name: c.Method, Because: "nervure learn takes it, by a test of its own on halves of the signals: " + c.Because()}
}

// A Decision is the method that was chosen.
type Decision struct {
	Method method.Method
	Choice *Choice
	// Result is what the method has learned, if that is why it was chosen or if there was no time
	// to choose, or the best so far if the context of learning ended before; else nil. What was
	// seen of it is then kept.
	Result *method.Result
}

// Choose decides between the sparse method and the one for fields. Where the sparse method proves
// itself, what it has learned is the result; this takes as long as learning, and steps are shown
// to p.Progress. If learning ends meanwhile, the result is the best so far, with the cause.
// Otherwise methods are compared until the second context ends, and tried, if that is not nil, is
// told on how many halves of the signals the sparse method was tried. If that context ends too
// soon, what was seen decides, with the cause; see inHaste. scores are what a field is learned from,
// nil if that is p.Y.
func Choose(learning, comparing context.Context, p method.Problem, scores *mat.Dense, tried func(done, of int)) (Decision, error) {
	sparse, field := sparseMethod(p), p
	if scores != nil {
		field.Y = scores
	}
	if p.Kernels == nil && p.Cut == (graph.Cut{}) && (isLarge(p) || isPlainField(p.Y)) {
		return chooseLarge(learning, p, field)
	}
	if why := incomparable(p); why != "" {
		return Decision{Method: sparse, Choice: &Choice{Method: sparse.Name(), uncompared: why}}, nil
	}
	found := prove(learning, p)
	if found.result != nil || found.err != nil {
		c := &Choice{Method: sparse.Name(), Proved: found.err == nil}
		if found.err != nil {
			c.uncompared = endedBefore
		}
		return Decision{sparse, c, found.result}, found.err
	}
	choice, err := Compare(comparing, p, scores != nil, tried)
	if err != nil && comparing.Err() != nil {
		return inHaste(learning, field, choice, found.left), err
	}
	switch {
	case choice != nil && choice.IsField():
		return Decision{Method: fieldMethod, Choice: choice}, err
	case choice != nil && choice.uncompared == "" && choice.edgesMay():
		return withoutCodes(learning, p, field, choice), err
	}
	return Decision{Method: sparse, Choice: choice}, err
}

// withoutCodes decides where held-out signals speak for neither codes nor edges: the method for
// fields is taken if it finds any edges, which it does not among sums of few patterns; nor among
// their normal scores, but there it may by chance.
func withoutCodes(learning context.Context, p, field method.Problem, choice *Choice) Decision {
	sparse := Decision{Method: sparseMethod(p), Choice: choice}
	r, err := fieldMethod.Learn(learning, p)
	if err != nil || r.Graph.EdgeCount() == 0 {
		return sparse
	}
	if field.Y != p.Y {
		if r, err = fieldMethod.Learn(learning, field); err != nil || r.Graph.EdgeCount() == 0 {
			return sparse
		}
	}
	choice.Method = fieldMethod.Name()
	return Decision{fieldMethod, choice, r}
}

// endedBefore is why methods were not compared where only what was learned by then is left.
const endedBefore = "learning ended before methods were compared"

// inHaste decides where there was no time to compare methods to the end. The sparse method, which has
// left too much of the signals to prove its graph, is taken only if held-out signals speak for it. Otherwise
// the field is learned, of order one if time is up. The sparse method stands in where that finds no
// edges, with what it has left if time is up.
func inHaste(learning context.Context, p method.Problem, choice *Choice, left *method.Result) Decision {
	sparse, soonest := Decision{Method: sparseMethod(p), Choice: choice}, fieldMethod
	if learning.Err() != nil {
		sparse.Result, soonest.Order = left, 1
	}
	if choice.uncompared == "" && !choice.IsField() {
		return sparse
	}
	// With more time the result may be another: nothing of it is kept for a run that goes on.
	r, _ := soonest.Learn(checkpoint.Without(learning), p)
	if r == nil && !run.OutOfTime(learning) { // whoever has stopped it waits no longer, and what is left was hardly begun
		sparse.Result = nil
	}
	if r == nil || r.Graph.EdgeCount() == 0 {
		sparse.Choice = &Choice{Method: sparse.Method.Name(), uncompared: endedBefore}
		return sparse
	}
	choice.Method = fieldMethod.Name()
	return Decision{fieldMethod, choice, r}
}

// incomparable says why methods cannot be compared; empty if they can.
func incomparable(p method.Problem) string {
	switch _, m := p.Y.Dims(); {
	case isLarge(p):
		return fmt.Sprintf("methods are compared up to %d vertices", assess.MostTestedVertices)
	case m < leastSignals:
		return fmt.Sprintf("%s are too few to compare methods", words.Plural(m, "signal"))
	}
	return ""
}

// isLarge reports whether there are too many vertices for methods to be compared by held-out signals.
func isLarge(p method.Problem) bool {
	n, _ := p.Y.Dims()
	return n > assess.MostTestedVertices
}

// Compare says which of the two methods held-out signals speak for; scored is whether a field is
// learned from normal scores. See [Choose] for tried.
func Compare(ctx context.Context, p method.Problem, scored bool, tried func(done, of int)) (*Choice, error) {
	return checkpoint.Piece(ctx, "choice", codeChoice, func(ctx context.Context) (*Choice, error) {
		if why := incomparable(p); why != "" {
			return &Choice{Method: learn.Sparse{}.Name(), uncompared: why}, nil
		}
		return evidence(ctx, p, scored, tried)
	})
}

// codeChoice codes a choice, so that it is not made again when a run goes on.
func codeChoice(c *checkpoint.Coder, choice **Choice) {
	if c.Reading() {
		*choice = &Choice{}
	}
	why := (*choice).uncompared
	(*choice).uncompared = "" // a struct is coded only if all that it does not export is zero
	c.Struct(*choice)
	c.String(&why)
	(*choice).uncompared = why
}

// without notes that methods could not be compared.
func (c *Choice) without(err error) *Choice {
	c.uncompared = "methods could not be compared: " + input.Sentence(err)
	return c
}

// CommonMode keeps the contract of [method.CommonModeUser]: both methods see to it themselves.
func (Method) CommonMode(*mat.Dense, []kernel.Kernel) method.CommonMode { return method.OwnCommonMode }
