package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
)

// The share of the identity is that of its definition, computed matrix by matrix.
func TestShrinkageIsThatOfItsDefinition(t *testing.T) {
	for _, signals := range []int{4, 9, 60} {
		y, _ := gaussianSignals(stream("shrinkage", signals), 7, signals, 2, true)
		u := standardised(y)
		s := secondMoments(u)
		variance, distance := 0.0, 0.0
		for i := range 7 {
			for j := range 7 {
				identity := 0.0
				if i == j {
					identity = 1
				}
				d := s.Data[i*7+j] - identity
				distance += d * d
				for k := range signals {
					v := u.Data[i*signals+k]*u.Data[j*signals+k] - s.Data[i*7+j]
					variance += v * v
				}
			}
		}
		want := min(variance/float64(signals*signals)/distance, 1)
		if got := shrinkage(u, s); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d signals: got %g, want %g", signals, got, want)
		}
	}
}

// Partial correlations are those of regressions: of two vertices, what is left of each
// after the others have explained what they can, without shrinkage.
func TestPartialCorrelationsAreThoseOfRegressions(t *testing.T) {
	const n, signals = 5, 4000 // so many that next to nothing is shrunk
	y := mixedSignals(stream("partial"), n, signals)
	u := standardised(y)
	s := secondMoments(u)
	got := shrunkPartials(u, s, true)
	delta := shrinkage(u, s)
	shrunk := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			shrunk.Set(i, j, (1-delta)*s.Data[i*n+j])
		}
		shrunk.Set(i, i, 1)
	}
	eachPair(n, func(e, i, j int) {
		var others []int
		for k := range n {
			if k != i && k != j {
				others = append(others, k)
			}
		}
		left := func(a, b int) float64 { // covariance of a and b given the others
			c, x := mat.NewDense(len(others), len(others), nil), mat.NewVecDense(len(others), nil)
			z := mat.NewVecDense(len(others), nil)
			for p, k := range others {
				x.SetVec(p, shrunk.At(k, a))
				z.SetVec(p, shrunk.At(k, b))
				for q, l := range others {
					c.Set(p, q, shrunk.At(k, l))
				}
			}
			var solved mat.VecDense
			if err := solved.SolveVec(c, x); err != nil {
				t.Fatal(err)
			}
			return shrunk.At(a, b) - mat.Dot(&solved, z)
		}
		want := math.Abs(left(i, j)) / math.Sqrt(left(i, i)*left(j, j))
		if math.Abs(got[e]-want) > 1e-9 {
			t.Errorf("pair %d–%d: got %g, want %g", i, j, got[e], want)
		}
	})
}

func TestPartialFindsAChain(t *testing.T) {
	r := learned(t, Partial{}, checks.Chain(1, 20, 400))
	for _, e := range r.Graph.Edges() {
		if e.J != e.I+1 {
			t.Errorf("edge %d–%d", e.I, e.J)
		}
	}
	if r.Graph.EdgeCount() != 19 {
		t.Errorf("%d edges, want 19", r.Graph.EdgeCount())
	}
}
