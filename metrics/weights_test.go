package metrics

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

func TestWeightErrorByHand(t *testing.T) {
	w := func(a, b, c float64) *graph.Graph {
		return build(t, graph.DefaultNames(3), graph.Edge{I: 0, J: 1, Weight: a}, graph.Edge{I: 0, J: 2, Weight: b}, graph.Edge{I: 1, J: 2, Weight: c})
	}
	for name, c := range map[string]struct {
		found, truth *graph.Graph
		want         float64
	}{
		"proportional":                         {w(2, 4, 6), w(1, 2, 3), 0},
		"one edge of two, equal weights":       {w(1, 0, 0), w(1, 1, 0), math.Sqrt(1. / 2)},
		"an extra edge":                        {w(1, 1, 1), w(1, 1, 0), math.Sqrt(1. / 3)},
		"weights 3 and 4 against 4 and 3":      {w(3, 4, 0), w(4, 3, 0), 7. / 25}, // the cosine is 24/25
		"no edge shared":                       {w(1, 0, 0), w(0, 1, 1), 1},
		"nothing found":                        {w(0, 0, 0), w(1, 1, 0), 1},
		"nothing to find":                      {w(1, 1, 0), w(0, 0, 0), 1},
		"nothing found where there is nothing": {w(0, 0, 0), w(0, 0, 0), 0},
	} {
		got, err := WeightError(c.found, c.truth)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s: got %.17g, want %.17g", name, got, c.want)
		}
	}
}

func TestWeightErrorIsTheLeastOverAllScales(t *testing.T) {
	r := rng.Stream(*seed, "least")
	found, truth := random(t, 9, 0.6, r), random(t, 9, 0.6, r)
	least, err := WeightError(found, truth)
	if err != nil {
		t.Fatal(err)
	}
	w, want := found.Weights(), truth.Weights()
	best := math.Inf(1)
	for c := 0.0; c < 10; c += 1e-3 {
		var miss, norm float64
		for i := range 9 {
			for j := range 9 {
				miss += math.Pow(c*w.At(i, j)-want.At(i, j), 2)
				norm += math.Pow(want.At(i, j), 2)
			}
		}
		e := math.Sqrt(miss / norm)
		if e < least-1e-12 {
			t.Fatalf("scale %g has error %g, below %g", c, e, least)
		}
		best = min(best, e)
	}
	if best > least+1e-3 {
		t.Errorf("no scale tried comes near %g: the best has %g", least, best)
	}
}
