// Package local learns a Gaussian field of order one vertex by vertex, so that its size is bounded
// by the signals and not by the pairs of vertices.
//
// Each vertex is regressed on the vertices that it is most correlated with, at the penalty below
// which chance would be chosen among all others ([belloni2011], [sun2013]). What a penalty takes from
// a coefficient comes back in the product of residuals ([liu2013]): that is the partial correlation
// of a pair, whose error is known. Kept are the pairs that pass Benjamini and Hochberg's rule over
// all pairs there are ([benjamini1995]).
//
// Correlations are computed block by block and never stored. Memory is that of the signals, of
// their residuals and of a few numbers for each vertex.
package local

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/task"
)

// Options say how to learn.
type Options struct {
	Signs        Signs
	Observations float64 // how many independent signals there are
	Threads      int     // the result does not depend on it; less than 1 means 1
	// Soon leaves out what makes a good graph a little better: a certificate, and regressions for positive
	// edges alone.
	Soon bool
	// Late, if not nil, returns the context in which to make a graph of what there is when the one of the run
	// has ended before there was one, or nil if nobody waits for it. Candidates and regressions are then done
	// Soon, and for as many signals, candidates and vertices as there is time for until its deadline. So they
	// are, before that, if the search for candidates would not end before the deadline of the run.
	Late func() context.Context
	// Runner, if not nil, has all that takes long done elsewhere, as tasks of [TaskKind]: candidates, regressions,
	// the certificate, refits and the cut. The result does not depend on it.
	Runner task.Runner

	rows int // vertices of a chunk of signals that is sent; 0 means sharedRows
	// Progress, if not nil, is called while a stage is under way, with the share of it that is done.
	Progress func(stage Stage, share float64)
}

// Signs say which signs partial correlations may have.
type Signs int

// The signs.
const (
	BySignals    Signs = iota // negative ones only if enough edges are negative
	EitherSign                // both
	PositiveOnly              // no negative ones
)

// someNegative is the share of the edges that must be negative for signs to matter: a few may be what a
// model that is not quite right leaves of a positive field.
const someNegative = 0.05

// clearlyBetter is the share of what positive edges leave unpredicted that those of either sign must predict.
const clearlyBetter = 0.02

// A Stage is a part of the work.
type Stage string

// The stages in their order. The last two are repeated where the sample finds candidates missing.
const (
	Searching  Stage = "candidates"  // correlations of all pairs
	Regressing Stage = "regressions" // of each vertex on its candidates
	Checking   Stage = "certificate" // of a sample of vertices on all others
)

// A Fit is what was learned.
type Fit struct {
	// Found are the pairs of which at least one vertex needs the other to be predicted, by
	// debiased partial correlations, in order.
	Found []graph.Edge
	// Kept are those whose partial correlations are beyond chance, refitted to each other.
	Kept []graph.Edge
	// Predicted is the share of the variance of each vertex that its neighbours predict.
	Predicted []float64
	// Concentration is the kurtosis over the vertices of what neighbours leave of a signal: 3 for fields, and
	// much more where few vertices have most of it.
	Concentration float64
	Sample        Certificate
	Haste         *Haste // nil if all was done for all signals and vertices
	Rounds        int    // how often candidates were looked for
	Signed        bool   // partial correlations may be negative
}

const (
	// candidates is how many vertices each is regressed on at first. Two or three times as many give the
	// same graphs: the penalty leaves few of them.
	candidates = 32
	// beyondNoise is the penalty in units of √(2·log N/M), which the largest of N correlations of noise
	// stays below. On grids, trees, sensors and small worlds of 400 and 2500 vertices, 1 leaves a few more
	// false edges, and 1.4 loses edges of random graphs.
	beyondNoise = 1.1
	// mostRounds bounds how often candidates are looked for.
	mostRounds = 3
	// falseShare is the share of edges that chance may have a part in.
	falseShare = 0.1
	// leastObservations is the number of signals below which no error is known.
	leastObservations = 4
)

// Learn learns the field of signals, the columns of x, whose rows have mean 0 and mean square 1; of
// a row that is 0 there are no edges. It is nil if ctx ends before there is a graph; see Options.Late.
func Learn(ctx context.Context, x linalg.Dense, o Options) *Fit {
	l := &learner{Options: o, x: x, signed: o.Signs != PositiveOnly}
	l.Threads = max(l.Threads, 1)
	l.Observations = max(l.Observations, leastObservations)
	l.penalty = beyondNoise * math.Sqrt(2*math.Log(float64(max(x.Rows, 2)))/l.Observations)
	l.models = make([]model, x.Rows)
	if o.Runner != nil {
		l.shared = share(l, cmp.Or(o.rows, sharedRows))
	}
	found := l.search(ctx)
	if found == nil {
		if found = l.searchInTime(ctx); found == nil {
			return nil
		}
	}
	models, ok := l.regressAll(ctx, found)
	if !ok {
		return nil
	}
	fit := l.learn(ctx, models, 0)
	if o.Signs != BySignals {
		return fit
	}
	l.signed = false // which needs fewer signals, and is right for most fields
	var positive *Fit
	if !l.Soon && ctx.Err() == nil {
		positive = l.learn(ctx, models, 1)
	}
	switch signed, short := fit.isSigned(), l.Soon || ctx.Err() != nil; {
	case short && !signed: // what was cut short is no better than the positive ones of what was not
		return fit.withoutNegative()
	case short, positive == nil, signed && fit.unpredicted() < (1-clearlyBetter)*positive.unpredicted():
		return fit
	}
	return positive
}

