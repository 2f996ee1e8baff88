package gsp

import (
	"fmt"
	"testing"

	"github.com/nervure/nervure/graph"
)

// lattice is a ring with an edge to the second neighbour, too.
func lattice(b *testing.B, n int) *Laplacian {
	b.Helper()
	var edges []graph.Edge
	for i := range n {
		edges = append(edges, graph.Edge{I: i, J: (i + 1) % n, Weight: 1}, graph.Edge{I: i, J: (i + 2) % n, Weight: 0.5})
	}
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		b.Fatal(err)
	}
	l, err := New(g, Combinatorial)
	if err != nil {
		b.Fatal(err)
	}
	return l
}

func BenchmarkDenoise(b *testing.B) {
	for _, n := range []int{300, 2000, 10000} {
		b.Run(fmt.Sprintf("n=%d/m=100", n), func(b *testing.B) {
			y := noise("benchmark", n, 100)
			for b.Loop() {
				if _, err := lattice(b, n).Denoise(b.Context(), y, DenoiseOptions{Center: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFill(b *testing.B) {
	for _, n := range []int{300, 2000, 10000} {
		b.Run(fmt.Sprintf("n=%d/m=100", n), func(b *testing.B) {
			y := withGaps(noise("benchmark", n, 100), 0.1)
			for b.Loop() {
				if _, err := lattice(b, n).Fill(b.Context(), y, FillOptions{Choose: true, Center: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
