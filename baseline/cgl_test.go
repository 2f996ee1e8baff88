package baseline

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/method"
)

// laplacianMethods are the methods that differ in the constraints only.
var laplacianMethods = []method.Method{GGL{}, CGL{}, DDGL{}}

// A Gaussian field on a grid shows the grid, and nothing is told about its edges.
func TestLaplacianMethodsFindTheGridOfAField(t *testing.T) {
	slow(t)
	y := gridSignals(t, 5, 5, 1000)
	for _, m := range laplacianMethods {
		r := learned(t, m, y)
		right := 0
		for _, e := range r.Graph.Edges() {
			if e.J == e.I+5 || e.J == e.I+1 && e.J%5 != 0 {
				right++
			}
		}
		if missed, wrong := 40-right, r.Graph.EdgeCount()-right; missed > 3 || wrong > 6 {
			t.Errorf("%s: %d of 40 edges are missing, and %d are wrong", m.Name(), missed, wrong)
		}
		if r.Weights.EdgeCount() <= r.Graph.EdgeCount() {
			t.Errorf("%s: %d edges before the cut, %d after", m.Name(), r.Weights.EdgeCount(), r.Graph.EdgeCount())
		}
	}
}

// Noise predicts nothing, and a mode common to all vertices is no graph.
func TestLaplacianMethodsFindNothingInNoise(t *testing.T) {
	slow(t)
	for name, common := range map[string]float64{"white": 0, "one factor": 1} {
		draw := stream("noise " + name)
		y := mat.NewDense(30, 200, nil)
		for s := range 200 {
			mode := common * draw.NormFloat64()
			for i := range 30 {
				y.Set(i, s, draw.NormFloat64()+mode)
			}
		}
		for _, m := range laplacianMethods {
			if r := learned(t, m, y); r.Graph.EdgeCount() > 0 {
				t.Errorf("%s: %s: got %d edges in noise", m.Name(), name, r.Graph.EdgeCount())
			}
		}
	}
}

// A constraint more can only raise the objective: that of CGL is DDGL's without loops.
func TestLaplacianModelsAreNested(t *testing.T) {
	for trial := range 5 {
		k := drawnMoments(trial)
		loss := func(theta *mat.SymDense) float64 {
			var chol mat.Cholesky
			if !chol.Factorize(theta) {
				t.Fatal("Θ is not positive definite")
			}
			sum := -chol.LogDet()
			for i := range k.Rows {
				for j := range k.Rows {
					sum += k.Data[i*k.Rows+j] * theta.At(i, j)
				}
			}
			return sum
		}
		ggl, ddgl := newAttractive(k), newResistance(k, true)
		ggl.solve(t.Context(), 1e-12, 10_000)
		ddgl.solve(t.Context(), 1e-12, 1000)
		if a, b := loss(ggl.theta()), loss(ddgl.theta()); a > b+1e-9 {
			t.Errorf("with fewer constraints the minimum is %g, with more %g", a, b)
		}
	}
}
