package linalg

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// On normalised Laplacians of random sparse graphs, on which the learner spends
// its time, and on matrices without structure.
func BenchmarkEigen(b *testing.B) {
	for _, n := range []int{20, 50, 100, 300, 1000} {
		src := rand.New(rand.NewPCG(1, uint64(n)))
		for _, c := range []struct {
			name string
			a    Dense
		}{{"laplacian", randomLaplacian(src, n, 8)}, {"random", randomSymmetric(src, n)}} {
			a, group := c.a, fmt.Sprintf("%s/n=%d", c.name, n)
			b.Run(group+"/by=Eigen", func(b *testing.B) {
				e := NewEigen(n)
				for b.Loop() {
					copy(e.Vectors.Data, a.Data)
					if err := e.Factorize(); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(group+"/by=QL", func(b *testing.B) {
				e := newEigenQL(n)
				for b.Loop() {
					copy(e.vectors.Data, a.Data)
					if !e.factorize() {
						b.Fatal("did not converge")
					}
				}
			})
			b.Run(group+"/by=gonum", func(b *testing.B) {
				s := mat.NewSymDense(n, a.Data)
				var e mat.EigenSym
				for b.Loop() {
					if !e.Factorize(s, true) {
						b.Fatal("did not converge")
					}
				}
			})
		}
	}
}

// An eigenQL is the plain way: LAPACK's reduction and QL on all of the rotations.
type eigenQL struct {
	values, off, tau, work []float64
	vectors, rows          Dense
}

func newEigenQL(n int) *eigenQL {
	return &eigenQL{
		values: make([]float64, n), off: make([]float64, n), tau: make([]float64, n), work: make([]float64, 64*n),
		vectors: NewDense(n, n), rows: NewDense(n, n),
	}
}

func (e *eigenQL) factorize() bool {
	n := e.vectors.Rows
	var impl lapack.Implementation
	impl.Dsytrd(blas.Upper, n, e.vectors.Data, n, e.values, e.off, e.tau, e.work, len(e.work))
	impl.Dorgtr(blas.Upper, n, e.vectors.Data, n, e.tau, e.work, len(e.work))
	e.off[n-1] = 0
	transposeTo(e.rows, e.vectors)
	ok := implicitQL(e.values, e.off, e.rows)
	transposeTo(e.vectors, e.rows)
	return ok
}

func transposeTo(dst, a Dense) {
	for i := range a.Rows {
		for j, v := range Row(a, i) {
			dst.Data[j*dst.Stride+i] = v
		}
	}
}
