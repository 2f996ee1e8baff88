package linalg

// A backTransform takes eigenvectors of a tridiagonal form back to those of the
// matrix. With a panel of reflections H_p ⋯ H_q = I + YᵀV, where the rows of V
// are the v_j and those of Y follow from
//
//	Y_j = −τ_j (V_j + Σ_{i<j} (V_i·V_j) Y_i),
//
// it does so by products of matrices ([schreiber1989], whose T gives Y = −TᵀV).
type backTransform struct {
	vt    Dense // Vᵀ
	y     Dense
	gram  Dense // VVᵀ
	parts Dense // what the eigenvectors have of each v_j
}

// backWidth is how many reflections go into one product; measured.
const backWidth = 24

func newBackTransform(n int) backTransform {
	return backTransform{
		vt: NewDense(n, backWidth), y: NewDense(backWidth, n),
		gram: NewDense(backWidth, backWidth), parts: NewDense(n, backWidth),
	}
}

// apply replaces every row q of rows by H_0 H_1 ⋯ q, where v_j is in columns
// j+1… of row j of a.
func (b *backTransform) apply(rows, a Dense, tau []float64, threads Threads) {
	n := a.Rows
	for end := n - 2; end > 0; {
		first := (end - 1) / backWidth * backWidth
		count, m := end-first, n-first-1 // the coordinates up to first stay
		b.prepare(a, tau, first, count)
		vt, y := window(b.vt, 0, m, 0, count), window(b.y, 0, count, 0, m)
		threads.split(n, func(low, high int) { // rows have nothing to do with each other
			target, parts := window(rows, low, high, first+1, n), window(b.parts, low, high, 0, count)
			Mul(parts, target, vt)
			mulAdd(target, parts, y)
		})
		end = first
	}
}

// prepare fills Vᵀ and Y for the reflections first … first+count−1.
func (b *backTransform) prepare(a Dense, tau []float64, first, count int) {
	m := a.Rows - first - 1
	y, vt, gram := window(b.y, 0, count, 0, m), window(b.vt, 0, m, 0, count), window(b.gram, 0, count, 0, count)
	for j := range count {
		row := Row(y, j) // V_j, which Y_j is made of in place
		clear(row[:j])
		copy(row[j:], Row(a, first+j)[first+j+1:])
		for i, x := range row {
			vt.Data[i*vt.Stride+j] = x
		}
	}
	Mul(gram, y, vt)
	for j := range count {
		row := Row(y, j)
		addCombination(row, window(y, 0, j, 0, m), Row(gram, j)[:j])
		for i := range row {
			row[i] *= -tau[first+j]
		}
	}
}
