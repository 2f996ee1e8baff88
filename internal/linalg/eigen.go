package linalg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Eigen is a symmetric eigendecomposition V·diag(Values)·Vᵀ that reuses its memory.
//
// It reduces to tridiagonal form by Householder reflections, solves that by
// divide and conquer ([gu1995]) and takes the eigenvectors back through the
// reflections. Nearly all operations are products of matrices, but for half of
// the reduction, which is products of the matrix with vectors.
type Eigen struct {
	Values  []float64 // ascending
	Vectors Dense     // eigenvectors in columns
	Threads Threads   // to share the work between; results do not depend on it

	n         int
	reduction reduction
	split     dividing
	back      backTransform
}

// NewEigen returns room for n×n matrices.
func NewEigen(n int) *Eigen {
	return &Eigen{
		Values: make([]float64, n), Vectors: NewDense(n, n),
		n: n, reduction: newReduction(n), split: newDividing(n), back: newBackTransform(n),
	}
}

// The solver squares and multiplies entries. It keeps the largest one between
// these bounds, where that can neither overflow nor lose what matters.
const leastUnit, mostUnit = 0x1p-32, 0x1p32

// Factorize decomposes the symmetric matrix whose upper triangle the caller has
// put into e.Vectors, replacing it by the eigenvectors. If the triangle has an
// entry that is not finite then so are all of Values and Vectors: NaN.
func (e *Eigen) Factorize() error {
	largest := e.largest()
	switch {
	case math.IsNaN(largest) || math.IsInf(largest, 1):
		fill(e.Values, math.NaN())
		fill(e.Vectors.Data, math.NaN())
		return nil
	case largest == 0 || leastUnit <= largest && largest <= mostUnit:
		return e.factorize()
	}
	_, exponent := math.Frexp(largest)
	e.scale(-exponent)
	err := e.factorize()
	for i, v := range e.Values {
		e.Values[i] = math.Ldexp(v, exponent)
	}
	return err
}

func (e *Eigen) factorize() error {
	e.reduction.reduce(e.Vectors, &e.split.tridiagonal, e.Threads)
	if !e.split.solve(e.Threads) {
		return errors.New("linalg: the symmetric eigendecomposition did not converge")
	}
	e.back.apply(e.split.rows, e.Vectors, e.reduction.tau, e.Threads)
	for k, from := range e.split.order {
		e.Values[k] = e.split.diag[from]
	}
	e.putVectors()
	return nil
}

// putVectors transposes the sorted eigenvectors into Vectors. Some at a time
// use whole lines of the cache on both sides.
func (e *Eigen) putVectors() {
	const some = 8
	for first := 0; first < e.n; first += some {
		order := e.split.order[first:min(first+some, e.n)]
		for i := range e.n {
			into := Row(e.Vectors, i)[first:]
			for k, from := range order {
				into[k] = e.split.rows.Data[from*e.split.rows.Stride+i]
			}
		}
	}
}

// largest returns the largest magnitude in the upper triangle, or a NaN or
// infinity if there is one: without their signs numbers are in the order of
// their representations, and these come last.
func (e *Eigen) largest() float64 {
	var m uint64
	for i := range e.n {
		for _, v := range Row(e.Vectors, i)[i:] {
			m = max(m, math.Float64bits(v)&^(1<<63))
		}
	}
	return math.Float64frombits(m)
}

// scale multiplies the upper triangle by 2^exponent.
func (e *Eigen) scale(exponent int) {
	for i := range e.n {
		row := Row(e.Vectors, i)[i:]
		for j, v := range row {
			row[j] = math.Ldexp(v, exponent)
		}
	}
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}

// What the eigensolver does to vectors. Everything else it does is products of
// matrices and work of lower order.

