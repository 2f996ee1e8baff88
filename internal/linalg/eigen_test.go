package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

const epsilon = 0x1p-52

// symmetric returns the n×n matrix with the given entries, i ≤ j.
func symmetric(n int, entry func(i, j int) float64) Dense {
	a := NewDense(n, n)
	for i := range n {
		for j := i; j < n; j++ {
			a.Data[i*n+j] = entry(i, j)
			a.Data[j*n+i] = a.Data[i*n+j]
		}
	}
	return a
}

func randomSymmetric(src *rand.Rand, n int) Dense {
	return symmetric(n, func(int, int) float64 { return src.NormFloat64() })
}

// normalised returns the normalised Laplacian of the graph with the given
// weights. Vertices without edges have a one on the diagonal, as in the learner.
func normalised(n int, weight func(i, j int) float64) Dense {
	w := symmetric(n, func(i, j int) float64 {
		if i == j {
			return 0
		}
		return weight(i, j)
	})
	scale := make([]float64, n)
	for i := range n {
		for _, v := range Row(w, i) {
			scale[i] += v
		}
		if scale[i] > 0 {
			scale[i] = 1 / math.Sqrt(scale[i])
		}
	}
	return symmetric(n, func(i, j int) float64 {
		if i == j {
			return 1
		}
		return -scale[i] * Row(w, i)[j] * scale[j]
	})
}

// randomLaplacian has the given number of neighbours on average.
func randomLaplacian(src *rand.Rand, n int, neighbours float64) Dense {
	return normalised(n, func(int, int) float64 {
		return btof(src.Float64()*float64(n) < neighbours) * (0.1 + src.Float64())
	})
}

func path(i, j int) float64 { return btof(j == i+1) }

// checkEigen decomposes a and checks from the answer alone that AV = VΛ, that V
// is orthogonal and that the values ascend.
func checkEigen(t testing.TB, a Dense) *Eigen {
	t.Helper()
	e := NewEigen(a.Rows)
	decompose(t, e, a)
	return e
}

func decompose(t testing.TB, e *Eigen, a Dense) {
	t.Helper()
	n := a.Rows
	fill(e.Vectors.Data, math.NaN()) // the lower triangle is not to be read
	for i := range n {
		copy(Row(e.Vectors, i)[i:], Row(a, i)[i:])
	}
	done(e.Factorize())
	if !slices.IsSorted(e.Values) {
		t.Fatalf("values do not ascend: %v", e.Values)
	}
	limit := float64(n+8) * epsilon
	av, vtv := NewDense(n, n), NewDense(n, n)
	unit := 0.0
	for _, v := range a.Data {
		unit = max(unit, math.Abs(v))
	}
	if unit == 0 {
		unit = 1
	}
	scaled := NewDense(n, n)
	for i, v := range a.Data {
		scaled.Data[i] = v / unit
	}
	Mul(av, scaled, e.Vectors)
	MulTransA(vtv, e.Vectors, e.Vectors)
	limitAV := limit*max(mat.Norm(view(scaled), 2), 1) + math.SmallestNonzeroFloat64/unit
	for i := range n {
		for j := range n {
			residual := Row(av, i)[j] - Row(e.Vectors, i)[j]*(e.Values[j]/unit)
			if !(math.Abs(residual) <= limitAV) {
				t.Fatalf("entry (%d, %d) of AV − VΛ is %.3g, limit %.3g", i, j, residual, limitAV)
			}
			if fault := Row(vtv, i)[j] - btof(i == j); !(math.Abs(fault) <= limit) {
				t.Fatalf("entry (%d, %d) of VᵀV − I is %.3g, limit %.3g", i, j, fault, limit)
			}
		}
	}
}

func checkValues(t testing.TB, e *Eigen, a Dense) {
	t.Helper()
	var reference mat.EigenSym
	if !reference.Factorize(mat.NewSymDense(a.Rows, slices.Clone(a.Data)), false) {
		t.Fatal("the reference did not converge")
	}
	want := reference.Values(nil)
	norm := max(math.Abs(want[0]), math.Abs(want[len(want)-1]))
	for k, v := range e.Values {
		if math.Abs(v-want[k]) > float64(a.Rows+8)*epsilon*norm {
			t.Fatalf("eigenvalue %d is %g, reference %g", k, v, want[k])
		}
	}
}

