package assess

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// FieldConfidence gives each edge of a graph a confidence, whatever method learned it:
// how likely it is among the true ones if the signals are a field, that is, if
// vertices depend on each other along edges. It looks at the signals and not at the
// method. weights are what the graph was cut out of; they only suggest which pairs
// to compare the edges with.
//
// The model of [baseline.GGL] is fitted to random halves of the signals, in
// complementary pairs ([shah2013], after [meinshausen2010]). Because a wrong model may
// be as stable as a right one, each pair is also looked at in another way: with or
// without the mode common to all vertices, as values or as normal scores, with
// more or fewer edges. How strong an edge is in all of that, and how steady, becomes a probability by a calibration on fields of
// many kinds whose graphs are known (see field_calibration.go): of the edges at 0.9
// or more, nine in ten are true on kinds that it was not fitted on. At most 0.999 is
// given.
//
// If ctx ends, FieldConfidence returns its cause and nothing else. Signals of which
// no halves can be made are an *input.Error.
func FieldConfidence(ctx context.Context, y *mat.Dense, weights, g *graph.Graph, o StabilityOptions) (*Confidence, error) {
	t, err := tallyField(ctx, y, weights, g, o)
	if err != nil {
		return nil, err
	}
	confidence := make([]float64, g.EdgeCount())
	for e, evidence := range t.evidence() {
		confidence[e] = evidence.probability()
	}
	g, err = g.WithConfidence(confidence)
	return &Confidence{Graph: g, Halves: len(t.partial), Agreement: t.agreement()}, err
}

const (
	mostFieldPairs, leastFieldPairs = 9, 3
	// fullFieldEffort is how many numbers the signals may be for mostFieldPairs.
	fullFieldEffort = 150_000
)

// fieldPairs is how many pairs of halves are worth their time for m signals on n vertices.
// A half costs a small part of learning the graph, which is also done on folds.
func fieldPairs(n, m int) int {
	share := fullFieldEffort / (float64(n) * float64(m))
	return int(min(max(math.Round(mostFieldPairs*math.Sqrt(share)), leastFieldPairs), mostFieldPairs))
}

// countFactors are by how much the number of edges is changed from pair to pair.
var countFactors = []float64{1, 0.8, 1.25}

// A fieldTally is what halves and correlations say about the edges of a graph.
type fieldTally struct {
	edges       []graph.Edge
	correlation linalg.Dense
	observed    float64              // signals, as many as they count for
	partial     [][]float64          // of each half, the partial correlation of each edge, 0 if it is not found
	found       []map[[2]int]float64 // of each half, all pairs found
}

// tallyField fits the model to the halves.
func tallyField(ctx context.Context, y *mat.Dense, weights, g *graph.Graph, o StabilityOptions) (*fieldTally, error) {
	n, m := y.Dims()
	o, err := o.resolve(y, weights, g, fieldPairs(n, m))
	if err != nil {
		return nil, err
	}
	whole, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	all := 2 * o.Pairs
	t := &fieldTally{
		edges: g.Edges(), correlation: correlations(whole), observed: prepare.EffectiveObservations(y), // drawn values count for none
		partial: make([][]float64, all), found: make([]map[[2]int]float64, all),
	}
	// Who keeps only the ten strongest does not doubt them because halves find others.
	level := max(g.EdgeCount(), n/2)
	pairs := candidates(t.correlation, weights, g, level)
	err = eachHalf(ctx, y, o, func(ctx context.Context, k int, half *mat.Dense) (*graph.Graph, error) {
		half, _, err := signals.FillMissing(ctx, half) // each by itself, or halves would agree on what was drawn for both
		if err != nil {
			return nil, err
		}
		half, err = lookedAt(ctx, half, k/2)
		if err != nil {
			return nil, err
		}
		return baseline.PruneTo(ctx, half, pairs, int(math.Round(countFactors[k/2%len(countFactors)]*float64(level))))
	}, t.add)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// add enters half k: the strongest of some pairs. Different halves may be added at a time.
func (t *fieldTally) add(k int, learned *graph.Graph) {
	found := make(map[[2]int]float64, learned.EdgeCount())
	for _, e := range learned.Edges() {
		found[[2]int{e.I, e.J}] = e.Weight
	}
	partial := make([]float64, len(t.edges))
	for e, edge := range t.edges {
		partial[e] = found[[2]int{edge.I, edge.J}]
	}
	t.found[k], t.partial[k] = found, partial
}

// agreement returns the share of the pairs found that both halves of a pair find.
func (t *fieldTally) agreement() float64 {
	both, all := 0, 0
	for k := 0; k < len(t.found); k += 2 {
		for pair := range t.found[k] {
			if _, ok := t.found[k+1][pair]; ok {
				both += 2
			}
		}
		all += len(t.found[k]) + len(t.found[k+1])
	}
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}
