package gsp

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
)

// A ring has every frequency 2 − 2cos(2πk/n) twice, but for the first and, if n is even, the last.
func TestBandsOfARing(t *testing.T) {
	const n = 10
	var edges []graph.Edge
	for i := range n {
		edges = append(edges, graph.Edge{I: i, J: (i + 1) % n, Weight: 1})
	}
	s := must(laplacian(t, must(graph.New(graph.DefaultNames(n), edges))(t), Combinatorial).Spectrum())(t)
	y := noise("ring", n, 3)
	bands := must(s.Bands(y))(t)
	if len(bands) != n/2+1 {
		t.Fatalf("got %d bands, want %d", len(bands), n/2+1)
	}
	sum := 0.0
	for k, b := range bands {
		waves := 2
		if k == 0 || k == n/2 {
			waves = 1
		}
		if want := 2 - 2*math.Cos(2*math.Pi*float64(k)/n); b.Waves != waves || math.Abs(b.Frequency-want) > 1e-12 {
			t.Errorf("band %d: %d waves of frequency %g, want %d of %g", k, b.Waves, b.Frequency, waves, want)
		}
		sum += b.Energy
	}
	if want := total(y, y) / 3; math.Abs(sum-want) > 1e-12 {
		t.Errorf("energies sum to %g, want %g", sum, want)
	}
}
