package input_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/method"
)

// Tell bad input from other errors, and show it to whoever can mend it.
func ExampleFind() {
	one := mat.NewDense(1, 3, []float64{1, 2, 3})
	_, err := baseline.Tree{}.Learn(context.Background(), method.Problem{Y: one})
	if bad := input.Find(err); bad != nil {
		fmt.Println("field:", bad.Field)
		fmt.Println(input.Sentence(err))
	}
	// Output:
	// field: vertices
	// vertices: got 1, want at least 2
}
