package baseline

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// vanishing is the share of the mean positive weight below which the own cut of
// the methods for smooth signals drops an edge.
const vanishing = 1e-4

// withoutVanishing drops the edges of vanishing weight.
func withoutVanishing(g *graph.Graph) *graph.Graph {
	if g.EdgeCount() == 0 {
		return g
	}
	return g.Above(vanishing * portable.Sum(g.Degrees()) / 2 / float64(g.EdgeCount()))
}

// smoothResult returns the result of m with weights g.
func smoothResult(m method.Method, g *graph.Graph, run smoothEnding) *method.Result {
	return &method.Result{Method: m, Weights: g, Graph: withoutVanishing(g), Rounds: run.iterations, Status: run.status}
}

// A smoothEnding is how an inner run ended.
type smoothEnding struct {
	iterations int
	status     method.Status
}

// smoothLargest bounds the parameters, and one over them: beyond it lies a
// limiting case that floating point does not tell from its neighbours.
const smoothLargest = 1e9

// checkSmooth reports the parameter of m that is out of bounds.
func checkSmooth(m method.Method) error {
	for _, v := range method.Values(m) {
		if v.Value != 0 && !(v.Value >= 1/smoothLargest && v.Value <= smoothLargest) {
			return input.Errorf(m.Name(), input.Field(v.Name), "got %g, want 0 or a number from %g to %g", v.Value,
				1/smoothLargest, smoothLargest)
		}
	}
	return nil
}

// SmoothL2 learns the graph on which signals are smooth, its weights spread over
// the edges by a squared penalty: it minimises
//
//	2 z·w + (a/2)(2‖w‖² + ‖S·w‖²)   over w ≥ 0, Σw = N/2,
//
// where z_e = ‖y_i − y_j‖² for the pair e = (i, j) and S·w are the degrees
// ([kalofolias2016], the ℓ2 model; the degrees sum to N). Vertices far from all
// others may stay isolated. Larger a gives more edges and more even weights.
//
// The programme is strictly convex, and w its only minimiser to at least six
// digits. The method's own cut drops the edges below 1e-4 of the mean positive
// weight. If ctx ends, the weights so far come with the cause.
//
// Departures from the paper: a is in units of the mean of z, so that the scale
// of the signals does not matter; and a can be chosen for a wanted degree, by a
// rule of our own in the manner of [kalofolias2019], see spreadForDegree.
type SmoothL2 struct {
	// Degree is the wanted mean number of neighbours k, at least 1. More than N−1
	// means N−1. It is used only if Spread is zero.
	Degree float64 `param:"degree,omitzero" about:"target mean number of neighbours k; 0 means 6"`
	// Spread is a. Zero means the one expected to give the wanted degree.
	Spread float64 `param:"spread" about:"weight a of the penalty, in units of the mean squared distance; 0 means set by degree"`
}

var smoothL2Entry = register(method.Entry{
	Default: SmoothL2{}, Source: "kalofolias2016",
	About: "smooth signals, with a squared penalty that spreads the weights",
})

// Name returns "smooth-l2".
func (SmoothL2) Name() string { return "smooth-l2" }

// Capabilities keeps the contract of [method.Capable].
func (SmoothL2) Capabilities() []method.Capability {
	return []method.Capability{method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m SmoothL2) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return smoothL2Entry.Run(ctx, m, p, m.learn)
}

func (m SmoothL2) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if err := checkSmooth(m); err != nil {
		return nil, err
	}
	n, _ := p.Y.Dims()
	z := unitDistances(p.Y)
	wanted := 0.0
	if m.Spread == 0 {
		var err error
		if wanted, err = resolveDegree(m.Name(), m.Degree, n); err != nil {
			return nil, err
		}
		m.Spread = spreadForDegree(sortedDistances(n, z), wanted)
	}
	m.Degree = wanted
	floats.Scale(2, z)
	q := newSpreadProblem(n, z, m.Spread/2)
	run := q.solve(ctx)
	r := smoothResult(m, fromPairs(n, q.w), run)
	if wanted > 0 && r.Status != method.Interrupted {
		r.Warnings = missed(r.Weights, wanted)
	}
	return r, nil
}

// SmoothLog learns the graph on which signals are smooth and no vertex is
// isolated: it minimises
//
//	2θ z·w − Σ_i log (S·w)_i + ‖w‖²   over w ≥ 0,
//
// where z_e = ‖y_i − y_j‖² for the pair e = (i, j), divided by its mean over the
// pairs, and S·w are the degrees ([kalofolias2016], the log model). Larger θ gives
// fewer edges. The penalty is b‖w‖² with b = 1, where some packages mean half of it.
//
// With general weights, 2 z·w − a Σ log S·w + b‖w‖², the minimiser is that for
// θ = 1/√(ab) times √(a/b), so only θ shapes the graph. Of these multiples you
// get the one with mean degree 1.
//
// For a wanted degree, θ is chosen before the solve from the sorted distances of
// each vertex ([kalofolias2019]); a warning says if the degree that
// came out is far from it.
//
// The dual has one variable a vertex and is solved by the fast dual proximal
// gradient method, until every degree agrees with its multiplier to 1e-9
// (or to rounding, if some vertices are very much farther off than others).
//
// From 2,000 vertices on, it is solved on the pairs of which one vertex is among the
// 3k nearest of the other, at least 32, as [kalofolias2019] does. The multipliers then
// tell which other pairs would have a weight; they are added until there are none, so
// that the minimiser is that over all pairs.
//
// The method's own cut drops the edges below 1e-4 of the mean positive weight. If
// ctx ends, the weights so far come with the cause.
type SmoothLog struct {
	// Degree is the wanted mean number of neighbours k, at least 1. More than N−1
	// means N−1. It is used only if Theta is zero.
	Degree float64 `param:"degree,omitzero" about:"target mean number of neighbours k; 0 means 6"`
	// Theta is θ. Zero means the one expected to give the wanted degree.
	Theta float64 `param:"theta" about:"factor θ on the squared distances, whose mean is 1; 0 means set by degree"`
}

