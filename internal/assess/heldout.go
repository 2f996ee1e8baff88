package assess

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/signals"
)

// A Learner is a method under assessment: it learns a graph from the columns of y. The
// model, which may be nil, is its own of signals, besides the Gaussian on the edges of its
// graph.
type Learner func(ctx context.Context, y *mat.Dense) (*graph.Graph, SignalModel, error)

// HeldOutOptions say how signals are held out. The zero value is valid.
type HeldOutOptions struct {
	// Folds is how many folds are held out in turn. Zero means 5, or as many as there are
	// signals if that is less. With 1 only the second half is held out, so that there is
	// a single graph to learn.
	Folds int
	Seed  uint64 // of the vertices to hide
	// PredictByModel has hidden values predicted by the method's own model, too.
	PredictByModel bool
	Threads        int // for more than MostTestedVertices; the result does not depend on it
	// Learned are the same signals as the learner has them, and its own model; nil if that is as
	// they are judged by the edges.
	Learned *mat.Dense
}

// A HeldOut is how a method does on signals that it has not learned from.
type HeldOut struct {
	// Gain has for every signal that was held out how much likelier it is under the Gaussian on the
	// edges learned from the other folds than under the one without edges, in nats.
	Gain []float64
	// Error has for every signal the squared error of predicting its hidden values by
	// that Gaussian, and Energy that of predicting them by the mean, in units of the
	// variance of each vertex.
	Error, Energy []float64
	// ModelGain is Gain by the method's own model of signals, nil if it has none. One signal
	// in fifty may be as without edges, so that a few that the model fails on do not
	// outweigh all others.
	ModelGain []float64
	// ModelError is Error by that model, if that was asked for.
	ModelError []float64
	Edges      float64 // learned from a fold on average
}

// blocks is about how many blocks of consecutive signals standard errors come from.
const blocks = 20

// hiddenGroups is into how many groups the vertices are dealt, which are hidden one
// after another.
const hiddenGroups = 5

// HoldOut holds out one fold of signals after another, learns from the rest, and
// says how well the graph predicts what was held out. Folds are blocks of consecutive
// signals, so that signals alike because they follow each other are not on both sides.
//
// What is predicted is comparable across methods, because it is predicted from the
// edges alone and in the same way for all: see [FitGaussian]. With more than MostTestedVertices
// vertices it is predicted by the neighbours of each: see [FitApart]. Own models have no part in that. y is
// not modified. An error of the learner ends it.
func HoldOut(ctx context.Context, y *mat.Dense, learn Learner, o HeldOutOptions) (*HeldOut, error) {
	n, m := y.Dims()
	if err := checkThreads(o.Threads); err != nil {
		return nil, err
	}
	o.Folds = cmp.Or(o.Folds, min(5, m))
	parts := max(o.Folds, 2)
	if o.Folds < 1 || m-(m+parts-1)/parts < 2 {
		return nil, fmt.Errorf("assess.HoldOut: got %d signals for %d folds, want at least 1 fold and 2 signals outside each fold",
			m, o.Folds)
	}
	learned := o.Learned
	if learned == nil {
		learned = y
	}
	r, owned := &HeldOut{}, true
	for f := parts - o.Folds; f < parts; f++ {
		first, last := f*m/parts, (f+1)*m/parts
		fold, err := checkpoint.Piece(ctx, "fold", codeFold, func(ctx context.Context) (fold HeldOut, err error) {
			g, own, err := learn(ctx, without(learned, first, last))
			if err != nil {
				return fold, err
			}
			judged, err := newSplit(ctx, y, first, last)
			if err != nil {
				return fold, err
			}
			fold.Edges = float64(g.EdgeCount())
			if n > MostTestedVertices {
				fold.addApart(ctx, judged.train, judged.test, g, o.Threads)
				if run.Ended(ctx) != nil {
					return fold, context.Cause(ctx)
				}
				return fold, nil
			}
			if learned == y || own == nil {
				return fold, fold.add(ctx, judged, judged, g, own, hideGroups(n, o.Seed), o.PredictByModel)
			}
			seen, err := newSplit(ctx, learned, first, last)
			if err != nil {
				return fold, err
			}
			return fold, fold.add(ctx, judged, seen, g, own, hideGroups(n, o.Seed), false)
		})
		if err != nil {
			return nil, err
		}
		owned = owned && fold.ModelGain != nil
		r.Gain, r.ModelGain = append(r.Gain, fold.Gain...), append(r.ModelGain, fold.ModelGain...)
		r.Error, r.Energy = append(r.Error, fold.Error...), append(r.Energy, fold.Energy...)
		r.ModelError = append(r.ModelError, fold.ModelError...)
		r.Edges += fold.Edges / float64(o.Folds)
	}
	if !owned {
		r.ModelGain, r.ModelError = nil, nil // a model of some folds only cannot be compared
	}
	return r, nil
}

// A split is signals in two parts, without missing values: Gaussian models know none.
type split struct{ train, test *mat.Dense }

func newSplit(ctx context.Context, y *mat.Dense, first, last int) (s split, err error) {
	n, _ := y.Dims()
	if s.train, _, err = signals.FillMissing(ctx, without(y, first, last)); err != nil {
		return s, err
	}
	s.test, _, err = signals.FillMissing(ctx, mat.DenseCopyOf(y.Slice(0, n, first, last)))
	return s, err
}

// codeFold codes what a fold comes to.
func codeFold(c *checkpoint.Coder, fold *HeldOut) { c.Struct(fold) }

