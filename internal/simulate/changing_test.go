package simulate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

func changing(t *testing.T, spec ChangingSpec) *ChangingTruth {
	t.Helper()
	c, err := Changing(spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A fifth of the edges goes to pairs that had none, and no vertex is left without.
func TestAShareOfTheEdgesChanges(t *testing.T) {
	for seed := range uint64(2) {
		c := changing(t, ChangingSpec{Seed: seed, Observations: 10})
		had := map[[2]int]bool{}
		for _, e := range c.Before.Edges() {
			had[[2]int{e.I, e.J}] = true
		}
		moved := 0
		for _, e := range c.After.Edges() {
			if !had[[2]int{e.I, e.J}] {
				moved++
			}
		}
		count := c.Before.EdgeCount()
		if want := int(math.Round(0.2 * float64(count))); moved != want || c.After.EdgeCount() != count {
			t.Errorf("seed %d: %d of %d edges moved, want %d; then %d", seed, moved, count, want, c.After.EdgeCount())
		}
		if _, kept := c.After.WithoutIsolated(); len(kept) != c.Before.Vertices() {
			t.Errorf("seed %d: %d of %d vertices have an edge", seed, len(kept), c.Before.Vertices())
		}
	}
}

// Signals are smooth on the graph that they are drawn on: the energy of differences
// along its edges is lower than along those of the other graph.
func TestSignalsFollowTheGraphOfTheirTime(t *testing.T) {
	c := changing(t, ChangingSpec{Seed: 2, Share: 0.4, Moment: 800})
	n, m := c.Signals.Dims()
	if c.Spec.Moment != 800 || m != 2000 || len(c.Times) != m {
		t.Fatalf("moment %d of %d", c.Spec.Moment, m)
	}
	before, after := c.Signals.Slice(0, n, 0, 800), c.Signals.Slice(0, n, 800, m)
	if a, b := roughness(c.Before, before), roughness(c.After, before); a > 0.97*b {
		t.Errorf("before: %g on its graph, %g on the other", a, b)
	}
	if a, b := roughness(c.After, after), roughness(c.Before, after); a > 0.97*b {
		t.Errorf("after: %g on its graph, %g on the other", a, b)
	}
}

// roughness is tr(YᵀLY)/‖Y‖².
func roughness(g *graph.Graph, y mat.Matrix) float64 {
	var ly mat.Dense
	ly.Mul(g.CombinatorialLaplacian(), y)
	ly.MulElem(&ly, y)
	norm := mat.Norm(y, 2)
	return mat.Sum(&ly) / (norm * norm)
}