var smoothLogEntry = register(method.Entry{
	Default: SmoothLog{}, Source: "kalofolias2016", MostVertices: mostByBlocks,
	About: "smooth signals, with a logarithmic barrier on the degrees that keeps every vertex connected",
})

// Name returns "smooth-log".
func (SmoothLog) Name() string { return "smooth-log" }

// Capabilities keeps the contract of [method.Capable].
func (SmoothLog) Capabilities() []method.Capability {
	return []method.Capability{method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m SmoothLog) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return smoothLogEntry.Run(ctx, m, p, m.learn)
}

func (m SmoothLog) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if err := checkSmooth(m); err != nil {
		return nil, err
	}
	n, _ := p.Y.Dims()
	if n >= blocksFrom {
		return m.byBlocks(ctx, p)
	}
	z := unitDistances(p.Y)
	wanted := 0.0
	if m.Theta == 0 {
		var err error
		if wanted, err = resolveDegree(m.Name(), m.Degree, n); err != nil {
			return nil, err
		}
		m.Theta = thetaForDegree(sortedDistances(n, z), wanted)
	}
	m.Degree = wanted
	floats.Scale(m.Theta, z)
	q := newLogProblem(allPairs(n), z)
	run := q.solve(ctx)
	return m.result(q, run, wanted), nil
}

// byBlocks solves the programme on the nearest pairs, and on those besides that would have a weight.
func (m SmoothLog) byBlocks(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	wanted := 0.0
	if m.Theta == 0 {
		var err error
		if wanted, err = resolveDegree(m.Name(), m.Degree, n); err != nil {
			return nil, err
		}
	}
	if err := checkKept(m, "degree", nearestPerDegree*wanted, n); err != nil {
		return nil, err
	}
	m.Degree = wanted
	near := searchDistances(p, max(keptPerVertex, int(math.Ceil(nearestPerDegree*wanted))))
	pairs := near.pairs(ctx)
	if pairs == nil {
		return interrupted(m, n), nil
	}
	unit := near.meanSquare()
	for k := range pairs {
		pairs[k].Weight *= pairs[k].Weight
		if unit > 0 {
			pairs[k].Weight /= unit
		}
	}
	if m.Theta == 0 {
		rows := distancesOf(n, pairs)
		for i := range rows {
			rows[i] = rows[i][:near.search.Count]
		}
		m.Theta = thetaForDegree(rows, wanted)
	}
	var run smoothEnding
	var q *logProblem
	for range mostAdditions {
		on, z := pairsOf(n, pairs), make([]float64, len(pairs))
		for k, e := range pairs {
			z[k] = m.Theta * e.Weight
		}
		q = newLogProblem(on, z)
		end := q.solve(ctx)
		run.iterations, run.status = run.iterations+end.iterations, end.status
		missing := near.missing(ctx, q, m.Theta/max(unit, math.SmallestNonzeroFloat64))
		if len(missing) == 0 {
			break
		}
		for k := range missing {
			missing[k].Weight *= missing[k].Weight / unit
		}
		pairs = nearest.InOrder(append(pairs, missing...))
	}
	if ctx.Err() != nil {
		run.status = method.Interrupted
	}
	return m.result(q, run, wanted), nil
}

const (
	// nearestPerDegree is among how many of its nearest vertices each looks for neighbours at first, in
	// units of the wanted degree: as many as [kalofolias2019] takes.
	nearestPerDegree = 3
	// mostAdditions is how often pairs are added that would have a weight.
	mostAdditions = 20
)

// result returns that of a problem solved, for a wanted degree, if any.
func (m SmoothLog) result(q *logProblem, run smoothEnding, wanted float64) *method.Result {
	n, w := q.pairs.vertices(), q.weights()
	if sum := portable.Sum(w); sum > 0 {
		floats.Scale(float64(n)/2/sum, w)
	}
	r := smoothResult(m, q.pairs.graph(w), run)
	if wanted > 0 && r.Status != method.Interrupted {
		r.Warnings = missed(r.Weights, wanted)
	}
	return r
}

// squaredDistances returns z_e = ‖y_i − y_j‖² over the pairs.
func squaredDistances(y *mat.Dense) []float64 {
	n, _ := y.Dims()
	z := make([]float64, n*(n-1)/2)
	eachPair(n, func(e, i, j int) {
		d := floats.Distance(y.RawRowView(i), y.RawRowView(j), 2)
		z[e] = d * d
	})
	return z
}

// unitDistances returns the squared distances between the rows of y over their
// mean. They are all zero if all rows are equal.
func unitDistances(y *mat.Dense) []float64 {
	z := squaredDistances(unscaled(y))
	if mean := portable.Sum(z) / float64(len(z)); mean > 0 {
		for e := range z {
			z[e] /= mean
		}
	}
	return z
}

// sortedDistances returns for each vertex its distances z to the others, nearest first.
func sortedDistances(n int, z []float64) [][]float64 {
	rows := make([][]float64, n)
	all := make([]float64, n*(n-1))
	for i := range rows {
		rows[i] = all[i*(n-1) : i*(n-1) : (i+1)*(n-1)]
	}
	eachPair(n, func(e, i, j int) {
		rows[i], rows[j] = append(rows[i], z[e]), append(rows[j], z[e])
	})
	for _, row := range rows {
		slices.Sort(row)
	}
	return rows
}
