package linalg

import "math"

// A secular is the eigenproblem of diag(p) + wwᵀ, p ascending and distinct, w
// without zeros. Its eigenvalues are the roots of
//
//	f(λ) = 1 + Σ_i w_i² / (p_i − λ),
//
// one after each pole p_i.
type secular struct {
	pole, weight []float64 // p and w, and a pole after the last root, of weight zero
	exact        []float64 // the w whose roots are exactly those found
	vectors      Dense     // row j: p − λ_j, then eigenvector j
	row          []float64
}

func newSecular(n int) secular {
	return secular{
		pole: make([]float64, 0, n+1), weight: make([]float64, 0, n+1),
		exact: make([]float64, n), vectors: NewDense(n, n), row: make([]float64, n),
	}
}

// start sets p and w to d and scale·z at the rows in active.
func (s *secular) start(scale float64, active []int, d, z []float64) {
	s.pole, s.weight = s.pole[:0], s.weight[:0]
	var square float64
	for _, i := range active {
		w := scale * z[i]
		s.pole, s.weight = append(s.pole, d[i]), append(s.weight, w)
		square += w * w
	}
	if k := len(active); k > 0 {
		// The last root is at most ‖w‖² after the last pole, the first half of the way.
		s.pole, s.weight = append(s.pole, s.pole[k-1]+2*square), append(s.weight, 0)
	}
}

// solve writes the k eigenvalues to values, ascending, and returns the
// eigenvectors in rows, with component i in column slot[i].
func (s *secular) solve(values []float64, slot []int, threads Threads) Dense {
	k := len(s.pole) - 1
	if k <= 0 {
		return Dense{}
	}
	u := window(s.vectors, 0, k, 0, k)
	threads.split(k, func(low, high int) {
		for j := low; j < high; j++ {
			values[j] = s.root(j, Row(u, j))
		}
	})
	s.findExact(u)
	for j := range k {
		row, into := s.row[:k], Row(u, j)
		var square float64
		for i, gap := range into {
			x := s.exact[i] / gap
			row[i] = x
			square += x * x
		}
		scale := 1 / math.Sqrt(square)
		for i, x := range row {
			into[slot[i]] = x * scale
		}
	}
	return u
}

// findExact sets exact to the weights that have exactly the roots found, whose
// distances from the poles are in the rows of u (Löwner's formula):
//
//	w_i² = Π_j (λ_j − p_i) / Π_{j≠i} (p_j − p_i).
//
// Eigenvectors computed from them are orthogonal to rounding, however close the
// roots are, and the weights differ from the given ones by rounding only.
func (s *secular) findExact(u Dense) {
	k := u.Rows
	square, p := s.exact[:k], s.pole[:k]
	for i := range square {
		square[i] = -Row(u, i)[i]
	}
	for j := range k {
		row, pj := Row(u, j), p[j]
		for i := range j {
			square[i] *= row[i] / (p[i] - pj)
		}
		for i := j + 1; i < k; i++ {
			square[i] *= row[i] / (p[i] - pj)
		}
	}
	for i, x := range square {
		s.exact[i] = math.Copysign(math.Sqrt(x), s.weight[i])
	}
}

// Rational steps converge in a handful. Bisection of the representation, which
// follows if they do not, ends after 64 steps.
const rationalSteps = 30

// Steps converge at least quadratically: after one smaller than lastStep times
// the distance to a pole, what is missing is less than rounding.
const lastStep = 0x1p-27

