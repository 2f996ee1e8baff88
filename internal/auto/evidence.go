package auto

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

const (
	// autoRounds is how long the sparse method is tried for.
	autoRounds = 10
	// lowPassAtoms is how many atoms low-pass codes have at most, and lowPassScale the scale
	// that their kernel begins with, of lowPassDegree: it is learned.
	lowPassAtoms, lowPassScale, lowPassDegree = 8, 2, 15
	// mostCodedVertices is the most vertices for which codes predict hidden values, which
	// takes longer than all else.
	mostCodedVertices = 300
	// mostSignedVertices is the most vertices for which edges of either sign are tried, one by one.
	mostSignedVertices = 300
	// mostByTails is what codes gain for each vertex, in nats, at most because values have heavy
	// tails: on simulated fields, 0.4; wide patterns with little noise gain 0.8 and more.
	mostByTails = 0.6
)

// A comparison compares the two methods on held-out signals.
type comparison struct {
	problem method.Problem
	tried   func(done, of int) // may be nil
	halves  int                // that the sparse method was tried on
	choice  *Choice
}

// evidence compares the two methods on held-out signals, and says which of them these speak
// for. Codes are first those of the paper's kernels. Where edges are better, low-pass codes
// are tried, with a scale that is learned: smooth signals may be sums of wide patterns. Codes
// must be better than any Gaussian, too, for edges alone do not say
// all that is known of a smooth field. If ctx ends, the choice is by what was seen until then, with the
// cause; it is uncompared if that is not clear.
func evidence(ctx context.Context, p method.Problem, scored bool, tried func(done, of int)) (*Choice, error) {
	c := &comparison{problem: p, tried: tried, choice: &Choice{Method: learn.Sparse{}.Name()}}
	y, err := assess.Halvable(ctx, p.Y)
	if err != nil {
		return c.choice.without(err), err
	}
	c.problem.Y, c.problem.Names = y, nil
	c.problem.Cut, c.problem.Progress = graph.Cut{}, nil
	codes, edges, err := c.compareEdges(ctx)
	switch {
	case err != nil || p.Kernels != nil:
	case c.choice.IsField():
		err = c.tryLowPass(ctx, edges)
	default:
		if err = c.tryCovariance(ctx, codes); err == nil && scored && !c.choice.IsField() {
			err = c.tryFreeMargins(ctx, codes)
		}
	}
	switch {
	case err == nil:
		return c.choice, nil
	case ctx.Err() == nil:
		return c.choice.without(err), nil
	case !c.choice.codesWin(1) && !c.choice.edgesWin(): // what was seen so far decides nothing
		c.choice = (&Choice{Method: c.choice.Method}).without(err)
	}
	return c.choice, context.Cause(ctx)
}

// compareEdges compares codes of the kernels given, or else those of the paper, with the
// edges of a tree and, if these do not decide, of ggl. It returns how the edges did.
func (c *comparison) compareEdges(ctx context.Context) (codes, held *assess.HeldOut, err error) {
	n, _ := c.problem.Y.Dims()
	codes, err = c.heldOut(ctx, assess.HalvesHeldOut, n <= mostCodedVertices, c.counted(shortCodes))
	if err != nil {
		return nil, nil, err
	}
	for _, edges := range []method.Method{baseline.Tree{}, baseline.GGL{Tolerance: 1e-3}} {
		if held, err = c.heldOut(ctx, assess.HalvesHeldOut, false, positiveEdges(edges)); err != nil {
			return nil, nil, err
		}
		c.choice.weigh(codes, held.Gain, held.Explained(), edges.Name())
		if c.choice.edgesWin() {
			c.choice.Method = fieldMethod.Name()
			break
		}
		if c.choice.codesWin(mostOverTree) {
			break
		}
	}
	if signed, err := c.trySigned(ctx, codes); signed != nil || err != nil {
		return codes, signed, err
	}
	return codes, held, nil
}

// trySigned takes the method for fields if neither codes nor positive edges win, and edges of either
// sign make held-out signals clearly likelier than none and than codes do. It returns how these
// did; nil if they do not decide.
func (c *comparison) trySigned(ctx context.Context, codes *assess.HeldOut) (*assess.HeldOut, error) {
	n, _ := c.problem.Y.Dims()
	if c.choice.edgesWin() || c.choice.codesWin(1) || c.problem.Kernels != nil || n > mostSignedVertices {
		return nil, nil
	}
	edges := baseline.GGM{}
	held, err := c.heldOut(ctx, assess.HalvesHeldOut, false, anyEdges(edges))
	if err != nil {
		return nil, err
	}
	if !c.takesField(codes, held.Gain, held.Explained(), edges.Name()) {
		return nil, nil
	}
	return held, nil
}

