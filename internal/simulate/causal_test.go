package simulate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
)

// With two vertices and an arrow each way, A is [[0, a], [b, 0]] with eigenvalues
// ±√(ab), so that |ab| is the square of the radius.
func TestCausalProcessOfTwoVerticesHasItsRadius(t *testing.T) {
	truth, err := Causal(CausalSpec{Vertices: 2, Signals: 3, Radius: 0.7, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
	a := truth.Lags[0]
	if got := math.Sqrt(math.Abs(a.At(0, 1) * a.At(1, 0))); math.Abs(got-0.7) > 1e-9 {
		t.Errorf("the radius is %g", got)
	}
	if w := truth.Graph.Adjacency(); w.At(1, 0) != math.Abs(a.At(0, 1)) || truth.Graph.EdgeCount() != 2 {
		t.Errorf("arrows %v for %v", truth.Graph.Edges(), a)
	}
}

// What is not explained by the past is white noise of variance 1, and the later lags
// are polynomials of A: they commute with it.
func TestCausalProcessesFollowTheirLaw(t *testing.T) {
	const n, count = 8, 2000
	truth, err := Causal(CausalSpec{Vertices: n, Arrows: 3, Order: 3, Signals: count, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
	if truth.Graph.EdgeCount() != 3*n || len(truth.Lags) != 3 {
		t.Errorf("%d arrows, %d lags", truth.Graph.EdgeCount(), len(truth.Lags))
	}
	if r, err := companionRadius(truth.Lags); err != nil || math.Abs(r-0.9) > 1e-6 {
		t.Errorf("radius %g, %v", r, err)
	}
	for _, p := range truth.Lags[1:] {
		var ap, pa mat.Dense
		ap.Mul(truth.Lags[0], p)
		pa.Mul(p, truth.Lags[0])
		if !mat.EqualApprox(&ap, &pa, 1e-12) || mat.Norm(p, 2) == 0 {
			t.Error("a later lag is zero or does not commute with A")
		}
	}
	rest := mat.DenseCopyOf(truth.Signals.Slice(0, n, 3, count))
	for i, l := range truth.Lags {
		var part mat.Dense
		part.Mul(l, truth.Signals.Slice(0, n, 2-i, count-1-i))
		rest.Sub(rest, &part)
	}
	norm := mat.Norm(rest, 2)
	// The mean of n·count squares of standard normal numbers is within 5·√(2/(n·count)) of 1.
	if v := norm * norm / (n * (count - 3)); math.Abs(v-1) > 5*math.Sqrt(2.0/(n*(count-3))) {
		t.Errorf("the noise has variance %g", v)
	}
	again, err := Causal(CausalSpec{Vertices: n, Arrows: 3, Order: 3, Signals: count, Seed: *seed})
	if err != nil || !mat.Equal(again.Signals, truth.Signals) {
		t.Errorf("another process from the same seed: %v", err)
	}
}

func TestCausalProcessesRefuse(t *testing.T) {
	for field, spec := range map[input.Field]CausalSpec{
		input.Vertices: {Vertices: 1, Arrows: 1, Signals: 1},
		"arrows":       {Vertices: 3, Arrows: 3, Signals: 1},
		"order":        {Vertices: 3, Order: -1, Signals: 1},
		"radius":       {Vertices: 3, Radius: 1, Signals: 1},
		input.Signals:  {Vertices: 3},
	} {
		if _, err := Causal(spec); input.Find(err) == nil {
			t.Errorf("%s: %v", field, err)
		}
	}
}
