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

// A SmallSolver solves positive definite systems of a few hundred unknowns at most,
// many of them, without allocating. The zero value is ready to use.
type SmallSolver struct {
	factor []float64
}

// Solve replaces b by x, where A·x = b, and returns b·x, +Inf if A is not positive
// definite. entries puts row i of A, up to the diagonal, into dst.
func (s *SmallSolver) Solve(b []float64, entries func(i int, dst []float64)) float64 {
	n := len(b)
	s.factor = grown(s.factor, n*n)
	l := s.factor // A = Lᵀ·D·L: D⁻¹ on the diagonal, D·L below it
	for i := range n {
		entries(i, l[i*n:i*n+i+1])
	}
	for j := n - 1; j >= 0; j -= 2 { // two unknowns at a time, which is faster
		u, a := eliminate(l, b, j)
		if !(a > 0) {
			return math.Inf(1)
		}
		if j == 0 {
			break
		}
		Axpy(-u[j-1]*a, u, l[(j-1)*n:(j-1)*n+j])
		v, c := eliminate(l, b, j-1)
		if !(c > 0) {
			return math.Inf(1)
		}
		for i := range v {
			Axpy2(-u[i]*a, u[:i+1], -v[i]*c, v[:i+1], l[i*n:i*n+i+1])
		}
	}
	covered := 0.0
	for i := range n {
		covered += b[i] * b[i] * l[i*n+i]
		b[i] = (b[i] - Dot(l[i*n:i*n+i], b[:i])) * l[i*n+i]
	}
	return covered
}

// eliminate takes unknown j out of b, and returns its row up to the diagonal and the
// inverse of what is there, which it puts there.
func eliminate(l, b []float64, j int) (row []float64, inverse float64) {
	row, pivot := l[j*len(b):j*len(b)+j], &l[j*len(b)+j]
	*pivot = 1 / *pivot
	Axpy(-b[j]**pivot, row, b[:j])
	return row, *pivot
}

// cholBlock is how many columns are factorised before the rest is updated by a
// product of matrices.
const cholBlock = 48

// LogDet returns the logarithm of the determinant of a symmetric matrix, and whether
// the matrix is positive definite. Only the diagonal and what is below it are read;
// the Cholesky factor L, with A = L·Lᵀ, replaces them.
func (t Threads) LogDet(a Dense) (float64, bool) {
	n, sum := a.Rows, 0.0
	minus := NewDense(n, cholBlock)
	for first := 0; first < n; first += cholBlock {
		end := min(first+cholBlock, n)
		for j := first; j < end; j++ {
			lj := Row(a, j)[first : j+1]
			pivot := lj[j-first] - Dot(lj[:j-first], lj[:j-first])
			if !(pivot > 0) {
				return math.Inf(-1), false
			}
			sum += math.Log(pivot)
			lj[j-first] = math.Sqrt(pivot)
			for i := j + 1; i < n; i++ {
				li := Row(a, i)[first : j+1]
				li[j-first] = (li[j-first] - Dot(li[:j-first], lj[:j-first])) / lj[j-first]
			}
		}
		t.subtractSquare(a, window(minus, 0, n-end, 0, end-first), first, end)
	}
	return sum, true
}

// subtractSquare subtracts L·Lᵀ from what is left of a, where L is its columns first
// to end below row end, a block of columns at a time. minus has room for −L.
func (t Threads) subtractSquare(a, minus Dense, first, end int) {
	for i := range minus.Rows {
		to := Row(minus, i)
		for k, v := range Row(a, end+i)[first:end] {
			to[k] = -v
		}
	}
	for j := end; j < a.Rows; j += cholBlock {
		stop := min(j+cholBlock, a.Rows)
		t.AddMulTransB(window(a, j, a.Rows, j, stop), window(minus, j-end, minus.Rows, 0, minus.Cols), window(a, j, stop, first, end))
	}
}
