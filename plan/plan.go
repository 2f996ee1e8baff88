// Package plan says how many signals it takes to find the edges of a graph: from a pilot, the
// signals there are so far, or from a graph that is assumed.
//
// The graph learned from the pilot is taken for the truth, signals are drawn from it, and graphs are
// learned from them as [nervure.Learn] does: the truth is known then, and so is which of their edges
// are right. Weights that a method has shrunk would make edges look harder to find than they are, and
// so the model is fitted to the pilot again without a penalty: the likeliest Gaussian with these
// edges ([dempster1972]). A pilot also draws edges that are none. They are the weakest, and hardly ever
// found again, so edges count by the pilot's confidence in them.
//
// Below the number of signals of the pilot, how many edges are found is known without any model:
// from parts of it.
package plan

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// Options say what to plan. The zero value is right for a first look.
type Options struct {
	// Learn is how graphs are learned, with the seed of every random draw. Graphs are learned side by
	// side, one on each of its threads.
	Learn nervure.Options
	// Sizes are numbers of signals to try, each at least [LeastSignals]. Nil means a quarter of the pilot,
	// half of it, all of it, twice and four times as many, or 1, 2, 4, 8 and 16 for each vertex of a
	// graph that is given; and then twice as many again, up to [MostDoublings] times, until Recall is
	// reached.
	Sizes   []int
	Repeats int     // how often each is tried; zero means 4
	Recall  float64 // the share of the edges that is aimed for, below 1; zero means 0.8
	// Progress is told how many graphs have been learned, of how many.
	Progress func(done, of int)
}

const (
	// LeastSignals is the smallest number of signals that is tried.
	LeastSignals = 10
	// MostDoublings is how often sizes are doubled while too few edges are sure.
	MostDoublings = 3
	// mostValues bounds signals that are simulated: 1.6 GB.
	mostValues = 200_000_000
)

