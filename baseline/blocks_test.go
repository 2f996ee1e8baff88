package baseline

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/method"
)

// byBlocks are the methods that look at all pairs of few vertices, and how they go on with many.
var byBlocks = []struct {
	name      string
	method    method.Method
	blocks    func(context.Context, method.Problem) (*method.Result, error)
	allPairs  bool // weights are those of all pairs, or of the nearest
	tolerance float64
}{
	{"correlation", Correlation{}, Correlation{Degree: defaultDegree}.byBlocks, true, 1e-13},
	{"correlation of degree 40", Correlation{Degree: 40}, Correlation{Degree: 40}.byBlocks, true, 1e-13},
	{"knn", KNN{}, KNN{Neighbours: defaultDegree}.byBlocks, false, 1e-13},
	{"tree", Tree{}, func(ctx context.Context, p method.Problem) (*method.Result, error) {
		return treesByBlocks(ctx, p, 1), nil
	}, true, 1e-13},
	{"trees", Trees{Trees: 3}, func(ctx context.Context, p method.Problem) (*method.Result, error) {
		return treesByBlocks(ctx, p, 3), nil
	}, true, 1e-9},
	{"gaussian-kernel", GaussianKernel{Width: 0.5}, GaussianKernel{Width: 0.5, Neighbours: defaultDegree}.byBlocks, true, 1e-9},
	{"smooth-log", SmoothLog{}, SmoothLog{}.byBlocks, false, 1e-5},
	{"smooth-log with more edges than nearest pairs", SmoothLog{Theta: 0.3}, SmoothLog{Theta: 0.3}.byBlocks, false, 1e-5},
	{"glasso", Glasso{Penalty: 0.3}, glassoByComponents(Glasso{Penalty: 0.3}), false, 1e-4},
	{"glasso that chooses", Glasso{}, glassoByComponents(Glasso{}), false, 1e-4},
}

func glassoByComponents(m Glasso) func(context.Context, method.Problem) (*method.Result, error) {
	return func(ctx context.Context, p method.Problem) (*method.Result, error) {
		_, signals := p.Y.Dims()
		m, err := m.resolve(signals)
		if err != nil {
			return nil, err
		}
		return m.byComponents(ctx, p, standardised(p.Y))
	}
}

// unevenSignals returns signals of vertices of different means and scales, some far from all others.
func unevenSignals(n, signals int) *mat.Dense {
	draw := stream("scattered", n)
	y := mixedSignals(draw, n, signals)
	for i := range n {
		shift := 3 + draw.NormFloat64()
		if i%97 == 0 {
			shift *= 5
		}
		for k := range signals {
			y.Set(i, k, y.At(i, k)+shift)
		}
	}
	return y
}

