package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/internal/rng"
)

func TestCorrelationIsPearsons(t *testing.T) {
	y := drawn(t, 12, 40, 3).Signals
	n, _ := y.Dims()
	for i := range n { // a mean and a scale of its own change no correlation
		row := y.RawRowView(i)
		for k := range row {
			row[k] = float64(i+1)*row[k] - 5*float64(i)
		}
	}
	r := learned(t, Correlation{}, y)
	w := pairWeights(r.Weights)
	eachPair(n, func(e, i, j int) {
		if want := math.Abs(stat.Correlation(y.RawRowView(i), y.RawRowView(j), nil)); math.Abs(w[e]-want) > 1e-12 {
			t.Errorf("pair (%d, %d): %g, want %g", i, j, w[e], want)
		}
	})
	for degree, want := range map[float64]int{0: 3 * n, 2: n, 1e9: n * (n - 1) / 2} {
		r := learned(t, Correlation{Degree: degree}, y)
		if !samePairs(r.Graph, r.Weights.Strongest(want)) {
			t.Errorf("degree %g keeps %d edges, want the %d heaviest", degree, r.Graph.EdgeCount(), want)
		}
	}
}

// A vertex that varies counts, however little it does and in whatever unit: its
// correlations are those of the same row in another unit.
func TestEveryVertexThatVariesCounts(t *testing.T) {
	const n, count = 6, 40_000
	y := randomSignals(rng.Stream(1, "units"), n, count)
	want := learned(t, Correlation{}, y)
	for i, scale := range []float64{1e-300, 1e300, 1e-320} {
		for k, v := range y.RawRowView(i) {
			y.Set(i, k, scale*v)
		}
	}
	row := y.RawRowView(3) // a single jump of 1e-11 in very many signals
	for k := range row {
		row[k] = 1
	}
	row[7] += 1e-11
	got := learned(t, Correlation{}, y)
	a, b := got.Weights.Weights(), want.Weights.Weights()
	if d := math.Abs(a.At(0, 1) - b.At(0, 1)); d > 1e-9 {
		t.Errorf("in other units the correlation is off by %g", d)
	}
	if d := math.Abs(a.At(1, 2) - b.At(1, 2)); d > 0.01 { // a number of 1e-320 has some three digits
		t.Errorf("of the tiniest numbers the correlation is off by %g", d)
	}
	if a.At(3, 4) == 0 {
		t.Error("the vertex that varies once has no correlations")
	}
	near := learned(t, KNN{Neighbours: 1}, y)
	for i, d := range near.Graph.Degrees() {
		if d == 0 {
			t.Errorf("vertex %d has no neighbour", i)
		}
	}
}
