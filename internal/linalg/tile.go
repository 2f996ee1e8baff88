package linalg

import "math"

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

// transposeGo sets dst[j·ldd+i] = src[i·lds+j] for i < rows, j < k. The others
// may fill the rest of the lanes with anything.
func transposeGo(k int, src []float64, lds, rows int, dst []float64, ldd int) {
	for i := range rows {
		for j, v := range src[i*lds : i*lds+k] {
			dst[j*ldd+i] = v
		}
	}
}