func TestEigenOfRandomMatrices(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 12, 24, 25, 26, 51, 64, 65, 80, 257} {
		src := rand.New(rand.NewPCG(7, uint64(n)))
		for name, a := range map[string]Dense{
			"random": randomSymmetric(src, n), "sparse": randomLaplacian(src, n, 4), "splinters": randomLaplacian(src, n, 0.7),
		} {
			t.Run(fmt.Sprintf("%s/n=%d", name, n), func(t *testing.T) { checkValues(t, checkEigen(t, a), a) })
		}
	}
}

func TestEigenOfSpecialMatrices(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	for name, make := range map[string]func(n int) Dense{
		"zero": func(n int) Dense { return NewDense(n, n) },
		"diagonal with repeats": func(n int) Dense {
			return symmetric(n, func(i, j int) float64 { return btof(i == j) * float64(i*i%7-3) })
		},
		"all ones":       func(n int) Dense { return symmetric(n, func(int, int) float64 { return 1 }) },
		"complete graph": func(n int) Dense { return normalised(n, func(int, int) float64 { return 1 }) },
		"star":           func(n int) Dense { return normalised(n, func(i, _ int) float64 { return btof(i == 0) }) },
		"path":           func(n int) Dense { return normalised(n, path) },
		"ring": func(n int) Dense {
			return normalised(n, func(i, j int) float64 { return btof(j-i == 1 || j-i == n-1) })
		},
		"weights of many scales": func(n int) Dense {
			return normalised(n, func(i, j int) float64 { return math.Exp(-float64((i-j)*(i-j)) / 3) })
		},
		"Wilkinson":       wilkinson,
		"glued Wilkinson": func(n int) Dense { return glued(n, 1e-8) },
		"tiny off-diagonals": func(n int) Dense {
			return symmetric(n, func(i, j int) float64 { return btof(i == j) + 1e-14*src.Float64() })
		},
		"vanishing off-diagonals": func(n int) Dense {
			return symmetric(n, func(i, j int) float64 { return btof(i == j)*float64(i) + 1e-160*src.Float64() })
		},
		"graded": func(n int) Dense {
			return symmetric(n, func(i, j int) float64 { return math.Pow(10, -float64(i+j)/4) * src.Float64() })
		},
		"tiny":          func(n int) Dense { return symmetric(n, func(int, int) float64 { return 1e-150 * src.NormFloat64() }) },
		"huge":          func(n int) Dense { return symmetric(n, func(int, int) float64 { return 1e150 * src.NormFloat64() }) },
		"near overflow": func(n int) Dense { return symmetric(n, func(int, int) float64 { return 1e305 * src.Float64() }) },
		"subnormal":     func(n int) Dense { return symmetric(n, func(int, int) float64 { return 1e-310 * src.Float64() }) },
		"random tridiagonal": func(n int) Dense {
			return symmetric(n, func(i, j int) float64 { return btof(j-i <= 1) * src.NormFloat64() })
		},
		"clusters": func(n int) Dense { return clusters(src, n) },
	} {
		for _, n := range []int{1, 2, 9, 40, 105} {
			t.Run(fmt.Sprintf("%s/n=%d", name, n), func(t *testing.T) { checkEigen(t, make(n)) })
		}
	}
}

// Nothing may be left of the matrix before, nor change without a cause.
func TestEigenForgets(t *testing.T) {
	const n = 70
	src := rand.New(rand.NewPCG(5, 6))
	e := NewEigen(n)
	a, b := randomLaplacian(src, n, 5), randomSymmetric(src, n)
	decompose(t, e, a)
	values, vectors := slices.Clone(e.Values), slices.Clone(e.Vectors.Data)
	decompose(t, e, b)
	decompose(t, e, a)
	if !slices.Equal(values, e.Values) || !slices.Equal(vectors, e.Vectors.Data) {
		t.Error("the same matrix has other eigenpairs the second time")
	}
}

func TestEigenOfWhatIsNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, n := range []int{1, 2, 40} {
			for _, at := range []int{0, n - 1, n*n - 1} { // a corner of the triangle each
				a := randomSymmetric(rand.New(rand.NewPCG(1, 2)), n)
				a.Data[at] = bad
				e := NewEigen(n)
				copy(e.Vectors.Data, a.Data)
				if err := e.Factorize(); err != nil {
					t.Error(err)
				}
				if isNumber := func(v float64) bool { return !math.IsNaN(v) }; slices.ContainsFunc(e.Values, isNumber) || slices.ContainsFunc(e.Vectors.Data, isNumber) {
					t.Errorf("n = %d with %g at %d has an eigenpair", n, bad, at)
				}
				decompose(t, e, randomSymmetric(rand.New(rand.NewPCG(1, 2)), n)) // and does no lasting harm
			}
		}
	}
}

func TestEigenOfNothing(t *testing.T) {
	if err := NewEigen(0).Factorize(); err != nil {
		t.Error(err)
	}
}

// No matrices, that is; what goroutines would share takes a few words.
func TestEigenReusesItsMemory(t *testing.T) {
	const n = 200
	e, a := NewEigen(n), randomLaplacian(rand.New(rand.NewPCG(1, 2)), n, 6)
	if count := testing.AllocsPerRun(5, func() {
		copy(e.Vectors.Data, a.Data)
		if err := e.Factorize(); err != nil {
			t.Error(err)
		}
	}); count > n {
		t.Errorf("%v allocations", count)
	}
}

// FuzzEigen builds a matrix of bytes: each chooses an entry from a few that make
// ties, splits and cancellation, of very different sizes.
func FuzzEigen(f *testing.F) {
	f.Add(uint8(40), []byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Add(uint8(99), []byte("C888288")) // off-diagonals whose squares underflow
	f.Add(uint8(70), []byte{0, 0, 0, 0, 9, 0, 0})
	f.Add(uint8('p'), []byte("8(8\xb9(\x8e")) // rotations that stretch, all of them
	f.Add(uint8(100), []byte("a banded one\x00\x00\x00"))
	entries := []float64{0, 0, 0, 1, -1, 0.5, -1. / 3, 1e-8, -1e-15, 1e-16, 1e-100, 1e-320, 100, 1 + epsilon}
	f.Fuzz(func(t *testing.T, size uint8, data []byte) {
		n := 1 + int(size)%100
		if len(data) == 0 {
			return
		}
		k := -1
		checkEigen(t, symmetric(n, func(int, int) float64 {
			k++
			return entries[int(data[k%len(data)])%len(entries)]
		}))
	})
}

func wilkinson(n int) Dense {
	return symmetric(n, func(i, j int) float64 {
		return btof(i == j)*math.Abs(float64(i)-float64(n-1)/2) + btof(j == i+1)
	})
}

// glued has Wilkinson matrices of size 21 along its diagonal, coupled by glue.
func glued(n int, glue float64) Dense {
	w := wilkinson(21)
	return symmetric(n, func(i, j int) float64 {
		if i/21 == j/21 {
			return Row(w, i%21)[j%21]
		}
		return btof(j == i+1) * glue
	})
}

// clusters has three eigenvalues, each with a third of all directions and
// spread by some roundings.
func clusters(src *rand.Rand, n int) Dense {
	var qr mat.QR
	qr.Factorize(view(Dense{Rows: n, Cols: n, Stride: n, Data: randomSymmetric(src, n).Data}))
	var q, a mat.Dense
	qr.QTo(&q)
	spectrum := make([]float64, n)
	for i := range spectrum {
		spectrum[i] = float64(i%3)/2 + float64(i)*epsilon
	}
	a.Product(&q, mat.NewDiagDense(n, spectrum), q.T())
	return symmetric(n, a.At)
}

func TestEigenDoesNotDependOnThreads(t *testing.T) {
	for _, n := range []int{20, 64, 100} {
		src := rand.New(rand.NewPCG(7, uint64(n)))
		a := randomLaplacian(src, n, 8)
		var first *Eigen
		for threads := range Threads(4) {
			e := NewEigen(n)
			e.Threads = threads
			for range 2 { // the second use must not see the first
				copy(e.Vectors.Data, a.Data)
				done(e.Factorize())
			}
			if first == nil {
				first = e
			} else if !slices.Equal(first.Values, e.Values) || !slices.Equal(first.Vectors.Data, e.Vectors.Data) {
				t.Errorf("n = %d: %d threads give other bits", n, threads)
			}
		}
	}
}
