package evidence

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// A truth is a field with known partial correlations.
type truth struct {
	graph   *graph.Graph // its edges weigh their partial correlations
	factor  mat.Cholesky // of the precision
	partial func(i, j int) float64
}

// lattice returns a field on a square grid of random weights, some of them negative if signed.
func lattice(t *testing.T, side int, signed bool, draw *rand.Rand) truth {
	t.Helper()
	n := side * side
	weight := mat.NewSymDense(n, nil)
	join := func(i, j int) {
		w := 0.5 + draw.Float64()
		if signed && draw.IntN(2) == 0 {
			w = -w
		}
		weight.SetSym(i, j, w)
	}
	for i := range n {
		if i%side > 0 {
			join(i-1, i)
		}
		if i >= side {
			join(i-side, i)
		}
	}
	precision := mat.NewSymDense(n, nil)
	for i := range n {
		total := 0.2
		for j := range n {
			if i != j {
				total += math.Abs(weight.At(i, j))
				precision.SetSym(i, j, -weight.At(i, j))
			}
		}
		precision.SetSym(i, i, total)
	}
	of := truth{partial: func(i, j int) float64 { return weight.At(i, j) / math.Sqrt(precision.At(i, i)*precision.At(j, j)) }}
	var edges []graph.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			if w := of.partial(i, j); w != 0 {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: w})
			}
		}
	}
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil || !of.factor.Factorize(precision) {
		t.Fatal("no field", err)
	}
	of.graph = g
	return of
}

// signals draws the field: its excitations are independent, or follow each other as a first-order
// autoregression, and have heavy tails of t with four degrees of freedom if asked for.
func (of truth) signals(m int, follow float64, heavy bool, draw *rand.Rand) *mat.Dense {
	n := of.graph.Vertices()
	z := mat.NewDense(n, m, nil)
	for i := range n {
		state := draw.NormFloat64() / math.Sqrt(1-follow*follow)
		for k := range m {
			v := draw.NormFloat64()
			if heavy {
				squares := 0.0
				for range 4 {
					x := draw.NormFloat64()
					squares += x * x
				}
				v /= math.Sqrt(squares / 4)
			}
			state = follow*state + v
			z.Set(i, k, state)
		}
	}
	var factor mat.TriDense
	of.factor.UTo(&factor) // U of Θ = UᵀU, and U⁻¹z has the covariance Θ⁻¹
	var y mat.Dense
	if err := y.Solve(&factor, z); err != nil {
		panic(err)
	}
	return &y
}

func complete(t *testing.T, n int) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			edges = append(edges, graph.Edge{I: i, J: j, Weight: 1})
		}
	}
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func find(t *testing.T, y *mat.Dense, g *graph.Graph, o Options) *Finding {
	t.Helper()
	found, err := Of(t.Context(), y, g, g, o)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var side = flag.Int("side", 4, "vertices on each side of the grid on which coverage is measured")

// Intervals cover as often as they say, over all pairs, whether signals are independent, have heavy
// tails or follow each other. There are ten signals for each vertex, and at least 500. On 1024
// vertices that takes minutes: go test ./internal/evidence -run Cover -v -args -side 32.
func TestIntervalsCover(t *testing.T) {
	for _, c := range []struct {
		follow    float64
		heavy     bool
		low, high float64
	}{{0, false, 0.87, 0.93}, {0, true, 0.87, 0.93}, {0.5, false, 0.87, 0.96}, {0.9, false, 0.87, 0.96}} {
		t.Run(fmt.Sprintf("autoregression=%g heavy=%t", c.follow, c.heavy), func(t *testing.T) {
			t.Parallel()
			covered, all := 0, 0
			for seed := range max(12/(*side**side/16), 2) {
				draw := rng.Stream(1, "coverage", seed)
				of := lattice(t, *side, seed%2 == 1, draw)
				y := of.signals(max(500, 10**side**side), c.follow, c.heavy, draw)
				g := complete(t, of.graph.Vertices())
				found := find(t, y, g, Options{InTime: c.follow > 0})
				for k, e := range g.Edges() {
					all++
					if rho := of.partial(e.I, e.J); found.Edges[k].Low <= rho && rho <= found.Edges[k].High {
						covered++
					}
				}
			}
			if share := float64(covered) / float64(all); share < c.low || share > c.high {
				t.Errorf("%.3f of %d intervals cover, want %g to %g", share, all, c.low, c.high)
			} else {
				t.Logf("%.3f", share)
			}
		})
	}
}

// Where each vertex is regressed on all others, the debiased products are the partial correlations of
// the inverse covariance.
func TestRegressionsOnAllGiveTheInverse(t *testing.T) {
	draw := rng.Stream(1, "regressions")
	of := lattice(t, 3, true, draw)
	n := of.graph.Vertices()
	y := of.signals(400, 0, false, draw)
	g := complete(t, n)
	x := inOwnUnits(y)
	whole, err := fit(t.Context(), x, 400, g, g, Options{}, n)
	if err != nil || whole.coefficients != nil {
		t.Fatal("regressed", err)
	}
	few, err := fit(t.Context(), x, 26, g, g, Options{}, n) // 26 signals are too few for 9 vertices
	if err != nil || few.coefficients == nil {
		t.Fatal("not regressed", err)
	}
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sum := 0.0
			for k := range x.Cols {
				sum += x.Data[i*x.Stride+k] * x.Data[j*x.Stride+k]
			}
			s.SetSym(i, j, sum/float64(x.Cols))
		}
	}
	few.apart(t.Context(), momentsOf(s), few.suggested(g, g, n), 2)
	few.products = linalg.Threads(1).Moments(few.u)
	sparse, err := fit(t.Context(), x, 400, g, g, Options{}, 0)
	if err != nil || sparse.products.Data != nil {
		t.Fatal("moments of all pairs", err)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(s); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for j := range i {
			want := -inverse.At(i, j) / math.Sqrt(inverse.At(i, i)*inverse.At(j, j))
			for way, of := range map[string]*fitted{"together": whole, "regressed": few, "without moments of all": sparse} {
				if got := of.partial(i, j); math.Abs(got-want) > 1e-9 {
					t.Errorf("pair %d–%d, %s: got %.6f, want %.6f", i, j, way, got, want)
				}
			}
		}
	}
}

