// Package assess says how far a learned graph is to be trusted.
package assess

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// StabilityOptions say how to look for stability. The zero value is right for a
// first try.
type StabilityOptions struct {
	// Pairs of halves to learn from; zero means what [HalfSamplePairs] gives.
	Pairs int
	// Block is how many consecutive signals stay together: set it above the time
	// over which signals that follow one another depend on each other, for
	// otherwise both halves hold the same. Zero means 1.
	Block   int
	Seed    uint64 // every split comes from it
	Threads int    // zero means 1; the result does not depend on it

	// Report, unless nil, is told after each half how many of all are done. It is
	// never called twice at a time.
	Report func(done, all int)
}

const (
	mostPairs, leastPairs = 20, 5
	// fullEffort is how many numbers the signals may be for mostPairs.
	fullEffort = 20_000
)

// HalfSamplePairs is how many pairs of halves are worth their time for m signals on n
// vertices: 20 for up to 20 000 numbers, falling to 5 as signals grow.
func HalfSamplePairs(n, m int) int {
	share := float64(fullEffort) / (float64(n) * float64(m))
	return int(min(max(math.Round(mostPairs*math.Sqrt(share)), leastPairs), mostPairs))
}

// A learner learns weights from signals (vertices × signals). It must not share
// anything that changes, for it is called from several goroutines.
type learner func(ctx context.Context, y *mat.Dense) (*graph.Graph, error)

// A Confidence is a graph with a confidence for each edge, and where it comes from.
type Confidence struct {
	Graph  *graph.Graph // the one assessed, with its confidence
	Halves int          // learned from; 0 if the graph is proved
	// Agreement is how far the halves of a pair agree on the strongest edges: 1
	// if they are the same. For the sparse method, 0 means no more than by chance.
	// It is 1 for a graph that is proved.
	Agreement float64

	basis []EdgeBasis // of each edge; nil if the confidence does not come from a field
}

// Basis returns what the confidence of each edge of c comes from; nil if that is not a field.
func Basis(c *Confidence) []EdgeBasis { return c.basis }

// AtLeast counts the edges with a confidence of at least level.
func (c *Confidence) AtLeast(level float64) int {
	count := 0
	for _, v := range c.Graph.Confidence() {
		if v >= level {
			count++
		}
	}
	return count
}

// AtMost returns c with no confidence above a bound for each edge.
func (c *Confidence) AtMost(bound []float64) (*Confidence, error) {
	if len(bound) != c.Graph.EdgeCount() {
		return nil, fmt.Errorf("assess.AtMost: got bounds of %d edges, want %d", len(bound), c.Graph.EdgeCount())
	}
	at := 0
	return c.Bounded(func(graph.Edge) float64 { at++; return bound[at-1] })
}

// Bounded returns c with no confidence above a bound, which is asked for edge by edge.
func (c *Confidence) Bounded(bound func(graph.Edge) float64) (*Confidence, error) {
	bounded, least := *c, c.Graph.Confidence()
	bounded.basis = slices.Clone(c.basis)
	for k, e := range c.Graph.Edges() {
		most := bound(e)
		least[k] = min(least[k], most)
		if bounded.basis != nil {
			bounded.basis[k].Most = min(bounded.basis[k].Most, most)
		}
	}
	var err error
	bounded.Graph, err = c.Graph.WithConfidence(least)
	return &bounded, err
}

// Stability gives each edge of a learned graph a confidence: how likely it is
// among the true ones. The same model is learned from random halves of the
// signals, in complementary pairs ([shah2013], after [meinshausen2010]); an edge
// that most halves rank among their strongest is sure. What stability means is
// calibrated on graphs that are known (see calibration.go): of the edges at 0.9
// or more, nine in ten at least are true, if the model is about right. An edge
// that a wrong model feigns may be stable too: [FieldConfidence] does not rely on it.
//
// A certified result is proved: all its edges have 1 and nothing is learned. Only
// they have 1; all others have at most 0.999.
//
// If ctx ends, Stability returns its cause and nothing else. Signals of which no
// halves can be made are an *input.Error.
func Stability(ctx context.Context, y *mat.Dense, result *method.Result, o StabilityOptions) (*Confidence, error) {
	if method.ExplainerOf(result).Explanation().Certified {
		return proved(result.Graph)
	}
	t, err := tallyResult(ctx, y, result, o)
	if err != nil {
		return nil, err
	}
	return t.confidence(result.Graph)
}

