package linalg

import "fmt"

// Threads is a number of goroutines to share a product between. Results do not
// depend on it: every entry of c is one sum in the order of the inner index,
// whoever computes it. Less than 1 means 1.
//
// In all products c must not overlap a or b. Shapes that do not fit are a bug of
// ours and panic. NaN and Inf spread as the formula says, 0·NaN = NaN included.
type Threads int

// Mul sets c = a·b.
func (t Threads) Mul(c, a, b Dense) { t.multiply(c, plain(a), plain(b), false) }

// MulTransA sets c = aᵀ·b.
func (t Threads) MulTransA(c, a, b Dense) { t.multiply(c, transposed(a), plain(b), false) }

// MulTransB sets c = a·bᵀ. The product of a matrix with itself is exactly symmetric.
func (t Threads) MulTransB(c, a, b Dense) { t.multiply(c, plain(a), transposed(b), false) }

// AddMul sets c += a·b.
func (t Threads) AddMul(c, a, b Dense) { t.multiply(c, plain(a), plain(b), true) }

// AddMulTransA sets c += aᵀ·b.
func (t Threads) AddMulTransA(c, a, b Dense) { t.multiply(c, transposed(a), plain(b), true) }

// AddMulTransB sets c += a·bᵀ.
func (t Threads) AddMulTransB(c, a, b Dense) { t.multiply(c, plain(a), transposed(b), true) }

// Mul sets c = a·b on one thread.
func Mul(c, a, b Dense) { Threads(1).Mul(c, a, b) }

// MulTransA sets c = aᵀ·b on one thread.
func MulTransA(c, a, b Dense) { Threads(1).MulTransA(c, a, b) }

// MulTransB sets c = a·bᵀ on one thread.
func MulTransB(c, a, b Dense) { Threads(1).MulTransB(c, a, b) }

// An operand is a factor: entry (i, j) is data[i·row+j·col].
type operand struct {
	data       []float64
	rows, cols int
	row, col   int
}

func plain(a Dense) operand {
	checkStorage(a)
	return operand{a.Data, a.Rows, a.Cols, a.Stride, 1}
}

func transposed(a Dense) operand {
	checkStorage(a)
	return operand{a.Data, a.Cols, a.Rows, 1, a.Stride}
}

// from returns the storage that begins with entry (i, j).
func (o *operand) from(i, j int) []float64 { return o.data[i*o.row+j*o.col:] }

// checkStorage stands in for the bounds checks that assembly does not do.
func checkStorage(a Dense) {
	if a.Rows < 0 || a.Cols < 0 || a.Stride < a.Cols ||
		(a.Rows > 0 && a.Cols > 0 && len(a.Data) < (a.Rows-1)*a.Stride+a.Cols) {
		panic(fmt.Sprintf("linalg: a %d×%d matrix of stride %d in %d entries", a.Rows, a.Cols, a.Stride, len(a.Data)))
	}
}

// multiply sets c = a·b, or c += a·b. What fits into the caches as it lies goes
// to the tiles at once, the rest by blocks.
func (t Threads) multiply(c Dense, a, b operand, add bool) {
	checkStorage(c)
	if a.cols != b.rows || c.Rows != a.rows || c.Cols != b.cols {
		panic(fmt.Sprintf("linalg: product of %d×%d and %d×%d into %d×%d", a.rows, a.cols, b.rows, b.cols, c.Rows, c.Cols))
	}
	m, n, k := c.Rows, c.Cols, a.cols
	if m == 0 || n == 0 {
		return
	}
	if k == 0 {
		if !add {
			for i := range m {
				clear(Row(c, i))
			}
		}
		return
	}
	threads := max(1, min(int(t), m*n*k/worthwhile))
	packsA := n*k > direct
	packsB := packsA || b.col != 1
	if threads == 1 && !packsB && k <= deepest && m <= tallest {
		active.tiles(c, a, b.data, b.row, k, add)
		return
	}
	p := products.Get().(*product)
	p.kernels, p.threads, p.c, p.a, p.b, p.add = active, threads, c, a, b, add
	p.packsA, p.packsB = packsA, packsB
	p.run()
	p.c, p.a, p.b = Dense{}, operand{}, operand{} // keep the memory of p, not that of others
	products.Put(p)
}
