package baseline

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

// A distanceSearch is for the vertices whose signals are nearest to those of each, as they are.
type distanceSearch struct {
	search  nearest.Search // whose rows are signals without what all vertices share, which cancels in distances
	square  []float64      // squared lengths of the rows
	largest float64        // no distance is larger
	lists   []nearest.Best // by −d²
}

// searchDistances returns the search for that many vertices nearest to each.
func searchDistances(p method.Problem, count int) *distanceSearch {
	x := unscaled(p.Y).RawMatrix()
	shared := make([]float64, x.Cols)
	for i := range x.Rows {
		floats.AddScaled(shared, 1/float64(x.Rows), linalg.Row(x, i))
	}
	d := &distanceSearch{search: searchOf(p, x, count), square: make([]float64, x.Rows)}
	for i := range x.Rows {
		row := linalg.Row(x, i)
		floats.Sub(row, shared)
		d.square[i] = portable.Dot(row, row)
		d.largest = max(d.largest, 2*math.Sqrt(d.square[i]))
	}
	d.search.Above = math.Inf(-1)
	d.search.Weigh = func(i, first int, products []float64) {
		square := d.square[first:]
		for j, v := range products {
			products[j] = 2*v - (d.square[i] + square[j])
		}
	}
	return d
}

// pairs searches, and returns the pairs of which one vertex is among the nearest of the other, with their
// distances. It is nil if ctx ends.
func (d *distanceSearch) pairs(ctx context.Context) []graph.Edge {
	if d.lists = d.search.All(ctx); d.lists == nil {
		return nil
	}
	return d.measured(nearest.Pairs(d.lists))
}

// measured gives pairs their distances, without the rounding errors of products.
func (d *distanceSearch) measured(pairs []graph.Edge) []graph.Edge {
	linalg.ForEach(max(d.search.Threads, 1), len(pairs), func(_, k int) {
		e := &pairs[k]
		e.Weight = floats.Distance(linalg.Row(d.search.X, e.I), linalg.Row(d.search.X, e.J), 2)
	})
	return pairs
}

// meanSquare returns the mean of the squared distances of all pairs: N times the squares of what
// differs from the mean are those of all pairs.
func (d *distanceSearch) meanSquare() float64 {
	return 2 * portable.Sum(d.square) / float64(len(d.square)-1)
}

// median returns the median of the distances between some vertices, drawn alike every time.
func (d *distanceSearch) median() float64 {
	n := len(d.square)
	some := rng.Stream(1, "median of distances", n).Perm(n)[:min(n, medianOver)]
	rows := linalg.NewDense(len(some), d.search.X.Cols)
	for k, i := range some {
		copy(linalg.Row(rows, k), linalg.Row(d.search.X, i))
	}
	products := linalg.NewDense(len(some), len(some))
	linalg.Threads(max(d.search.Threads, 1)).MulTransB(products, rows, rows)
	all := make([]float64, 0, len(some)*(len(some)-1)/2)
	for a, i := range some {
		for b, v := range linalg.Row(products, a)[:a] {
			all = append(all, math.Sqrt(max(d.square[i]+d.square[some[b]]-2*v, 0)))
		}
	}
	return medianOf(all)
}

// missing returns pairs that are not in a solved problem but would have a weight there, with their
// distances; scale turns their squares into the z of the problem. Those beyond the lists of both
// vertices are as far as either list reaches, so that at a pair that is missing one of the two has a
// multiplier beyond that.
func (d *distanceSearch) missing(ctx context.Context, q *logProblem, scale float64) []graph.Edge {
	var rows []int
	for i, y := range q.ahead {
		if y > -d.lists[i].Bound()*scale {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 || ctx.Err() != nil {
		return nil
	}
	s := d.search
	s.Above = missingSlack * portable.Mean(q.ahead)
	s.Weigh = func(i, first int, products []float64) {
		d.search.Weigh(i, first, products)
		ahead := q.ahead[first:]
		for j, v := range products {
			products[j] = float64(v*scale) + (q.ahead[i]+ahead[j])/2
		}
	}
	return d.measured(nearest.PairsOf(rows, s.Of(ctx, rows, q.pairs.has)))
}

// missingSlack is the share of the mean multiplier below which a weight is a rounding error.
const missingSlack = 1e-9

// distancesOf returns for each of n vertices the values of its pairs, the smallest first.
func distancesOf(n int, pairs []graph.Edge) [][]float64 {
	rows := make([][]float64, n)
	for _, e := range pairs {
		rows[e.I], rows[e.J] = append(rows[e.I], e.Weight), append(rows[e.J], e.Weight)
	}
	for _, row := range rows {
		slices.Sort(row)
	}
	return rows
}
