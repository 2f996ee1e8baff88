package graph

import (
	"math"
	"slices"
	"testing"
)

// Degrees, cuts and communities count weights by their size; the weights themselves keep their signs.
func TestSignedGraphsCountWeightsBySize(t *testing.T) {
	signed := mustNew(t, 5, Edge{0, 1, -3}, Edge{1, 2, 2}, Edge{2, 3, -1}, Edge{3, 4, 0.5})
	plain := mustNew(t, 5, Edge{0, 1, 3}, Edge{1, 2, 2}, Edge{2, 3, 1}, Edge{3, 4, 0.5})
	if signed.Negative() != 2 || plain.Negative() != 0 {
		t.Errorf("got %d and %d negative edges, want 2 and 0", signed.Negative(), plain.Negative())
	}
	if !slices.Equal(signed.Degrees(), plain.Degrees()) {
		t.Errorf("got degrees %v, want %v", signed.Degrees(), plain.Degrees())
	}
	for k := range 5 {
		if !slices.Equal(signed.Strongest(k).Pairs(), plain.Strongest(k).Pairs()) {
			t.Errorf("the %d strongest are %v, want %v", k, signed.Strongest(k).Pairs(), plain.Strongest(k).Pairs())
		}
	}
	if got := signed.Above(1).EdgeCount(); got != 3 {
		t.Errorf("%d edges have at least 1, want 3", got)
	}
	a, countA := signed.Communities()
	b, countB := plain.Communities()
	if !slices.Equal(a, b) || countA != countB || signed.Modularity(a) != plain.Modularity(b) {
		t.Errorf("got communities %v, want %v", a, b)
	}
	if w := signed.Weights(); w.At(0, 1) != -3 || w.At(2, 1) != 2 {
		t.Errorf("got weights %v", w)
	}
	if l := signed.CombinatorialLaplacian(); l.At(0, 0) != 3 || l.At(0, 1) != 3 || l.At(1, 1) != 5 {
		t.Errorf("got the Laplacian %v", l)
	}
	if l := signed.Laplacian(); math.Abs(l.At(0, 1)-3/math.Sqrt(15)) > 1e-15 {
		t.Errorf("got %v between 0 and 1", l.At(0, 1))
	}
	arrows, err := NewDirected(DefaultNames(2), []Edge{{0, 1, -2}, {1, 0, 1}})
	if err != nil || arrows.Undirected().Edges()[0].Weight != -2 {
		t.Errorf("got %v, %v without direction, want the larger by size", arrows.Undirected().Edges(), err)
	}
}
