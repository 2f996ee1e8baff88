package layout

import (
	"context"
	"math"
	"testing"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/synth"
)

// Whoever does not wait gets places all the same: joined vertices are nearer than others, as far as distances
// from a few vertices tell.
func TestPlacesOfWhoeverDoesNotWait(t *testing.T) {
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 900, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ctx := range map[string]context.Context{"at once": ended, "in the middle": checks.EndsAfter(40)} {
		x, y := PlacesUntil(ctx, drawn.Graph)
		joined := 0.0
		for _, e := range drawn.Graph.Edges() {
			joined += math.Hypot(x[e.I]-x[e.J], y[e.I]-y[e.J]) / float64(drawn.Graph.EdgeCount())
		}
		others := 0.0
		for i := range x {
			j := (i + len(x)/2) % len(x)
			others += math.Hypot(x[i]-x[j], y[i]-y[j]) / float64(len(x))
		}
		if !(joined < others/5) {
			t.Errorf("%s: joined vertices are %.2f apart, any two %.2f", name, joined, others)
		}
	}
}
