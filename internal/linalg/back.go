package linalg

// A backTransform takes eigenvectors of a tridiagonal form back to those of the
// matrix. With a panel of reflections H_p ⋯ H_q = I + YᵀV, where the rows of V
// are the v_j and those of Y follow from
//
//	Y_j = −τ_j (V_j + Σ_{i<j} (V_i·V_j) Y_i),
//
// it does so by products of matrices ([schreiber1989], whose T gives Y = −TᵀV).
type backTransform struct {
	v, y  Dense // rows
	vt    Dense // Vᵀ
	gram  Dense // VVᵀ
	parts Dense // what the eigenvectors have of each v_j
}

// backWidth is how many reflections go into one product; measured.
const backWidth = 32

func newBackTransform(n int) backTransform {
	width := min(backWidth, n)
	return backTransform{
		v: NewDense(width, n), y: NewDense(width, n), vt: NewDense(n, width),
		gram: NewDense(width, width), parts: NewDense(n, width),
	}
}

// apply replaces every row q of rows by H_0 H_1 ⋯ q, where v_j is in columns
// j+1… of row j of a.
func (b *backTransform) apply(rows, a Dense, tau []float64) {
	n := a.Rows
	reflections := max(n-2, 0)
	for end := reflections; end > 0; {
		first := (end - 1) / backWidth * backWidth
		count := end - first
		b.prepare(a, tau, first, count)
		m := n - first - 1 // the first coordinates stay
		target := window(rows, 0, n, first+1, n)
		parts := window(b.parts, 0, n, 0, count)
		Mul(parts, target, window(b.vt, 0, m, 0, count))
		mulAdd(target, parts, window(b.y, 0, count, 0, m))
		end = first
	}
}

// prepare fills V, Vᵀ and Y for the reflections first … first+count−1.
func (b *backTransform) prepare(a Dense, tau []float64, first, count int) {
	m := a.Rows - first - 1
	for i := range count {
		row := Row(b.v, i)[:m]
		clear(row[:i])
		copy(row[i:], Row(a, first+i)[first+i+1:])
		for j, x := range row {
			b.vt.Data[j*b.vt.Stride+i] = x
		}
	}
	gram := window(b.gram, 0, count, 0, count)
	Mul(gram, window(b.v, 0, count, 0, m), window(b.vt, 0, m, 0, count))
	for j := range count {
		row := Row(b.y, j)[:m]
		copy(row, Row(b.v, j))
		if j > 0 {
			addCombination(row, window(b.y, 0, j, 0, m), Row(gram, j)[:j])
		}
		for i := range row {
			row[i] *= -tau[first+j]
		}
	}
}
