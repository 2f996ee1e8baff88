package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
)

// The gain from second moments is that of predicting signal by signal.
func TestAttractiveGainIsThatOfPrediction(t *testing.T) {
	u := standardised(gridSignals(t, 3, 4, 200))
	train, test := splitColumns(u, 50, 90)
	restandardise(train, test)
	a := newAttractive(attractiveMoments(train, 0))
	a.solve(t.Context(), 1e-9, 1000)
	want := 0.0
	for i, c := range a.columns {
		left := make([]float64, test.Cols)
		copy(left, linalg.Row(test, i))
		own := floats.Dot(left, left)
		for p, v := range c.on {
			floats.AddScaled(left, -c.beta[p], linalg.Row(test, int(v)))
		}
		want += math.Log(own/floats.Dot(left, left)) / 2
	}
	if got := gain(a, secondMoments(test)); math.Abs(got-want) > 1e-9*want || want <= 0 {
		t.Errorf("got a gain of %g, want %g", got, want)
	}
}

// A path that ends early, where it is hopeless, lacks only points that are far from the
// best: the number of edges is chosen as if it went on.
func TestPathsEndWhereTheyAreHopeless(t *testing.T) {
	u := standardised(gridSignals(t, 10, 14, 120))
	train, test := splitColumns(u, 40, 80)
	restandardise(train, test)
	k, held := attractiveMoments(train, 0), secondMoments(test)
	short, _ := prune(t.Context(), newAttractive(k), hopelessFrom, held, pruneInFull.keeps)
	long, _ := prune(t.Context(), newAttractive(k), hopelessFrom-1, held, pruneInFull.keeps) // as if there were fewer vertices
	best := 0.0
	for p, point := range short {
		if len(point.edges) != len(long[p].edges) || point.gain != long[p].gain {
			t.Fatalf("point %d: %d edges gain %g, %d gain %g", p, len(point.edges), point.gain, len(long[p].edges), long[p].gain)
		}
		best = max(best, point.gain)
	}
	if len(short) == len(long) {
		t.Fatal("the path has not ended early")
	}
	for _, point := range long[len(short):] {
		if point.gain > hopeless*best {
			t.Errorf("%d edges gain %g, and the best is %g", len(point.edges), point.gain, best)
		}
	}
}

func TestGainsAreReadBetweenPoints(t *testing.T) {
	point := func(edges int, gain float64) pathPoint { return pathPoint{make([]graph.Edge, edges), gain} }
	path := []pathPoint{point(40, 3), point(10, 1)}
	for edges, want := range map[float64]float64{80: 3, 40: 3, 20: 2, 10: 1, 5: 1} {
		if got := gainAt(path, edges); math.Abs(got-want) > 1e-12 {
			t.Errorf("%g edges: got %g, want %g", edges, got, want)
		}
	}
}

func TestSparsestAdequatePoint(t *testing.T) {
	folds := func(path ...[]float64) []foldGain {
		var list []foldGain
		for _, p := range path {
			list = append(list, foldGain{path: p})
		}
		return list
	}
	for name, c := range map[string]struct {
		gains []foldGain
		want  int
	}{
		"a clear best":              {folds([]float64{9, 10, 8, 0}, []float64{9, 10, 8.1, 0}), 1},
		"half a percent is nothing": {folds([]float64{9, 10, 9.96, 0}, []float64{9, 10, 9.96, 0}), 2},
		"within a standard error":   {folds([]float64{9, 10, 9, 0}, []float64{9, 10, 10.8, 0}), 2},
		"nothing is gained":         {folds([]float64{-3, -2, -1, 0}, []float64{-3, -2, -1, 0}), 3},
	} {
		if got, tree := sparsestAdequate(c.gains); got != c.want || tree {
			t.Errorf("%s: got point %d and tree %t, want %d", name, got, tree, c.want)
		}
	}
	gains := folds([]float64{9, 10, 8, 0}, []float64{9, 10, 8.1, 0})
	gains[0].tree, gains[1].tree = 9.6, 9.7
	if _, tree := sparsestAdequate(gains); !tree {
		t.Error("a tree that has 96 percent of the gain is not enough")
	}
}

// gridSignals draws from a Gaussian field on a grid.
func gridSignals(t testing.TB, rows, cols, signals int) *mat.Dense {
	t.Helper()
	n := rows * cols
	theta := mat.NewSymDense(n, nil)
	for i := range n {
		theta.SetSym(i, i, theta.At(i, i)+0.3)
		for _, j := range []int{i + 1, i + cols} {
			if j < n && (j != i+1 || j%cols != 0) {
				theta.SetSym(i, j, -1)
				theta.SetSym(i, i, theta.At(i, i)+1)
				theta.SetSym(j, j, theta.At(j, j)+1)
			}
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(theta) {
		t.Fatal("the field is singular")
	}
	draw := stream("field on a grid")
	white := mat.NewDense(n, signals, nil)
	white.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, white)
	var upper mat.TriDense
	chol.UTo(&upper)
	var y mat.Dense
	if err := y.Solve(&upper, white); err != nil {
		t.Fatal(err)
	}
	return &y
}
