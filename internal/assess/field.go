package assess

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/evidence"
	"github.com/nervure/nervure/internal/margins"
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
// more or fewer edges. Above 1000 vertices, where that would take matrices of all pairs,
// regressions of the vertices on each other stand for the model. How strong an edge is in all of that, how steady,
// and how far from what would look like an edge, becomes a probability by a calibration on fields of many families
// whose graphs are known (see field_calibration.go): of the edges at 0.9 or more, nine in ten are true in families
// that it was not fitted on. At most 0.999 is given, and less to an edge that may be below the floor or come from a
// path.
//
// found is what signals say of the partial correlations; without it, nothing is sure.
//
// If ctx ends, FieldConfidence returns its cause and nothing else. Signals of which
// no halves can be made are an *input.Error.
func FieldConfidence(ctx context.Context, y *mat.Dense, weights, g *graph.Graph, found *evidence.Finding,
	o StabilityOptions,
) (*Confidence, error) {
	return fieldConfidence(ctx, y, weights, g, found, o, MostDensePairs)
}

func fieldConfidence(ctx context.Context, y *mat.Dense, weights, g *graph.Graph, found *evidence.Finding, o StabilityOptions,
	dense int,
) (*Confidence, error) {
	t, err := tallyField(ctx, y, weights, g, o, dense)
	if err != nil {
		return nil, err
	}
	c := &Confidence{Halves: len(t.partial), Agreement: t.agreement()}
	confidence := make([]float64, g.EdgeCount())
	var bounds []float64
	if t.large {
		bounds = t.notByChance()
	}
	for k, e := range t.evidence(found, g) {
		basis := EdgeBasis{Regressors: e.regressors(), Most: e.most()}
		if t.large {
			basis.Most = min(basis.Most, bounds[k])
		}
		confidence[k] = basis.Confidence(&FieldCoefficients)
		c.basis = append(c.basis, basis)
	}
	c.Graph, err = g.WithConfidence(confidence)
	return c, err
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
	edges    []graph.Edge
	signed   bool // edges may be negative
	large    bool // vertices are too many for all pairs
	vertices int
	near     correlated           // the signals
	observed float64              // signals, as many as they count for
	partial  [][]float64          // of each half, the partial correlation of each edge, 0 if it is not found
	found    []map[[2]int]float64 // of each half, all pairs found
}

// halvesTogether is how many halves of many vertices are looked at at a time: each takes several times its memory.
const halvesTogether = 2

// MostDensePairs is the number of vertices up to which halves are looked at with all pairs at once.
const MostDensePairs = 500

// tallyField fits the model to the halves. Where vertices are more than dense, each of them is regressed on
// the others that it may have an edge with.
func tallyField(ctx context.Context, y *mat.Dense, weights, g *graph.Graph, o StabilityOptions, dense int) (*fieldTally, error) {
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
		edges: g.Edges(), signed: weights.Negative() > 0, large: n > dense, vertices: n, observed: prepare.EffectiveObservations(y), // drawn values count for none
		partial: make([][]float64, all), found: make([]map[[2]int]float64, all),
	}
	// Who keeps only the ten strongest does not doubt them because halves find others.
	level := max(g.EdgeCount(), n/2)
	prune, name := baseline.PruneTo, learnedHalves
	if !t.large {
		t.near = allPairs{correlations(whole), t.signed}
	} else {
		t.near = newFewPairs(unitsOf(whole).standardised(whole), weights, g, level, t.signed, o.Threads)
		together := min(o.Threads, halvesTogether)
		threads := (o.Threads + together - 1) / together
		prune = func(ctx context.Context, y *mat.Dense, pairs [][2]int, count int, signed bool) (*graph.Graph, error) {
			return pruneRegressed(ctx, y, pairs, count, signed, threads)
		}
		o.Threads = together
		name = regressedHalves
	}
	pairs := t.near.candidates(weights, g, level)
	err = eachHalf(ctx, name, y, o, func(ctx context.Context, k int, half *mat.Dense) (*graph.Graph, error) {
		half, _, err := signals.FillMissing(ctx, half) // each by itself, or halves would agree on what was drawn for both
		if err != nil {
			return nil, err
		}
		half, err = lookedAt(ctx, half, k/2)
		if err != nil {
			return nil, err
		}
		return prune(ctx, half, pairs, int(math.Round(countFactors[k/2%len(countFactors)]*float64(level))), t.signed)
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
		partial[e] = found[[2]int{edge.I, edge.J}] * math.Copysign(1, edge.Weight) // of the same sign
	}
	t.found[k], t.partial[k] = found, partial
}

// agreement returns the share of the pairs found that both halves of a pair find.
func (t *fieldTally) agreement() float64 {
	both, all := 0, 0
	for k := 0; k < len(t.found); k += 2 {
		for pair := range t.found[k] {
			if t.found[k+1][pair]*t.found[k][pair] > 0 { // of the same sign
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

// evidence returns what there is on each edge.
func (t *fieldTally) evidence(found *evidence.Finding, g *graph.Graph) []fieldEvidence {
	list := make([]fieldEvidence, len(t.edges))
	margins := slices.Repeat([]evidence.Margin{{Path: math.Inf(1), Below: true}}, len(t.edges))
	if found != nil {
		margins = found.Margins(g)
	}
	agreement, inTree, halves := t.agreement(), t.near.tree(), float64(len(t.partial))
	for k, e := range t.edges {
		list[k] = fieldEvidence{
			agreement: agreement, observed: t.observed, density: float64(len(t.edges)) / float64(t.vertices),
			correlation: t.near.at(e.I, e.J) * math.Copysign(1, e.Weight), inTree: inTree[[2]int{e.I, e.J}],
			Margin: margins[k],
		}
		sum := 0.0
		for _, partial := range t.partial {
			list[k].partial += partial[k] / halves
		}
		for _, partial := range t.partial {
			d := partial[k] - list[k].partial
			sum += d * d
		}
		list[k].deviation = math.Sqrt(sum / halves)
	}
	return list
}

// lookedAt returns signals in way k of looking at them: every other way keeps what all
// vertices have in common, and every other two replace values by normal scores.
func lookedAt(ctx context.Context, y *mat.Dense, k int) (*mat.Dense, error) {
	o := prepare.AsTheyAre(prepare.Options{Center: prepare.Yes, Scale: prepare.Yes, CommonMode: prepare.Auto})
	if k%2 == 1 {
		o.CommonMode = prepare.No
	}
	if k/2%2 == 1 {
		y = margins.NormalScores(y)
	}
	z, _, err := prepare.Signals(ctx, y, o)
	return z, err
}