func (o Options) resolve(op string, vertices int) (Options, error) {
	o.Repeats, o.Recall = cmp.Or(o.Repeats, 4), cmp.Or(o.Recall, 0.8)
	o.Learn.Seed = cmp.Or(o.Learn.Seed, 1)
	if o.Learn.Threads == 0 {
		o.Learn.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	o.Sizes = slices.Clone(o.Sizes)
	slices.Sort(o.Sizes)
	o.Sizes = slices.Compact(o.Sizes)
	switch {
	case o.Repeats < 1:
		return o, input.Errorf(op, "repeats", "got %d, want at least 1", o.Repeats)
	case !(o.Recall > 0 && o.Recall < 1):
		return o, input.Errorf(op, "recall", "got %g, want a number above 0 and below 1", o.Recall)
	case o.Learn.Threads < 0:
		return o, input.Errorf(op, "threads", "got %d, want at least 0", o.Learn.Threads)
	case len(o.Sizes) > 0 && o.Sizes[0] < LeastSignals:
		return o, input.Errorf(op, "sizes", "got %d signals, want at least %d", o.Sizes[0], LeastSignals)
	case len(o.Sizes) > 0 && o.Sizes[len(o.Sizes)-1] > mostValues/max(vertices, 1):
		return o, input.Errorf(op, "sizes", "got %d signals on %d vertices, want at most %d", o.Sizes[len(o.Sizes)-1], vertices,
			mostValues/vertices)
	case o.Learn.Method != nil && method.Has(o.Learn.Method, method.DirectedEdges):
		return o, input.Errorf(op, "method", "%s learns arrows, and plans are of edges without a direction", o.Learn.Method.Name())
	}
	return o, nil
}

// FromPilot plans by a pilot. Signals or options that cannot be used are an *input.Error. If ctx
// ends, the plan has what is known so far and comes with the cause; it is nil if nothing is.
func FromPilot(ctx context.Context, pilot *nervure.Signals, o Options) (*document.Plan, error) {
	const op = "plan.FromPilot"
	if pilot == nil || pilot.Y == nil {
		return nil, input.Errorf(op, input.Signals, "got none")
	}
	n, m := pilot.Y.Dims()
	o, err := o.resolve(op, n)
	if err != nil {
		return nil, err
	}
	if m < LeastSignals {
		return nil, input.Errorf(op, input.Signals, "got %d, want at least %d to plan by", m, LeastSignals)
	}
	a, err := nervure.Learn(ctx, pilot, o.Learn)
	if err == nil {
		err = errors.Join(a.Faults...)
	}
	if err != nil {
		return nil, err
	}
	model, err := modelOf(ctx, a)
	if err != nil {
		return nil, err
	}
	c := newCurve(o, model)
	c.pilot, c.rows, c.own = pilot, a.Preparation.Rows.Rows, a
	c.equal = map[int]bool{}
	for _, e := range a.Preparation.Equal {
		c.equal[e.Vertex] = true
	}
	c.plan.Pilot, c.plan.Method = m, a.Result.Method.Name()
	if model.memory > 0 {
		c.plan.Independent = &a.Evidence.Independent
	}
	if a.Verdict.Grade == nervure.NoStructure {
		c.warn("the pilot shows no structure: the plan takes it that the edges learned from it are real")
	}
	return c.run(ctx, ladder(m, []float64{0.25, 0.5, 1, 2, 4}))
}

// FromGraph plans by a graph that is assumed. Without a kernel, signals are a Gaussian field whose
// precision matrix is L + 0.1, with the combinatorial Laplacian L over the mean degree, as
// [github.com/nervure/nervure/synth.Field] draws them; with one, fields with that kernel of the normalised Laplacian.
// See [FromPilot] for errors.
func FromGraph(ctx context.Context, g *graph.Graph, k *kernel.Kernel, o Options) (*document.Plan, error) {
	const op = "plan.FromGraph"
	if g == nil || g.EdgeCount() == 0 {
		return nil, input.Errorf(op, input.Graph, "it has no edges")
	}
	if g.Directed() {
		return nil, input.Errorf(op, input.Graph, "it has arrows, and plans are of edges without a direction")
	}
	if err := input.Negative(op, input.Graph, g.Negative(), "fields drawn on a graph need"); err != nil {
		return nil, err
	}
	o, err := o.resolve(op, g.Vertices())
	if err != nil {
		return nil, err
	}
	c := newCurve(o, assumed(g, k))
	c.rows = prepare.RowsIndependent
	if c.plan.Method = "auto"; o.Learn.Method != nil {
		c.plan.Method = o.Learn.Method.Name()
	}
	return c.run(ctx, ladder(g.Vertices(), []float64{1, 2, 4, 8, 16}))
}

// ladder returns multiples of a number of signals, without those that are too few.
func ladder(of int, shares []float64) []int {
	var sizes []int
	for _, share := range shares {
		if size := int(math.Round(share * float64(of))); size >= LeastSignals {
			sizes = append(sizes, size)
		}
	}
	if len(sizes) == 0 {
		return []int{LeastSignals}
	}
	return sizes
}

// enough returns the number of signals from which on a share is reached: between two sizes by the
// logarithm of their number, in two digits. It is nil if the last does not reach it.
func enough(points []document.PlanPoint, share float64, of func(document.PlanPoint) (recall float64, ok bool)) *float64 {
	above, recallAbove := 0, 0.0
	for _, p := range slices.Backward(points) {
		recall, ok := of(p)
		if !ok {
			continue
		}
		if recall >= share {
			above, recallAbove = p.Signals, recall
			continue
		}
		if above == 0 {
			return nil
		}
		low, high := math.Log(float64(p.Signals)), math.Log(float64(above))
		return inTwoDigits(portable.Exp(low + float64((high-low)*(share-recall)/(recallAbove-recall))))
	}
	if above == 0 {
		return nil
	}
	return inTwoDigits(float64(above))
}

func inTwoDigits(v float64) *float64 {
	unit := 1.0
	for v >= 100*unit {
		unit *= 10
	}
	v = math.Round(v/unit) * unit
	return &v
}
