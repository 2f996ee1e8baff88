package model_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/model"
)

// Learn a graph from some signals, then code new, noisy ones on it: their atoms
// say where they come from, and their sum is the signal without most of the noise.
func ExampleEncode() {
	signals, err := dataio.ReadSignals("../examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	n, m := signals.Y.Dims()
	first := &nervure.Signals{Y: mat.DenseCopyOf(signals.Y.Slice(0, n, 0, m-20)), Names: signals.Names}
	clean := mat.DenseCopyOf(signals.Y.Slice(0, n, m-20, m))

	analysis, err := nervure.Learn(context.Background(), first, nervure.Options{})
	if err != nil {
		log.Fatal(err)
	}

	random := rand.New(rand.NewPCG(1, 2))
	noisy := mat.NewDense(n, 20, nil)
	noisy.Apply(func(i, k int, v float64) float64 { return v + 0.02*random.NormFloat64() }, clean)
	coded, err := model.Encode(analysis, &nervure.Signals{Y: noisy, Names: signals.Names})
	if err != nil {
		log.Fatal(err)
	}

	atoms, _ := coded.Codes.Column(0)
	fmt.Println("the first signal is a sum of", len(atoms), "atoms")
	fmt.Printf("noise %.2f before, %.2f after\n", distance(noisy, clean), distance(coded.Denoised, clean))
	// Output:
	// the first signal is a sum of 4 atoms
	// noise 0.43 before, 0.22 after
}

func distance(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2)
}
