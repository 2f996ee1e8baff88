// Package linalg is the arithmetic under the learner: what gonum lacks, and one
// place through which all dense products on the hot path go.
package linalg

import (
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
)

// Sizes of the blocks that a product is cut into ([goto2008]), in entries.
const (
	// deepest bounds the inner index. Deep blocks read and write c less often,
	// which turns out to matter more than that the panel of b under work,
	// 384×24 entries, overflows the first-level cache.
	deepest = 384
	// tallest bounds the rows: 192×384 entries of a, 590 kB, stay in the
	// second-level cache while all of b passes by.
	tallest = 192
	// widest bounds the columns: 384×1008 entries of b, 3 MB, stay in the
	// third-level cache while all of a passes by.
	widest = 1008
	// direct is the size of b up to which a product gains nothing from packing:
	// 1 MB, which the second-level cache holds as it lies.
	direct = 1 << 17
	// worthwhile is the multiplications that pay for a goroutine.
	worthwhile = 1 << 18
)

// A product is c = a·b or c += a·b under way.
type product struct {
	kernels *kernels
	threads int
	c       Dense
	a, b    operand
	add     bool // to what c has from the caller or from blocks before

	packsA, packsB bool

	// The block of b at work: rows k0 … k0+depth−1, columns j0 … j0+width−1.
	k0, depth int
	j0, width int

	// The size of the block of c that is one task.
	height, breadth int

	// packedB has panels as wide as a tile: entry (k, j) of one is at
	// k·kernels.cols+j. packedA has for each worker a copy of its block of a,
	// with rows apart by an odd number of cache lines.
	packedB []float64
	packedA [][]float64
}

// products keeps finished products for their memory.
var products = sync.Pool{New: func() any { return new(product) }}

// run goes through the blocks of b. The order of the sums depends on k alone.
func (p *product) run() {
	n, k := p.c.Cols, p.a.cols
	depth := evenly(k, deepest)
	width := n
	if p.packsB {
		width = min(n, widest)
	}
	for p.k0 = 0; p.k0 < k; p.k0 += depth {
		p.depth = min(depth, k-p.k0)
		for p.j0 = 0; p.j0 < n; p.j0 += width {
			p.width = min(width, n-p.j0)
			if p.packsB {
				panels := ceil(p.width, p.kernels.cols)
				p.packedB = grown(p.packedB, panels*p.kernels.cols*p.depth)
				p.each(panels, (*product).packPanel)
			}
			p.each(p.split(), (*product).block)
		}
		p.add = true
	}
}

// split cuts the columns at work into tasks, and returns how many. Workers may
// be slowed down by others, so there are some tasks for each of them.
func (p *product) split() int {
	m := p.c.Rows
	p.height, p.breadth = tallest, p.width
	if p.threads > 1 {
		tasks := 4 * p.threads
		p.height = min(tallest, evenly(m, max(ceil(m, tasks), 4*p.kernels.rows)))
		p.breadth = evenly(p.width, max(ceil(p.width, ceil(tasks, ceil(m, p.height))), 4*p.kernels.cols))
	}
	p.height = ceil(p.height, p.kernels.rows) * p.kernels.rows
	p.breadth = ceil(p.breadth, p.kernels.cols) * p.kernels.cols
	return ceil(m, p.height) * ceil(p.width, p.breadth)
}

// packPanel copies the columns of panel i of b.
func (p *product) packPanel(_, i int) {
	wide := p.kernels.cols
	j := i * wide
	cols := min(wide, p.width-j)
	dst := p.packedB[j*p.depth : (j+wide)*p.depth]
	if p.b.col == 1 {
		for k := range p.depth {
			copy(dst[k*wide:], p.b.from(p.k0+k, p.j0+j)[:cols])
		}
		return
	}
	transpose, lanes := p.kernels.transpose, p.kernels.lanes
	if p.depth < lanes {
		transpose = transposeGo
	}
	for g := 0; g < cols; g += lanes {
		transpose(p.depth, p.b.from(p.k0, p.j0+j+g), p.b.col, min(lanes, cols-g), dst[g:], wide)
	}
}

// block computes block i of c, as far as the block of b at work goes.
func (p *product) block(worker, i int) {
	across := ceil(p.width, p.breadth)
	i0, j0 := i/across*p.height, i%across*p.breadth
	height, end := min(p.height, p.c.Rows-i0), min(j0+p.breadth, p.width)
	a := operand{data: p.a.from(i0, p.k0), row: p.a.row, col: p.a.col}
	if p.packsA {
		a = p.packA(worker, i0, height)
	}
	c := Dense{Rows: height, Stride: p.c.Stride}
	if !p.packsB {
		c.Cols, c.Data = end-j0, p.c.Data[i0*c.Stride+p.j0+j0:]
		p.kernels.tiles(c, a, p.b.from(p.k0, p.j0+j0), p.b.row, p.depth, p.add)
		return
	}
	for wide := p.kernels.cols; j0 < end; j0 += wide {
		c.Cols, c.Data = min(wide, end-j0), p.c.Data[i0*c.Stride+p.j0+j0:]
		p.kernels.tiles(c, a, p.packedB[j0*p.depth:], wide, p.depth, p.add)
	}
}

