package nervure_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
)

func Example() {
	signals, err := dataio.ReadSignals("examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	analysis, err := nervure.Learn(context.Background(), signals, nervure.Options{})
	if err != nil {
		log.Fatal(err)
	}
	edge, names := analysis.Graph.Edges()[0], analysis.Graph.Names()
	fmt.Println(analysis.Verdict)
	fmt.Println("the first of them connects", names[edge.I], "and", names[edge.J])
	// Output:
	// exact: 35 edges explain all 200 signals to rounding error
	// the first of them connects stem and M1
}
