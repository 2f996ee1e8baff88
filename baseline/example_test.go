package baseline_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// Learn the graph behind a Gaussian field with a method of your choice. The constraint of
// GGL is that of a generalised Laplacian: vertices may only be related positively.
func ExampleGGL() {
	path, err := graph.New([]string{"spring", "weir", "mill", "bridge"}, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 2}, {I: 2, J: 3, Weight: 1}})
	if err != nil {
		log.Fatal(err)
	}
	field, err := synth.Field(path, synth.FieldSpec{Count: 2000, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	result, err := baseline.GGL{}.Learn(context.Background(), method.Problem{Y: field.Signals, Names: path.Names()})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range result.Graph.Edges() {
		fmt.Println(result.Graph.Names()[e.I], "–", result.Graph.Names()[e.J])
	}
	// Output:
	// spring – weir
	// weir – mill
	// mill – bridge
}
