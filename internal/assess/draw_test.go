package assess

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/kernel"
)

// identity is noise that shows the covariance of what is made of it: A·I·(A·I)ᵀ = AAᵀ.
func identity(n int) *mat.Dense {
	i := mat.NewDense(n, n, nil)
	for k := range n {
		i.Set(k, k, 1)
	}
	return i
}

// covarianceOf returns yyᵀ of signals over their scale, less their mean.
func covarianceOf(y *mat.Dense, mean, scale []float64) *mat.Dense {
	z := mat.DenseCopyOf(y)
	z.Apply(func(i, _ int, v float64) float64 { return (v - mean[i]) / scale[i] }, z)
	var c mat.Dense
	c.Mul(z, z.T())
	return &c
}

func TestColouredNoiseHasTheCovarianceOfTheModel(t *testing.T) {
	g := must.Get(graph.New(graph.DefaultNames(4), []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 2}}))
	y := mat.NewDense(4, 6, []float64{1, 2, 3, 5, 2, 1, 2, 2, 4, 5, 1, 1, 9, 3, 4, 4, 1, 2, 1, 0, 1, 0, 3, 0})
	m := must.Get(FitGaussian(y, g))
	made := must.Get(m.Coloured(identity(4)))
	var product mat.Dense
	product.Mul(m.theta, covarianceOf(made, m.mean, m.scale))
	if !mat.EqualApprox(&product, identity(4), 1e-9) {
		t.Errorf("the precision matrix times the covariance of the signals is\n%v", mat.Formatted(&product))
	}

	// A field on a path of two vertices, whose normalised Laplacian has the eigenvalues 0 and 2 with
	// the vectors (1, ±1)/√2; a third vertex is on its own.
	pair := must.Get(graph.New(graph.DefaultNames(3), []graph.Edge{{I: 0, J: 2, Weight: 3}}))
	k := must.Get(kernel.Parse("heat:1", 1, kernel.Chebyshev))
	f := &FieldGaussian{Mean: []float64{1, 2, 3}, Scale: []float64{4, 5, 6}, Kernel: k, Size: 2, Noise: 0.5}
	made = must.Get(f.Coloured(pair, identity(3)))
	low, high := 4+0.25, 4*math.Exp(-4)+0.25 // Size²·e^(−2λ) + Noise²
	want := mat.NewDense(3, 3, []float64{(low + high) / 2, 0, (low - high) / 2, 0, 1, 0, (low - high) / 2, 0, (low + high) / 2})
	if got := covarianceOf(made, f.Mean, f.Scale); !mat.EqualApprox(got, want, 1e-9) {
		t.Errorf("got the covariance\n%v, want\n%v", mat.Formatted(got), mat.Formatted(want))
	}
}
