package baseline

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// exact returns signals whose second moments are exactly those of the law: the
// atoms themselves, since D·Dᵀ = Σ p_s(L)².
func exact(t *testing.T, g *graph.Graph, kernels []kernel.Kernel) *mat.Dense {
	t.Helper()
	d, err := dictionary.Dense(g.Laplacian(), kernels)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func erGraph(t *testing.T, vertices int, p float64, seed uint64) *graph.Graph {
	t.Helper()
	s, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Probability: p, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return s.Graph
}

// relativeError compares weights with the normalised ones of the truth, or with
// these times whatever fits best.
func relativeError(found, truth *graph.Graph, scaled bool) float64 {
	n := truth.Vertices()
	a := make([]float64, n*(n-1)/2)
	for _, e := range truth.NormalizedWeights() {
		a[pairIndex(n, e.I, e.J)] = e.Weight
	}
	w := pairWeights(found)
	scale := 1.0
	if scaled {
		var aw, aa float64
		for e := range a {
			aw += a[e] * w[e]
			aa += a[e] * a[e]
		}
		scale = aw / aa
	}
	var difference, norm float64
	for e := range a {
		difference = math.Hypot(difference, w[e]-scale*a[e])
		norm = math.Hypot(norm, scale*a[e])
	}
	return difference / norm
}

func TestKernelInversionIsExactWithTrueMoments(t *testing.T) {
	valley, err := kernel.Polynomial("valley", []float64{-0.4, 1}) // h falls to 0 at λ = 0.4 and rises beyond
	if err != nil {
		t.Fatal(err)
	}
	high, err := kernel.HighPass(1, 20, kernel.Chebyshev)
	if err != nil {
		t.Fatal(err)
	}
	apart := []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 2}, {I: 0, J: 2, Weight: 3}, {I: 3, J: 4, Weight: 1}, {I: 4, J: 5, Weight: 1}}
	for name, c := range map[string]struct {
		g       *graph.Graph
		kernels []kernel.Kernel
	}{
		"low-pass kernels":                         {erGraph(t, 20, 0.3, 1), lowPass(t)},
		"a high-pass kernel":                       {erGraph(t, 20, 0.3, 2), []kernel.Kernel{high}},
		"a branch that holds all but the constant": {erGraph(t, 20, 0.8, 3), []kernel.Kernel{valley}},
		"two components":                           {mustGraph(graph.DefaultNames(6), apart), lowPass(t)},
	} {
		r, err := KernelInversion{}.Learn(t.Context(), method.Problem{Y: exact(t, c.g, c.kernels), Kernels: c.kernels})
		if err != nil {
			t.Fatal(err)
		}
		if e := relativeError(r.Weights, c.g, false); e > 1e-9 || !samePairs(r.Graph, c.g) {
			t.Errorf("%s: relative error %g, %d edges, want %d; %v", name, e, r.Graph.EdgeCount(), c.g.EdgeCount(), r.Warnings)
		}
	}
}

func TestKernelInversionTakesThePapersKernels(t *testing.T) {
	p := method.Problem{Y: drawn(t, 12, 200, 7).Signals}
	byDefault, err := KernelInversion{}.Learn(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	p.Kernels = kernel.Paper()
	given, err := KernelInversion{}.Learn(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(byDefault.Weights.Edges(), given.Weights.Edges()) {
		t.Error("without kernels the graph is another than with the paper's")
	}
}
