package nervure_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/learn"
)

func Example() {
	signals, err := dataio.ReadSignals("examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	result, err := learn.Fit(context.Background(), signals.Y, learn.Model{}, learn.Options{Names: signals.Names})
	if err != nil {
		log.Fatal(err)
	}
	edge, names := result.Graph.Edges()[0], result.Graph.Names()
	fmt.Println(result.Graph.EdgeCount(), "edges, the first from", names[edge.I], "to", names[edge.J], "– exact:", result.Certified)
	// Output: 35 edges, the first from stem to M1 – exact: true
}