// tryCovariance takes the method for fields if a Gaussian without a graph makes held-out signals
// clearly likelier than codes do: what edges alone do not say, a field of another order may.
func (c *comparison) tryCovariance(ctx context.Context, codes *assess.HeldOut) error {
	field, err := c.heldOut(ctx, assess.HalvesHeldOut, false, fullGaussian)
	if err != nil {
		return err
	}
	c.takesField(codes, field.ModelGain, math.NaN(), "covariance")
	return nil
}

// takesField takes the method for fields if what gains as given makes held-out signals clearly likelier than none do and
// than codes do, and reports whether it does.
func (c *comparison) takesField(codes *assess.HeldOut, gain []float64, predicted float64, of string) bool {
	other := *c.choice
	other.weigh(codes, gain, predicted, of)
	if !other.edgesWin() || !other.codesLose() {
		return false
	}
	other.Method = fieldMethod.Name()
	*c.choice = other
	return true
}

// tryLowPass takes the sparse method if low-pass codes make held-out signals clearly likelier
// than the edges and than a Gaussian without a graph. If they do not in the first half that
// is looked at, that is enough.
func (c *comparison) tryLowPass(ctx context.Context, edges *assess.HeldOut) error {
	for _, halves := range []int{1, assess.HalvesHeldOut} {
		field, err := c.heldOut(ctx, halves, false, fullGaussian)
		if err != nil {
			return err
		}
		codes, err := c.heldOut(ctx, halves, false, lowPassCodes)
		if err != nil {
			return err
		}
		won := Choice{Method: learn.Sparse{}.Name()}
		won.weigh(codes, field.ModelGain, math.NaN(), "covariance")
		gain := edges.Gain[len(edges.Gain)-len(codes.ModelGain):] // with one half, it is the second that is held out
		overEdges := won
		overEdges.weigh(codes, gain, edges.Explained(), c.choice.EdgesOf)
		if !won.codesWin(1) || !overEdges.codesWin(1) {
			return nil
		}
		if halves == assess.HalvesHeldOut {
			if overEdges.Edges.Mean > won.Edges.Mean {
				won = overEdges
			}
			*c.choice = won
		}
	}
	return nil
}

// tryFreeMargins takes the method for fields if a field whose values have any distribution makes
// held-out signals clearly likelier than codes do. A Gaussian finds skewed values, counts and heavy
// tails so unlikely that codes of anything seem better. Those of fields are worse by 9 to 40
// standard errors. Sums of few patterns with little noise have values that are not normal either,
// and codes of a short run leave much of them, but gain more than tails alone make them gain.
func (c *comparison) tryFreeMargins(ctx context.Context, codes *assess.HeldOut) error {
	if n, _ := c.problem.Y.Dims(); c.choice.Codes.Mean > mostByTails*float64(n) {
		return nil
	}
	for _, field := range []struct {
		of    string
		learn learner
	}{{"tree of scores", treeOfScores}, {"covariance of scores", fullOfScores}} {
		held, err := c.heldOut(ctx, assess.HalvesHeldOut, false, field.learn)
		if err != nil {
			return err
		}
		if c.takesField(codes, held.ModelGain, math.NaN(), field.of) {
			return nil
		}
	}
	return nil
}

// weigh notes how codes do, and what gains and predicts as much as that beside them.
func (c *Choice) weigh(codes *assess.HeldOut, gain []float64, predicted float64, of string) {
	other := &assess.HeldOut{Gain: gain}
	c.EdgesOf, c.Signals = of, len(gain)
	c.Predicted, c.PredictedByCodes = predicted, math.NaN()
	if codes.ModelError != nil {
		c.PredictedByCodes = codes.ModelExplained()
	}
	c.Codes, c.Edges, c.Difference = codes.MeanModelGain(), other.MeanGain(), codes.ModelGainOver(other)
}

// A learner learns from some of the signals of a problem.
type learner = func(context.Context, method.Problem) (*graph.Graph, assess.SignalModel, error)

