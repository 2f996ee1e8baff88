package pages

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/figure"
)

func TestSumOfAtomsIsASumOfColumns(t *testing.T) {
	atoms := mat.NewDense(2, 4, []float64{1, 2, 9, 9, 3, 4, 9, 9}) // two kernels
	on := figure.Network{Vertices: []figure.Vertex{{Name: "a"}, {Name: "b"}}}
	got := sumOfAtoms("x", on, atoms, map[string]float64{"a": 10, "b": -1})
	if want := []float64{8, 26}; !slices.Equal(got.Values, want) || !slices.Equal(got.Marked, []int{0, 1}) {
		t.Errorf("got %v at %v, want %v at both", got.Values, got.Marked, want)
	}
}