// withoutNegative returns what was learned without the negative edges.
func (f *Fit) withoutNegative() *Fit {
	isNegative := func(e graph.Edge) bool { return e.Weight < 0 }
	f.Found, f.Kept, f.Signed = slices.DeleteFunc(f.Found, isNegative), slices.DeleteFunc(f.Kept, isNegative), false
	return f
}

// search finds the candidates of each vertex: those that it is most correlated with. It is nil if ctx ends, or
// would end before.
func (l *learner) search(ctx context.Context) []nearest.Best {
	if l.shared != nil {
		return l.shared.search(ctx)
	}
	searching, giveUp := context.WithCancel(ctx)
	defer giveUp()
	left, begun := clockOf(ctx, 1), time.Now()
	s := searchFor(l.signed)
	s.X, s.Threads, s.Progress = l.x, l.Threads, func(share float64) {
		l.tell(Searching, share)
		if l.Late != nil && share > 0 && left.times(time.Since(begun)) < safely*(1/share-1) {
			giveUp()
		}
	}
	return s.All(searching)
}

// regressAll returns the models of all vertices, of one or both signs. It reports false if ctx ends, and nobody
// waits for them.
func (l *learner) regressAll(ctx context.Context, found []nearest.Best) (models [][]model, ok bool) {
	if l.haste != nil {
		models = make([][]model, len(found))
		return models, l.regressInTime(ctx, found, models)
	}
	all := &regression{vertices: allOf(len(found)), signs: []bool{l.signed}, penalty: l.penalty}
	for i := range found {
		all.on = append(all.on, found[i].Vertices())
	}
	if l.Signs == BySignals && !l.Soon {
		all.signs = []bool{true, false} // which share all products
	}
	if models, ok = l.regress(ctx, all); ok || l.Late == nil {
		return models, ok
	}
	return models, l.regressInTime(ctx, found, models)
}

// searchFor returns the search for candidates.
func searchFor(signed bool) nearest.Search {
	s := nearest.Search{Count: candidates}
	if signed {
		s.Weigh = nearest.Absolute
	}
	return s
}

// learn learns from the first models of all vertices, of one of their signs.
func (l *learner) learn(ctx context.Context, models [][]model, sign int) *Fit {
	n, m := l.x.Rows, float64(l.x.Cols)
	l.adopt(allOf(n), models, sign)
	fit := &Fit{Rounds: 1, Signed: l.signed, Haste: l.haste}
	for !l.Soon {
		fit.Sample = l.certify(ctx)
		if ctx.Err() != nil || fit.Sample.isGood() || fit.Rounds == mostRounds {
			break
		}
		missing := l.searchMissing(ctx)
		if missing == nil || len(missing.vertices) == 0 {
			break
		}
		more, whole := l.regress(ctx, missing)
		if !whole {
			break // what there is was fitted to fewer candidates
		}
		l.adopt(missing.vertices, more, 0)
		fit.Rounds++
	}
	fit.Found = l.debiased(ctx)
	fit.Kept = l.keep(ctx, l.beyondChance(fit.Found))
	fit.Predicted = make([]float64, n)
	for i, of := range l.models {
		free := max(m-1-float64(len(of.on)), 1)
		fit.Predicted[i] = 1 - min(of.variance*m/free, 1)
	}
	fit.Concentration = l.concentration()
	return fit
}

// keep returns those of the edges that are kept, refitted to each other. If ctx ends, it returns those
// that are not negligible, as they were found, unless all has been done in a hurry and somebody waits.
func (l *learner) keep(ctx context.Context, found []graph.Edge) []graph.Edge {
	edges, ok := l.refitted(ctx, found)
	if !ok && l.haste != nil {
		if late := l.hurry(ctx); late != nil {
			edges, ok = l.refitted(late, found)
		}
	}
	if ok {
		return edges
	}
	return atLeast(found, leastPartial(l.x.Rows, found))
}

// refitted returns those of the edges that are kept, refitted to each other. It reports false if ctx ends.
func (l *learner) refitted(ctx context.Context, found []graph.Edge) (edges []graph.Edge, ok bool) {
	edges = slices.Clone(found)
	if !l.refit(ctx, edges) {
		return nil, false
	}
	edges = l.cut(ctx, l.confirmed(found, edges))
	return edges, ctx.Err() == nil && l.refit(ctx, edges)
}

// isSigned reports whether enough edges are negative for signs to matter.
func (f *Fit) isSigned() bool {
	negative := 0
	for _, e := range f.Kept {
		if e.Weight < 0 {
			negative++
		}
	}
	return negative > 0 && float64(negative) >= someNegative*float64(len(f.Kept))
}

// unpredicted returns the share of the variance of a vertex that its neighbours leave, in the mean.
func (f *Fit) unpredicted() float64 { return 1 - portable.Mean(f.Predicted) }

// A learner is at work.
type learner struct {
	Options

	x         linalg.Dense
	signed    bool    // partial correlations may be negative
	penalty   float64 // of a coefficient, for a residual of size 1
	models    []model
	residuals linalg.Dense // of the regressions
	shared    *sharing     // nil if all is done here
	haste     *Haste       // nil as long as there is time
}

// A model is the regression of a vertex.
type model struct {
	on       []int32   // candidates, in order
	beta     []float64 // their coefficients, most of them 0
	variance float64   // of the residual
	penalty  float64   // that the coefficients had
}

// coefficient returns that of a vertex, 0 of no candidate.
func (m *model) coefficient(of int) float64 {
	for k, v := range m.on {
		if int(v) == of {
			return m.beta[k]
		}
	}
	return 0
}

func (l *learner) tell(stage Stage, share float64) {
	if l.Progress != nil {
		l.Progress(stage, share)
	}
}

func allOf(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