// counted is a learner of which each half that it has learned from is told.
func (c *comparison) counted(learn learner) learner {
	return func(ctx context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
		defer func() {
			if c.halves++; c.tried != nil {
				c.tried(c.halves, assess.HalvesHeldOut)
			}
		}()
		return learn(ctx, p)
	}
}

// heldOut says how signals are predicted from half of them at a time.
func (c *comparison) heldOut(ctx context.Context, halves int, predict bool, learn learner) (*assess.HeldOut, error) {
	ctx, leave := run.AbandonedAfter(ctx)
	defer leave()
	p := c.problem
	return assess.HoldOut(ctx, p.Y, func(ctx context.Context, y *mat.Dense) (*graph.Graph, assess.SignalModel, error) {
		p.Y = y
		return learn(ctx, p)
	}, assess.HeldOutOptions{Folds: halves, Seed: p.Seed, PredictByModel: predict})
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

// anyEdges makes a learner of a method without a model of its own, whatever the signs of its edges.
func anyEdges(m method.Method) learner {
	return func(ctx context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
		r, err := m.Learn(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		return r.Graph, nil, nil
	}
}

// positiveEdges makes a learner of a method without a model of its own. Edges between
// vertices that move against each other are left out: ggl has none.
func positiveEdges(m method.Method) learner {
	return func(ctx context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
		learned, _, err := anyEdges(m)(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		g, err := graph.New(learned.Names(), slices.DeleteFunc(learned.Edges(), func(e graph.Edge) bool {
			return crossDeviation(p.Y.RawRowView(e.I), p.Y.RawRowView(e.J)) <= 0
		}))
		return g, nil, err
	}
}

// fullGaussian fits a Gaussian without a graph.
func fullGaussian(_ context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
	return withoutEdges(p, func() (assess.SignalModel, error) { return assess.FullGaussian(p.Y) })
}

// fullOfScores fits a Gaussian without a graph to normal scores.
func fullOfScores(_ context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
	return withoutEdges(p, func() (assess.SignalModel, error) { return assess.FreeMargins(p.Y, nil) })
}

// treeOfScores fits a Gaussian on the edges of a tree to normal scores.
func treeOfScores(ctx context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
	return withoutEdges(p, func() (assess.SignalModel, error) {
		return assess.FreeMargins(p.Y, func(scores *mat.Dense) (*graph.Graph, error) {
			p.Y = scores
			g, _, err := positiveEdges(baseline.Tree{})(ctx, p)
			return g, err
		})
	})
}

// withoutEdges returns a model of signals and a graph that says nothing of them.
func withoutEdges(p method.Problem, fit func() (assess.SignalModel, error)) (*graph.Graph, assess.SignalModel, error) {
	own, err := fit()
	if err != nil {
		return nil, nil, err
	}
	n, _ := p.Y.Dims()
	none, err := graph.New(graph.DefaultNames(n), nil)
	return none, own, err
}

// shortCodes learns by a short run of the sparse method, with the kernels given or
// those of the paper.
func shortCodes(ctx context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
	model := learn.PaperModel()
	if p.Kernels != nil {
		model.Kernels = p.Kernels
	}
	n, _ := p.Y.Dims()
	model.Sparsity = max(min(model.Sparsity, n/2), 1)
	return codes(ctx, p, model, learn.KernelsGiven)
}

// lowPassCodes learns by a short run with one low-pass kernel, whose scale is learned.
func lowPassCodes(ctx context.Context, p method.Problem) (*graph.Graph, assess.SignalModel, error) {
	heat, err := kernel.Heat(lowPassScale, lowPassDegree, kernel.Chebyshev)
	if err != nil {
		return nil, nil, err
	}
	n, _ := p.Y.Dims()
	return codes(ctx, p, learn.Model{Kernels: []kernel.Kernel{heat}, Sparsity: max(min(lowPassAtoms, n/4), 1)}, learn.KernelsScaled)
}

// codes learns by a short run of the sparse method. Its edges by themselves are of no
// interest, and take long to fit: there are none.
func codes(ctx context.Context, p method.Problem, model learn.Model,
	kernels learn.KernelLearning,
) (*graph.Graph, assess.SignalModel, error) {
	r, err := learn.Fit(ctx, p.Y, model, learn.Options{
		Names: p.Names, Starts: 1, Rounds: autoRounds, Kernels: kernels,
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
	none, err := graph.New(r.Graph.Names(), nil)
	return none, own, err
}
