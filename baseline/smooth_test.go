package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

// degrees sets d = S·w, the sum of the weights at each vertex.
func degrees(d, w []float64) {
	clear(d)
	eachPair(len(d), func(e, i, j int) {
		d[i] += w[e]
		d[j] += w[e]
	})
}

func eachSmooth(t *testing.T, law func(t *testing.T, m method.Method)) {
	for _, m := range []method.Method{SigRep{}, SmoothL2{}, SmoothLog{}} {
		t.Run(m.Name(), func(t *testing.T) { law(t, m) })
	}
}

func TestSmoothMethodsIgnoreRepetition(t *testing.T) {
	eachSmooth(t, func(t *testing.T, m method.Method) {
		y := randomSignals(rng.Stream(3, "scale"), 20, 10)
		var twice mat.Dense
		twice.Augment(y, y)
		once, again := learned(t, m, y), learned(t, m, &twice)
		if a, b := pairWeights(once.Graph), pairWeights(again.Graph); !floats.EqualApprox(a, b, 1e-6) {
			t.Errorf("with every signal twice the weights are apart by %g", floats.Distance(a, b, math.Inf(1)))
		}
		for _, r := range []*method.Result{once, again} {
			if r.Status != method.Converged {
				t.Errorf("%s after %d iterations", r.Status, r.Rounds)
			}
		}
	})
}

func TestOwnCutDropsWeightsBelowAShareOfTheMean(t *testing.T) {
	for weight, want := range map[float64]int{0.99e-4: 2, 1.01e-4: 3} { // the mean is 1
		g := mustGraph(graph.DefaultNames(3), []graph.Edge{{I: 0, J: 1, Weight: 2}, {I: 0, J: 2, Weight: 1}, {I: 1, J: 2, Weight: weight}})
		if got := withoutVanishing(g); got.EdgeCount() != want {
			t.Errorf("with a weight of %g beside 2 and 1: kept %d edges, want %d", weight, got.EdgeCount(), want)
		}
	}
}
