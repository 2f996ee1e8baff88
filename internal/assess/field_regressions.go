package assess

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/run"
)

const (
	// regressedKeeps is the share of the edges that a step keeps, as in [baseline.PruneTo].
	regressedKeeps = 0.85
	// mostRegressors bounds how many others a vertex is regressed on, and signalsForEach is how many signals
	// each of them needs.
	mostRegressors, signalsForEach = 64, 5
)

// pruneRegressed does for many vertices what [baseline.PruneTo] does for few: it looks for edges among some
// pairs, and takes out the weakest until at most count are left. The partial correlation of a pair is
// the mean of what the regressions of its vertices on their neighbours give, without a matrix of all pairs.
func pruneRegressed(ctx context.Context, y *mat.Dense, pairs [][2]int, count int, signed bool, threads int) (*graph.Graph, error) {
	r := newRegressions(ctx, unitsOf(y).standardised(y), pairs, threads)
	open := make([]regressedPair, len(pairs))
	for k, p := range pairs {
		open[k].pair = p
	}
	for {
		open = r.partials(ctx, open, signed)
		if run.Ended(ctx) != nil {
			return nil, context.Cause(ctx)
		}
		if len(open) <= count {
			break
		}
		slices.SortStableFunc(open, func(a, b regressedPair) int { return cmp.Compare(math.Abs(b.partial), math.Abs(a.partial)) })
		open = open[:max(count, int(regressedKeeps*float64(len(open))))]
	}
	edges := make([]graph.Edge, len(open))
	for k, p := range open {
		edges[k] = graph.Edge{I: p.pair[0], J: p.pair[1], Weight: p.partial}
	}
	return graph.New(graph.DefaultNames(len(r.vertices)), edges)
}

// A regressedPair is a pair of vertices and their partial correlation.
type regressedPair struct {
	pair    [2]int
	partial float64
}

// regressions are those of vertices on others.
type regressions struct {
	vertices []regressedVertex
	threads  int
}

// A regressedVertex is regressed on some of those that it may have an edge with.
type regressedVertex struct {
	on      []int        // in order
	moments linalg.Dense // of these, and the vertex itself, which comes last

	active []int     // places in on
	beta   []float64 // their coefficients
	size   float64   // of the residual; 0 if there is no regression
}

// newRegressions computes the moments of each vertex and those that it has a pair with: the closest, if
// signals are too few for all.
func newRegressions(ctx context.Context, x linalg.Dense, pairs [][2]int, threads int) *regressions {
	r := &regressions{make([]regressedVertex, x.Rows), max(threads, 1)}
	for _, p := range pairs {
		r.vertices[p[0]].on = append(r.vertices[p[0]].on, p[1])
		r.vertices[p[1]].on = append(r.vertices[p[1]].on, p[0])
	}
	most := max(min(mostRegressors, x.Cols/signalsForEach), 1)
	near := make([]linalg.Neighbourhood, r.threads)
	linalg.ForEach(r.threads, x.Rows, func(worker, i int) {
		v := &r.vertices[i]
		if run.Ended(ctx) != nil || len(v.on) == 0 {
			return
		}
		if len(v.on) > most {
			v.on = closest(x, i, v.on, most)
		}
		slices.Sort(v.on)
		m := near[worker].Moments(x, slices.Concat(v.on, []int{i}))
		v.moments = m
		v.moments.Data = slices.Clone(m.Data)
	})
	return r
}

// closest returns those of some vertices whose correlations with vertex i are largest.
func closest(x linalg.Dense, i int, on []int, most int) []int {
	size := make(map[int]float64, len(on))
	for _, j := range on {
		size[j] = math.Abs(linalg.Dot(linalg.Row(x, i), linalg.Row(x, j)))
	}
	slices.SortStableFunc(on, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	return slices.Clone(on[:most])
}

// partials regresses vertices on each other as far as pairs are open, and returns those pairs with their
// partial correlations, without those of none, or of a negative one if edges have no signs.
func (r *regressions) partials(ctx context.Context, open []regressedPair, signed bool) []regressedPair {
	for i := range r.vertices {
		r.vertices[i].active = r.vertices[i].active[:0]
	}
	for _, p := range open {
		r.vertices[p.pair[0]].activate(p.pair[1])
		r.vertices[p.pair[1]].activate(p.pair[0])
	}
	solvers := make([]linalg.SmallSolver, r.threads)
	linalg.ForEach(r.threads, len(r.vertices), func(worker, i int) {
		if ctx.Err() == nil {
			r.vertices[i].solve(&solvers[worker])
		}
	})
	found := open[:0]
	for _, p := range open {
		p.partial = r.partial(p.pair[0], p.pair[1])
		if p.partial > 0 || signed && p.partial < 0 {
			found = append(found, p)
		}
	}
	return found
}

// partial returns the partial correlation of two vertices. The coefficient of j in the regression of i is
// ρ·σ_i/σ_j, with the sizes σ of the residuals.
func (r *regressions) partial(i, j int) float64 {
	a, b := &r.vertices[i], &r.vertices[j]
	if a.size == 0 || b.size == 0 {
		return 0
	}
	sum, count := 0.0, 0.0
	if c, ok := a.coefficient(j); ok {
		sum, count = sum+float64(c*b.size/a.size), count+1
	}
	if c, ok := b.coefficient(i); ok {
		sum, count = sum+float64(c*a.size/b.size), count+1
	}
	return min(max(sum/max(count, 1), -1), 1)
}

// activate takes another vertex up into the regression.
func (v *regressedVertex) activate(other int) {
	if at, ok := slices.BinarySearch(v.on, other); ok {
		v.active = append(v.active, at)
	}
}

// solve regresses the vertex on those that are active.
func (v *regressedVertex) solve(small *linalg.SmallSolver) {
	if v.size = 0; len(v.on) == 0 {
		return
	}
	slices.Sort(v.active)
	own := len(v.on)
	var covered float64
	v.beta, covered = small.Regress(v.moments, own, v.active, v.beta)
	if left := linalg.Row(v.moments, own)[own] - covered; left > 0 { // not if some follow each other exactly
		v.size = math.Sqrt(left)
	}
}

// coefficient returns that of another vertex, and reports whether there is one.
func (v *regressedVertex) coefficient(of int) (float64, bool) {
	at, ok := slices.BinarySearch(v.on, of)
	if !ok {
		return 0, false
	}
	p, ok := slices.BinarySearch(v.active, at)
	if !ok {
		return 0, false
	}
	return v.beta[p], true
}
