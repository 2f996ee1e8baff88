package linalg

import (
	"math/rand/v2"
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

// must returns a value that nothing can be wrong with.
func must[T any](value T, err error) T {
	done(err)
	return value
}

// done goes on unless something is wrong that cannot be.
func done(err error) {
	if err != nil {
		panic(err)
	}
}
