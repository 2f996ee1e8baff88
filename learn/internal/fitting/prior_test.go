package fitting

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// drawnGraph returns a graph of n vertices, the last of them isolated.
func drawnGraph(r *rand.Rand, n int) *graph.Graph {
	var edges []graph.Edge
	for i := range n - 1 {
		for j := i + 1; j < n-1; j++ {
			if j == i+1 || r.Float64() < 0.4 {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: 0.2 + r.Float64()})
			}
		}
	}
	return MustGraph(n, edges)
}

func TestPriorGradientMatchesFiniteDifference(t *testing.T) {
	const n = 9
	for k := range uint64(5) {
		r := rand.New(rand.NewPCG(k, 7))
		p := newPrior(drawnGraph(r, n), 6, 20)
		for _, pairs := range []dictionary.Pairs{dictionary.AllPairs(n), edgesOf(drawnGraph(r, n))} {
			u := p.over(pairs)
			w := make([]float64, pairs.Len())
			for e := range w {
				w[e] = 0.1 + r.Float64()
			}
			u.of(w)
			grad := append([]float64(nil), u.grad...)
			if err := checks.GradientError(u.of, w, grad, 1e-5); err > 1e-6 {
				t.Errorf("graph %d, %d pairs: relative error %g", k, pairs.Len(), err)
			}
			// What the fit does not see, the prior does not either.
			if along := floats.Dot(grad, w); math.Abs(along) > 1e-12 {
				t.Errorf("graph %d: the derivative along the scale is %g", k, along)
			}
		}
	}
}

func edgesOf(g *graph.Graph) dictionary.Pairs {
	pairs, _ := dictionary.EdgesOf(g)
	return pairs
}

func TestPenalisedLossesMatchFiniteDifference(t *testing.T) {
	const n, m = 8, 15
	random := rand.New(rand.NewPCG(3, 4))
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, y)
	model := Model{Kernels: kernel.Paper(), Sparsity: 4}
	model.Sparsity = 2
	data := AsGiven(y)
	v := New(data, model, NewDense(data, model, 1, nil), new(int)).OverPairs(dictionary.AllPairs(n))
	p := newPrior(drawnGraph(random, n), 6, m)
	w := make([]float64, v.Pairs.Len())
	for e := range w {
		w[e] = 0.1 + random.Float64()
	}
	residuals := must(v.Recode(w, CoderSetting{Method: sparse.OMP}))
	robust := NewRobustLoss(v)
	robust.Smooth(residuals)
	_, sharpening := Sharpening(v, p, residuals)
	for name, loss := range map[string]optimise.Objective{"search": p.Penalised(robust.Evaluate, v.Pairs), "sharpening": sharpening} {
		grad := make([]float64, len(w))
		loss(w, grad)
		value := func(w []float64) float64 { return loss(w, make([]float64, len(w))) }
		if err := checks.GradientError(value, w, grad, 1e-5); err > 1e-6 {
			t.Errorf("%s: relative error %g", name, err)
		}
	}
}

// Moving all weight elsewhere costs as much as μ signals that are left over
// entirely, keeping it nothing, and so does what the prior does not know.
func TestPriorCostsTheShareThatMoved(t *testing.T) {
	g := MustGraph(6, []graph.Edge{{I: 0, J: 1, Weight: 3}, {I: 2, J: 3, Weight: 2}})
	p := newPrior(g, 8, 40)
	cost := func(edges ...graph.Edge) float64 {
		pairs, w := dictionary.EdgesOf(MustGraph(6, edges))
		return p.over(pairs).of(w)
	}
	kept := graph.Edge{I: 0, J: 1, Weight: 1}
	for _, c := range []struct {
		name  string
		edges []graph.Edge
		want  float64
	}{
		{"the same edges in another scale", []graph.Edge{kept, {I: 2, J: 3, Weight: 9}}, 0},
		{"both edges elsewhere", []graph.Edge{{I: 0, J: 2, Weight: 1}, {I: 1, J: 3, Weight: 1}}, 8. / 40},
		{"one edge gone", []graph.Edge{kept}, 8. / 40 / 4},
		{"an edge between unknown vertices", []graph.Edge{kept, {I: 2, J: 3, Weight: 1}, {I: 4, J: 5, Weight: 1}}, 0},
	} {
		if got := cost(c.edges...); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: got %g, want %g", c.name, got, c.want)
		}
	}
}
