package synth

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
)

// pairOf is two vertices joined by an edge of some weight: its Laplacian over the mean
// degree has the eigenvalues 0 and 2.
func pairOf(t *testing.T) *graph.Graph {
	t.Helper()
	g, err := graph.New(graph.DefaultNames(2), []graph.Edge{{I: 0, J: 1, Weight: 3}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The sum and the difference of two vertices are what the law makes of the
// eigenvalues 0 and 2, in closed form.
func TestFieldsOfAPairHaveTheVarianceOfTheirLaw(t *testing.T) {
	const m = 40_000
	for _, c := range []struct {
		spec            FieldSpec
		sum, difference float64 // variances over √2
	}{
		{FieldSpec{Law: GaussianField, Ridge: 0.5}, 1 / 0.5, 1 / 2.5},
		{FieldSpec{Law: DiffusionField, Tau: 0.5}, 1, math.Exp(-2)},
		// The bound of the spectrum is 2, so the difference has no memory.
		{FieldSpec{Law: VARField, Memory: 0.5}, 1 / (1 - 0.25), 1},
	} {
		c.spec.Count, c.spec.Seed = m, 4
		truth, err := Field(pairOf(t), c.spec)
		if err != nil {
			t.Fatal(err)
		}
		sum, difference := 0.0, 0.0
		for k := range m {
			a, b := truth.Signals.At(0, k), truth.Signals.At(1, k)
			sum += (a + b) * (a + b) / 2 / m
			difference += (a - b) * (a - b) / 2 / m
		}
		// Six standard errors √(2/m), three times as large for what depends on the past.
		if math.Abs(sum/c.sum-1) > 0.08 || math.Abs(difference/c.difference-1) > 0.08 {
			t.Errorf("%s: got variances %g and %g, want %g and %g", c.spec.Law, sum, difference, c.sum, c.difference)
		}
	}
}

func TestFaultsDoWhatTheySay(t *testing.T) {
	s, err := Graph(GraphSpec{Family: FamilyGrid, Vertices: 20})
	if err != nil {
		t.Fatal(err)
	}
	draw := func(f FieldFaults) *FieldTruth {
		truth, err := Field(s.Graph, FieldSpec{Law: GaussianField, Count: 2000, FieldFaults: f, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		return truth
	}
	clean := draw(FieldFaults{})
	noise, square := 0.0, 0.0
	noisy := draw(FieldFaults{Noise: 0.5})
	for k, v := range clean.Signals.RawRowView(7) {
		d := noisy.Signals.At(7, k) - v
		noise, square = noise+d*d, square+v*v
	}
	if got := math.Sqrt(noise / square); math.Abs(got-0.5) > 0.05 {
		t.Errorf("noise: got %g of the standard deviation, want 0.5", got)
	}
	skewed := draw(FieldFaults{Skew: 0.5})
	for k, v := range clean.Signals.RawRowView(7) {
		if got := skewed.Signals.At(7, k); got < v-1e-12 { // (e^(sv) − 1)/s ≥ v
			t.Fatalf("skew: %g became %g", v, got)
		}
	}
	hidden := draw(FieldFaults{Hidden: 0.25})
	if n, _ := hidden.Signals.Dims(); n != 15 || hidden.Graph.Vertices() != 15 || hidden.Graph.EdgeCount() >= clean.Graph.EdgeCount() {
		t.Errorf("hidden: got %d rows, %d vertices and %d edges", n, hidden.Graph.Vertices(), hidden.Graph.EdgeCount())
	}
}

func TestFieldsRefuse(t *testing.T) {
	g := pairOf(t)
	for name, spec := range map[string]FieldSpec{
		"odd law": {Law: "odd", Count: 1}, "no signals": {Law: VARField}, "memory": {Law: VARField, Count: 1, Memory: 1},
		"noise": {Law: VARField, Count: 1, FieldFaults: FieldFaults{Noise: -1}}, "hidden": {Law: VARField, Count: 1, FieldFaults: FieldFaults{Hidden: 1}},
	} {
		if _, err := Field(g, spec); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
