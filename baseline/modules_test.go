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
	y := chainOfModules(t, groups, size, 600)
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
		for a := range groups - 1 {
			if !own.Graph.HasEdge(a, a+1) {
				t.Errorf("model %d: modules %d and %d are not joined", kind, a, a+1)
			}
		}
		// Each vertex is joined to the centre of its module, and centres as modules are.
		if got, want := r.Graph.EdgeCount(), groups*(size-1)+own.Graph.EdgeCount(); got != want || own.Graph.EdgeCount() > groups+1 {
			t.Errorf("model %d: %d edges, want %d", kind, got, want)
		}
		for _, e := range r.Graph.Edges() {
			centres := slices.Contains(own.Centres, e.I) && slices.Contains(own.Centres, e.J)
			if own.Of[e.I] != own.Of[e.J] && !centres {
				t.Errorf("model %d: edge %d–%d between modules is not of centres", kind, e.I, e.J)
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
