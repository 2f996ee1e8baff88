package auto

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// Of many vertices, a field is learned at once, and sums of few patterns by the sparse method.
func TestChoiceForManyVertices(t *testing.T) {
	const n = assess.MostTestedVertices + 50
	draw := rng.Stream(1, "large choice")
	field := mat.NewDense(n, 150, nil)
	for i := range n {
		for k := range 150 {
			v := draw.NormFloat64()
			if i > 0 {
				v = 0.8*field.At(i-1, k) + 0.6*v
			}
			field.Set(i, k, v)
		}
	}
	d, err := Choose(t.Context(), t.Context(), method.Problem{Y: field, Threads: 2}, nil, nil)
	if err != nil || !d.Choice.IsField() || d.Result == nil || d.Result.Graph.EdgeCount() < n*9/10 {
		t.Fatalf("field: %+v, %v", d.Choice, err)
	}
	truth := must.Get(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Seed: 1}, learn.PaperModel().Kernels,
		synth.SignalSpec{Count: 150, Sparsity: 8, Noise: 0.1, Seed: 1}))
	d, err = Choose(t.Context(), t.Context(), method.Problem{Y: truth.Signals, Threads: 2}, nil, nil)
	if err != nil || d.Choice.IsField() || d.Result != nil {
		t.Errorf("sparse: %+v, %v", d.Choice, err)
	}
}

// The kurtosis of Gaussian signals is 3, and that of signals that are the same at all vertices 1.
func TestConcentration(t *testing.T) {
	draw := rng.Stream(1, "concentration")
	y := mat.NewDense(2000, 40, nil)
	y.Apply(func(int, int, float64) float64 { return draw.NormFloat64() }, y)
	if k := concentration(y); k < 2.7 || k > 3.3 {
		t.Errorf("Gaussian: got %g", k)
	}
	y.Apply(func(_, k int, _ float64) float64 { return float64(1 - k%2*2) }, y)
	if k := concentration(y); math.Abs(k-1) > 1e-12 {
		t.Errorf("equal: got %g", k)
	}
}
