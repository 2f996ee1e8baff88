package nervure_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// Compare several methods on the same signals and take the graph of the one that
// is recommended.
func Example_compare() {
	signals, err := dataio.ReadSignals("examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	comparison, err := nervure.Compare(context.Background(), signals, nervure.CompareOptions{
		Methods: []method.Method{learn.Sparse{}, baseline.Tree{}, baseline.Correlation{Degree: 4}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range comparison.Methods {
		fmt.Printf("%-12s rank %d, %d edges\n", m.Name, m.Place.Rank, m.Result.Graph.EdgeCount())
	}
	best := comparison.Recommended()
	if best == nil {
		log.Fatal("no graph predicts better than none")
	}
	fmt.Println("take the", best.Result.Graph.EdgeCount(), "edges of", best.Name)
	// Output:
	// sparse       rank 1, 35 edges
	// tree         rank 2, 23 edges
	// correlation  rank 3, 48 edges
	// take the 35 edges of sparse
}
