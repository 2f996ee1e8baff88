package auto_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/auto"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// Wide patterns are as smooth as fields of high order, and told from them: the
// codes of the paper's kernels are worse than edges for both.
func TestWidePatternsAreToldFromSmoothFields(t *testing.T) {
	heat := must.Get(kernel.Heat(4, 15, kernel.Chebyshev))
	drawn := must.Get(synth.Graph(synth.GraphSpec{Family: synth.FamilyRBF, Vertices: 40, Seed: 7}))
	patterns := must.Get(synth.Signals(drawn.Graph, []kernel.Kernel{heat},
		synth.SignalSpec{Count: 200, Sparsity: 3, Distinct: true, Seed: 7}))
	field := must.Get(synth.Field(drawn.Graph, synth.FieldSpec{Order: 4, Count: 200, Seed: 7}))
	c, err := auto.Compare(t.Context(), method.Problem{Y: patterns.Signals, Seed: 1}, false, nil)
	if err != nil || c.IsField() || c.EdgesOf != "covariance" {
		t.Errorf("patterns: %+v, %v", c, err)
	}
	if c, err = auto.Compare(t.Context(), method.Problem{Y: field.Signals, Seed: 1}, false, nil); err != nil || !c.IsField() {
		t.Errorf("a field: %+v, %v", c, err)
	}
}

// A field of high order has so many partial correlations that the edges of a tree miss most of
// them, and codes make held-out signals likelier. Any Gaussian makes them likelier still.
func TestFieldsThatEdgesMissAreKnownByTheirCovariance(t *testing.T) {
	drawn := must.Get(synth.Graph(synth.GraphSpec{Family: synth.FamilyER, Vertices: 25, Seed: 7}))
	field := must.Get(synth.Field(drawn.Graph, synth.FieldSpec{Order: 8, Count: 100, Seed: 7}))
	p := method.Problem{Y: field.Signals, Seed: 1}
	c, err := auto.Compare(t.Context(), p, false, nil)
	if err != nil || !c.IsField() || c.EdgesOf != "covariance" || c.Edges.Mean <= c.Codes.Mean || c.Difference.Mean >= 0 {
		t.Errorf("a field: %+v, %v", c, err)
	}
	p.Kernels = kernel.Paper() // the same, but then codes are compared with edges alone
	edges, err := auto.Compare(t.Context(), p, false, nil)
	if err != nil || edges.IsField() || edges.EdgesOf == "covariance" || edges.Edges.Mean >= edges.Codes.Mean ||
		edges.Codes != c.Codes {
		t.Errorf("by edges alone: %+v, %v", edges, err)
	}
}

// Where vertices move only against each other, edges of either sign speak for the field.
func TestNegativeEdgesSpeakForTheField(t *testing.T) {
	const n, m = 20, 200
	r := rng.Stream(5, "negative edges")
	y := mat.NewDense(n, m, nil)
	for k := range m {
		for i := 0; i < n; i += 2 { // pairs of vertices
			first := r.NormFloat64()
			y.Set(i, k, first)
			y.Set(i+1, k, r.NormFloat64()-0.8*first)
		}
	}
	c, err := auto.Compare(t.Context(), method.Problem{Y: y, Seed: 1, Threads: 1}, false, nil)
	if err != nil || !c.IsField() || c.EdgesOf != (baseline.GGM{}).Name() || c.Edges.Mean < 2*c.Edges.StdErr {
		t.Errorf("got %+v, %v, want the field because of the edges of ggm", c, err)
	}
}
