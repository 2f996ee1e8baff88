package synth_test

import (
	"fmt"
	"log"

	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

// Draw a graph and signals on it whose truth is known.
func ExampleGenerate() {
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 9, Seed: 1}, kernel.Paper(),
		synth.SignalSpec{Count: 50, Sparsity: 2, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	vertices, count := truth.Signals.Dims()
	fmt.Println(truth.Graph.EdgeCount(), "edges,", count, "signals at", vertices, "vertices")
	// Output:
	// 12 edges, 50 signals at 9 vertices
}
