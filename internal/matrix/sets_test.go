package matrix

import "testing"

func TestSetsAreKnownByTheirLeast(t *testing.T) {
	s := NewSets(6)
	for _, c := range []struct {
		i, j int
		want bool
	}{{4, 2, true}, {5, 4, true}, {2, 5, false}, {1, 0, true}, {0, 1, false}} {
		if got := s.Unite(c.i, c.j); got != c.want {
			t.Errorf("%d and %d: united: %v, want %v", c.i, c.j, got, c.want)
		}
	}
	for i, want := range []int{0, 0, 2, 3, 2, 2} {
		if got := s.Find(i); got != want {
			t.Errorf("the set of %d is known by %d, want %d", i, got, want)
		}
	}
}