// NoConfidence gives every edge of g the confidence 0, for signals that show no structure:
// what is stable in noise is chance.
func NoConfidence(g *graph.Graph) (*Confidence, error) {
	g, err := g.WithConfidence(make([]float64, g.EdgeCount()))
	return &Confidence{Graph: g}, err
}

// tallyResult learns from halves as result, which explains signals, was learned.
func tallyResult(ctx context.Context, y *mat.Dense, result *method.Result, o StabilityOptions) (*tally, error) {
	explainer, threads := method.ExplainerOf(result), 1
	if explainer.Explanation().Truncated > 0 { // one at a time, for each takes much memory
		threads, o.Threads = max(o.Threads, 1), 1
	}
	return tallyHalves(ctx, y, result.Weights, result.Graph, o, func(ctx context.Context, y *mat.Dense) (*graph.Graph, error) {
		return explainer.LearnHalf(ctx, y, threads)
	})
}

func proved(g *graph.Graph) (*Confidence, error) {
	g, err := g.WithConfidence(slices.Repeat([]float64{1}, g.EdgeCount()))
	return &Confidence{Graph: g, Agreement: 1}, err
}

// tallyHalves learns from pairs of halves and enters what they find.
func tallyHalves(ctx context.Context, y *mat.Dense, weights, g *graph.Graph, o StabilityOptions, way learner) (*tally, error) {
	o, err := o.resolve(y, weights, g, HalfSamplePairs(y.Dims()))
	if err != nil {
		return nil, err
	}
	t := newTally(weights, g, 2*o.Pairs)
	err = eachHalf(ctx, learnedHalves, y, o, func(ctx context.Context, _ int, half *mat.Dense) (*graph.Graph, error) { return way(ctx, half) }, t.add)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// resolve fills in what is not given, and refuses what cannot be used for these signals
// and a graph that was cut out of weights.
func (o StabilityOptions) resolve(y *mat.Dense, weights, g *graph.Graph, pairs int) (StabilityOptions, error) {
	n, m := y.Dims()
	o.Block, o.Pairs, o.Threads = cmp.Or(o.Block, 1), cmp.Or(o.Pairs, pairs), cmp.Or(o.Threads, 1)
	switch {
	case g.Vertices() != n || weights.Vertices() != n:
		return o, input.Errorf("assess", input.Graph, "got %d vertices, but the signals have %d", g.Vertices(), n)
	case g.Directed():
		return o, input.Completef("assess", input.Graph, "for directed graphs it is not known how")
	case o.Pairs < 0:
		return o, input.Errorf("assess", "pairs", "got %d, want at least 1", o.Pairs)
	}
	return o, cmp.Or(checkThreads(o.Threads), checkHalves(m, o.Block))
}

// The calibration: the probability that an edge is true, by what halves say
// about it, is
//
//	1/(1 + e^(−z)),   z = base + agreement·κ + strength·(1−κ)·s + found·κ·f
//
// with the agreement κ of the halves, the logit s of how strongly they find the
// edge and the logit f of how often. Where halves agree, an edge that all of them
// find is true even if it is the weakest; where they do not, many edges are found
// by chance and only those that are always among the first can be told. The
// coefficients are those of a logistic regression on 200 samples of synthetic signals: random and geometric graphs of
// 20 and 50 vertices, 40 to 400 signals, sparsity right and wrong, noise of up to 0.4. Logits count half a half for and half a half against, so that few halves say
// less than many.
var calibration = struct{ base, agreement, strength, found float64 }{0.607, 1.37, 2.38, 1.54}

// maxConfidence is the most that stability can say: 1 is for what is proved.
const maxConfidence = 0.999

// regressors returns what the coefficients are of: 1, κ, (1−κ)·s and κ·f.
func (e support) regressors() [4]float64 {
	k := min(max(e.agreement, 0), 1)
	return [4]float64{1, k, (1 - k) * e.strength, k * e.found}
}

// probability returns the calibrated confidence, in thousandths.
func probability(e support) float64 {
	c, x := calibration, e.regressors()
	p := 1 / (1 + portable.Exp(-(c.base*x[0] + c.agreement*x[1] + c.strength*x[2] + c.found*x[3])))
	return min(math.Round(1000*p)/1000, maxConfidence)
}

// logit returns log(count : rest) of all, with half a count more for each side.
func logit(count, all float64) float64 {
	return math.Log((count + 0.5) / (all - count + 0.5))
}
