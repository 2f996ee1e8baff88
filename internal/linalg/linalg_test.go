package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func random(r, c int) Dense {
	src := rand.New(rand.NewPCG(uint64(r), uint64(c)))
	d := NewDense(r, c)
	for i := range d.Data {
		d.Data[i] = src.NormFloat64()
	}
	return d
}

func view(d Dense) *mat.Dense { return mat.NewDense(d.Rows, d.Cols, d.Data) }

func TestEigenRebuildsMatrix(t *testing.T) {
	const n = 12
	e := NewEigen(n)
	for trial := range 3 { // the second use must not see the first
		a := random(n, n+trial)
		s := NewDense(n, n)
		MulTransB(s, a, a)
		copy(e.Vectors.Data, s.Data)
		if err := e.Factorize(); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range n {
				var got float64
				for k := range n {
					got += Row(e.Vectors, i)[k] * e.Values[k] * Row(e.Vectors, j)[k]
				}
				if math.Abs(got-Row(s, i)[j]) > 1e-12 {
					t.Fatalf("entry (%d, %d) = %g, want %g", i, j, got, Row(s, i)[j])
				}
			}
		}
	}
}

// A path, a complete graph and blocks that split: eigenvalues in closed form,
// repeated ones, and zeros off the diagonal.
func TestEigenOfSpecialMatrices(t *testing.T) {
	const n = 9
	for name, c := range map[string]struct {
		entry func(i, j int) float64
		want  func(k int) float64 // ascending
	}{
		"path": {
			func(i, j int) float64 { return btof(i-j == 1 || j-i == 1) },
			func(k int) float64 { return 2 * math.Cos(math.Pi*float64(n-k)/(n+1)) },
		},
		"complete": {
			func(i, j int) float64 { return btof(i != j) },
			func(k int) float64 {
				if k == n-1 {
					return n - 1
				}
				return -1
			},
		},
		"identity": {func(i, j int) float64 { return btof(i == j) }, func(int) float64 { return 1 }},
		"zero":     {func(int, int) float64 { return 0 }, func(int) float64 { return 0 }},
		"tiny":     {func(i, j int) float64 { return 1e-200 * btof(i == j) * float64(i) }, func(k int) float64 { return 1e-200 * float64(k) }},
	} {
		e := NewEigen(n)
		for i := range n {
			for j := i; j < n; j++ {
				Row(e.Vectors, i)[j] = c.entry(i, j)
			}
		}
		if err := e.Factorize(); err != nil {
			t.Fatal(name, err)
		}
		slices.Sort(e.Values)
		for k, got := range e.Values {
			if math.Abs(got-c.want(k)) > 1e-14 {
				t.Errorf("%s: eigenvalue %d is %g, want %g", name, k, got, c.want(k))
			}
		}
		id := NewDense(n, n)
		MulTransA(id, e.Vectors, e.Vectors)
		for i := range n {
			for j := range n {
				if math.Abs(Row(id, i)[j]-btof(i == j)) > 1e-14 {
					t.Errorf("%s: eigenvectors %d and %d have product %g", name, i, j, Row(id, i)[j])
				}
			}
		}
	}
}

func btof(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestCSRAgreesWithDense(t *testing.T) {
	i, j, v := []int32{0, 3, 1, 2}, []int32{2, 1, 0, 4}, []float64{1, 2, 3, 4}
	c := SymmetricCSR(6, i, j, v)
	s := mat.NewSymDense(6, nil)
	for k := range v {
		s.SetSym(int(i[k]), int(j[k]), v[k])
	}
	x, dst := random(6, 3), random(6, 3)
	c.Mul(dst, x)
	var want mat.Dense
	want.Mul(s, view(x))
	if !mat.EqualApprox(view(dst), &want, 1e-14) {
		t.Error("sparse and dense products differ")
	}
}
