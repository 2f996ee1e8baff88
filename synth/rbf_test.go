package synth

import (
	"math"
	"testing"

	"github.com/nervure/nervure/internal/rng"
)

func TestRBFJoinsExactlyThePairsWithinTheCutoff(t *testing.T) {
	const n, cutoff, width = 60, 0.06, 0.04
	s := must(t)(rbf(n, cutoff, width, rng.Stream(*seed, "rbf")))
	if s.Graph.Vertices() == n {
		t.Fatal("no vertex was isolated at this cut-off: the test does not see coordinates being stripped")
	}
	w := s.Graph.Weights()
	for i, a := range s.Coordinates {
		for j, b := range s.Coordinates[:i] {
			square := (a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1])
			want := 0.0
			if square <= cutoff*cutoff {
				want = math.Exp(-square / (2 * width * width))
			}
			if math.Abs(w.At(i, j)-want) > 1e-12 {
				t.Errorf("points %v apart have weight %g, want %g", math.Sqrt(square), w.At(i, j), want)
			}
		}
	}
}

func TestDistanceLawOfTheSquare(t *testing.T) {
	if got := closerThan(math.Sqrt2); math.Abs(got-1) > 1e-14 {
		t.Errorf("P(d ≤ √2) = %.17g, want 1", got)
	}
	if jump := closerThan(math.Nextafter(1, 2)) - closerThan(1); math.Abs(jump) > 1e-7 {
		t.Errorf("the two branches differ by %g at d = 1", jump)
	}
	const trials = 20000
	distances := []float64{0.1, 0.3, 0.6, 0.9, 1.05, 1.2}
	closer := make([]int, len(distances))
	r := rng.Stream(*seed, "distances")
	for range trials {
		d := math.Hypot(r.Float64()-r.Float64(), r.Float64()-r.Float64())
		for k, limit := range distances {
			if d <= limit {
				closer[k]++
			}
		}
	}
	for k, limit := range distances {
		checkCount(t, "pairs closer than the limit", closer[k], trials, closerThan(limit))
	}
}

func TestCutoffInvertsTheDistanceLaw(t *testing.T) {
	const n = 40
	for _, factor := range []float64{0.1, 3, 10, 19.2, 19.5} {
		if got, want := closerThan(cutoff(n, factor)), edgeProbability(n, factor); math.Abs(got-want) > 1e-12 {
			t.Errorf("factor %g: P(d ≤ κ) = %g, want %g", factor, got, want)
		}
	}
}
