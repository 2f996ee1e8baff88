package synth

import (
	"math"
	"slices"
	"testing"
)

func TestGridOfSevenIsTwoRowsOfThreeAndOneMore(t *testing.T) {
	s := must(t)(grid(7))
	want := [][2]int{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 6}, {4, 5}}
	if got := s.Graph.Pairs(); !slices.Equal(got, want) {
		t.Errorf("edges %v, want %v", got, want)
	}
	if want := [][2]float64{{0, 0}, {0.5, 0}, {1, 0}, {0, 0.5}, {0.5, 0.5}, {1, 0.5}, {0, 1}}; !slices.Equal(s.Coordinates, want) {
		t.Errorf("coordinates %v, want %v", s.Coordinates, want)
	}
}

func TestGridJoinsExactlyTheNearestPoints(t *testing.T) {
	for _, n := range []int{2, 3, 16, 23} {
		s := must(t)(grid(n))
		spacing := 1 / (math.Ceil(math.Sqrt(float64(n))) - 1)
		w := s.Graph.Weights()
		for i, a := range s.Coordinates {
			for j, b := range s.Coordinates[:i] {
				near := math.Hypot(a[0]-b[0], a[1]-b[1]) < 1.2*spacing
				if near != (w.At(i, j) == 1) {
					t.Errorf("n = %d: vertices %d and %d at %v and %v: weight %g", n, j, i, b, a, w.At(i, j))
				}
			}
		}
	}
}

func TestRingJoinsExactlyTheNearestOnEitherSide(t *testing.T) {
	for _, c := range []struct{ n, k, edges int }{{2, 1, 1}, {3, 1, 3}, {6, 1, 6}, {6, 2, 12}, {6, 3, 15}, {7, 3, 21}, {20, 3, 60}} {
		g := must(t)(ring(c.n, c.k)).Graph
		if g.EdgeCount() != c.edges {
			t.Errorf("n = %d, k = %d: %d edges, want %d", c.n, c.k, g.EdgeCount(), c.edges)
		}
		w := g.Weights()
		for i := range c.n {
			for j := range i {
				steps := min(i-j, c.n-i+j)
				if (steps <= c.k) != (w.At(i, j) == 1) {
					t.Errorf("n = %d, k = %d: weight %g at %d steps", c.n, c.k, w.At(i, j), steps)
				}
			}
		}
	}
}

func TestNeighboursRoundTheFactor(t *testing.T) {
	for _, c := range []struct {
		n      int
		factor float64
		want   int
	}{{100, 3, 3}, {100, 2.6, 3}, {100, 0.2, 1}, {6, 2.5, 3}, {5, 2, 2}} {
		if got := neighbours(c.n, c.factor); got != c.want {
			t.Errorf("n = %d, factor %g: k = %d, want %d", c.n, c.factor, got, c.want)
		}
	}
}
