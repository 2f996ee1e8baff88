package linalg

import "math"

// A dividing solves tridiagonal eigenproblems by divide and conquer ([gu1995]).
// A matrix is torn in two by taking |c| off the diagonal at both ends of a
// coupling c,
//
//	T = diag(T₁, T₂) + |c|·uuᵀ,   u = (0 … 0, 1, ±1, 0 … 0),
//
// and the eigenpairs of the halves are merged to those of T.
type dividing struct {
	tridiagonal       // replaced by eigenvalues as parts are solved
	rows        Dense // eigenvectors of solved parts, in rows; a part has zeros outside its own columns
	order       []int // of each solved part: its rows, from the part's first, by ascending eigenvalue

	negligible float64 // what may be left out of the matrix
	merging
	second *merging // of the second half, when both are solved at once
}

// merging is the memory of one merge of two parts.
type merging struct {
	z      []float64 // √2·Qᵀu, by row of the part
	sorted []int     // rows of the part by ascending eigenvalue
	reach  []reach   // by row of the part
	active []int     // rows that enter the secular equation, ascending
	rest   []int     // rows that do not, ascending
	slot   []int     // row of packed, by position in active
	values []float64
	packed Dense // rows of the part: by reach, then the rest
	secular
}

// A reach says which columns of a row are not zero.
type reach uint8

const (
	firstHalf reach = iota
	bothHalves
	secondHalf
)

func newDividing(n int) dividing {
	return dividing{
		tridiagonal: tridiagonal{diag: make([]float64, n), off: make([]float64, n)},
		rows:        NewDense(n, n),
		order:       make([]int, n),
		merging:     newMerging(n),
	}
}

func newMerging(n int) merging {
	return merging{
		z: make([]float64, n), sorted: make([]int, n), reach: make([]reach, n),
		active: make([]int, 0, n), rest: make([]int, 0, n), slot: make([]int, n),
		values: make([]float64, n), packed: NewDense(n, n), secular: newSecular(n),
	}
}

// leafSize is the size up to which QL is faster than dividing; measured.
const leafSize = 25

// deflation is how many roundings of the largest entry a perturbation may have.
const deflation = 8

// solve replaces the diagonal by the eigenvalues, sorted by order, and sets rows
// to the eigenvectors. It reports false if QL does not converge.
func (s *dividing) solve(threads Threads) bool {
	var largest float64
	for i, d := range s.diag {
		largest = max(largest, math.Abs(d), math.Abs(s.off[i]))
	}
	s.negligible = deflation * 0x1p-53 * largest
	clear(s.rows.Data)
	return s.solvePart(0, len(s.diag), threads)
}

func (s *dividing) solvePart(first, end int, threads Threads) bool {
	if end-first <= leafSize {
		return s.solveLeaf(first, end)
	}
	middle := (first + end) / 2
	coupling := s.off[middle-1]
	s.off[middle-1] = 0
	s.diag[middle-1] -= math.Abs(coupling)
	s.diag[middle] -= math.Abs(coupling)
	if !s.solveHalves(first, middle, end, threads) {
		return false
	}
	s.merge(first, middle, end, coupling, threads)
	return true
}

// solveHalves solves both halves, at once if there are threads for it.
func (s *dividing) solveHalves(first, middle, end int, threads Threads) bool {
	if threads <= 1 || end-first < splitFrom {
		return s.solvePart(first, middle, 1) && s.solvePart(middle, end, 1)
	}
	if s.second == nil {
		m := newMerging(len(s.diag))
		s.second = &m
	}
	other := dividing{tridiagonal: s.tridiagonal, rows: s.rows, order: s.order, negligible: s.negligible, merging: *s.second}
	var ok [2]bool
	ForEach(2, 2, func(_, k int) {
		if k == 0 {
			ok[0] = s.solvePart(first, middle, 1)
		} else {
			ok[1] = other.solvePart(middle, end, 1)
		}
	})
	return ok[0] && ok[1]
}

func (s *dividing) solveLeaf(first, end int) bool {
	rows := window(s.rows, first, end, first, end)
	for i := range rows.Rows {
		Row(rows, i)[i] = 1
	}
	d := s.diag[first:end]
	if !implicitQL(d, s.off[first:end], rows) {
		return false
	}
	order := s.order[first:end]
	for i := range order {
		order[i] = i
	}
	insertionSort(order, d)
	return true
}

// insertionSort sorts order by ascending key.
func insertionSort(order []int, key []float64) {
	for i, x := range order {
		for ; i > 0 && key[order[i-1]] > key[x]; i-- {
			order[i] = order[i-1]
		}
		order[i] = x
	}
}

