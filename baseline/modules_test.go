package baseline

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// chainOfModules returns vertices in groups of the given size that follow the vertices of
// a field on a chain.
func chainOfModules(t *testing.T, groups, size, signals int) *mat.Dense {
	t.Helper()
	latent := gridSignals(t, 1, groups, signals)
	draw := stream("noise of modules")
	y := mat.NewDense(groups*size, signals, nil)
	y.Apply(func(i, s int, _ float64) float64 { return 2*latent.At(i/size, s) + 0.3*draw.NormFloat64() }, y)
	return y
}

func TestModulesFindAChainOfModules(t *testing.T) {
	const groups, size = 5, 6
	y := chainOfModules(t, groups, size, 1000)
	for _, kind := range []ModuleKind{LatentModules, MeanModules} {
		r := learned(t, Modules{Kind: kind}, y)
		own := r.Own.(*ModuleGraph)
		if len(own.Centres) != groups || r.Method.(Modules).Count != groups {
			t.Fatalf("model %d: %d modules, want %d", kind, len(own.Centres), groups)
		}
		for i, a := range own.Of {
			if a != i/size {
				t.Errorf("model %d: vertex %d is in module %d", kind, i, a)
			}
		}
		chain := 0
		for _, e := range own.Graph.Edges() {
			if e.J == e.I+1 {
				chain++
			}
		}
		if extra := own.Graph.EdgeCount() - chain; chain != groups-1 || extra > 2 {
			t.Errorf("model %d: %d of %d edges between modules, and %d more", kind, chain, groups-1, extra)
		}
		// Each vertex is joined to the centre of its module, and centres as modules are.
		if got, want := r.Graph.EdgeCount(), groups*(size-1)+own.Graph.EdgeCount(); got != want {
			t.Errorf("model %d: %d edges, want %d", kind, got, want)
		}
		for _, e := range r.Graph.Edges() {
			inside := own.Of[e.I] == own.Of[e.J]
			if !slices.Contains(own.Centres, e.I) && !slices.Contains(own.Centres, e.J) || !inside && !(slices.Contains(own.Centres, e.I) && slices.Contains(own.Centres, e.J)) {
				t.Errorf("model %d: edge %d–%d is not at a centre", kind, e.I, e.J)
			}
		}
		for a, name := range own.Graph.Names() {
			if name != r.Graph.Names()[own.Centres[a]] {
				t.Errorf("model %d: module %d is called %s", kind, a, name)
			}
		}
	}
}

// Vertices that are set aside are in no module, and the others keep their places.
func TestModulesLeaveOutVerticesSetAside(t *testing.T) {
	y := chainOfModules(t, 3, 4, 300)
	for s := range 300 {
		y.Set(5, s, 7)
	}
	own := learned(t, Modules{Count: 3}, y).Own.(*ModuleGraph)
	if want := []int{0, 0, 0, 0, 1, -1, 1, 1, 2, 2, 2, 2}; !slices.Equal(own.Of, want) {
		t.Errorf("got modules %v, want %v", own.Of, want)
	}
	for a, c := range own.Centres {
		if own.Of[c] != a {
			t.Errorf("vertex %d is the centre of module %d, and in module %d", c, a, own.Of[c])
		}
	}
}

// Noise has no modules: no vertex is like the others beyond chance.
func TestModulesFindNothingInNoise(t *testing.T) {
	y := randomSignals(stream("no modules"), 30, 300)
	for _, m := range []Modules{{}, {Kind: MeanModules}, {Count: 3}} {
		if r := learned(t, m, y); r.Graph.EdgeCount() > 4 {
			t.Errorf("%+v: got %d edges in noise", m, r.Graph.EdgeCount())
		}
	}
}
