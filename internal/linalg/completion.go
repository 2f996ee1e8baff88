package linalg

import (
	"math"
	"slices"
)

// A Completion fills in a positive definite matrix of which only the diagonal and
// some entries are given, the edges: W agrees with S there, its inverse is zero
// everywhere else, and among all positive definite matrices that agree with S there it
// has the largest determinant ([dempster1972]). If S is the covariance of signals, W is that
// of the likeliest Gaussian whose precision matrix has only these edges.
type Completion struct {
	S Dense // symmetric, positive definite; not modified
	W Dense // where the solution stands; S at first

	edges  [][]int // of each vertex, its neighbours in rising order
	small  SmallSolver
	coef   []float64
	column []float64
}

// NewCompletion starts at W = S, without edges.
func NewCompletion(s Dense) *Completion {
	c := &Completion{S: s, W: NewDense(s.Rows, s.Rows), edges: make([][]int, s.Rows), column: make([]float64, s.Rows)}
	c.Restart()
	return c
}

// Restart sets W to S, from which Solve always succeeds.
func (c *Completion) Restart() { copy(c.W.Data, c.S.Data) }

// Join makes (i, j) an edge.
func (c *Completion) Join(i, j int) {
	for _, e := range [][2]int{{i, j}, {j, i}} {
		if k, there := slices.BinarySearch(c.edges[e[0]], e[1]); !there {
			c.edges[e[0]] = slices.Insert(c.edges[e[0]], k, e[1])
		}
	}
}

// Part makes (i, j) no edge.
func (c *Completion) Part(i, j int) {
	for _, e := range [][2]int{{i, j}, {j, i}} {
		if k, there := slices.BinarySearch(c.edges[e[0]], e[1]); there {
			c.edges[e[0]] = slices.Delete(c.edges[e[0]], k, k+1)
		}
	}
}

// Joined reports whether (i, j) is an edge.
func (c *Completion) Joined(i, j int) bool {
	_, there := slices.BinarySearch(c.edges[i], j)
	return there
}

// Solve improves W, one column after another: the regression of each vertex on its
// neighbours gives its column ([hastie2009], algorithm 17.1). It goes on until a sweep
// moves no entry by more than tolerance, and reports whether it came to that within so
// many sweeps. W is positive definite at any moment. Where an earlier W does not suit
// the edges, it starts again from S.
func (c *Completion) Solve(tolerance float64, sweeps int) bool {
	if order, parent, ok := c.forest(); ok {
		return c.alongPaths(order, parent)
	}
	fresh := false
	for range sweeps {
		moved := 0.0
		for j := range c.S.Rows {
			moved = max(moved, c.update(j, tolerance/10))
		}
		switch {
		case math.IsInf(moved, 1) && fresh:
			return false // S is singular to rounding
		case math.IsInf(moved, 1):
			c.Restart()
			fresh = true
		case moved <= tolerance:
			return true
		}
	}
	return false
}

// forest returns the vertices such that each comes after the neighbour that leads to
// it, its parent, -1 for a root, unless the edges have a cycle.
func (c *Completion) forest() (order, parent []int, ok bool) {
	parent = slices.Repeat([]int{-2}, c.S.Rows) // not met yet
	for root := range parent {
		if parent[root] != -2 {
			continue
		}
		parent[root] = -1
		order = append(order, root)
		for next := len(order) - 1; next < len(order); next++ {
			v := order[next]
			for _, u := range c.edges[v] {
				switch {
				case parent[u] == -2:
					parent[u] = v
					order = append(order, u)
				case u != parent[v]:
					return nil, nil, false
				}
			}
		}
	}
	return order, parent, true
}

// alongPaths is the solution on a forest: given its parent, a vertex depends on
// nothing that came before it. The correlation of two vertices is the product of
// those along the path between them. It reports whether W is positive definite.
func (c *Completion) alongPaths(order, parent []int) bool {
	clear(c.W.Data)
	definite := true
	for k, v := range order {
		row, p := Row(c.W, v), parent[v]
		if p >= 0 {
			slope := c.S.Data[v*c.S.Stride+p] / c.S.Data[p*c.S.Stride+p]
			definite = definite && slope*c.S.Data[v*c.S.Stride+p] < c.S.Data[v*c.S.Stride+v]
			for _, u := range order[:k] {
				row[u] = slope * c.W.Data[p*c.W.Stride+u]
				c.W.Data[u*c.W.Stride+v] = row[u]
			}
		}
		row[v] = c.S.Data[v*c.S.Stride+v]
	}
	return definite
}

// update sets column j of W, unless it would move by no more than what is negligible,
// and returns by how much, +Inf if W does not suit the edges.
func (c *Completion) update(j int, negligible float64) float64 {
	near := c.edges[j]
	c.coef = c.coef[:0]
	for _, k := range near {
		c.coef = append(c.coef, c.S.Data[k*c.S.Stride+j])
	}
	covered := c.small.Solve(c.coef, func(i int, dst []float64) {
		w := Row(c.W, near[i])
		for q := range dst {
			dst[q] = w[near[q]]
		}
	})
	if !(covered < c.S.Data[j*c.S.Stride+j]) {
		return math.Inf(1)
	}
	clear(c.column)
	AddRows(c.column, 1, c.W, near, c.coef)
	c.column[j] = c.S.Data[j*c.S.Stride+j]
	row, moved := Row(c.W, j), 0.0
	for k, v := range c.column {
		if d := row[k] - v; d > moved {
			moved = d
		} else if -d > moved {
			moved = -d
		}
	}
	if moved <= negligible { // a column takes long to write, being spread over W
		return moved
	}
	copy(row, c.column)
	for k, v := range c.column {
		c.W.Data[k*c.W.Stride+j] = v
	}
	return moved
}
