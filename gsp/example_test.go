package gsp_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/kernel"
)

// path is four vertices in a row.
func path() *graph.Graph {
	g, err := graph.New([]string{"a", "b", "c", "d"}, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 2, J: 3, Weight: 1}})
	if err != nil {
		log.Fatal(err)
	}
	return g
}

// Fill a gap from its neighbours.
func ExampleLaplacian_Fill() {
	l, err := gsp.New(path(), gsp.Combinatorial)
	if err != nil {
		log.Fatal(err)
	}
	y := mat.NewDense(4, 1, []float64{1, math.NaN(), math.NaN(), 7})
	filled, err := l.Fill(context.Background(), y, gsp.FillOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f\n", mat.Col(nil, 0, filled.Y))
	// Output: [1 3 5 7]
}

// Let heat spread from one vertex.
func ExampleLaplacian_Filter() {
	l, err := gsp.New(path(), gsp.Combinatorial)
	if err != nil {
		log.Fatal(err)
	}
	heat, err := kernel.Heat(1, 15, kernel.Chebyshev)
	if err != nil {
		log.Fatal(err)
	}
	spread, err := l.Filter(context.Background(), mat.NewDense(4, 1, []float64{1, 0, 0, 0}), heat.Value)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", mat.Col(nil, 0, spread.Y))
	// Output: [0.52 0.31 0.12 0.04]
}
