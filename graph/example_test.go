package graph_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

// A graph can be made from a weight matrix, and gives back its matrices.
func ExampleFromWeights() {
	w := mat.NewSymDense(3, []float64{
		0, 2, 0,
		2, 0, 1,
		0, 1, 0,
	})
	g, err := graph.FromWeights([]string{"north", "centre", "south"}, w)
	if err != nil {
		log.Fatal(err)
	}
	names := g.Names()
	for _, e := range g.Edges() {
		fmt.Println(names[e.I], names[e.J], e.Weight)
	}
	fmt.Println(mat.Formatted(g.CombinatorialLaplacian()))
	// Output:
	// north centre 2
	// centre south 1
	// ⎡ 2  -2   0⎤
	// ⎢-2   3  -1⎥
	// ⎣ 0  -1   1⎦
}
