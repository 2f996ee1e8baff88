package linalg

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkProduct times a·b by each of our kernels on one thread, by the best
// of them on two, by gonum and by the OpenBLAS under NumPy on one.
func BenchmarkProduct(b *testing.B) {
	for _, s := range [][3]int{{20, 20, 20}, {50, 50, 50}, {100, 100, 100}, {100, 100, 200}, {4000, 100, 100}, {300, 300, 300}, {1000, 1000, 1000}} {
		m, k, n := s[0], s[1], s[2]
		x, y, z := random(m, k), random(k, n), NewDense(m, n)
		run := func(by string, product func()) {
			b.Run(fmt.Sprintf("m=%d/k=%d/n=%d/by=%s", m, k, n, by), func(b *testing.B) {
				for b.Loop() {
					product()
				}
				b.ReportMetric(2e-9*float64(m*k*n)*float64(b.N)/b.Elapsed().Seconds(), "GFLOP/s")
			})
		}
		best := active
		for _, kernels := range available() {
			active = kernels
			run(kernels.name, func() { Mul(z, x, y) })
		}
		active = best
		run(best.name+"-on-2-threads", func() { Threads(2).Mul(z, x, y) })
		run(best.name+"-transposed-b", func() { MulTransB(z, x, Dense{Rows: n, Cols: k, Stride: k, Data: y.Data}) })
		procs := runtime.GOMAXPROCS(1) // gonum takes all it gets
		run("gonum", func() { blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, x, y, 0, z) })
		runtime.GOMAXPROCS(procs)
		b.Run(fmt.Sprintf("m=%d/k=%d/n=%d/by=OpenBLAS", m, k, n), func(b *testing.B) { benchmarkOpenBLAS(b, m, k, n) })
	}
}

// openBLAS multiplies as often as it is told, and prints the seconds it takes.
const openBLAS = `
import sys, time
import numpy as np
times, m, k, n = map(int, sys.argv[1:])
a, b, c = np.random.randn(m, k), np.random.randn(k, n), np.empty((m, n))
np.dot(a, b, out=c)
begin = time.perf_counter()
for _ in range(times):
    np.dot(a, b, out=c)
print(time.perf_counter() - begin)
`

// benchmarkOpenBLAS runs the Python of NERVURE_PYTHON. Without being told the
// kind of processor, OpenBLAS takes one that it does not know for an old one.
func benchmarkOpenBLAS(b *testing.B, m, k, n int) {
	python := os.Getenv("NERVURE_PYTHON")
	if python == "" {
		python = "python3"
	}
	args := []string{"-c", openBLAS}
	for _, number := range []int{b.N, m, k, n} {
		args = append(args, strconv.Itoa(number))
	}
	cmd := exec.Command(python, args...)
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1")
	if available()[0].name == "AVX-512" {
		cmd.Env = append(cmd.Env, "OPENBLAS_CORETYPE=SkylakeX")
	}
	out, err := cmd.Output()
	if err != nil {
		b.Skipf("%s has no NumPy", python)
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(1e9*seconds/float64(b.N), "ns/op")
	b.ReportMetric(2e-9*float64(m*k*n)*float64(b.N)/seconds, "GFLOP/s")
}

// BenchmarkVectors times the kernels of the eigensolver on rows of length n.
func BenchmarkVectors(b *testing.B) {
	best := active
	defer func() { active = best }()
	for _, n := range []int{100, 1000} {
		x, y := random(1, n).Data, random(1, n).Data
		a := bothTriangles(random(n, n))
		for _, kernels := range available() {
			active = kernels
			for name, do := range map[string]func(){
				"dot":    func() { Dot(x, y) },
				"axpy":   func() { Axpy(1e-9, x, y) },
				"rotate": func() { Rotate(x, y, 0.6, 0.8) },
				"symv-u": func() { Symv(y, a[0], x) },
				"symv-l": func() { Symv(y, a[1], x) },
			} {
				b.Run(fmt.Sprintf("n=%d/%s/by=%s", n, name, kernels.name), func(b *testing.B) {
					for b.Loop() {
						do()
					}
				})
			}
		}
		b.Run(fmt.Sprintf("n=%d/symv-u/by=gonum", n), func(b *testing.B) {
			for b.Loop() {
				blas64.Symv(1, a[0], blas64.Vector{N: n, Inc: 1, Data: x}, 0, blas64.Vector{N: n, Inc: 1, Data: y})
			}
		})
	}
}

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
