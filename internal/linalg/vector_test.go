package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// framedVector returns n random numbers amid canaries, and their frame.
func framedVector(src *rand.Rand, n int) (x []float64, check func(t *testing.T)) {
	d, buffer := framed(src, 1, n, max(n, 1))
	return Row(d, 0), func(t *testing.T) {
		t.Helper()
		checkFrame(t, d, buffer)
	}
}

func near(got, want []float64) bool { return floats.EqualApprox(got, want, 1e-13) }

func TestVectorKernelsAgreeWithTheirFormulas(t *testing.T) {
	onAllKernels(t, func(t *testing.T) {
		src := rand.New(rand.NewPCG(3, 4))
		for n := range 70 {
			x, frameX := framedVector(src, n)
			y, frameY := framedVector(src, n)
			var dot float64
			sum, turnedX, turnedY := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range n {
				dot += x[i] * y[i]
				sum[i] = y[i] + 0.7*x[i]
				turnedX[i], turnedY[i] = 0.6*x[i]-0.8*sum[i], 0.8*x[i]+0.6*sum[i]
			}
			if got := Dot(x, y); math.Abs(got-dot) > 1e-13 {
				t.Errorf("n = %d: Dot is %g, want %g", n, got, dot)
			}
			Axpy(0.7, x, y)
			if !near(y, sum) {
				t.Errorf("n = %d: Axpy differs", n)
			}
			z, frameZ := framedVector(src, n)
			twice, rows := slices.Clone(z), slices.Clone(z)
			Axpy(0.3, x, twice)
			Axpy(-0.2, y, twice)
			Axpy2(0.3, x, -0.2, y, z)
			AddRows(rows, -0.1, Dense{Rows: 2, Cols: n, Stride: n, Data: slices.Concat(y, x)}, []int{1, 0, 1}, []float64{-3, 2, 0})
			if !slices.Equal(z, twice) || !near(rows, z) {
				t.Errorf("n = %d: Axpy2 or AddRows differs from Axpy", n)
			}
			frameZ(t)
			Rotate(x, y, 0.6, 0.8)
			if !near(x, turnedX) || !near(y, turnedY) {
				t.Errorf("n = %d: Rotate differs", n)
			}
			frameX(t)
			frameY(t)
		}
	})
}

// Replace leaves zeros their signs, and lets a NaN in without counting it as a move.
func TestReplaceMovesByTheDifference(t *testing.T) {
	onAllKernels(t, func(t *testing.T) {
		src := rand.New(rand.NewPCG(9, 10))
		for n := range 70 {
			dst, frame := framedVector(src, n)
			x, _ := framedVector(src, n)
			y, _ := framedVector(src, n)
			scale, want, moved := make([]float64, n), make([]float64, n), 0.0
			for i := range n {
				scale[i] = 0.5 + src.Float64()
				switch src.IntN(6) {
				case 0:
					dst[i], x[i], y[i] = math.Copysign(0, -1), 1, 1
				case 1:
					x[i] = math.NaN()
				case 2:
					dst[i] = x[i] - y[i]
				}
				want[i] = x[i] - y[i]
				if want[i] == 0 {
					want[i] = dst[i]
				}
				if d := math.Abs(want[i]-dst[i]) / scale[i]; d > moved {
					moved = d
				}
			}
			if got := Replace(dst, x, y, scale); math.Abs(got-moved) > 1e-13*moved {
				t.Errorf("n = %d: moved by %g, want %g", n, got, moved)
			}
			for i, v := range dst {
				if math.Float64bits(v) != math.Float64bits(want[i]) && !(math.IsNaN(v) && math.IsNaN(want[i])) {
					t.Errorf("n = %d: entry %d is %g, want %g", n, i, v, want[i])
				}
			}
			frame(t)
		}
	})
}

// bothTriangles returns a as a symmetric matrix by its upper and by its lower triangle.
func bothTriangles(a Dense) []blas64.Symmetric {
	s := blas64.Symmetric{N: a.Rows, Stride: a.Stride, Data: a.Data}
	upper, lower := s, s
	upper.Uplo, lower.Uplo = blas.Upper, blas.Lower
	return []blas64.Symmetric{upper, lower}
}

func TestSymvAgreesWithGonum(t *testing.T) {
	onAllKernels(t, func(t *testing.T) {
		src := rand.New(rand.NewPCG(5, 6))
		for n := range 70 {
			full, _ := framed(src, n, n, n+1+n%3)
			x, _ := framedVector(src, n)
			for _, a := range bothTriangles(full) {
				// The other triangle is not to be read.
				a.Data = append([]float64(nil), full.Data...)
				for i := range n {
					for j := range n {
						if (a.Uplo == blas.Upper && j < i) || (a.Uplo == blas.Lower && j > i) {
							a.Data[i*a.Stride+j] = canary
						}
					}
				}
				y, frame := framedVector(src, n)
				want := make([]float64, n)
				if n > 0 {
					blas64.Symv(1, a, blas64.Vector{N: n, Inc: 1, Data: x}, 0, blas64.Vector{N: n, Inc: 1, Data: want})
				}
				Symv(y, a, x)
				frame(t)
				if !near(y, want) {
					t.Errorf("n = %d, triangle %c: Symv differs", n, a.Uplo)
				}
			}
		}
	})
}

// A NaN anywhere must show, and zeros must not hide it.
func TestNaNSpreadsThroughVectors(t *testing.T) {
	onAllKernels(t, func(t *testing.T) {
		for _, n := range []int{1, 3, 8, 17, 39} {
			for bad := range n {
				x, y := make([]float64, n), make([]float64, n)
				x[bad] = math.NaN()
				if !math.IsNaN(Dot(x, y)) {
					t.Errorf("n = %d: Dot hides NaN at %d", n, bad)
				}
				Axpy(0, x, y)
				if !math.IsNaN(y[bad]) || floats.Count(math.IsNaN, y) != 1 {
					t.Errorf("n = %d: Axpy makes of NaN at %d: %v", n, bad, y)
				}
			}
		}
	})
}

// A sum comes out the same to the last bit on every processor.
func TestVectorKernelsAgreeToTheLastBit(t *testing.T) {
	best := active
	defer func() { active = best }()
	for n := range 70 {
		var want []float64
		for _, active = range available() {
			src := rand.New(rand.NewPCG(7, uint64(n)))
			x, _ := framedVector(src, n)
			y, _ := framedVector(src, n)
			full, _ := framed(src, n, n, n+1)
			got := []float64{Dot(x, y)}
			Axpy(0.7, x, y)
			Rotate(x, y, 0.6, 0.8)
			got = append(append(got, x...), y...)
			scale := make([]float64, n)
			for i := range scale {
				scale[i] = 1 / float64(3+i)
			}
			got = append(got, Replace(y, x, scale, scale))
			got = append(got, y...)
			for _, a := range bothTriangles(full) {
				Symv(y, a, x)
				got = append(got, y...)
			}
			if want == nil {
				want = got
			}
			if !floats.Equal(got, want) {
				t.Errorf("n = %d: kernels %s round differently from %s", n, active.name, available()[0].name)
			}
		}
	}
}
