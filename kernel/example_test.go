package kernel_test

import (
	"fmt"
	"log"

	"github.com/nervure/nervure/kernel"
)

// A kernel is a polynomial that stands for a function of the graph frequency λ.
func ExampleParse() {
	heat, err := kernel.Parse("heat:2", 15, kernel.Chebyshev)
	if err != nil {
		log.Fatal(err)
	}
	for _, lambda := range []float64{0, 1, 2} {
		fmt.Printf("g(%g) = %.4f\n", lambda, heat.Value(lambda))
	}
	// Output:
	// g(0) = 1.0000
	// g(1) = 0.1353
	// g(2) = 0.0183
}
