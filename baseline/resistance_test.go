package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// theta returns the precision matrix of a model.
func (g *resistance) theta() *mat.SymDense {
	n := g.k.Rows
	theta := mat.NewSymDense(n, nil)
	d := g.diagonal()
	for i := range n {
		theta.SetSym(i, i, d[i])
	}
	for _, p := range g.weights() {
		theta.SetSym(p.i, p.j, -p.weight)
	}
	return theta
}

// loops returns what the diagonal has beyond the weights, for each vertex.
func (g *resistance) loops() []float64 {
	v := make([]float64, g.k.Rows)
	for _, p := range g.pairs {
		if p.j == g.k.Rows {
			v[p.i] = p.w
		}
	}
	return v
}

func TestResistanceModelsAreThoseOfOtherSoftware(t *testing.T) {
	for _, c := range oracle[laplacianCase](t, "laplacian_precision") {
		n := float64(len(c.Signals))
		for _, loops := range []bool{true, false} {
			g := newResistance(c.moments(), loops)
			c.restrict(g)
			if _, status := g.solve(t.Context(), 1e-13, 1000); status != method.Converged {
				t.Errorf("%s, loops %t: %s", c.Name, loops, status)
			}
			f, _ := g.refresh()
			want, objective := c.CGL.Laplacian, c.CGL.Objective
			if loops {
				want, objective = c.DDGL.Theta, c.DDGL.Objective
				for i, v := range g.loops() {
					if math.Abs(v-c.DDGL.Loops[i]) > 1e-7 {
						t.Errorf("%s: loop %d is %g, want %g", c.Name, i, v, c.DDGL.Loops[i])
					}
				}
			} else {
				f -= math.Log(n) // the determinant of L + 11ᵀ/N is N times that without a vertex
			}
			wantEntries(t, c.Name+": Θ", g.theta(), want)
			for i, row := range want {
				for j, v := range row {
					if (math.Abs(v) > 1e-9) != (math.Abs(g.theta().At(i, j)) > 1e-9) {
						t.Errorf("%s, loops %t: Θ[%d,%d] is %g, want %g", c.Name, loops, i, j, g.theta().At(i, j), v)
					}
				}
			}
			if math.Abs(f-objective) > 1e-9 {
				t.Errorf("%s, loops %t: objective %.12g, want %.12g", c.Name, loops, f, objective)
			}
		}
	}
}

// drawnMoments returns K of signals that have something in common.
func drawnMoments(trial int) linalg.Dense {
	draw := stream("resistance", trial)
	n, m := 4+draw.IntN(12), 3+draw.IntN(30)
	y := mat.NewDense(n, m, nil)
	for s := range m {
		common := draw.NormFloat64()
		for i := range n {
			y.Set(i, s, draw.NormFloat64()+common*float64(i%3))
		}
	}
	return attractiveMoments(standardised(y), 0)
}

// No sweep and no Newton step raises f, and the gap bounds what is left.
func TestResistanceObjectiveNeverRises(t *testing.T) {
	for trial := range 4 {
		k := drawnMoments(trial)
		best := newResistance(k, trial%2 == 0)
		best.solve(t.Context(), 1e-12, 1000)
		least, _ := best.refresh()
		g := newResistance(k, trial%2 == 0)
		f, ok := g.refresh()
		for range 6 {
			for _, move := range []func(){func() { g.sweep(t.Context(), 0) }, func() { ok = g.step(t.Context(), f) }} {
				move()
				to, invertible := g.refresh()
				if !ok || !invertible || to > f+1e-12*math.Abs(f) {
					t.Errorf("f rose from %g to %g", f, to)
				}
				if gap, _ := g.gap(); to-least > gap+1e-9 {
					t.Errorf("f is %g above its minimum, and the gap %g", to-least, gap)
				}
				f = to
			}
		}
	}
}

// On a tree the best weights are 1/h, and parts that no pair joins are graphs of their own.
func TestResistanceOfAForestHasItsClosedForm(t *testing.T) {
	k := drawnMoments(3)
	g := newResistance(k, false)
	g.restrict([]weighedPair{{0, 1, 1}, {2, 1, 1}})
	g.solve(t.Context(), 1e-12, 100)
	edges := g.weights()
	if len(edges) != 2 || g.rank != 2 {
		t.Fatalf("got edges %v and rank %d, want a path", edges, g.rank)
	}
	for _, e := range edges {
		if want := 1 / g.difference(e.i, e.j); math.Abs(e.weight-want) > 1e-9*want {
			t.Errorf("%d–%d weighs %g, want %g", e.i, e.j, e.weight, want)
		}
	}
}
