package baseline

import (
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

func TestSmoothL2Refuses(t *testing.T) {
	p := method.Problem{Y: randomSignals(rng.Stream(8, "refuse"), 5, 3)}
	refuses(t, SmoothL2{Spread: 1e300}, p, "spread", "got 1e+300, want 0 or a number from 1e-09 to 1e+09")
	refuses(t, SmoothL2{Degree: 0.5}, p, "degree", "got 0.5, want at least 1")
	p.Cut = graph.Cut{Rule: graph.CutEdges, Edges: 11}
	refuses(t, SmoothL2{}, p, input.Edges, "got 11 to keep, want 1 to 10")
}