// window returns rows i0…i1−1 and columns j0…j1−1 of a. It shares a's storage.
func window(a Dense, i0, i1, j0, j1 int) Dense {
	if i0 == i1 || j0 == j1 {
		return Dense{Rows: i1 - i0, Cols: j1 - j0, Stride: a.Stride}
	}
	return Dense{Rows: i1 - i0, Cols: j1 - j0, Stride: a.Stride, Data: a.Data[i0*a.Stride+j0 : (i1-1)*a.Stride+j1]}
}

// mulAdd adds a·b to c.
func mulAdd(c, a, b Dense) { Threads(1).AddMul(c, a, b) }

// addCombination adds aᵀ·x, a combination of the rows of a, to y.
func addCombination(y []float64, a Dense, x []float64) {
	if len(x) == 0 {
		return
	}
	blas64.Gemv(blas.Trans, 1, a, blas64.Vector{N: len(x), Inc: 1, Data: x}, 1, blas64.Vector{N: len(y), Inc: 1, Data: y})
}

// upperOf returns the symmetric matrix with the upper triangle of a.
func upperOf(a Dense) blas64.Symmetric {
	return blas64.Symmetric{N: a.Rows, Stride: a.Stride, Data: a.Data, Uplo: blas.Upper}
}

// splitFrom is the size from which on work on a matrix is worth sharing.
const splitFrom = 64

// split calls body with parts of 0…n−1, a part for each thread, at once. What
// body does to one index must not depend on its part.
func (t Threads) split(n int, body func(low, high int)) {
	if t <= 1 || n < splitFrom {
		body(0, n)
		return
	}
	ForEach(int(t), int(t), func(_, k int) { body(k*n/int(t), (k+1)*n/int(t)) })
}

// sweepsPerValue bounds the QL iterations for one eigenvalue; two are usual.
const sweepsPerValue = 60

// implicitQL turns the symmetric tridiagonal matrix with diagonal d and
// off-diagonal e (e[i] couples i and i+1) into its eigenvalues, in d, and applies
// the same rotations to the rows of z, which are of length one ([bowdler1968]). It
// reports false if it does not converge, which no finite matrix is known to make
// it do.
func implicitQL(d, e []float64, z Dense) bool {
	n := len(d)
	for low := range n {
		for sweep := 0; ; sweep++ {
			// The block low…high is uncoupled from what follows.
			high := low
			for high < n-1 && math.Abs(e[high]) > negligibleLength+0x1p-53*(math.Abs(d[high])+math.Abs(d[high+1])) {
				high++
			}
			if high == low {
				break
			}
			if sweep == sweepsPerValue {
				return false
			}
			qlSweep(d, e, z, low, high)
		}
	}
	for i := range n {
		normalise(Row(z, i))
	}
	return true
}

// normalise gives a row the length one that rounded rotations have all but kept.
func normalise(row []float64) {
	scale := 1 / math.Sqrt(Dot(row, row))
	for k := range row {
		row[k] *= scale
	}
}

// qlSweep chases the bulge of one shifted QL step from row high up to row low.
func qlSweep(d, e []float64, z Dense, low, high int) {
	// Wilkinson's shift: the eigenvalue of the leading 2×2 block nearer to d[low].
	half := (d[low+1] - d[low]) / (2 * e[low])
	shift := d[low] - e[low]/(half+math.Copysign(math.Hypot(half, 1), half))
	g := d[high] - shift
	sin, cos, carry := 1.0, 1.0, 0.0
	for i := high - 1; i >= low; i-- {
		f, b := sin*e[i], cos*e[i]
		r := math.Sqrt(f*f + g*g)
		e[i+1] = r
		if r == 0 { // the block splits here
			d[i+1] -= carry
			e[high] = 0
			return
		}
		sin, cos = f/r, g/r
		g = d[i+1] - carry
		t := (d[i]-g)*sin + 2*cos*b
		carry = sin * t
		d[i+1] = g + carry
		g = cos*t - b
		Rotate(Row(z, i), Row(z, i+1), cos, sin)
	}
	d[low] -= carry
	e[low], e[high] = g, 0
}
