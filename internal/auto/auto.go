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
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// Method learns by the method that held-out signals speak for: the sparse method, if
// codes of few atoms make them likelier than any edges can by themselves, or else
// [baseline.GGL], whose edges say which vertices predict each other. Signals that
// are sums of few patterns are far likelier by codes, even with much noise. Too few
// signals of a field may look so, too: see docs/method.md for how often.
//
// The choice looks at a sample of the signals. Cheap evidence comes first: a spanning
// tree has most of what edges can say, so ggl is tried only where codes are neither
// likelier than any edges can be expected to be nor less likely than those of a tree.
type Method struct{}

// fieldMethod is the method for signals that are not sums of few patterns.
var fieldMethod = baseline.GGL{}

// Entry describes the method to a registry.
var Entry = method.Entry{
	Default: Method{}, Source: "maretic2017",
	About: "sparse if held-out signals are likelier as sums of few patterns, otherwise ggl",
}

// Name returns "auto".
func (Method) Name() string { return "auto" }

// Learn keeps the contract of [method.Method]. The method of the result is the one
// that was chosen.
func (Method) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	chosen, _, err := Choose(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	return chosen.Learn(ctx, p)
}

const (
	// autoRounds is how long the sparse method is tried for.
	autoRounds = 10
	// decisiveZ is how many standard errors make a difference clear.
	decisiveZ = 2
	// minCodesZ is how many standard errors codes must gain for a confidence to rest
	// on them alone. Signals of the sparse model gain 5 and more, except few ones under
	// much noise; those of fields gain up to 4 if codes seem to be better than edges.
	minCodesZ = 4.5
	// mostOverTree is how many times as much as a spanning tree the edges of a field
	// gain at most.
	mostOverTree = 2
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

// A Choice says which method [Method] took, and on what evidence.
type Choice struct {
	Method  string
	Signals int // that were held out, half of them at a time; 0 if methods were not compared

	// How much likelier held-out signals are than without a graph, in nats per signal:
	Codes assess.Estimate // by the codes of the sparse method
	Edges assess.Estimate // by edges
	// Difference is that of the two, signal by signal.
	Difference assess.Estimate
	// Predicted is the share of the energy of hidden values that the edges predict, and
	// PredictedByCodes the share that the codes do.
	Predicted, PredictedByCodes float64
	EdgesOf                     string // the method whose edges these are: tree or ggl

	uncompared string // why methods were not compared
}

// Because says why the method was chosen, as a part of a sentence.
func (c *Choice) Because() string {
	own, other, of := c.PredictedByCodes, c.Predicted, "edges alone"
	if c.IsField() {
		own, other, of = other, own, "the sparse model"
	}
	switch {
	case c.uncompared != "":
		return c.uncompared
	case !c.IsField() && !c.codesWin(1):
		return "edges alone do not predict held-out signals"
	case own <= other || own <= 0:
		return fmt.Sprintf("held-out signals are likelier under it than under %s (by %.3g nats per signal)", of, math.Abs(c.Difference.Mean))
	case c.IsField():
		return fmt.Sprintf("edges predict %s of hidden values; %s %s", words.Percent(own), of, words.Percent(max(other, 0)))
	}
	return fmt.Sprintf("it predicts %s of hidden values; %s %s", words.Percent(own), of, words.Percent(max(other, 0)))
}

// IsField reports whether the method for fields was taken.
func (c *Choice) IsField() bool { return c.Method == fieldMethod.Name() }

// Uncompared says why methods were not compared; empty if they were.
func (c *Choice) Uncompared() string { return c.uncompared }

// LimitReached notes that there was no time to compare methods.
func (c *Choice) LimitReached() { c.uncompared = "the time limit left no time to compare methods" }

// Title is the name of the method, spelled out.
func (c *Choice) Title() string {
	if c.IsField() {
		return c.Method + " (Laplacian-constrained Gaussian model)"
	}
	return c.Method + " (sums of a few local patterns)"
}

// String returns which method was chosen, and why.
func (c *Choice) String() string { return "method: " + c.Title() + ": " + c.Because() }

// Other returns the method that was not chosen.
func (c *Choice) Other() string {
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

// CodesAreClear reports whether held-out signals are sums of few patterns beyond doubt:
// their codes gain by far more than chance, and clearly more than twice what edges do.
// Too few signals of a field, or such that depend on each other in time, may make codes
// look better than edges, but never that clearly.
func (c *Choice) CodesAreClear() bool {
	return c.Codes.Mean > minCodesZ*c.Codes.StdErr && c.Difference.Mean-max(c.Edges.Mean, 0) > decisiveZ*c.Difference.StdErr
}

// edgesWin reports whether edges make held-out signals clearly likelier than none do,
// and codes do not make them clearly likelier than edges.
func (c *Choice) edgesWin() bool {
	return !c.codesWin(1) && c.Edges.Mean > decisiveZ*c.Edges.StdErr
}

// Choose decides between the sparse method and ggl. It tells tried, if that is not nil, on
// how many halves of the signals the sparse method was tried, which takes most of the time.
func Choose(ctx context.Context, p method.Problem, tried func(done, of int)) (chosen method.Method, choice *Choice, err error) {
	choice, err = checkpoint.Piece(ctx, "choice", codeChoice, func(ctx context.Context) (*Choice, error) {
		return evidence(ctx, p, tried)
	})
	if choice != nil && choice.Method == fieldMethod.Name() {
		return fieldMethod, choice, err
	}
	return learn.Sparse{Model: learn.Model{Kernels: p.Kernels}}, choice, err
}

// codeChoice codes a choice, so that it is not made again when a run goes on.
func codeChoice(c *checkpoint.Coder, choice **Choice) {
	if c.Reading() {
		*choice = &Choice{}
	}
	exported := **choice
	exported.uncompared = ""
	c.Struct(&exported)
	exported.uncompared = (*choice).uncompared
	c.String(&exported.uncompared)
	**choice = exported
}

// evidence compares the two methods on held-out signals, and says which of them these speak
// for.
func evidence(ctx context.Context, p method.Problem, tried func(done, of int)) (*Choice, error) {
	sparse := learn.Sparse{}
	n, m := p.Y.Dims()
	switch {
	case n > assess.MostTestedVertices:
		return &Choice{Method: sparse.Name(), uncompared: fmt.Sprintf("methods are compared up to %d vertices", assess.MostTestedVertices)}, nil
	case m < leastSignals:
		return &Choice{Method: sparse.Name(), uncompared: fmt.Sprintf("%s are too few to compare methods", words.Plural(m, "signal"))}, nil
	}
	c := &Choice{Method: sparse.Name()}
	y, err := assess.Halvable(ctx, p.Y)
	if err != nil {
		return c.without(err), err
	}
	p.Y, p.Names = y, nil
	p.Cut, p.Progress = graph.Cut{}, nil
	halves := 0
	codes, err := heldOutBy(ctx, p, func(ctx context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
		defer func() {
			if halves++; tried != nil {
				tried(halves, assess.HalvesHeldOut)
			}
		}()
		return shortCodes(ctx, p)
	})
	if err != nil {
		return c.without(err), context.Cause(ctx)
	}
	for _, edges := range []method.Method{baseline.Tree{}, baseline.GGL{Tolerance: 1e-3}} {
		held, err := heldOutBy(ctx, p, positiveEdges(edges))
		if err != nil {
			return c.without(err), context.Cause(ctx)
		}
		c.EdgesOf, c.Signals = edges.Name(), len(held.Gain)
		c.Predicted, c.PredictedByCodes = held.Explained(), codes.ModelExplained()
		c.Codes, c.Edges, c.Difference = codes.MeanModelGain(), held.MeanGain(), codes.ModelGainOver(held)
		if c.edgesWin() {
			c.Method = fieldMethod.Name()
			return c, nil
		}
		if c.codesWin(mostOverTree) {
			break
		}
	}
	return c, nil
}

// without notes that methods could not be compared.
func (c *Choice) without(err error) *Choice {
	c.uncompared = "methods could not be compared: " + input.Sentence(err)
	return c
}

// heldOutBy says how signals are predicted from half of them at a time.
func heldOutBy(ctx context.Context, p method.Problem, learner func(context.Context, method.Problem) (*graph.Graph, assess.SignalModel, error)) (*assess.HeldOut, error) {
	ctx, leave := run.AbandonedAfter(ctx)
	defer leave()
	return assess.HoldOut(ctx, p.Y, func(ctx context.Context, y *mat.Dense) (*graph.Graph, assess.SignalModel, error) {
		p.Y = y
		return learner(ctx, p)
	}, assess.HeldOutOptions{Folds: assess.HalvesHeldOut, Seed: p.Seed, PredictByModel: true})
}

// crossDeviation returns the sum of products of the deviations from the means, which has the
// sign of the correlation.
func crossDeviation(x, y []float64) (sum float64) {
	meanX, meanY := portable.Mean(x), portable.Mean(y)
	for i := range x {
		sum += float64((x[i] - meanX) * (y[i] - meanY))
	}
	return sum
}

// positiveEdges makes a learner of a method without a model of its own. Edges between
// vertices that move against each other are left out: ggl has none.
func positiveEdges(m method.Method) func(context.Context, method.Problem) (*graph.Graph, assess.SignalModel, error) {
	return func(ctx context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
		r, err := m.Learn(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		g, err := graph.New(r.Graph.Names(), slices.DeleteFunc(r.Graph.Edges(), func(e graph.Edge) bool {
			return crossDeviation(p.Y.RawRowView(e.I), p.Y.RawRowView(e.J)) <= 0
		}))
		return g, nil, err
	}
}

// shortCodes learns by a short run of the sparse method, with the kernels given or
// those of the paper: what they leave to say for other kernels does not change the
// choice.
func shortCodes(ctx context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
	model := learn.PaperModel()
	if p.Kernels != nil {
		model.Kernels = p.Kernels
	}
	n, _ := p.Y.Dims()
	model.Sparsity = max(min(model.Sparsity, n/2), 1)
	r, err := learn.Fit(ctx, p.Y, model, learn.Options{
		Names: p.Names, Starts: 1, Rounds: autoRounds, Kernels: learn.KernelsGiven,
		Cut: graph.Cut{Rule: graph.CutThreshold}, Seed: p.Seed, Threads: p.Threads,
	})
	if err != nil {
		return nil, nil, err
	}
	if len(r.Aside) > 0 {
		return nil, nil, input.Errorf("nervure", input.Vertices, "%q has hardly any values in half of the signals", r.Aside[0].Name)
	}
	own, err := assess.CodeModel(p.Y, r.Graph, r.Model.Kernels, r.Model.Sparsity, p.Threads)
	if err != nil {
		return nil, nil, err
	}
	none, err := graph.New(r.Graph.Names(), nil) // its edges by themselves are of no interest, and take long to fit
	return none, own, err
}

// CommonMode keeps the contract of [method.CommonModeUser]: both methods see to it themselves.
func (Method) CommonMode(*mat.Dense, []kernel.Kernel) method.CommonMode { return method.OwnCommonMode }