// The terms of the variance are what one signal more changes, by differences of the inverse.
func TestInfluenceIsADerivative(t *testing.T) {
	draw := rng.Stream(1, "influence")
	of := lattice(t, 3, true, draw)
	n := of.graph.Vertices()
	var covariance, precision mat.SymDense
	of.factor.ToSym(&precision)
	if err := of.factor.InverseTo(&covariance); err != nil {
		t.Fatal(err)
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = draw.NormFloat64()
	}
	at := func(step float64, i, j int) float64 {
		moved := mat.NewSymDense(n, nil)
		for a := range n {
			for b := a; b < n; b++ {
				moved.SetSym(a, b, (1-step)*covariance.At(a, b)+step*x[a]*x[b])
			}
		}
		var inverse mat.Dense
		if err := inverse.Inverse(moved); err != nil {
			t.Fatal(err)
		}
		return -inverse.At(i, j) / math.Sqrt(inverse.At(i, i)*inverse.At(j, j))
	}
	u := make([]float64, n) // residuals of variance 1
	for i := range n {
		for j := range n {
			u[i] += precision.At(i, j) * x[j] / math.Sqrt(precision.At(i, i))
		}
	}
	for _, e := range of.graph.Edges() {
		const step = 1e-6
		want := (at(step, e.I, e.J) - at(-step, e.I, e.J)) / (2 * step)
		got := u[e.I]*u[e.J] + e.Weight + e.Weight/2*(u[e.I]*u[e.I]+u[e.J]*u[e.J]-2)
		if math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("edge %v: got %.6f, want %.6f", e, got, want)
		}
	}
}

// Of the edges with q ≤ 0.1, at most 12 percent are below the floor: the graph is complete, so that
// most of its edges are. As for coverage, -side asks for larger grids.
func TestFewEdgesThatPassAreBelowTheFloor(t *testing.T) {
	for _, c := range []struct {
		follow float64
		heavy  bool
	}{{0, false}, {0, true}, {0.5, false}, {0.9, false}} {
		below, passed := 0, 0
		for seed := range max(8/(*side**side/16), 2) {
			draw := rng.Stream(1, "floor", seed)
			of := lattice(t, *side, false, draw)
			g := complete(t, of.graph.Vertices())
			y := of.signals(max(500, 10**side**side), c.follow, c.heavy, draw)
			found := find(t, y, g, Options{InTime: c.follow > 0, Floor: 0.1})
			for k, e := range g.Edges() {
				if found.Edges[k].Q <= 0.1 {
					passed++
					if math.Abs(of.partial(e.I, e.J)) <= 0.1 {
						below++
					}
				}
			}
		}
		t.Logf("autoregression %g, heavy %t: %d of %d", c.follow, c.heavy, below, passed)
		if *side == 4 && passed < 30 || float64(below) > 0.12*float64(passed) {
			t.Errorf("autoregression %g, heavy %t: %d of %d that pass are below the floor", c.follow, c.heavy, below, passed)
		}
	}
}

// With fewer signals than vertices, edges still have estimates near the truth.
func TestFewSignals(t *testing.T) {
	draw := rng.Stream(1, "few")
	of := lattice(t, 9, false, draw)
	found := find(t, of.signals(80, 0, false, draw), of.graph, Options{})
	if !found.Regressed {
		t.Fatal("81 vertices were looked at together with 80 signals")
	}
	covered := 0
	for k, e := range of.graph.Edges() {
		if found.Edges[k].Low <= e.Weight && e.Weight <= found.Edges[k].High {
			covered++
		}
	}
	if share := float64(covered) / float64(of.graph.EdgeCount()); share < 0.8 {
		t.Errorf("%.2f of the intervals cover", share)
	}
}

// Threads, and vertices that do not vary, change nothing.
func TestFindingsDoNotDependOnThreads(t *testing.T) {
	draw := rng.Stream(1, "threads")
	of := lattice(t, 4, true, draw)
	y := of.signals(300, 0.4, false, draw)
	for k := range 300 {
		y.Set(5, k, 3)
	}
	y.Set(2, 7, math.NaN())
	g := complete(t, of.graph.Vertices())
	one, four := find(t, y, g, Options{InTime: true}), find(t, y, g, Options{InTime: true, Threads: 4})
	if !slices.Equal(one.Edges, four.Edges) || one.Floor != four.Floor {
		t.Error("threads change the evidence")
	}
	for k, e := range g.Edges() {
		if v := one.Edges[k]; (e.I == 5 || e.J == 5) && v != (graph.Evidence{Low: -1, High: 1, Q: 1}) {
			t.Errorf("an edge of a vertex that does not vary has the evidence %+v", v)
		}
	}
}
