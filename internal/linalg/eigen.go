package linalg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	lapack "gonum.org/v1/gonum/lapack/gonum"
)

// Eigen is a symmetric eigendecomposition V·diag(Values)·Vᵀ that reuses its memory.
//
// It reduces to tridiagonal form by LAPACK's blocked algorithm and then runs the
// implicit QL iteration on the transposed eigenvectors: a rotation there
// combines two contiguous rows, where LAPACK's routine combines two entries of
// every row and waits for each. That halves the time of the whole at N = 100.
type Eigen struct {
	Values  []float64 // in no particular order
	Vectors Dense     // eigenvectors in columns

	off  []float64 // off-diagonal of the tridiagonal matrix, with a zero at the end
	tau  []float64
	rows Dense // eigenvectors in rows
	work []float64
}

// NewEigen returns room for n×n matrices.
func NewEigen(n int) *Eigen {
	e := &Eigen{
		Values: make([]float64, n), Vectors: NewDense(n, n),
		off: make([]float64, n), tau: make([]float64, n), rows: NewDense(n, n),
	}
	var size [1]float64
	var impl lapack.Implementation
	impl.Dsytrd(blas.Upper, n, e.Vectors.Data, n, e.Values, e.off, e.tau, size[:], -1)
	need := int(size[0])
	impl.Dorgtr(blas.Upper, n, e.Vectors.Data, n, e.tau, size[:], -1)
	e.work = make([]float64, max(need, int(size[0]), 1))
	return e
}

// Factorize decomposes the symmetric matrix whose upper triangle the caller has
// put into e.Vectors, replacing it by the eigenvectors.
func (e *Eigen) Factorize() error {
	n := e.Vectors.Rows
	var impl lapack.Implementation
	impl.Dsytrd(blas.Upper, n, e.Vectors.Data, n, e.Values, e.off, e.tau, e.work, len(e.work))
	impl.Dorgtr(blas.Upper, n, e.Vectors.Data, n, e.tau, e.work, len(e.work))
	e.off[n-1] = 0
	transpose(e.rows, e.Vectors)
	if !implicitQL(e.Values, e.off, e.rows) {
		return errors.New("linalg: the symmetric eigendecomposition did not converge")
	}
	transpose(e.Vectors, e.rows)
	return nil
}

func transpose(dst, a Dense) {
	for i := range a.Rows {
		for j, v := range Row(a, i) {
			dst.Data[j*dst.Stride+i] = v
		}
	}
}

// sweepsPerValue bounds the QL iterations for one eigenvalue; two are usual.
const sweepsPerValue = 60

// implicitQL turns the symmetric tridiagonal matrix with diagonal d and
// off-diagonal e (e[i] couples i and i+1) into its eigenvalues, in d, and applies
// the same rotations to the rows of z ([bowdler1968]). It reports false if it
// does not converge, which no finite matrix is known to make it do.
func implicitQL(d, e []float64, z Dense) bool {
	n := len(d)
	for low := range n {
		for sweep := 0; ; sweep++ {
			// The block low…high is uncoupled from what follows.
			high := low
			for high < n-1 && math.Abs(e[high]) > 0x1p-53*(math.Abs(d[high])+math.Abs(d[high+1])) {
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
	return true
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
