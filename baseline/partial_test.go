package baseline

import (
	"math"
	"testing"

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
