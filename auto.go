package nervure

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// AutoMethod learns by the method that held-out signals speak for: the sparse method, if
// codes of few atoms make them likelier than any edges can by themselves, or else
// [baseline.GGL], whose edges say which vertices predict each other. Signals that
// are sums of few patterns are far likelier by codes, even with much noise. Too few
// signals of a field may look so, too: see docs/method.md for how often.
//
// The choice looks at a sample of the signals. Cheap evidence comes first: a spanning
// tree has most of what edges can say, so ggl is tried only where codes are neither
// likelier than any edges can be expected to be nor less likely than those of a tree.
type AutoMethod struct{}

// fieldMethod is the method for signals that are not sums of few patterns.
var fieldMethod = baseline.GGL{}

var autoEntry = method.Entry{
	Default: AutoMethod{}, Source: "maretic2017",
	About: "sparse if held-out signals are likelier as sums of few patterns, otherwise ggl",
}

// Name returns "auto".
func (AutoMethod) Name() string { return "auto" }

// Learn keeps the contract of [method.Method]. The method of the result is the one
// that was chosen.
func (AutoMethod) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	chosen, _, err := chooseMethod(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	return chosen.Learn(ctx, p)
}

const (
	// autoVertices is the most vertices for which methods are compared: dictionaries
	// are held as dense matrices.
	autoVertices = 1000
	// autoSignals is how many signals the choice looks at, and half of that if there
	// are more values than autoValues: then each says more.
	autoSignals = 400
	autoValues  = 200_000
	// autoFolds is how many parts are held out in turn: halves.
	autoFolds = 2
	// autoRounds is how long the sparse method is tried for.
	autoRounds = 10
	// clearErrors is how many standard errors make a difference clear.
	clearErrors = 2
	// surelyCodes is how many standard errors codes must gain for a confidence to rest
	// on them alone. Signals of the sparse model gain 5 and more, except few ones under
	// much noise; those of fields gain up to 4 if codes seem to be better than edges.
	surelyCodes = 4.5
	// mostOverTree is how many times as much as a spanning tree the edges of a field
	// gain at most.
	mostOverTree = 2
	// leastForChoice is the number of signals below which nothing can be held out.
	leastForChoice = 10
)

// A MethodChoice says which method [AutoMethod] took, and on what evidence.
type MethodChoice struct {
	Method  string
	Signals int // that were held out, half of them at a time; 0 if methods were not compared

	// How much likelier held-out signals are than without a graph, in nats per signal:
	Codes assess.Estimate // by the codes of the sparse method
	Edges assess.Estimate // by edges
	// Difference is that of the two, signal by signal.
	Difference assess.Estimate
	// Predicted is the share of the energy of hidden values that the edges predict.
	Predicted float64
	EdgesOf   string // the method whose edges these are: tree or ggl

	uncompared string // why methods were not compared
}

// Because says why the method was chosen, as a part of a sentence.
func (c *MethodChoice) Because() string {
	switch {
	case c.uncompared != "":
		return c.uncompared
	case c.Method == fieldMethod.Name():
		clearly := ""
		if c.Codes.Mean > c.Edges.Mean {
			clearly = ", which is not clearly more"
		}
		return fmt.Sprintf("the edges of %s make held-out signals %.3g nats likelier, sums of few patterns %.3g%s", c.edgesOf(), c.Edges.Mean, max(c.Codes.Mean, 0), clearly)
	case c.codesWin(1):
		return fmt.Sprintf("sums of few patterns make held-out signals %.3g nats likelier, the edges of %s %.3g", c.Codes.Mean, c.edgesOf(), max(c.Edges.Mean, 0))
	}
	return "the edges of " + c.edgesOf() + " do not predict held-out signals"
}

// edgesOf says whose edges were tried.
func (c *MethodChoice) edgesOf() string {
	if c.EdgesOf == (baseline.Tree{}).Name() {
		return "a spanning tree"
	}
	return c.EdgesOf
}

// String returns which method was chosen, and why.
func (c *MethodChoice) String() string { return "method: " + c.Method + ", because " + c.Because() }

// Other returns the method that was not chosen.
func (c *MethodChoice) Other() string {
	if sparse := (learn.Sparse{}).Name(); c.Method != sparse {
		return sparse
	}
	return fieldMethod.Name()
}

// codesWin says whether held-out signals are clearly likelier by codes than edges
// would make them that gain so many times as much as those tried.
func (c *MethodChoice) codesWin(times float64) bool {
	return c.Codes.Mean > clearErrors*c.Codes.StdErr && c.Difference.Mean-(times-1)*max(c.Edges.Mean, 0) > clearErrors*c.Difference.StdErr
}

// codesAreClear says whether held-out signals are sums of few patterns beyond doubt:
// their codes gain by far more than chance, and clearly more than twice what edges do.
// Too few signals of a field, or such that depend on each other in time, may make codes
// look better than edges, but never that clearly.
func (c *MethodChoice) codesAreClear() bool {
	return c.Codes.Mean > surelyCodes*c.Codes.StdErr && c.Difference.Mean-max(c.Edges.Mean, 0) > clearErrors*c.Difference.StdErr
}

// edgesWin says whether edges make held-out signals clearly likelier than none do,
// and codes do not make them clearly likelier than edges.
func (c *MethodChoice) edgesWin() bool {
	return !c.codesWin(1) && c.Edges.Mean > clearErrors*c.Edges.StdErr
}

