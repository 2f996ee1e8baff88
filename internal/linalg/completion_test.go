package linalg

import (
	"flag"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

var seed = flag.Uint64("seed", 1, "seed of the random matrices to complete; any must pass")

// randomCovariance returns the correlation matrix of n rows of random numbers with
// common parts.
func randomCovariance(n, trial int) Dense {
	r := rng.Stream(*seed, "completion", trial)
	y := NewDense(n, 4*n)
	for i := range n {
		for k := range y.Cols {
			y.Data[i*y.Cols+k] = r.NormFloat64()
			if i > 0 {
				y.Data[i*y.Cols+k] += 0.7 * y.Data[r.IntN(i)*y.Cols+k]
			}
		}
	}
	s := NewDense(n, n)
	MulTransB(s, y, y)
	for i := range n {
		for j := range n {
			if i != j {
				s.Data[i*n+j] /= math.Sqrt(s.Data[i*n+i] * s.Data[j*n+j])
			}
		}
	}
	for i := range n {
		s.Data[i*n+i] = 1
	}
	return s
}

// What makes W the maximum: it is S where that is given, and its inverse is zero
// where it is not.
func TestCompletionMeetsItsConditions(t *testing.T) {
	const n = 14
	for trial := range 5 {
		r := rng.Stream(*seed, "completion edges", trial)
		s := randomCovariance(n, trial)
		c := NewCompletion(s)
		check := func(what string) {
			t.Helper()
			if !c.Solve(1e-12, 2000) {
				t.Fatalf("%s: did not converge", what)
			}
			var inverse mat.Dense
			done(inverse.Inverse(mat.NewDense(n, n, c.W.Data)))
			for i := range n {
				for j := range n {
					w, given := c.W.Data[i*n+j], s.Data[i*n+j]
					switch {
					case w != c.W.Data[j*n+i]:
						t.Fatalf("%s: W is not symmetric at %d, %d", what, i, j)
					case (i == j || c.Joined(i, j)) && math.Abs(w-given) > 1e-9:
						t.Errorf("%s: W is %g at %d, %d, want %g", what, w, i, j, given)
					case i != j && !c.Joined(i, j) && math.Abs(inverse.At(i, j)) > 1e-8:
						t.Errorf("%s: the inverse is %g at %d, %d, want 0", what, inverse.At(i, j), i, j)
					}
				}
			}
		}
		for i := 1; i < n; i++ {
			if i != n/2 { // two trees
				c.Join(i, r.IntN(i))
			}
		}
		check("on a forest")
		for range 2 * n {
			if i, j := r.IntN(n), r.IntN(n); i != j {
				c.Join(i, j)
			}
		}
		check("with cycles")
		for range n {
			if i, j := r.IntN(n), r.IntN(n); i != j {
				c.Join(i, j)
			}
		}
		check("with more edges")
		for range n * n / 2 {
			c.Part(r.IntN(n), r.IntN(n))
		}
		check("with fewer")
	}
}

// On a path the entries between are products along it.
func TestCompletionOfAPathMultiplies(t *testing.T) {
	const n = 6
	s := randomCovariance(n, 9)
	c := NewCompletion(s)
	for i := 1; i < n; i++ {
		c.Join(i-1, i)
	}
	if !c.Solve(1e-14, 1000) {
		t.Fatal("did not converge")
	}
	for i := range n {
		want := 1.0
		for j := i + 1; j < n; j++ {
			want *= s.Data[(j-1)*n+j]
			if got := c.W.Data[i*n+j]; math.Abs(got-want) > 1e-12 {
				t.Errorf("W is %g at %d, %d, want the product %g", got, i, j, want)
			}
		}
	}
}

func TestCompletionGivesUpOnSingularMatrices(t *testing.T) {
	ones := NewDense(3, 3)
	for k := range ones.Data {
		ones.Data[k] = 1
	}
	c := NewCompletion(ones)
	c.Join(0, 1)
	c.Join(1, 2)
	if c.Solve(1e-9, 100) {
		t.Error("a matrix of ones was completed")
	}
}
