package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// onAllKernels runs a test with each of the kernels that this machine can run.
func onAllKernels(t *testing.T, test func(t *testing.T)) {
	defer func(k *kernels) { active = k }(active)
	for _, k := range available() {
		active = k
		t.Run(k.name, test)
	}
}

// canary fills the entries of a buffer that do not belong to its matrix. If one
// is read it spreads, if one is written it is gone.
var canary = math.Float64frombits(0x7ff8_c0ff_ee00_0001)

// framed returns a random r×c matrix of the given stride amid canaries, and its whole buffer.
func framed(src *rand.Rand, r, c, stride int) (d Dense, buffer []float64) {
	const margin = 64
	buffer = make([]float64, 2*margin+r*stride)
	for i := range buffer {
		buffer[i] = canary
	}
	d = Dense{Rows: r, Cols: c, Stride: stride, Data: buffer[margin : margin+r*stride]}
	for i := range r {
		for j := range c {
			d.Data[i*stride+j] = src.NormFloat64()
		}
	}
	return d, buffer
}

// checkFrame reports canaries that are missing.
func checkFrame(t *testing.T, d Dense, buffer []float64) {
	t.Helper()
	margin := (len(buffer) - d.Rows*d.Stride) / 2
	for i, v := range buffer {
		at := i - margin
		inside := at >= 0 && at < d.Rows*d.Stride && at%d.Stride < d.Cols
		if !inside && math.Float64bits(v) != math.Float64bits(canary) {
			t.Fatalf("entry %d outside a %d×%d matrix of stride %d was written", at, d.Rows, d.Cols, d.Stride)
		}
	}
}

// A variant is a product under test, with what is done to its factors.
type variant struct {
	name           string
	do             func(t Threads, c, a, b Dense)
	transA, transB bool
	add            bool
}

var variants = []variant{
	{"Mul", Threads.Mul, false, false, false},
	{"MulTransA", Threads.MulTransA, true, false, false},
	{"MulTransB", Threads.MulTransB, false, true, false},
	{"AddMul", Threads.AddMul, false, false, true},
	{"AddMulTransB", Threads.AddMulTransB, false, true, true},
}

// check compares an m×k by k×n product with gonum's, in matrices with padding.
func (v variant) check(t *testing.T, src *rand.Rand, m, n, k, pad int) {
	t.Helper()
	ra, ca, rb, cb := m, k, k, n
	opA, opB, beta := blas.NoTrans, blas.NoTrans, 0.0
	if v.transA {
		ra, ca, opA = k, m, blas.Trans
	}
	if v.transB {
		rb, cb, opB = n, k, blas.Trans
	}
	if v.add {
		beta = 1
	}
	a, _ := framed(src, ra, ca, max(ca, 1)+pad)
	b, _ := framed(src, rb, cb, max(cb, 1)+2*pad)
	c, frame := framed(src, m, n, max(n, 1)+3*pad)
	want := c
	want.Data = slices.Clone(c.Data)
	if m > 0 && n > 0 {
		blas64.Gemm(opA, opB, 1, a, b, beta, want)
	}
	v.do(1, c, a, b)
	checkFrame(t, c, frame)
	// Entries are sums of k products of normal numbers, rounded k times.
	tolerance := 0x1p-52 * float64(k+1) * 10
	for i := range m {
		for j := range n {
			if got, want := c.Data[i*c.Stride+j], want.Data[i*c.Stride+j]; !(math.Abs(got-want) <= tolerance) {
				t.Fatalf("%s of %d×%d by %d×%d, padding %d: entry (%d, %d) is %g, want %g", v.name, m, k, k, n, pad, i, j, got, want)
			}
		}
	}
}

func TestProductsAgreeWithGonum(t *testing.T) {
	// Nothing to do, single tiles, and more than one block in each direction.
	shapes := [][3]int{
		{0, 0, 0},
		{0, 3, 2},
		{3, 0, 2},
		{3, 2, 0},
		{1, 1, 1},
		{8, 24, 1},
		{6, 8, 2},
		{9, 25, deepest + 1},
		{tallest + 9, 30, 20},
		{20, widest + 5, 150},
	}
	onAllKernels(t, func(t *testing.T) {
		src := rand.New(rand.NewPCG(1, 2))
		for _, v := range variants {
			for i, s := range shapes {
				v.check(t, src, s[0], s[1], s[2], i%3)
			}
			for range 60 {
				v.check(t, src, 1+src.IntN(50), 1+src.IntN(50), 1+src.IntN(50), src.IntN(4))
			}
		}
	})
}

func FuzzProduct(f *testing.F) {
	f.Add(uint8(8), uint8(24), uint8(30), uint8(0), uint8(0), uint8(0))
	f.Add(uint8(9), uint8(25), uint8(8), uint8(5), uint8(5), uint8(1))
	f.Add(uint8(1), uint8(0), uint8(3), uint8(1), uint8(2), uint8(2))
	f.Fuzz(func(t *testing.T, m, n, k, pad, which, by uint8) {
		defer func(k *kernels) { active = k }(active)
		all := available()
		active = all[int(by)%len(all)]
		src := rand.New(rand.NewPCG(uint64(m), uint64(n)))
		variants[int(which)%len(variants)].check(t, src, int(m%40), int(n%80), int(k%50), int(pad%9))
	})
}

