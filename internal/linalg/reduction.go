package linalg

import "math"

// A tridiagonal is the symmetric tridiagonal matrix with the given diagonal;
// off[i] couples i and i+1, the last entry is zero.
type tridiagonal struct {
	diag, off []float64
}

// A reduction brings symmetric matrices to tridiagonal form by Householder
// reflections H_j = I − τ_j v_j v_jᵀ:
//
//	A = H_0 H_1 ⋯ T ⋯ H_1 H_0.
//
// Reflections are put off: within a panel of rows only what the next reflection
// needs is brought up to date, and the rest of the matrix gets the whole panel
// as one product ([dongarra1989]).
type reduction struct {
	tau []float64 // τ_j, zero where there is nothing to reflect
	// Rows 2i and 2i+1 of pending are w and v of the panel's i-th reflection,
	// which takes A to A − vwᵀ − wvᵀ.
	pending Dense
	swapped Dense // minus the transpose of pending with w and v exchanged
	coef    []float64
}

// panelWidth is how many reflections are put off together. Wider panels make
// better products but more work with the panel itself; measured.
const panelWidth = 12

func newReduction(n int) reduction {
	return reduction{
		tau: make([]float64, n), pending: NewDense(2*panelWidth, n), swapped: NewDense(n, 2*panelWidth),
		coef: make([]float64, 2*panelWidth),
	}
}

// reduce writes the tridiagonal form of the matrix in the upper triangle of a
// to t, and v_j into columns j+1… of row j of a.
func (r *reduction) reduce(a Dense, t *tridiagonal, threads Threads) {
	n := a.Rows
	for first := 0; first < n; first += panelWidth {
		next := min(first+panelWidth, n)
		for j := first; j < next; j++ {
			r.step(a, t, j, 2*(j-first))
		}
		r.update(a, next, 2*(next-first), threads)
	}
}

// step finishes row j, on which the first count rows of pending are still to be
// applied, and adds its reflection to them.
func (r *reduction) step(a Dense, t *tridiagonal, j, count int) {
	n := a.Rows
	row := Row(a, j)[j:]
	coef := r.coef[:count]
	for i := range coef {
		coef[i] = -r.pending.Data[(i^1)*r.pending.Stride+j]
	}
	addCombination(row, window(r.pending, 0, count, j, n), coef)
	t.diag[j] = row[0]
	if j == n-1 {
		t.off[j], r.tau[j] = 0, 0
		return
	}
	v := row[1:]
	t.off[j], r.tau[j] = reflector(v)
	w := Row(r.pending, count)[j+1:]
	copy(Row(r.pending, count+1)[j+1:], v)
	if r.tau[j] == 0 {
		clear(w)
		return
	}
	Symv(w, upperOf(window(a, j+1, n, j+1, n)), v)
	before := window(r.pending, 0, count, j+1, n)
	mulVec(coef, before, v)
	for i := 0; i < count; i += 2 {
		coef[i], coef[i+1] = -coef[i+1], -coef[i]
	}
	addCombination(w, before, coef)
	// HAH = A − vwᵀ − wvᵀ with w = τAv − ½τ²(vᵀAv)v.
	tau := r.tau[j]
	half := tau * tau / 2 * Dot(w, v)
	for i, x := range v {
		w[i] = tau*w[i] - half*x
	}
}

// negligibleLength counts as zero. It is far below the rounding of what the
// solver works on, and its square far above the numbers that underflow.
const negligibleLength = 0x1p-450

// reflector replaces x by the v, with v[0] = 1, of the reflection that takes x
// to a multiple of the first unit vector, and returns that multiple and τ.
func reflector(x []float64) (multiple, tau float64) {
	head, tail := x[0], x[1:]
	x[0] = 1
	square := Dot(tail, tail)
	if square < negligibleLength*negligibleLength {
		clear(tail)
		return head, 0
	}
	multiple = -math.Copysign(math.Sqrt(head*head+square), head)
	scale := 1 / (head - multiple)
	for i := range tail {
		tail[i] *= scale
	}
	return multiple, (multiple - head) / multiple
}

// update applies the first count rows of pending to the rows from first on.
func (r *reduction) update(a Dense, first, count int, threads Threads) {
	n := a.Rows
	for i := range count {
		for j, x := range Row(r.pending, i^1)[first:] {
			r.swapped.Data[(first+j)*r.swapped.Stride+i] = -x
		}
	}
	// The triangle in strips: what they have below the diagonal is not used.
	strip := func(_, k int) {
		i := first + k*stripHeight
		end := min(i+stripHeight, n)
		mulAdd(window(a, i, end, i, n), window(r.swapped, i, end, 0, count), window(r.pending, 0, count, i, n))
	}
	ForEach(int(threads), (n-first+stripHeight-1)/stripHeight, strip)
}

// stripHeight balances products of a good size against work below the diagonal.
const stripHeight = 64

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