// tiles sets c = a·b, or c += a·b, where b has k rows that begin ldb apart. The
// columns of b under one tile stay in the first-level cache while a passes by.
func (t *kernels) tiles(c Dense, a operand, b []float64, ldb, k int, add bool) {
	for j := 0; j < c.Cols; j += t.cols {
		cols := min(t.cols, c.Cols-j)
		for i := 0; i < c.Rows; i += t.rows {
			t.tile(k, a.from(i, 0), a.row, a.col, b[j:], ldb, c.Data[i*c.Stride+j:], c.Stride, min(t.rows, c.Rows-i), cols, add)
		}
	}
}

// packA copies rows i0 … i0+height−1 of a, the columns at work, as they lie.
func (p *product) packA(worker, i0, height int) operand {
	count, length := height, p.depth
	if p.a.row == 1 {
		count, length = length, count
	}
	stride := ceil(length, 8)*8 | 8
	p.packedA[worker] = grown(p.packedA[worker], count*stride)
	dst := p.packedA[worker]
	if p.a.row == 1 {
		for k := range count {
			copy(dst[k*stride:], p.a.from(i0, p.k0+k)[:length])
		}
		return operand{data: dst, row: 1, col: stride}
	}
	for i := range count {
		copy(dst[i*stride:], p.a.from(i0+i, p.k0)[:length])
	}
	return operand{data: dst, row: stride, col: 1}
}

// each calls do(worker, i) for every i in [0, count).
func (p *product) each(count int, do func(p *product, worker, i int)) {
	for len(p.packedA) < p.threads {
		p.packedA = append(p.packedA, nil)
	}
	if p.threads == 1 || count == 1 {
		for i := range count {
			do(p, 0, i)
		}
		return
	}
	ForEach(p.threads, count, func(worker, i int) { do(p, worker, i) })
}

// evenly returns the size of as few parts of n as are no larger than most.
func evenly(n, most int) int { return ceil(n, ceil(n, most)) }

func ceil(n, d int) int { return (n + d - 1) / d }

// grown returns a slice of length n, s itself if it has the room.
func grown(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// A Dense is a row-major matrix without gonum's bounds checks between us and its data.
type Dense = blas64.General

// NewDense returns an r×c matrix of zeros.
func NewDense(r, c int) Dense {
	return Dense{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float64, r*c)}
}

// Within returns an r×c matrix in the storage of a, which has room for it. Its entries are those it finds there.
func Within(a Dense, r, c int) Dense {
	return Dense{Rows: r, Cols: c, Stride: max(c, 1), Data: a.Data[:r*c]}
}

// RowsFrom returns up to that many rows of a, from the first on. They share a's storage.
func RowsFrom(a Dense, first, count int) Dense {
	end := min(first+count, a.Rows)
	return Dense{Rows: end - first, Cols: a.Cols, Stride: a.Stride, Data: a.Data[first*a.Stride : (end-1)*a.Stride+a.Cols]}
}

// Row returns row i of a. It shares a's storage.
func Row(a Dense, i int) []float64 {
	return a.Data[i*a.Stride : i*a.Stride+a.Cols : i*a.Stride+a.Cols]
}

// A CSR is a square sparse matrix in compressed rows.
type CSR struct {
	N      int
	RowEnd []int // row i holds entries RowEnd[i] … RowEnd[i+1]−1
	Col    []int32
	Val    []float64
}

// SymmetricCSR returns the matrix with value v[k] at (i[k], j[k]) and (j[k], i[k]).
// The pairs must be distinct and off the diagonal.
func SymmetricCSR(n int, i, j []int32, v []float64) *CSR {
	c := &CSR{N: n, RowEnd: make([]int, n+1), Col: make([]int32, 2*len(v)), Val: make([]float64, 2*len(v))}
	for k := range v {
		c.RowEnd[i[k]+1]++
		c.RowEnd[j[k]+1]++
	}
	for r := range n {
		c.RowEnd[r+1] += c.RowEnd[r]
	}
	next := append([]int(nil), c.RowEnd[:n]...)
	put := func(r, col int32, val float64) {
		c.Col[next[r]], c.Val[next[r]] = col, val
		next[r]++
	}
	for k := range v {
		put(i[k], j[k], v[k])
		put(j[k], i[k], v[k])
	}
	return c
}

// Mul sets dst = C·x for a dense x with N rows.
func (c *CSR) Mul(dst, x Dense) {
	for i := range c.N {
		row := Row(dst, i)
		clear(row)
		for k := c.RowEnd[i]; k < c.RowEnd[i+1]; k++ {
			Axpy(c.Val[k], Row(x, int(c.Col[k])), row)
		}
	}
}
