package simulate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

// pairOf is two vertices joined by an edge of some weight.
func pairOf(t *testing.T) *graph.Graph {
	t.Helper()
	g, err := graph.New(graph.DefaultNames(2), []graph.Edge{{I: 0, J: 1, Weight: 3}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestFeedersAreTreesWithChords(t *testing.T) {
	for _, chords := range []int{0, 5} {
		g, err := Feeder(40, chords, rng.Stream(2, "feeder"))
		if err != nil {
			t.Fatal(err)
		}
		if _, parts := g.Components(); parts != 1 || g.EdgeCount() != 39+chords {
			t.Errorf("%d chords: got %d parts and %d edges", chords, parts, g.EdgeCount())
		}
	}
}

// A line with one load has a voltage in closed form: with s = (p + jq) the load and
// z = r + jx the impedance, |v|² solves v⁴ + (2(rp + xq) − 1)v² + |z|²|s|² = 0.
func TestPowerFlowOfOneLineHasItsClosedForm(t *testing.T) {
	g := pairOf(t)
	grid := newPowerGrid(g, 1)
	grid.p[1], grid.q[1] = -2, -1
	if err := grid.solve(); err != nil {
		t.Fatal(err)
	}
	z := 1 / complex(grid.conductance.At(0, 0), grid.susceptance.At(0, 0))
	r, x := real(z), imag(z)
	b := 2*(r*2+x*1) - 1
	square := (-b + math.Sqrt(b*b-4*(r*r+x*x)*5)) / 2
	if got, want := grid.v[1], math.Sqrt(square); math.Abs(got-want) > 1e-9 || want > 0.995 {
		t.Errorf("got |v| = %g, want %g", got, want)
	}
}

func TestPowerFlowMeetsItsLoads(t *testing.T) {
	g, err := Feeder(12, 2, rng.Stream(5, "feeder"))
	if err != nil {
		t.Fatal(err)
	}
	grid := newPowerGrid(g, 5)
	for i := range grid.p {
		grid.p[i], grid.q[i] = -0.02*float64(i%4), -0.01*float64(i%3)
	}
	if err := grid.solve(); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < 12; i++ {
		if p, q := grid.injected(i); math.Abs(p-grid.p[i]) > 1e-9 || math.Abs(q-grid.q[i]) > 1e-9 {
			t.Errorf("bus %d: got %g and %g, want %g and %g", i, p, q, grid.p[i], grid.q[i])
		}
	}
}

func TestKindsAreDrawnAlikeFromASeed(t *testing.T) {
	names := map[string]bool{}
	for _, k := range FieldKinds() {
		if names[k.Name] {
			t.Errorf("two kinds are called %s", k.Name)
		}
		names[k.Name] = true
		a, err := k.Draw(3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := k.Draw(3)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(a.Signals, b.Signals) || a.Graph.EdgeCount() == 0 {
			t.Errorf("%s: two draws of a seed differ, or have no edges", k.Name)
		}
	}
}