// root finds the root between poles j and j+1 and writes p − λ to gaps. The
// root is kept as an offset from the nearer pole, so that its distances from
// all poles have full relative precision.
//
// Each step goes to the root of a function with these two poles that has the
// value and the slope of f: the fixed weight method of [li1994], which takes the
// weight of the nearer pole as it is, and his middle way where that is slow.
func (s *secular) root(j int, gaps []float64) float64 {
	width := s.pole[j+1] - s.pole[j]
	origin, offset, low, high := s.guess(j)
	left, right := s.pole[j]-s.pole[origin], s.pole[j+1]-s.pole[origin]
	weight := s.weight[origin]
	fixed, before := true, math.Inf(1)
	for step := 0; ; step++ {
		psi, dpsi := s.sum(0, j+1, origin, offset)
		phi, dphi := s.sum(j+1, len(s.pole), origin, offset)
		f, slope := 1+psi+phi, dpsi+dphi
		if math.Abs(f) <= 0x1p-53*(4*(1-psi+phi)+math.Abs(offset)*slope) {
			break
		}
		if f < 0 {
			low = offset
		} else {
			high = offset
		}
		if math.Abs(f) > before/10 {
			fixed = !fixed
		}
		before = math.Abs(f)

		l, r := left-offset, right-offset
		var c float64
		switch {
		case !fixed:
			c = f - l*dpsi - r*dphi
		case origin == j:
			c = f - r*slope + width*(weight/l)*(weight/l)
		default:
			c = f - l*slope - width*(weight/r)*(weight/r)
		}
		change := smallerRoot(c, f*(l+r)-slope*l*r, f*l*r)
		next := offset + change
		last := math.Abs(change) < lastStep*min(math.Abs(l), math.Abs(r))
		if step > rationalSteps {
			next, last = halfway(low, high), false
		} else if !(low < next && next < high) {
			next, last = low+(high-low)/2, false
		}
		if next <= low || next >= high {
			break
		}
		offset = next
		if last {
			break
		}
	}
	po := s.pole[origin]
	for i, p := range s.pole[:len(gaps)] {
		gaps[i] = (p - po) - offset
	}
	return po + offset
}

// guess returns the nearer of the poles j and j+1 to the root between them,
// bounds for the offset of the root from it, and a first value: where the root
// would be if all other poles gave what they give halfway.
func (s *secular) guess(j int) (origin int, offset, low, high float64) {
	width := s.pole[j+1] - s.pole[j]
	before, _ := s.sum(0, j, j, width/2)
	after, _ := s.sum(j+2, len(s.pole), j, width/2)
	others := 1 + before + after
	wl, wr := s.weight[j]*s.weight[j], s.weight[j+1]*s.weight[j+1]
	if others+(wr-wl)/(width/2) >= 0 {
		origin, low, high = j, 0, width
		offset = smallerRoot(others, wl+wr+others*width, wl*width)
	} else {
		origin, low, high = j+1, -width, 0
		offset = smallerRoot(others, wl+wr-others*width, -wr*width)
	}
	if !(low < offset && offset < high) {
		offset = low + (high-low)/2
	}
	return origin, offset, low, high
}

// smallerRoot returns the root (a − √(a² − 4bc)) / 2c of cx² − ax + b.
func smallerRoot(c, a, b float64) float64 {
	root := math.Sqrt(max(a*a-4*b*c, 0))
	if a > 0 {
		return 2 * b / (a + root)
	}
	return (a - root) / (2 * c)
}

// halfway returns the number between low and high, of the same sign, with as
// many representable ones on either side.
func halfway(low, high float64) float64 {
	if high <= 0 {
		return -halfway(math.Abs(high), math.Abs(low))
	}
	a, b := math.Float64bits(low), math.Float64bits(high)
	return math.Float64frombits(a + (b-a)/2)
}

// sum returns Σ w_i²/(p_i − λ) over from ≤ i < to and its derivative by λ, for λ
// at an offset from the pole origin.
func (s *secular) sum(from, to, origin int, offset float64) (value, slope float64) {
	if from >= to {
		return 0, 0
	}
	po, p := s.pole[origin], s.pole[from:to]
	for i, w := range s.weight[from:to] {
		x := w / ((p[i] - po) - offset)
		value += w * x
		slope += x * x
	}
	return value, slope
}
