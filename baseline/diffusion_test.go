package baseline

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/synth"
)

// diffusing returns a random connected graph and its normalised adjacency matrix.
func diffusing(t testing.TB, draw *rand.Rand, vertices int) (*graph.Graph, *mat.SymDense) {
	t.Helper()
	sample, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Probability: 0.3, Seed: draw.Uint64()})
	if err != nil {
		t.Fatal(err)
	}
	g := sample.Graph
	n := g.Vertices()
	a := mat.NewSymDense(n, nil)
	d := g.Degrees()
	for _, e := range g.Edges() {
		a.SetSym(e.I, e.J, e.Weight/math.Sqrt(d[e.I]*d[e.J]))
	}
	return g, a
}

// exactSignals returns signals whose second moments are those of white noise after one
// diffusion or two: I + A/2 + A²/4, without noise.
func exactSignals(a *mat.SymDense) *mat.Dense {
	n := a.SymmetricDim()
	var y, square mat.Dense
	square.Mul(a, a)
	y.Scale(0.25, &square)
	for i := range n {
		for j := range n {
			y.Set(i, j, y.At(i, j)+a.At(i, j)/2)
		}
		y.Set(i, i, y.At(i, i)+1)
	}
	return &y
}

// From exact eigenvectors no diffusion matrix is simpler than that of the graph, which
// fits; and it is the only one nearly always.
func TestDiffusionFindsTheGraphOfExactSignals(t *testing.T) {
	const draws = 5
	draw := stream("diffusion")
	found := 0
	for range draws {
		g, a := diffusing(t, draw, 12)
		y := exactSignals(a)
		r := learned(t, Diffusion{}, y)
		right := samePairs(r.Graph, g)
		for _, e := range r.Weights.Edges() {
			right = right && math.Abs(e.Weight-a.At(e.I, e.J)) < 1e-6
		}
		if right {
			found++
		}
		c, err := moments(y)
		if err != nil {
			t.Fatal(err)
		}
		p := polytopeOf(c)
		x, done := p.minimise(t.Context(), p.cost(SimplestDiffusion))
		if trace := mat.Trace(mat.NewDense(p.n, p.n, p.matrix(x).Data)); !done || math.Abs(trace) > 1e-8 {
			t.Errorf("got trace %g, want that of the graph, 0", trace)
		}
	}
	if found < draws-2 {
		t.Errorf("%d of %d graphs were found", found, draws)
	}
}

// Without an eigenvector of one sign only the identity is left, or nearly so. The signals
// are always the same: of others, one by chance may have such a vector.
func TestDiffusionSaysThatThereIsNoStructure(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	y := mat.NewDense(10, 300, nil)
	for s := range 300 {
		common := 3 * draw.NormFloat64()
		for i := range 10 {
			y.Set(i, s, draw.NormFloat64()+common*float64(1-2*(i%2)))
		}
	}
	r := learned(t, Diffusion{}, y)
	if r.Graph.EdgeCount() > 0 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "there is no structure of this kind") {
		t.Errorf("got %d edges and warnings %q", r.Graph.EdgeCount(), r.Warnings)
	}
}

// Where eigenvalues are equal the eigenvectors are arbitrary, and do not matter.
func TestDiffusionDoesNotDependOnTheBasisOfAnEigenspace(t *testing.T) {
	const n = 8 // a ring: all eigenvalues but two are double
	ring := mat.NewSymDense(n, nil)
	for i := range n {
		ring.SetSym(i, (i+1)%n, 0.5)
	}
	y := exactSignals(ring)
	c, err := moments(y)
	if err != nil {
		t.Fatal(err)
	}
	p := polytopeOf(c)
	x, done := p.minimise(t.Context(), p.cost(SimplestDiffusion))
	got := p.matrix(x)
	for k := 1; k < n; k++ { // another basis of each space
		if c.space[k] == c.space[k-1] {
			for i := range n {
				row := linalg.Row(c.vectors, i)
				row[k-1], row[k] = 0.6*row[k-1]-0.8*row[k], 0.8*row[k-1]+0.6*row[k]
			}
		}
	}
	q := polytopeOf(c)
	x, again := q.minimise(t.Context(), q.cost(SimplestDiffusion))
	if d := largestEntry(mat.NewDense(n, n, got.Data), mat.NewDense(n, n, q.matrix(x).Data)); !done || !again || d > 1e-8 {
		t.Errorf("answers differ by %g", d)
	}
	if len(p.size) != 4 || p.size[0] != math.Sqrt2 && p.size[1] != math.Sqrt2 {
		t.Errorf("got spaces of dimensions %v² beside the constant one, want three of 2 and one of 1", p.size)
	}
}
