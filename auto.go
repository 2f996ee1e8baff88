package nervure

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// AutoMethod learns by the method that held-out signals speak for: the sparse method, if
// codes of few atoms make them likelier than any edges can by themselves, or else
// [baseline.GGL], whose edges say which vertices predict each other. Signals that
// are sums of few patterns, and only those, are far likelier by codes: noise of 40
// percent does not change that, and measured fields never come near it.
//
// The choice looks at a sample of the signals and at one short run of the sparse
// method, so it takes less time than learning.
type AutoMethod struct{}

var autoEntry = method.Entry{
	Default: AutoMethod{}, Source: "maretic2017",
	About: "sparse if held-out signals are likelier as sums of few patterns, otherwise ggl",
}

// Name returns "auto".
func (AutoMethod) Name() string { return "auto" }

// Learn keeps the contract of [method.Method]. The method of the result is the one
// that was chosen.
func (AutoMethod) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	chosen, _, err := chooseMethod(ctx, p)
	if err != nil {
		return nil, err
	}
	return chosen.Learn(ctx, p)
}

const (
	// autoVertices is the most vertices for which methods are compared: dictionaries
	// are held as dense matrices.
	autoVertices = 1000
	// autoSignals is how many signals the choice looks at.
	autoSignals = 400
	// autoRounds is how long the sparse method is tried for.
	autoRounds = 10
	// clearErrors is how many standard errors make a difference clear.
	clearErrors = 2
	// leastForChoice is the number of signals below which nothing can be held out.
	leastForChoice = 10
)

// A MethodChoice says which method [AutoMethod] took, and on what evidence.
type MethodChoice struct {
	Method  string
	Signals int // that were held out, half of them at a time; 0 if methods were not compared

	// How much likelier held-out signals are than without a graph, in nats per signal:
	Codes assess.Estimate // by the codes of the sparse method
	Edges assess.Estimate // by the edges of ggl
	// Difference is that of the two, signal by signal.
	Difference assess.Estimate
	// Predicted is the share of the energy of hidden values that the edges of ggl predict.
	Predicted float64

	uncompared string // why methods were not compared
}

// Because says why the method was chosen, as a part of a sentence.
func (c *MethodChoice) Because() string {
	switch {
	case c.uncompared != "":
		return c.uncompared
	case c.Method == baseline.GGL{}.Name():
		return fmt.Sprintf("its edges make held-out signals %.3g nats likelier, sums of few patterns %.3g", c.Edges.Mean, c.Codes.Mean)
	case c.codesWin():
		return fmt.Sprintf("sums of few patterns make held-out signals %.3g nats likelier, the edges of ggl %.3g", c.Codes.Mean, c.Edges.Mean)
	}
	return "the edges of ggl do not predict held-out signals"
}

func (c *MethodChoice) codesWin() bool {
	return c.Codes.Mean > 0 && c.Difference.Mean > clearErrors*c.Difference.StdErr
}

// chooseMethod decides between the sparse method and ggl.
func chooseMethod(ctx context.Context, p method.Problem) (method.Method, *MethodChoice, error) {
	sparse := withKernels(learn.Sparse{}, p.Kernels)
	n, m := p.Y.Dims()
	switch {
	case n > autoVertices:
		return sparse, &MethodChoice{Method: sparse.Name(), uncompared: fmt.Sprintf("methods are compared up to %d vertices", autoVertices)}, nil
	case m < leastForChoice:
		return sparse, &MethodChoice{Method: sparse.Name(), uncompared: fmt.Sprintf("%s are too few to compare methods", words.Plural(m, "signal"))}, nil
	}
	p.Y = autoSample(p.Y)
	p.Cut, p.Progress = graph.Cut{}, nil
	c := &MethodChoice{Method: sparse.Name()}
	edges, err := heldOutBy(ctx, p, edgesAlone)
	if err != nil {
		return sparse, c.without(err), ctxCause(ctx)
	}
	codes, err := heldOutBy(ctx, p, shortCodes)
	if err != nil {
		return sparse, c.without(err), ctxCause(ctx)
	}
	c.Signals, c.Predicted = len(edges.Gain), edges.Explained()
	c.Codes, c.Edges, c.Difference = codes.MeanModelGain(), edges.MeanGain(), codes.ModelGainOver(edges)
	if !c.codesWin() && c.Edges.Mean > clearErrors*c.Edges.StdErr {
		c.Method = baseline.GGL{}.Name()
		return baseline.GGL{}, c, nil
	}
	return sparse, c, nil
}

// without notes that methods could not be compared.
func (c *MethodChoice) without(err error) *MethodChoice {
	c.uncompared = "methods could not be compared: " + sentenceOf(err)
	return c
}

// ctxCause returns why ctx ended, nil if it did not.
func ctxCause(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// autoSample returns signals at equal distances, complete.
func autoSample(y *mat.Dense) *mat.Dense {
	y, _ = signals.FillMissing(y)
	_, m := y.Dims()
	if m <= autoSignals {
		return y
	}
	some := make([]int, autoSignals)
	for k := range some {
		some[k] = k * m / autoSignals
	}
	return signals.Columns(y, some)
}

// heldOutBy says how signals are predicted from half of them at a time.
func heldOutBy(ctx context.Context, p method.Problem, learner func(context.Context, method.Problem) (*graph.Graph, assess.Density, error)) (*assess.HeldOut, error) {
	return assess.HoldOut(ctx, p.Y, func(ctx context.Context, y *mat.Dense) (*graph.Graph, assess.Density, error) {
		p.Y = y
		return learner(ctx, p)
	}, assess.HeldOutOptions{Folds: 2, Seed: p.Seed})
}

// edgesAlone learns by ggl, with weights no more exact than its edges need.
func edgesAlone(ctx context.Context, p method.Problem) (*graph.Graph, assess.Density, error) {
	r, err := baseline.GGL{Tolerance: 1e-3}.Learn(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	return r.Graph, nil, nil
}

// shortCodes learns by a short run of the sparse method, with the kernels given or
// those of the paper: what they leave to say for other kernels does not change the
// choice.
func shortCodes(ctx context.Context, p method.Problem) (*graph.Graph, assess.Density, error) {
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
		return nil, nil, input.Errorf("nervure", input.Vertices, "%q does not vary in half of the signals", r.Aside[0].Name)
	}
	own, err := assess.CodeDensity(p.Y, r.Graph, r.Model.Kernels, r.Model.Sparsity, p.Threads)
	return r.Graph, own, err
}
