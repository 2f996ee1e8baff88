package assess

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
)

// chains returns signals on paths of vertices, each of which follows the one before.
func chains(n, length, m int) *mat.Dense {
	draw := rng.Stream(*seed, "chains")
	y := mat.NewDense(n, m, nil)
	for i := range n {
		for t := range m {
			v := draw.NormFloat64()
			if i%length > 0 {
				v = 0.8*y.At(i-1, t) + 0.6*v
			}
			y.Set(i, t, v)
		}
	}
	return y
}

// The edges of many vertices are tested, too: those of a field predict held-out signals, noise none.
func TestEdgesOfManyVertices(t *testing.T) {
	const n = MostTestedVertices + 100
	field := must.Get(TestEdges(t.Context(), chains(n, 10, 200), learnedBy(baseline.Field{}), StructureOptions{Threads: 2}))
	// The ends of a chain are predicted to 0.64, those between to 0.64 + 0.36·0.64/(1 + 0.64) = 0.78.
	if !field.Clear() || field.Prediction < 0.6 || field.Prediction > 0.8 {
		t.Errorf("field: %+v", field)
	}
	shared := noise(n, 200, "shared")
	for t := range 200 { // what all share is no graph
		v := 3 * math.Sin(float64(7*t*t))
		for i := range n {
			shared.Set(i, t, shared.At(i, t)+v)
		}
	}
	mode := must.Get(TestEdges(t.Context(), shared, learnedBy(baseline.KNN{}), StructureOptions{}))
	if mode.Structure {
		t.Errorf("a common mode: %+v", mode)
	}
	none := must.Get(TestEdges(t.Context(), noise(n, 200, "many"), learnedBy(baseline.KNN{}), StructureOptions{}))
	if none.Structure || none.Prediction > 0 {
		t.Errorf("noise: %+v", none)
	}
}

// What is gained is the pseudo-likelihood, written out for one pair.
func TestGainsApartAreThoseOfThePseudoLikelihood(t *testing.T) {
	train, test := chains(2, 2, 50), chains(2, 2, 30)
	g := must.Get(graph.New(graph.DefaultNames(2), []graph.Edge{{I: 0, J: 1, Weight: 1}}))
	var held HeldOut
	held.addApart(t.Context(), train, test, g, 2)
	model := FitApart(t.Context(), train, g, 1)
	x, z := model.standardised(train), model.standardised(test)
	densities := model.LogDensity(t.Context(), test, 2)
	rho := portable.Dot(x.Data[:50], x.Data[50:]) / 50
	variance := (1 - rho*rho) * 50 / 48
	for k := range 30 {
		a, b := z.Data[k], z.Data[30+k]
		left := (a-rho*b)*(a-rho*b) + (b-rho*a)*(b-rho*a)
		want := (a*a+b*b)/2 - left/(2*variance) - math.Log(variance)
		if math.Abs(held.Gain[k]-want) > 1e-6 || math.Abs(held.Error[k]-left) > 1e-6 || math.Abs(held.Energy[k]-a*a-b*b) > 1e-9 {
			t.Fatalf("signal %d: got %g, %g, %g, want %g, %g", k, held.Gain[k], held.Error[k], held.Energy[k], want, left)
		}
		if density := -left/(2*variance) - math.Log(variance); math.Abs(densities[k]-density) > 1e-6 {
			t.Errorf("signal %d: a density of %g, want %g", k, densities[k], density)
		}
	}
}