// What is found by blocks is what all pairs give: the same graph, and the same weights where there are any.
// Threads change no bit.
func TestBlocksGiveWhatAllPairsGive(t *testing.T) {
	y := unevenSignals(270, 60) // more than a block
	glasso := mixedSignals(stream("blocks of glasso"), 30, 150)
	for _, of := range byBlocks {
		t.Run(of.name, func(t *testing.T) {
			p := method.Problem{Y: y, Threads: 1}
			if strings.HasPrefix(of.name, "glasso") {
				p.Y = glasso
			}
			want := learned(t, of.method, p.Y)
			got, err := of.blocks(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if got.Graph == nil {
				got.Graph = got.Weights
			}
			sameEdges(t, got.Graph, want.Graph, of.tolerance)
			weights := map[[2]int]float64{}
			for _, e := range want.Weights.Edges() {
				weights[[2]int{e.I, e.J}] = e.Weight
			}
			ratio := 0.0 // of what is in no tree: the heaviest of the rest sets it
			for _, e := range got.Weights.Edges() {
				w := weights[[2]int{e.I, e.J}]
				if got.Graph.HasEdge(e.I, e.J) {
					continue
				}
				if ratio == 0 {
					ratio = e.Weight / w
				}
				if math.Abs(e.Weight-ratio*w) > of.tolerance*e.Weight {
					t.Fatalf("pair %d–%d weighs %g, want %g", e.I, e.J, e.Weight, ratio*w)
				}
			}
			if n := p.Y.RawMatrix().Rows; of.allPairs && got.Weights.EdgeCount() < n*keptPerVertex/2 {
				t.Errorf("%d pairs have weights", got.Weights.EdgeCount())
			}
			p.Threads = 3
			again, err := of.blocks(t.Context(), p)
			if err != nil || !slices.Equal(again.Weights.Edges(), got.Weights.Edges()) {
				t.Errorf("weights depend on threads: %v", err)
			}
		})
	}
}

func sameEdges(t *testing.T, got, want *graph.Graph, tolerance float64) {
	t.Helper()
	a, b := got.Edges(), want.Edges()
	if len(a) != len(b) {
		t.Fatalf("%d edges, want %d", len(a), len(b))
	}
	for k := range a {
		if a[k].I != b[k].I || a[k].J != b[k].J || math.Abs(a[k].Weight-b[k].Weight) > tolerance*b[k].Weight {
			t.Fatalf("edge %d is %v, want %v", k, a[k], b[k])
		}
	}
}

// Partial correlations by products of rows are those of the inverse.
func TestPartialCorrelationsAreProductsOfRows(t *testing.T) {
	for _, signals := range []int{30, 200} { // fewer and more than vertices
		for _, absolute := range []bool{false, true} {
			y := mixedSignals(stream("products of rows", signals), 80, signals)
			want := learned(t, Partial{Absolute: absolute}, y)
			p := method.Problem{Y: y, Threads: 1}
			m := Partial{Absolute: absolute, Gamma: defaultGamma}
			got, err := m.byBlocks(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			kept := want.Weights.Strongest(got.Weights.EdgeCount() / 4) // all among the largest of their vertices
			weights := map[[2]int]float64{}
			for _, e := range got.Weights.Edges() {
				weights[[2]int{e.I, e.J}] = e.Weight
			}
			for _, e := range kept.Edges() {
				if w := weights[[2]int{e.I, e.J}]; math.Abs(w-e.Weight) > 1e-9*e.Weight {
					t.Fatalf("%d signals: pair %d–%d weighs %g, want %g", signals, e.I, e.J, w, e.Weight)
				}
			}
			if a, b := scoreOfMixed(got.Graph), scoreOfMixed(want.Graph); a < b-0.05 {
				t.Errorf("%d signals, absolute %t: F1 %.3f by vertices, %.3f by a model of all", signals, absolute, a, b)
			}
			p.Threads = 3
			if again, err := m.byBlocks(t.Context(), p); err != nil || !slices.Equal(again.Graph.Edges(), got.Graph.Edges()) || !slices.Equal(again.Weights.Edges(), got.Weights.Edges()) {
				t.Errorf("the graph depends on threads: %v", err)
			}
		}
	}
}

// scoreOfMixed returns the F1 of a graph learned from mixedSignals.
func scoreOfMixed(g *graph.Graph) float64 {
	right := 0
	for _, e := range g.Edges() {
		if (e.J-1)/2 == e.I {
			right++
		}
	}
	return 2 * float64(right) / float64(g.EdgeCount()+g.Vertices()-1)
}

// Of edges that share no vertex, the score by vertices is the extended BIC of the model of all.
func TestScoreByVerticesIsTheBICOfSeparateEdges(t *testing.T) {
	const n, signals = 20, 90
	u := standardised(mixedSignals(stream("separate edges"), n, signals))
	fit := newSupportFit(secondMoments(u), signals, defaultGamma)
	all, byVertex := growing{fit, fit.model}, newVertexCut(u, fit.price, 2)
	for k := range n / 2 {
		all.Join(2*k, 2*k+1)
		byVertex.Join(2*k, 2*k+1)
		a, _ := all.cost(k+1, math.Inf(1))
		b, _ := byVertex.cost(k+1, math.Inf(1))
		if a -= signals * n; math.Abs(a-b) > 1e-2 {
			t.Fatalf("%d edges: %g, want %g", k+1, b, a)
		}
	}
}

// If ctx ends, there are no edges, and the status says why.
func TestBlocksStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, of := range byBlocks {
		r, err := of.blocks(ctx, method.Problem{Y: mixedSignals(stream("stop"), 40, 50)})
		if err != nil || r.Status != method.Interrupted || r.Weights.EdgeCount() > 0 {
			t.Errorf("%s: got %+v, %v", of.name, r, err)
		}
	}
}

// The cut that a problem asks for is as exact as the method's own.
func TestAskedForEdgesAreTheHeaviestOfAllPairs(t *testing.T) {
	p := method.Problem{Y: unevenSignals(300, 60), Cut: graph.Cut{Rule: graph.CutEdges, Edges: 9000}}
	got, err := Correlation{Degree: 2}.byBlocks(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	sameEdges(t, got.Weights.Strongest(9000), learned(t, Correlation{}, p.Y).Weights.Strongest(9000), 1e-13)
}

// A vertex that ties with the last neighbour is one, however many there are.
func TestTiesAreNeighboursByBlocks(t *testing.T) {
	y := mixedSignals(stream("ties"), 300, 20)
	for i := 20; i < 80; i++ {
		y.SetRow(i, y.RawRowView(20)) // sixty equal vertices
	}
	got, err := KNN{Neighbours: 3}.byBlocks(t.Context(), method.Problem{Y: y})
	if err != nil {
		t.Fatal(err)
	}
	sameEdges(t, got.Weights, learned(t, KNN{Neighbours: 3}, y).Weights, 1e-13)
}

// Many vertices are taken, and what there is no room for is refused.
func TestManyVertices(t *testing.T) {
	slow(t)
	y := mixedSignals(stream("many"), blocksFrom, 20)
	for _, m := range []method.Method{Correlation{}, KNN{}, Tree{}, Trees{}, GaussianKernel{}, SmoothLog{}, Partial{}} {
		if r := learned(t, m, y); r.Status != method.Converged || r.Graph.EdgeCount() == 0 {
			t.Errorf("%s: %d edges, %s", m.Name(), r.Graph.EdgeCount(), r.Status)
		}
	}
	p := method.Problem{Y: mixedSignals(stream("too many"), mostVertices+1, 10)}
	refuses(t, SmoothLog{Degree: 5000}, p, "degree")
	refuses(t, Glasso{Folds: 5}, p, input.Folds)
	refuses(t, Glasso{Penalty: 0.01}, p, "rho")
	if r := learned(t, Glasso{Penalty: 0.99}, p.Y); r.Status != method.Converged {
		t.Errorf("glasso: %s", r.Status)
	}
}

// The least penalty at which components are small enough is where the next pair would join too many.
func TestLeastPenaltyBoundsComponents(t *testing.T) {
	y := mixedSignals(stream("least penalty"), 60, 80)
	u := standardised(y)
	c := newComponents(t.Context(), method.Problem{Y: y}, u)
	s := secondMoments(u)
	for _, most := range []int{1, 5, 20, 59, 60} {
		rho := c.leastPenalty(most)
		largest := func(rho float64) (size int) {
			for _, members := range blocksOf(s, rho) {
				size = max(size, len(members))
			}
			return size
		}
		if got := largest(rho + 1e-12); got > most || rho > 0 && largest(rho-1e-12) <= most {
			t.Errorf("at most %d: rho %g leaves %d together", most, rho, got)
		}
	}
}
