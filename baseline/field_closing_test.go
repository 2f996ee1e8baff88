package baseline

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

func TestOnlyDoubtfulEdgesThatCloseATriangleGo(t *testing.T) {
	path := []weighedPair{{0, 1, 0.5}, {1, 2, 0.4}, {2, 3, 0.4}, {3, 4, 0.4}}
	for name, c := range map[string]struct {
		closing weighedPair
		clear   float64 // from which weight on an edge is
		goes    bool
	}{
		"weak and doubtful":            {weighedPair{0, 2, 0.2}, 0.25, true},
		"clear":                        {weighedPair{0, 2, 0.2}, 0.15, false},
		"nearly as heavy as the path":  {weighedPair{0, 2, 0.33}, 0.35, false},
		"past a path that is in doubt": {weighedPair{0, 2, 0.2}, 0.45, false},
		"past no path of two edges":    {weighedPair{0, 4, 0.2}, 0.25, false},
	} {
		edges := append(slices.Clone(path), c.closing)
		if kept := withoutDoubtfulClosures(6, edges, c.clear); len(kept) != len(edges) {
			t.Errorf("%s: kept %v of no more edges than a tree has", name, kept)
		}
		kept := withoutDoubtfulClosures(5, edges, c.clear)
		if gone := !slices.Contains(kept, c.closing); gone != c.goes || len(kept) < len(path) {
			t.Errorf("%s: kept %v", name, kept)
		}
	}
}

// Neighbours on a map have many triangles: there an edge that closes one is no surprise.
func TestGraphsOfManyTrianglesKeepTheirs(t *testing.T) {
	var edges []weighedPair
	for v := range 18 {
		edges = append(edges, weighedPair{v, v + 1, 0.5}, weighedPair{v, v + 2, 0.4})
	}
	edges = append(edges, weighedPair{0, 3, 0.1})
	if kept := withoutDoubtfulClosures(20, edges, 0.3); len(kept) != len(edges) {
		t.Errorf("%d of %d edges are left", len(kept), len(edges))
	}
	w := linalg.NewDense(4, 4)
	for _, e := range [][2]int{{0, 1}, {1, 2}, {0, 2}, {2, 3}} {
		w.Data[e[0]*4+e[1]], w.Data[e[1]*4+e[0]] = 1, 1
	}
	if got := triangles(w, 0.5); got != 3.0/5 { // a triangle closes its three paths, of five
		t.Errorf("got %g", got)
	}
}

// noisyRow returns signals of ten vertices in a row, measured with noise: the outer ones of three say more of
// each other than the middle tells.
func noisyRow(seed uint64, signals int) *mat.Dense {
	const n = 10
	draw := rng.Stream(seed, "noisy")
	y := mat.NewDense(n, signals, nil)
	for k := range signals {
		x := 0.0
		for i := range n {
			x = 0.8*x + 0.6*draw.NormFloat64()
			y.Set(i, k, x+0.4*draw.NormFloat64())
		}
	}
	return y
}

// Enough signals show that edges past a noisy vertex only close a triangle; few do not tell.
func TestFieldsOfNoisyVerticesHaveFewerEdgesPastThem(t *testing.T) {
	for signals, fewer := range map[int]bool{150: true, 49: false} {
		past := [2]int{}
		for seed := range uint64(3) {
			y := noisyRow(seed, signals)
			for c, m := range []method.Method{GGL{}, Field{Order: 1}} {
				for _, e := range learned(t, m, y).Graph.Edges() {
					if e.J-e.I > 1 {
						past[c]++
					}
				}
			}
		}
		if past[0] == 0 || (past[1] < past[0]) != fewer {
			t.Errorf("%d signals: %d edges skip a vertex, and %d without those that only close a triangle", signals, past[0], past[1])
		}
	}
}
