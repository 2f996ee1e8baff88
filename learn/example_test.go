package learn_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// Learn a graph from signals that are sums of four local patterns each.
func ExampleFit() {
	model := learn.PaperModel()
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: 1}, model.Kernels,
		synth.SignalSpec{Count: 400, Sparsity: 4, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	result, err := learn.Fit(context.Background(), truth.Signals, model, learn.Options{})
	if err != nil {
		log.Fatal(err)
	}
	f1, err := metrics.EdgeF1(result.Graph, truth.Graph)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, f1)
	// Output:
	// converged 1
}
