package linalg

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/needs"
)

// BenchmarkPeak times the tile of each of our kernels alone, on operands that
// stay in the first-level cache: what products on one thread could reach at best.
func BenchmarkPeak(b *testing.B) {
	const k = 96 // an 8×96 block of a, a 96×24 block of b and the tile are 26 kB
	for _, kernels := range available() {
		rows, cols := kernels.rows, kernels.cols
		x, y, z := random(rows, k), random(k, cols), NewDense(rows, cols)
		b.Run("by="+kernels.name, func(b *testing.B) {
			for b.Loop() {
				kernels.tile(k, x.Data, x.Stride, 1, y.Data, y.Stride, z.Data, z.Stride, rows, cols, false)
			}
			reportSpeed(b, 2*float64(rows*cols*k))
		})
	}
}

// reportSpeed reports that an operation is that many additions and multiplications.
func reportSpeed(b *testing.B, flops float64) {
	b.ReportMetric(1e-9*flops*float64(b.N)/b.Elapsed().Seconds(), "GFLOP/s")
}

// BenchmarkProduct times a·b by each of our kernels on one thread, by the best
// of them on two, by gonum and by the OpenBLAS under NumPy on one.
func BenchmarkProduct(b *testing.B) {
	for _, s := range [][3]int{{20, 20, 20}, {50, 50, 50}, {100, 100, 100}, {100, 100, 200}, {4000, 100, 100}, {300, 300, 300}, {1000, 1000, 1000}} {
		m, k, n := s[0], s[1], s[2]
		x, y, z := random(m, k), random(k, n), NewDense(m, n)
		group, flops := fmt.Sprintf("m=%d/k=%d/n=%d", m, k, n), 2*float64(m*k*n)
		run := func(by string, product func()) {
			b.Run(group+"/by="+by, func(b *testing.B) {
				for b.Loop() {
					product()
				}
				reportSpeed(b, flops)
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
		b.Run(group+"/by=OpenBLAS", func(b *testing.B) {
			setup := fmt.Sprintf("a, b, c = np.random.randn(%d, %d), np.random.randn(%d, %d), np.empty((%d, %d))", m, k, k, n, m, n)
			benchmarkOpenBLAS(b, flops, setup, "np.dot(a, b, out=c)")
		})
	}
}

// openBLAS does something as often as it is told, and prints the seconds it takes.
const openBLAS = `
import sys, time
import numpy as np
%[1]s
%[2]s
begin = time.perf_counter()
for _ in range(int(sys.argv[1])):
    %[2]s
print(time.perf_counter() - begin)
`

// benchmarkOpenBLAS times a statement in the Python of NERVURE_PYTHON, whose
// NumPy has an OpenBLAS, on one thread. Without being told the kind of processor,
// OpenBLAS takes one that it does not know for an old one.
func benchmarkOpenBLAS(b *testing.B, flops float64, setup, statement string) {
	python := needs.Python()
	cmd := exec.Command(python, "-c", fmt.Sprintf(openBLAS, setup, statement), strconv.Itoa(b.N))
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1")
	if available()[0].name == "AVX-512" {
		cmd.Env = append(cmd.Env, "OPENBLAS_CORETYPE=SkylakeX")
	}
	out, err := cmd.Output()
	if err != nil {
		b.Skipf("%s has no NumPy", python)
	}
	seconds := must(strconv.ParseFloat(strings.TrimSpace(string(out)), 64))
	b.ReportMetric(1e9*seconds/float64(b.N), "ns/op")
	b.ReportMetric(1e-9*flops*float64(b.N)/seconds, "GFLOP/s")
}

// On normalised Laplacians of random sparse graphs, on which the learner spends
// its time, and on matrices without structure; each solver on one thread. Speed
// is for the work that all of them have: 4/3·n³ to a tridiagonal matrix and 2·n³
// back. What solving that one takes is on top.
func BenchmarkEigen(b *testing.B) {
	for _, n := range []int{20, 50, 100, 300, 1000} {
		src := rand.New(rand.NewPCG(1, uint64(n)))
		for _, c := range []struct {
			name string
			a    Dense
		}{{"laplacian", randomLaplacian(src, n, 8)}, {"random", randomSymmetric(src, n)}} {
			a, group, flops := c.a, fmt.Sprintf("%s/n=%d", c.name, n), 10.0/3*float64(n)*float64(n)*float64(n)
			run := func(by string, factorize func() bool) {
				b.Run(group+"/by="+by, func(b *testing.B) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // gonum takes all it gets
					for b.Loop() {
						if !factorize() {
							b.Fatal("did not converge")
						}
					}
					reportSpeed(b, flops)
				})
			}
			ours := NewEigen(n)
			run("Eigen", func() bool {
				copy(ours.Vectors.Data, a.Data)
				return ours.Factorize() == nil
			})
			var theirs mat.EigenSym
			run("gonum", func() bool { return theirs.Factorize(mat.NewSymDense(n, a.Data), true) })
			b.Run(group+"/by=OpenBLAS", func(b *testing.B) {
				setup := fmt.Sprintf("a = np.fromfile(%q).reshape(%d, %d)", stored(b, a), n, n)
				benchmarkOpenBLAS(b, flops, setup, "np.linalg.eigh(a)")
			})
		}
	}
}

// stored writes the entries of a to a file for NumPy, as they lie in memory.
func stored(b *testing.B, a Dense) string {
	b.Helper()
	entries := must(binary.Append(nil, binary.NativeEndian, a.Data))
	path := filepath.Join(b.TempDir(), "matrix")
	done(os.WriteFile(path, entries, 0o600))
	return path
}
