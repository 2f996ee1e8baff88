package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The roots found are the exact ones of some weights; these must be the given
// ones up to rounding. That holds the roots to full relative precision in their
// distance from the poles.
func TestSecularRootsBelongToTheWeights(t *testing.T) {
	src := rand.New(rand.NewPCG(11, 12))
	for trial := range 60 {
		k := 1 + src.IntN(60)
		s := newSecular(k)
		d, z, rows := make([]float64, k), make([]float64, k), make([]int, k)
		var at, norm float64
		for i := range k {
			rows[i] = i
			at += math.Pow(10, -14*src.Float64()*float64(trial%3)/2)
			d[i] = at
			z[i] = src.NormFloat64() * math.Pow(10, -12*src.Float64()*float64(trial%4)/3)
			norm = math.Hypot(norm, z[i])
		}
		s.start(0.5, rows, d, z)
		values := make([]float64, k)
		u := s.solve(values, rows, 1)
		for i := range k {
			if values[i] < d[i] || i+1 < k && values[i] > d[i+1] {
				t.Fatalf("root %d of %d, %g, is not after its pole %g", i, k, values[i], d[i])
			}
			if fault := math.Abs(s.exact[i] - 0.5*z[i]); !(fault <= float64(k+8)*epsilon*norm) {
				t.Fatalf("weight %d of %d differs by %g", i, k, fault)
			}
			for j := range i {
				if fault := math.Abs(Dot(Row(u, i), Row(u, j))); !(fault <= float64(k+8)*epsilon) {
					t.Fatalf("eigenvectors %d and %d of %d have product %g", i, j, k, fault)
				}
			}
		}
	}
}

// Bisection of the representation ends from any bounds of one sign.
func TestHalfwayIsBetween(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {-1, 0}, {1e-300, 1e300}, {-2, -1e-200}, {0, 0x1p-1074}} {
		low, high := c[0], c[1]
		steps := 0
		for ; ; steps++ {
			m := halfway(low, high)
			if !(low <= m && m <= high) {
				t.Fatalf("halfway from %g to %g is %g", low, high, m)
			}
			if m == low || m == high {
				break
			}
			if steps%2 == 0 {
				low = m
			} else {
				high = m
			}
		}
		if steps > 64 {
			t.Errorf("%d steps from %g to %g", steps, c[0], c[1])
		}
	}
}