// without returns y less its columns from first to last.
func without(y *mat.Dense, first, last int) *mat.Dense {
	n, m := y.Dims()
	rest := mat.NewDense(n, m-(last-first), nil)
	for i, row := range matrix.Each(y) {
		copy(rest.RawRowView(i), row[:first])
		copy(rest.RawRowView(i)[first:], row[last:])
	}
	return rest
}

// hideGroups deals the vertices to groups of about the same size.
func hideGroups(n int, seed uint64) [][]int {
	groups := make([][]int, min(hiddenGroups, n))
	for k, i := range rng.Stream(seed, "hidden vertices").Perm(n) {
		groups[k%len(groups)] = append(groups[k%len(groups)], i)
	}
	for _, g := range groups {
		slices.Sort(g)
	}
	return groups
}

// add puts the signals of a fold on record: as edges are judged by them, and as the own model has
// them. If ctx ends, it returns its cause.
func (r *HeldOut) add(ctx context.Context, judged, seen split, g *graph.Graph, own SignalModel, groups [][]int, byModel bool) error {
	train, test := judged.train, judged.test
	with, err := FitGaussian(train, g)
	if err != nil {
		return err
	}
	empty, err := graph.New(g.Names(), nil)
	if err != nil {
		return err
	}
	none, err := FitGaussian(train, empty)
	if err != nil {
		return err
	}
	base := none.LogDensity(test)
	for k, v := range with.LogDensity(test) {
		r.Gain = append(r.Gain, v-base[k])
	}
	if own != nil {
		alone := none
		if seen != judged {
			if alone, err = FitGaussian(seen.train, empty); err != nil {
				return err
			}
		}
		density, err := own.LogDensity(seen.test)
		if err != nil {
			return err
		}
		for k, v := range alone.LogDensity(seen.test) {
			r.ModelGain = append(r.ModelGain, mixedGain(density[k]-alone.inUnits(v)))
		}
	}
	sum := func(to []float64, m interface {
		Predict(y *mat.Dense, hidden []int) (*mat.Dense, error)
	},
	) ([]float64, error) {
		from := len(to)
		to = append(to, make([]float64, len(base))...)
		for _, hidden := range groups {
			if run.Ended(ctx) != nil {
				return nil, context.Cause(ctx)
			}
			expected, err := m.Predict(test, hidden)
			if err != nil {
				return nil, err
			}
			for a, i := range hidden {
				for k, v := range test.RawRowView(i) {
					d := (v - expected.At(a, k)) / with.scale[i]
					to[from+k] += d * d
				}
			}
		}
		return to, nil
	}
	if r.Error, err = sum(r.Error, with); err != nil {
		return err
	}
	if own != nil && byModel {
		if r.ModelError, err = sum(r.ModelError, own); err != nil {
			return err
		}
	}
	r.Energy, err = sum(r.Energy, none)
	return err
}

// exceptions is the share of signals that an own model need not account for.
const exceptions = 0.02

// mixedGain returns the gain by a mixture of a model that gains so much and the one
// without edges.
func mixedGain(gain float64) float64 {
	a, b := math.Log(1-exceptions)+gain, math.Log(exceptions)
	return max(a, b) + math.Log1p(portable.Exp(-math.Abs(a-b)))
}

// An Estimate is a mean and its standard error.
type Estimate struct{ Mean, StdErr float64 }

// MeanGain estimates the gain of a signal.
func (r *HeldOut) MeanGain() Estimate { return estimate(r.Gain) }

// MeanModelGain estimates the gain of a signal by the method's own model; its error is
// infinite if there is none.
func (r *HeldOut) MeanModelGain() Estimate {
	if r.ModelGain == nil {
		return Estimate{0, math.Inf(1)}
	}
	return estimate(r.ModelGain)
}

// ModelGainOver estimates by how much the method's own model gains more than the
// edges of another method, assessed on the same signals.
func (r *HeldOut) ModelGainOver(other *HeldOut) Estimate {
	if r.ModelGain == nil {
		return Estimate{0, math.Inf(1)}
	}
	return difference(r.ModelGain, other.Gain)
}

// Explained returns the share of the energy of hidden values that the edges predict; wild signals
// count for as much as large ones do.
func (r *HeldOut) Explained() float64 { return r.explained(r.Error) }

// ModelExplained returns the share of that energy that the method's own model predicts, zero
// if there is none.
func (r *HeldOut) ModelExplained() float64 {
	if r.ModelError == nil {
		return 0
	}
	return r.explained(r.ModelError)
}

func (r *HeldOut) explained(left []float64) float64 {
	all := portable.Sum(matrix.Bounded(r.Energy))
	if all == 0 {
		return 0
	}
	return 1 - portable.Sum(matrix.Bounded(left))/all
}

// estimate returns the mean of values and its standard error, from blocks of
// consecutive ones, because neighbours may be alike. A few wild ones do not decide: a
// Gaussian finds signals with heavy tails absurdly unlikely.
func estimate(values []float64) Estimate {
	values = matrix.Bounded(values)
	count := min(blocks, len(values))
	means, mean := make([]float64, count), 0.0
	for b := range means {
		block := values[b*len(values)/count : (b+1)*len(values)/count]
		for _, v := range block {
			means[b] += v / float64(len(block))
		}
		mean += means[b] / float64(count)
	}
	sum := 0.0
	for _, v := range means {
		sum += (v - mean) * (v - mean)
	}
	if count < 2 {
		return Estimate{mean, math.Inf(1)}
	}
	return Estimate{mean, math.Sqrt(sum / float64(count*(count-1)))}
}

// difference estimates the mean of a − b, signal by signal.
func difference(a, b []float64) Estimate {
	d := make([]float64, len(a))
	for k := range d {
		d[k] = a[k] - b[k]
	}
	return estimate(d)
}
