package local

import (
	"context"
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
)

const (
	// folds is how many parts of consecutive signals are held out in turn.
	folds = 5
	// nearlyAll is the share of what any edges predict that those kept must predict.
	nearlyAll = 0.9997
	// negligible is the partial correlation below which an edge is not worth being kept, however sure it is,
	// unless vertices have so many neighbours that theirs are hardly larger: negligibleShare of 1/d, with
	// the mean number d of neighbours. Measured signals are rarely independent given the neighbours, and
	// enough of them show dependence between any two vertices.
	negligible, negligibleShare = 0.1, 0.4
	// cutStep and mostCut are the steps of the bound that is raised, and where they end.
	cutStep, mostCut = 0.01, 0.5
)

// cut returns the edges that are worth being kept: those above the highest bound on partial correlations
// that leaves nearly all that is predicted of held-out signals. In measured fields what is beyond
// chance is not always an edge. If ctx ends, what it returns means nothing.
func (l *learner) cut(ctx context.Context, edges []graph.Edge) []graph.Edge {
	n := l.x.Rows
	bounds := []float64{leastPartial(n, edges)}
	for b := bounds[0] + cutStep; b <= mostCut; b += cutStep {
		bounds = append(bounds, b)
	}
	gains := l.heldOutGains(ctx, neighbourhoodsOf(n, edges), bounds)
	best := 0
	for t := range gains {
		if gains[t] > gains[best] {
			best = t
		}
	}
	at := 0
	for t := best; t < len(gains); t++ {
		if gains[t] >= nearlyAll*gains[best] {
			at = t
		}
	}
	return atLeast(edges, bounds[at])
}

// leastPartial is the partial correlation below which an edge between n vertices is negligible.
func leastPartial(n int, edges []graph.Edge) float64 {
	degree := 2 * float64(len(edges)) / float64(max(n, 1))
	return min(negligible, negligibleShare/max(degree, 1))
}

// atLeast returns the edges whose partial correlations are not below a bound.
func atLeast(edges []graph.Edge, bound float64) []graph.Edge {
	var kept []graph.Edge
	for _, e := range edges {
		if math.Abs(e.Weight) >= bound {
			kept = append(kept, e)
		}
	}
	return kept
}

// A neighbourhood is the neighbours of a vertex, in order, and their partial correlations.
type neighbourhood struct {
	on      []int32
	partial []float64
}

// neighbourhoodsOf returns those of edges that are in order.
func neighbourhoodsOf(n int, edges []graph.Edge) []neighbourhood {
	all := make([]neighbourhood, n)
	add := func(i, j int, partial float64) {
		all[i].on, all[i].partial = append(all[i].on, int32(j)), append(all[i].partial, partial)
	}
	for _, e := range edges { // those of lower vertices first
		add(e.J, e.I, e.Weight)
	}
	for _, e := range edges {
		add(e.I, e.J, e.Weight)
	}
	return all
}

// heldOutGains returns, for each bound, the energy of held-out signals that the neighbours above it
// predict. All bounds share the products of the signals of a neighbourhood, part by part: those to learn
// from are the products of all parts but one. If ctx ends, there are fewer.
func (l *learner) heldOutGains(ctx context.Context, all []neighbourhood, bounds []float64) []float64 {
	if l.shared != nil {
		return l.shared.heldOutGains(ctx, all, bounds)
	}
	n, x := l.x.Rows, signalsOf(l.x)
	gains := linalg.NewDense(n, len(bounds))
	trials := make([]trial, l.Threads)
	linalg.ForEach(l.Threads, n, func(who, i int) {
		if len(all[i].on) > 0 && ctx.Err() == nil {
			trials[who].run(x, i, all[i], bounds, linalg.Row(gains, i))
		}
	})
	sums := make([]float64, len(bounds))
	for first := 0; first < n; first += blockVertices {
		linalg.Axpy(1, sumOf(linalg.RowsFrom(gains, first, blockVertices)), sums)
	}
	return sums
}

// sumOf returns the sum of rows.
func sumOf(rows linalg.Dense) []float64 {
	sum := make([]float64, rows.Cols)
	for i := range rows.Rows {
		linalg.Axpy(1, linalg.Row(rows, i), sum)
	}
	return sum
}

// A trial holds signals of a vertex and its neighbours out.
type trial struct {
	rows        linalg.Dense
	held, total []float64 // products of one part, and of all
	parts       [folds][]float64
	active      []int
	beta        []float64
	small       linalg.SmallSolver
}

// run adds to gains what the neighbours above each bound predict of vertex i.
func (t *trial) run(x signals, i int, of neighbourhood, bounds, gains []float64) {
	k, m := len(of.on), x.count
	size := (k + 1) * (k + 1)
	if t.total = grown(t.total, size); len(t.rows.Data) < (k+1)*(m/folds+1) {
		t.rows = linalg.NewDense(k+1, m/folds+1)
	}
	clear(t.total)
	for f := range folds {
		first, end := f*m/folds, (f+1)*m/folds
		rows := linalg.Within(t.rows, k+1, end-first)
		for p, j := range of.on {
			copy(linalg.Row(rows, p), x.row(int(j))[first:end])
		}
		copy(linalg.Row(rows, k), x.row(i)[first:end])
		t.parts[f] = grown(t.parts[f], size)
		linalg.MulTransB(linalg.Dense{Rows: k + 1, Cols: k + 1, Stride: k + 1, Data: t.parts[f]}, rows, rows)
		linalg.Axpy(1, t.parts[f], t.total)
	}
	for f := range folds {
		t.held = t.parts[f]
		before := -1
		for b, bound := range bounds {
			t.active = t.active[:0]
			for p := range k {
				if math.Abs(of.partial[p]) >= bound {
					t.active = append(t.active, p)
				}
			}
			switch len(t.active) {
			case 0:
				continue
			case before:
				gains[b] += t.gain(k, false)
			default:
				gains[b] += t.gain(k, true)
			}
			before = len(t.active)
		}
	}
}

// gain returns how much of the held-out energy of the last vertex the active ones predict, by the
// coefficients that the other parts give, or by those that there are.
func (t *trial) gain(k int, solve bool) float64 {
	if solve {
		t.beta = t.beta[:0]
		for _, p := range t.active {
			t.beta = append(t.beta, t.others(p, k, k))
		}
		if math.IsInf(t.small.Solve(t.beta, func(p int, dst []float64) {
			for q := range dst {
				dst[q] = t.others(t.active[p], t.active[q], k)
			}
		}), 1) {
			clear(t.beta) // some follow each other exactly
		}
	}
	sum := 0.0
	for p, a := range t.active {
		with := 2 * t.held[a*(k+1)+k]
		for q, b := range t.active {
			with -= float64(t.beta[q] * t.held[a*(k+1)+b])
		}
		sum += float64(t.beta[p] * with)
	}
	return sum
}

// others returns a product over the signals that are not held out.
func (t *trial) others(p, q, k int) float64 { return t.total[p*(k+1)+q] - t.held[p*(k+1)+q] }
