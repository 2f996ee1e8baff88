package signals

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
)

func TestOnVerticesFollowsTheNames(t *testing.T) {
	s := &Set{Y: mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), Names: []string{"a", "b", "c"}}
	moved, err := s.OnVertices("test", []string{"c", "a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if want := mat.NewDense(3, 2, []float64{5, 6, 1, 2, 3, 4}); !mat.Equal(moved.Y, want) || !slices.Equal(moved.Names, []string{"c", "a", "b"}) {
		t.Errorf("got %v of %q", mat.Formatted(moved.Y), moved.Names)
	}
	unnamed := &Set{Y: s.Y}
	if same, err := unnamed.OnVertices("test", []string{"x", "y", "z"}); err != nil || same != unnamed {
		t.Errorf("signals without names: got %v, %v", same, err)
	}
	for name, bad := range map[string]struct {
		set   *Set
		names []string
	}{"other names": {s, []string{"a", "b", "d"}}, "fewer": {s, []string{"a", "b"}}, "no signals": {nil, []string{"a"}}, "no matrix": {&Set{}, nil}} {
		if _, err := bad.set.OnVertices("test", bad.names); input.Find(err) == nil {
			t.Errorf("%s: got %v, want an input.Error", name, err)
		}
	}
}
