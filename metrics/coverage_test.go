package metrics

import (
	"testing"

	"github.com/nervure/nervure/graph"
)

func TestCoverageIsLowBelowHalfOfTheVertices(t *testing.T) {
	for _, c := range []struct {
		vertices, edges, joined int
		low                     bool
	}{{4, 0, 0, true}, {4, 1, 2, false}, {5, 1, 2, true}, {3, 1, 2, false}, {3, 2, 3, false}} {
		var path []graph.Edge
		for k := range c.edges {
			path = append(path, graph.Edge{I: k, J: k + 1, Weight: 1})
		}
		g, err := graph.New(graph.DefaultNames(c.vertices), path)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Covers(g), (Coverage{c.joined, c.vertices}); got != want || got.Low() != c.low {
			t.Errorf("%d of %d edges: got %+v, low: %t, want %+v, low: %t", c.edges, c.vertices, got, got.Low(), want, c.low)
		}
	}
}
