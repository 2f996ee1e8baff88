package prepare_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/prepare"
)

// Preprocess signals: here, remove the mean of each vertex.
func ExampleSignals() {
	y := mat.NewDense(2, 4, []float64{11, 13, 9, 11, 200, 202, 198, 204})
	prepared, report, err := prepare.Signals(context.Background(), y,
		prepare.Options{Center: prepare.Yes, Scale: prepare.No, CommonMode: prepare.No})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Sentence())
	fmt.Println(mat.Row(nil, 0, prepared), mat.Row(nil, 1, prepared))
	// Output:
	// means removed (over 99% of the energy)
	// [0 2 -2 0] [-1 1 -3 3]
}