// chooseMethod decides between the sparse method and ggl. It tells tried, if that is not nil, on
// how many halves of the signals the sparse method was tried, which takes most of the time.
func chooseMethod(ctx context.Context, p method.Problem, tried func(done, of int)) (chosen method.Method, choice *MethodChoice, err error) {
	choice, err = checkpoint.Piece(ctx, "choice", codeChoice, func(ctx context.Context) (*MethodChoice, error) {
		return compareMethods(ctx, p, tried)
	})
	if choice != nil && choice.Method == fieldMethod.Name() {
		return fieldMethod, choice, err
	}
	return withKernels(learn.Sparse{}, p.Kernels), choice, err
}

// codeChoice codes a choice, so that it is not made again when a run goes on.
func codeChoice(c *checkpoint.Coder, choice **MethodChoice) {
	if c.Reading() {
		*choice = &MethodChoice{}
	}
	exported := **choice
	exported.uncompared = ""
	c.Struct(&exported)
	exported.uncompared = (*choice).uncompared
	c.String(&exported.uncompared)
	**choice = exported
}

// compareMethods says which of the two methods held-out signals speak for.
func compareMethods(ctx context.Context, p method.Problem, tried func(done, of int)) (*MethodChoice, error) {
	sparse := learn.Sparse{}
	n, m := p.Y.Dims()
	switch {
	case n > autoVertices:
		return &MethodChoice{Method: sparse.Name(), uncompared: fmt.Sprintf("methods are compared up to %d vertices", autoVertices)}, nil
	case m < leastForChoice:
		return &MethodChoice{Method: sparse.Name(), uncompared: fmt.Sprintf("%s are too few to compare methods", words.Plural(m, "signal"))}, nil
	}
	c := &MethodChoice{Method: sparse.Name()}
	y, err := autoSample(ctx, p.Y)
	if err != nil {
		return c.without(err), err
	}
	p.Y, p.Names = varyingInHalves(y), nil
	p.Cut, p.Progress = graph.Cut{}, nil
	halves := 0
	codes, err := heldOutBy(ctx, p, func(ctx context.Context, p method.Problem) (*graph.Graph, assess.Density, error) {
		defer func() {
			if halves++; tried != nil {
				tried(halves, autoFolds)
			}
		}()
		return shortCodes(ctx, p)
	})
	if err != nil {
		return c.without(err), ctxCause(ctx)
	}
	for _, edges := range []method.Method{baseline.Tree{}, baseline.GGL{Tolerance: 1e-3}} {
		held, err := heldOutBy(ctx, p, positiveEdges(edges))
		if err != nil {
			return c.without(err), ctxCause(ctx)
		}
		c.EdgesOf, c.Signals, c.Predicted = edges.Name(), len(held.Gain), held.Explained()
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
func autoSample(ctx context.Context, y *mat.Dense) (*mat.Dense, error) {
	y, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	n, m := y.Dims()
	count := autoSignals
	if n*count > autoValues {
		count /= 2
	}
	if m <= count {
		return y, nil
	}
	some := make([]int, count)
	for k := range some {
		some[k] = k * m / count
	}
	return signals.Columns(y, some), nil
}

// heldOutBy says how signals are predicted from half of them at a time.
func heldOutBy(ctx context.Context, p method.Problem, learner func(context.Context, method.Problem) (*graph.Graph, assess.Density, error)) (*assess.HeldOut, error) {
	ctx, leave := unwantedAfter(ctx)
	defer leave()
	return assess.HoldOut(ctx, p.Y, func(ctx context.Context, y *mat.Dense) (*graph.Graph, assess.Density, error) {
		p.Y = y
		return learner(ctx, p)
	}, assess.HeldOutOptions{Folds: autoFolds, Seed: p.Seed})
}

// varyingInHalves returns the signals on the vertices that vary in both halves: the
// others say nothing about methods.
func varyingInHalves(y *mat.Dense) *mat.Dense {
	n, m := y.Dims()
	var rows []float64
	kept := 0
	for i := range n {
		row := y.RawRowView(i)
		if varies(row[:m/2]) && varies(row[m/2:]) {
			rows = append(rows, row...)
			kept++
		}
	}
	if kept == 0 {
		return y
	}
	return mat.NewDense(kept, m, rows)
}

func varies(values []float64) bool { return floats.Max(values) > floats.Min(values) }

// codeviation returns the sum of products of the deviations from the means, which has the
// sign of the correlation.
func codeviation(x, y []float64) (sum float64) {
	meanX, meanY := portable.Mean(x), portable.Mean(y)
	for i := range x {
		sum += float64((x[i] - meanX) * (y[i] - meanY))
	}
	return sum
}

// positiveEdges makes a learner of a method without a model of its own. Edges between
// vertices that move against each other are left out: ggl has none.
func positiveEdges(m method.Method) func(context.Context, method.Problem) (*graph.Graph, assess.Density, error) {
	return func(ctx context.Context, p method.Problem) (*graph.Graph, assess.Density, error) {
		r, err := m.Learn(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		g, err := graph.New(r.Graph.Names(), slices.DeleteFunc(r.Graph.Edges(), func(e graph.Edge) bool {
			return codeviation(p.Y.RawRowView(e.I), p.Y.RawRowView(e.J)) <= 0
		}))
		return g, nil, err
	}
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
		return nil, nil, input.Errorf("nervure", input.Vertices, "%q has hardly any values in half of the signals", r.Aside[0].Name)
	}
	own, err := assess.CodeDensity(p.Y, r.Graph, r.Model.Kernels, r.Model.Sparsity, p.Threads)
	if err != nil {
		return nil, nil, err
	}
	none, err := graph.New(r.Graph.Names(), nil) // its edges by themselves are of no interest, and take long to fit
	return none, own, err
}