// An entry is one chain of fused multiplications and additions: it does not depend on
// the processor, the width of its vectors or the blocks.
func TestProductIsOneFusedSum(t *testing.T) {
	onAllKernels(t, func(t *testing.T) {
		const m, n = 13, 31
		for _, k := range []int{1, 7, 100, 2*deepest + 3} {
			a, b, c := random(m, k), random(k, n), NewDense(m, n)
			Mul(c, a, b)
			for i := range m {
				for j := range n {
					var want float64
					for p := range k {
						want = math.FMA(Row(a, i)[p], Row(b, p)[j], want)
					}
					if got := Row(c, i)[j]; got != want {
						t.Fatalf("k = %d: entry (%d, %d) is %v, want %v", k, i, j, got, want)
					}
				}
			}
		}
	})
}

func TestThreadsDoNotChangeProducts(t *testing.T) {
	shapes := [][3]int{{170, 90, 130}, {30, 2100, 70}, {9, 403, 407}}
	onAllKernels(t, func(t *testing.T) {
		for _, s := range shapes {
			m, n, k := s[0], s[1], s[2]
			for _, v := range variants[:3] {
				a, b := random(m, k), random(k, n)
				if v.transA {
					a = random(k, m)
				}
				if v.transB {
					b = random(n, k)
				}
				want := NewDense(m, n)
				v.do(1, want, a, b)
				for _, threads := range []Threads{0, 3, 8} {
					got := random(m, n)
					v.do(threads, got, a, b)
					if !slices.Equal(got.Data, want.Data) {
						t.Errorf("%s of %d×%d by %d×%d: %d threads change it", v.name, m, k, k, n, threads)
					}
				}
			}
		}
	})
}

func TestProductWithItselfIsSymmetric(t *testing.T) {
	onAllKernels(t, func(t *testing.T) {
		a := random(61, 83)
		s := NewDense(61, 61)
		MulTransB(s, a, a)
		for i := range 61 {
			for j := range i {
				if Row(s, i)[j] != Row(s, j)[i] {
					t.Fatalf("entries (%d, %d) differ: %v and %v", i, j, Row(s, i)[j], Row(s, j)[i])
				}
			}
		}
	})
}

func TestNaNAndInfSpreadThroughProducts(t *testing.T) {
	onAllKernels(t, func(t *testing.T) {
		const m, n, k, row, col, inner = 11, 29, 17, 10, 28, 5
		for name, bad := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1)} {
			a, b, c := NewDense(m, k), NewDense(k, n), random(m, n)
			Row(a, row)[inner] = bad // meets zeros: 0·NaN and 0·Inf are NaN
			Mul(c, a, b)
			checkNaN(t, name+" in a", c, func(i, _ int) bool { return i == row })
			Row(a, row)[inner] = 0
			Row(b, inner)[col] = bad
			Mul(c, a, b)
			checkNaN(t, name+" in b", c, func(_, j int) bool { return j == col })
		}
	})
}

func checkNaN(t *testing.T, name string, c Dense, want func(i, j int) bool) {
	t.Helper()
	for i := range c.Rows {
		for j, v := range Row(c, i) {
			if math.IsNaN(v) != want(i, j) {
				t.Errorf("%s: entry (%d, %d) is %g", name, i, j, v)
			}
		}
	}
}

func TestProductsAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector pools forget at random")
	}
	onAllKernels(t, func(t *testing.T) {
		for _, n := range []int{10, 130} {
			a, b, c := random(n, n), random(n, n), NewDense(n, n)
			for _, v := range variants[2:] { // packed or not, from the same pool
				if allocs := testing.AllocsPerRun(5, func() { v.do(1, c, a, b) }); allocs > 0 {
					t.Errorf("%s, n = %d: %g allocations", v.name, n, allocs)
				}
			}
		}
	})
}

func TestMisfitsPanic(t *testing.T) {
	short := Dense{Rows: 3, Cols: 3, Stride: 3, Data: make([]float64, 8)}
	narrow := Dense{Rows: 3, Cols: 3, Stride: 2, Data: make([]float64, 9)}
	for name, do := range map[string]func(){
		"inner sizes differ":         func() { Mul(NewDense(2, 2), NewDense(2, 3), NewDense(2, 2)) },
		"result has too few rows":    func() { Mul(NewDense(1, 2), NewDense(2, 3), NewDense(3, 2)) },
		"result has too few columns": func() { MulTransA(NewDense(3, 1), NewDense(2, 3), NewDense(2, 2)) },
		"factor ends too early":      func() { MulTransB(NewDense(3, 3), short, NewDense(3, 3)) },
		"result ends too early":      func() { MulTransB(short, NewDense(3, 3), NewDense(3, 3)) },
		"stride below columns":       func() { Mul(NewDense(3, 3), NewDense(3, 3), narrow) },
		"lengths differ":             func() { Dot(make([]float64, 2), make([]float64, 3)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			do()
		}()
	}
}

func TestTransposeWritesRowsAsColumns(t *testing.T) {
	onAllKernels(t, func(t *testing.T) {
		src := rand.New(rand.NewPCG(11, 12))
		for rows := range 20 {
			for cols := range 20 {
				a, _ := framed(src, rows, cols, cols+1)
				b, buffer := framed(src, cols, rows, rows+3)
				Transpose(b, a)
				for i := range rows {
					for j := range cols {
						if Row(b, j)[i] != Row(a, i)[j] {
							t.Fatalf("%d×%d: entry %d, %d is %g, want %g", rows, cols, j, i, Row(b, j)[i], Row(a, i)[j])
						}
					}
				}
				checkFrame(t, b, buffer)
			}
		}
	})
}
