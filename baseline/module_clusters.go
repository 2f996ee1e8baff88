package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// A clustering is a partition of the rows of x, of least squared distances to the means of
// their clusters as far as it has been found.
type clustering struct {
	of    []int // the cluster of each row, numbered in the order of their first rows
	means linalg.Dense
	loss  float64 // the sum of squared distances
}

// newClustering takes a partition by any numbers.
func newClustering(x linalg.Dense, of []int) clustering {
	c := clustering{of: make([]int, x.Rows)}
	number := map[int]int{}
	for i, a := range of {
		if _, ok := number[a]; !ok {
			number[a] = len(number)
		}
		c.of[i] = number[a]
	}
	c.means = moduleSums(x, c.of, len(number))
	for a, size := range sizesOf(c.of, len(number)) {
		floats.Scale(1/size, linalg.Row(c.means, a))
	}
	for i, a := range c.of {
		c.loss += squaredDistance(linalg.Row(x, i), linalg.Row(c.means, a))
	}
	return c
}

// sizesOf counts the members of each of k clusters.
func sizesOf(of []int, k int) []float64 {
	sizes := make([]float64, k)
	for _, a := range of {
		sizes[a]++
	}
	return sizes
}

// squaredDistance returns ‖x − y‖².
func squaredDistance(x, y []float64) float64 {
	sum := 0.0
	for k, v := range x {
		sum += (v - y[k]) * (v - y[k])
	}
	return sum
}

// nearestRow returns the row of a nearest to x, of equals the first.
func nearestRow(a linalg.Dense, x []float64) int {
	best, least := 0, math.Inf(1)
	for k := range a.Rows {
		if d := squaredDistance(linalg.Row(a, k), x); d < least {
			best, least = k, d
		}
	}
	return best
}

// settle moves rows to the nearest mean until none moves, at most that many times. No loss
// rises. A cluster that loses all its rows is gone.
func (c clustering) settle(ctx context.Context, x linalg.Dense) clustering {
	const most = 100
	for range most {
		if ctx.Err() != nil {
			break
		}
		of := make([]int, x.Rows)
		for i := range of {
			of[i] = nearestRow(c.means, linalg.Row(x, i))
		}
		next := newClustering(x, of)
		if !(next.loss < c.loss) || next.means.Rows < c.means.Rows {
			break
		}
		c = next
	}
	return c
}

// A merger joins two clusters at a cost: by how much the loss grows.
type merger struct {
	a, b int // the lowest row of each
	cost float64
}

// mergers joins the rows of x to one cluster, always the two whose loss grows least
// ([ward1963]), in the order of growing cost. It is the same for any order of the rows.
// If ctx ends the list ends early.
func mergers(ctx context.Context, x linalg.Dense) []merger {
	n := x.Rows
	cost := linalg.NewDense(n, n)
	for i := range n {
		for j := range i {
			d := squaredDistance(linalg.Row(x, i), linalg.Row(x, j)) / 2
			cost.Data[i*n+j], cost.Data[j*n+i] = d, d
		}
	}
	size := make([]float64, n) // zero for rows that went into another
	for i := range size {
		size[i] = 1
	}
	var list []merger
	var chain []int // each the nearest to the one before; the last two are nearest to each other
	for len(list) < n-1 && ctx.Err() == nil {
		if len(chain) == 0 {
			chain = append(chain, slices.IndexFunc(size, func(s float64) bool { return s > 0 }))
		}
		at := chain[len(chain)-1]
		next, least := -1, math.Inf(1)
		if len(chain) > 1 {
			next = chain[len(chain)-2]
			least = cost.Data[at*n+next]
		}
		for j, s := range size {
			if s > 0 && j != at && cost.Data[at*n+j] < least {
				next, least = j, cost.Data[at*n+j]
			}
		}
		if len(chain) < 2 || next != chain[len(chain)-2] {
			chain = append(chain, next)
			continue
		}
		chain = chain[:len(chain)-2]
		a, b := min(at, next), max(at, next)
		list = append(list, merger{a, b, least})
		for j, s := range size {
			if s > 0 && j != a && j != b {
				d := ((size[a]+s)*cost.Data[a*n+j] + (size[b]+s)*cost.Data[b*n+j] - s*least) / (size[a] + size[b] + s)
				cost.Data[a*n+j], cost.Data[j*n+a] = d, d
			}
		}
		size[a], size[b] = size[a]+size[b], 0
	}
	slices.SortStableFunc(list, func(p, q merger) int { return cmp.Compare(p.cost, q.cost) })
	return list
}

// merged returns the clusters that are left when all mergers but the last k−1 are done.
func merged(x linalg.Dense, list []merger, k int) clustering {
	of := matrix.Span(0, x.Rows)
	for _, m := range list[:max(len(list)-k+1, 0)] {
		from, to := of[m.b], of[m.a]
		for i, a := range of {
			if a == from {
				of[i] = to
			}
		}
	}
	return newClustering(x, of)
}

// clusterCount returns the number of clusters, up to most, of the least
//
//	pM log(loss/pM) + kM log p
//
// for p rows of M values: the BIC of p points around k means ([pelleg2000]). What each
// row has of its own is taken to be at least the floor.
func clusterCount(x linalg.Dense, list []merger, most int, floor float64) int {
	p, m := float64(x.Rows), float64(x.Cols)
	best, least, loss := 1, math.Inf(1), 0.0
	for done := 0; done < x.Rows; done++ {
		if k := x.Rows - done; k <= most {
			if bic := p*m*math.Log(max(loss/(p*m), floor)) + float64(k)*m*math.Log(p); bic <= least {
				best, least = k, bic
			}
		}
		if done < len(list) {
			loss += list[done].cost
		}
	}
	return best
}

// scattered draws k rows as first means, each with a chance in proportion to its squared
// distance from those before ([arthur2007]). Rows are drawn in the order of their
// energy, so that their own order does not matter.
func scattered(x linalg.Dense, k int, seed uint64, start int) clustering {
	draw := rng.Stream(seed, "modules", start)
	order, energy := make([]int, x.Rows), make([]float64, x.Rows)
	distance := make([]float64, x.Rows)
	for i := range order {
		order[i], distance[i] = i, 1
		energy[i] = linalg.Dot(linalg.Row(x, i), linalg.Row(x, i))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(energy[a], energy[b]) })
	means := linalg.NewDense(k, x.Cols)
	for a := range k {
		sum := 0.0
		for _, i := range order {
			sum += distance[i]
		}
		left, chosen := draw.Float64()*sum, order[len(order)-1]
		for _, i := range order {
			if left -= distance[i]; left < 0 {
				chosen = i
				break
			}
		}
		copy(linalg.Row(means, a), linalg.Row(x, chosen))
		for i := range distance {
			d := squaredDistance(linalg.Row(x, i), linalg.Row(x, chosen))
			if a == 0 || d < distance[i] {
				distance[i] = d
			}
		}
	}
	of := make([]int, x.Rows)
	for i := range of {
		of[i] = nearestRow(means, linalg.Row(x, i))
	}
	return newClustering(x, of)
}
