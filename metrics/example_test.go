package metrics_test

import (
	"fmt"
	"log"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
)

// Compare a learned graph with the true one, whatever the order of the vertices.
func ExampleEdges() {
	truth, err := graph.New([]string{"a", "b", "c"}, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}})
	if err != nil {
		log.Fatal(err)
	}
	found, err := graph.New([]string{"c", "b", "a"}, []graph.Edge{{I: 0, J: 1, Weight: 2}, {I: 0, J: 2, Weight: 1}})
	if err != nil {
		log.Fatal(err)
	}
	score, err := metrics.Edges(found, truth)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("precision %.2f, recall %.2f\n", score.Precision, score.Recall)
	// Output: precision 0.50, recall 0.50
}
