package linalg

// A backTransform takes eigenvectors of a tridiagonal form back to those of the
// matrix. With a panel of reflections H_p ⋯ H_q = I + YᵀV, where the rows of V
// are the v_j and those of Y follow from
//
//	Y_j = −τ_j (V_j + Σ_{i<j} (V_i·V_j) Y_i),
//
// it does so by products of matrices ([schreiber1989], whose T gives Y = −TᵀV).
type backTransform struct {
	vt, y Dense // Vᵀ and Y: the panels side by side and below each other, as they act on all coordinates
	gram  Dense // VVᵀ of a panel
	parts Dense // what some eigenvectors have of each v_j of a panel
}

const (
	// backWidth is how many reflections go into one product; measured.
	backWidth = 24
	// backRows is how many eigenvectors meet all reflections before the next
	// ones do. They stay in the cache, up to some thousand coordinates.
	backRows = 128
)

// newBackTransform uses two n×n matrices that are free while it works.
func newBackTransform(vt, y Dense) backTransform {
	n := vt.Rows
	width := min(backWidth, n)
	return backTransform{vt: vt, y: y, gram: NewDense(width, width), parts: NewDense(min(backRows, n), width)}
}

// apply replaces every row q of rows by H_0 H_1 ⋯ q, where v_j is in columns
// j+1… of row j of a.
func (b *backTransform) apply(rows, a Dense, tau []float64) {
	n := a.Rows
	reflections := max(n-2, 0)
	for first := 0; first < reflections; first += backWidth {
		b.prepare(a, tau, first, min(first+backWidth, reflections))
	}
	for low := 0; low < n; low += backRows {
		high := min(low+backRows, n)
		for end := reflections; end > 0; {
			first := (end - 1) / backWidth * backWidth
			target := window(rows, low, high, first+1, n) // the coordinates before stay
			parts := window(b.parts, 0, high-low, 0, end-first)
			Mul(parts, target, window(b.vt, first+1, n, first, end))
			mulAdd(target, parts, window(b.y, first, end, first+1, n))
			end = first
		}
	}
}

// prepare fills Vᵀ and Y for the reflections first … end−1.
func (b *backTransform) prepare(a Dense, tau []float64, first, end int) {
	n, count := a.Rows, end-first
	v, vt := window(b.y, first, end, first+1, n), window(b.vt, first+1, n, first, end)
	for i := range count {
		row := Row(v, i)
		clear(row[:i])
		copy(row[i:], Row(a, first+i)[first+i+1:])
		for j, x := range row {
			vt.Data[j*vt.Stride+i] = x
		}
	}
	gram := window(b.gram, 0, count, 0, count)
	Mul(gram, v, vt)
	for j := range count {
		row := Row(v, j) // V_j becomes Y_j
		if j > 0 {
			addCombination(row, window(v, 0, j, 0, v.Cols), Row(gram, j)[:j])
		}
		for i := range row {
			row[i] *= -tau[first+j]
		}
	}
}
