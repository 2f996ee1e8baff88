package local

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
)

// What is predicted of held-out signals is what regressions on the others predict, one by one.
func TestHeldOutGainsAreThoseOfRegressions(t *testing.T) {
	draw := rng.Stream(1, "gains")
	of := gridField(t, 4, 0.3, draw)
	x := of.signals(103, draw)
	var edges []graph.Edge
	for i := range of.n {
		for j := i + 1; j < of.n; j++ {
			if p := of.partial[[2]int{i, j}]; p != 0 {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: p})
			}
		}
	}
	bounds := []float64{0, 0.15, 0.25}
	l := &learner{x: x, Options: Options{Threads: 2}}
	got := l.heldOutGains(t.Context(), neighbourhoodsOf(of.n, edges), bounds)
	for b, bound := range bounds {
		want := 0.0
		for i := range of.n {
			var on []int32
			for _, e := range edges {
				switch {
				case math.Abs(e.Weight) < bound:
				case e.I == i:
					on = append(on, int32(e.J))
				case e.J == i:
					on = append(on, int32(e.I))
				}
			}
			for f := range folds {
				want += gainOf(x, i, on, f*x.Cols/folds, (f+1)*x.Cols/folds)
			}
		}
		if math.Abs(got[b]-want) > 1e-6*want {
			t.Errorf("bound %g: got %g, want %g", bound, got[b], want)
		}
	}
}

// gainOf learns from the columns outside a range and predicts those inside.
func gainOf(x linalg.Dense, i int, on []int32, first, end int) float64 {
	train := linalg.NewDense(x.Rows, x.Cols-(end-first))
	for r := range x.Rows {
		row := linalg.Row(x, r)
		copy(linalg.Row(train, r), append(append([]float64(nil), row[:first]...), row[end:]...))
	}
	var w worker
	w.signed = true
	w.take(signalsOf(train), i, on)
	w.solve(0)
	actual := append([]float64(nil), linalg.Row(x, i)[first:end]...)
	before := portable.Dot(actual, actual)
	for p, j := range on {
		linalg.Axpy(-w.beta[p], linalg.Row(x, int(j))[first:end], actual)
	}
	return before - portable.Dot(actual, actual)
}

// Weak edges go where they predict next to nothing, and stay where they do.
func TestCutKeepsWhatPredicts(t *testing.T) {
	draw := rng.Stream(1, "cut")
	of := gridField(t, 8, 0, draw)
	x := of.signals(4000, draw)
	var edges []graph.Edge
	for i := range of.n {
		for j := i + 1; j < of.n; j++ {
			switch p := of.partial[[2]int{i, j}]; {
			case p != 0:
				edges = append(edges, graph.Edge{I: i, J: j, Weight: p})
			case draw.IntN(20) == 0:
				edges = append(edges, graph.Edge{I: i, J: j, Weight: 0.11}) // which signals know nothing of
			}
		}
	}
	l := &learner{x: x, Options: Options{Threads: 1}}
	if f1 := of.score(l.cut(t.Context(), edges)); f1 < 0.98 {
		t.Errorf("F1 %.3f", f1)
	}
}
