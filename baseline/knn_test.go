package baseline

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// bruteNeighbours sorts all others by distance, for each vertex.
func bruteNeighbours(distance func(i, j int) float64, n, k int) map[[2]int]bool {
	edges := map[[2]int]bool{}
	for i := range n {
		var others []int
		for j := range n {
			if j != i {
				others = append(others, j)
			}
		}
		slices.SortFunc(others, func(a, b int) int {
			if distance(i, a) < distance(i, b) {
				return -1
			}
			return 1
		})
		for _, j := range others[:k] {
			edges[[2]int{min(i, j), max(i, j)}] = true
		}
	}
	return edges
}

func TestNearestNeighboursAreTheNearest(t *testing.T) {
	y := drawn(t, 15, 60, 4).Signals
	n, signals := y.Dims()
	standard := mat.DenseCopyOf(y)
	for i := range n {
		row := standard.RawRowView(i)
		mean, deviation := stat.PopMeanStdDev(row, nil)
		for k := range row {
			row[k] = (row[k] - mean) / deviation
		}
	}
	squared := func(m *mat.Dense, i, j int) (d float64) {
		for s := range signals {
			d += math.Pow(m.At(i, s)-m.At(j, s), 2)
		}
		return d
	}
	for _, k := range []int{1, 3, 6, 14} {
		r := learned(t, KNN{Neighbours: k}, y)
		want := bruteNeighbours(func(i, j int) float64 { return squared(standard, i, j) }, n, k)
		if r.Graph.EdgeCount() != len(want) {
			t.Errorf("k = %d: %d edges, want %d", k, r.Graph.EdgeCount(), len(want))
		}
		for _, e := range r.Graph.Edges() {
			similarity := 1 - squared(standard, e.I, e.J)/float64(4*signals)
			if !want[[2]int{e.I, e.J}] || math.Abs(e.Weight-similarity) > 1e-12 {
				t.Errorf("k = %d: edge %v, want similarity %g", k, e, similarity)
			}
		}

		g := learned(t, GaussianKernel{Neighbours: k}, y)
		want = bruteNeighbours(func(i, j int) float64 { return squared(y, i, j) }, n, k)
		for _, e := range g.Graph.Edges() {
			if !want[[2]int{e.I, e.J}] {
				t.Errorf("k = %d: gaussian kernel keeps %v", k, e)
			}
		}
		if g.Graph.EdgeCount() != len(want) {
			t.Errorf("k = %d: gaussian kernel keeps %d edges, want %d", k, g.Graph.EdgeCount(), len(want))
		}
	}
}

func TestEqualNeighboursAreAllKept(t *testing.T) {
	// Rows 1 and 2 are equal, so both are or neither is a nearest neighbour.
	y := mat.NewDense(4, 4, []float64{1, 2, 3, 5, 1, 2, 3, 4, 1, 2, 3, 4, 4, 1, 2, 0})
	r := learned(t, KNN{Neighbours: 1}, y)
	w := r.Graph.Weights()
	if w.At(0, 1) == 0 || w.At(0, 1) != w.At(0, 2) {
		t.Errorf("weights %g and %g of equal vertices", w.At(0, 1), w.At(0, 2))
	}
}
