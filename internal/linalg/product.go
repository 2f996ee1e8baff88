package linalg

import (
	"fmt"
	"math"
)

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

// tileGo sets c = a·b, or c += a·b, where c has rows×cols entries, at most 4×4:
//
//	c[i·ldc+j] (+)= Σ_p a[i·rsa+p·csa] · b[p·ldb+j],   p = 0 … k−1 in this order, k ≥ 1.
//
// Because any strides will do for a, and any row stride for b, a tile works on
// the matrices themselves, transposed or not, as well as on packed copies. Sums
// begin with what c has, so an entry comes out the same however k is cut up. Products
// are fused with the sums, as in the assembly.
func tileGo(k int, a []float64, rsa, csa int, b []float64, ldb int, c []float64, ldc, rows, cols int, add bool) {
	if rows < 4 || cols < 4 {
		tileEdge(k, a, rsa, csa, b, ldb, c, ldc, rows, cols, add)
		return
	}
	for i := 0; i < 4; i += 2 {
		twoRows(k, a[i*rsa:], rsa, csa, b, ldb, c[i*ldc:], ldc, add)
	}
}

// twoRows is the 2×4 tile, whose sums and factors fit into sixteen registers.
func twoRows(k int, a []float64, rsa, csa int, b []float64, ldb int, c []float64, ldc int, add bool) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	if add {
		c00, c01, c02, c03 = c[0], c[1], c[2], c[3]
		c10, c11, c12, c13 = c[ldc], c[ldc+1], c[ldc+2], c[ldc+3]
	}
	for p := range k {
		u, v := a[p*csa], a[p*csa+rsa]
		row := b[p*ldb : p*ldb+4 : p*ldb+4]
		c00 = math.FMA(u, row[0], c00)
		c10 = math.FMA(v, row[0], c10)
		c01 = math.FMA(u, row[1], c01)
		c11 = math.FMA(v, row[1], c11)
		c02 = math.FMA(u, row[2], c02)
		c12 = math.FMA(v, row[2], c12)
		c03 = math.FMA(u, row[3], c03)
		c13 = math.FMA(v, row[3], c13)
	}
	c[0], c[1], c[2], c[3] = c00, c01, c02, c03
	c[ldc], c[ldc+1], c[ldc+2], c[ldc+3] = c10, c11, c12, c13
}

func tileEdge(k int, a []float64, rsa, csa int, b []float64, ldb int, c []float64, ldc, rows, cols int, add bool) {
	for i := range rows {
		for j := range cols {
			var sum float64
			if add {
				sum = c[i*ldc+j]
			}
			for p := range k {
				sum = math.FMA(a[i*rsa+p*csa], b[p*ldb+j], sum)
			}
			c[i*ldc+j] = sum
		}
	}
}

// Transpose sets dst = srcᵀ. They must not overlap.
func Transpose(dst, src Dense) {
	if dst.Rows != src.Cols || dst.Cols != src.Rows {
		panic(fmt.Sprintf("linalg: transpose of %d×%d into %d×%d", src.Rows, src.Cols, dst.Rows, dst.Cols))
	}
	checkStorage(dst)
	checkStorage(src)
	if src.Rows == 0 || src.Cols == 0 {
		return
	}
	i := 0
	for lanes := active.lanes; i+lanes <= src.Rows && lanes <= src.Cols; i += lanes {
		active.transpose(src.Cols, src.Data[i*src.Stride:], src.Stride, lanes, dst.Data[i:], dst.Stride)
	}
	transposeGo(src.Cols, src.Data[i*src.Stride:], src.Stride, src.Rows-i, dst.Data[i:], dst.Stride)
}

// transposeGo sets dst[j·ldd+i] = src[i·lds+j] for i < rows, j < k. The others
// may fill the rest of the lanes with anything.
func transposeGo(k int, src []float64, lds, rows int, dst []float64, ldd int) {
	for i := range rows {
		for j, v := range src[i*lds : i*lds+k] {
			dst[j*ldd+i] = v
		}
	}
}
