package linalg

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
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

func BenchmarkEigen(b *testing.B) {
	for _, n := range []int{20, 50, 100, 200} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			a, s := random(n, n), NewDense(n, n)
			MulTransB(s, a, a)
			e := NewEigen(n)
			for b.Loop() {
				copy(e.Vectors.Data, s.Data)
				if err := e.Factorize(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