// mergeSorted sets dst to the elements of a and b by ascending key, both being sorted.
func mergeSorted(dst, a, b []int, key []float64) {
	for i := range dst {
		if len(b) == 0 || len(a) > 0 && key[a[0]] <= key[b[0]] {
			dst[i], a = a[0], a[1:]
		} else {
			dst[i], b = b[0], b[1:]
		}
	}
}

// merge makes the solved parts first…middle−1 and middle…end−1 one.
func (s *dividing) merge(first, middle, end int, coupling float64, threads Threads) {
	part := window(s.rows, first, end, first, end)
	n, half := end-first, middle-first
	d, z := s.diag[first:end], s.z[:n]
	for i := range half {
		z[i] = Row(part, i)[half-1]
		s.reach[i] = firstHalf
	}
	for i := half; i < n; i++ {
		z[i] = math.Copysign(1, coupling) * Row(part, i)[half]
		s.reach[i] = secondHalf
	}
	order := s.order[first:end]
	for i := half; i < n; i++ {
		order[i] += half
	}
	mergeSorted(s.sorted[:n], order[:half], order[half:], d)
	s.deflate(part, d, math.Abs(coupling), n)
	second, both := s.pack(part)

	k := len(s.active)
	s.start(math.Sqrt(math.Abs(coupling)), s.active, d, z)
	u := s.secular.solve(s.values, s.slot, threads)
	threads.Mul(window(part, 0, k, 0, half), window(u, 0, k, 0, both), window(s.packed, 0, both, 0, half))
	threads.Mul(window(part, 0, k, half, n), window(u, 0, k, second, k), window(s.packed, second, k, half, n))
	for i, from := range s.rest {
		copy(Row(part, k+i), Row(s.packed, k+i)[:n])
		s.values[k+i] = d[from]
	}
	copy(d, s.values)
	for i := range n {
		s.sorted[i] = i
	}
	mergeSorted(order, s.sorted[:k], s.sorted[k:n], d)
}

// deflate divides the rows of a part into those that enter the secular equation
// and the rest: rows to which the coupling adds less than is negligible, and
// of two rows with nearly the same eigenvalue the one that a rotation can make so.
func (s *dividing) deflate(part Dense, d []float64, coupling float64, n int) {
	s.active, s.rest = s.active[:0], s.rest[:0]
	z := s.z
	last := -1 // the last row that is not known to deflate
	for _, i := range s.sorted[:n] {
		if coupling*math.Abs(z[i]) <= s.negligible {
			s.setAside(i, d)
			continue
		}
		if last >= 0 && !s.rotateAway(part, d, last, i) {
			s.active = append(s.active, last)
		}
		last = i
	}
	if last >= 0 {
		s.active = append(s.active, last)
	}
}

// rotateAway moves the coupling of row i to row j if their eigenvalues are near
// enough for what that puts between them to be negligible.
func (s *dividing) rotateAway(part Dense, d []float64, i, j int) bool {
	r := math.Hypot(s.z[i], s.z[j])
	sin, cos := s.z[i]/r, s.z[j]/r
	if math.Abs((d[j]-d[i])*sin*cos) > s.negligible {
		return false
	}
	Rotate(Row(part, i), Row(part, j), cos, sin)
	s.z[i], s.z[j] = 0, r
	d[i], d[j] = cos*cos*d[i]+sin*sin*d[j], sin*sin*d[i]+cos*cos*d[j]
	if s.reach[i] != s.reach[j] {
		s.reach[j] = bothHalves
	}
	s.setAside(i, d)
	return true
}

// setAside adds row i to the rest, in order.
func (s *dividing) setAside(i int, d []float64) {
	s.rest = append(s.rest, i)
	at := len(s.rest) - 1
	for ; at > 0 && d[s.rest[at-1]] > d[i]; at-- {
		s.rest[at] = s.rest[at-1]
	}
	s.rest[at] = i
}

// pack copies the rows of a part to packed, active ones by their reach and then
// the rest. It returns where the rows that reach the second half begin and
// where those that reach the first half end.
func (s *dividing) pack(part Dense) (second, first int) {
	var next [4]int
	for _, i := range s.active {
		next[s.reach[i]+1]++
	}
	second, first = next[1], next[1]+next[2]
	next[2], next[3] = first, 0
	for a, i := range s.active {
		at := next[s.reach[i]]
		next[s.reach[i]]++
		s.slot[a] = at
		copy(Row(s.packed, at), Row(part, i))
	}
	for a, i := range s.rest {
		copy(Row(s.packed, len(s.active)+a), Row(part, i))
	}
	return second, first
}
