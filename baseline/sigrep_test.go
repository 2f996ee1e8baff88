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

// denoisedObjective returns the least of ‖Y − X‖² + a tr(XᵀLX) + b‖L‖² over X, for
// the Laplacian of g, and the X where it is, by dense algebra on the signals themselves.
func denoisedObjective(t *testing.T, y *mat.Dense, g *graph.Graph, a, b float64) (float64, *mat.Dense) {
	t.Helper()
	lap := mat.DenseCopyOf(g.CombinatorialLaplacian())
	var m, x, lx, diff mat.Dense
	m.Scale(a, lap)
	for i := range g.Vertices() {
		m.Set(i, i, m.At(i, i)+1)
	}
	if err := x.Solve(&m, y); err != nil {
		t.Fatal(err)
	}
	lx.Mul(lap, &x)
	diff.Sub(y, &x)
	lx.MulElem(&x, &lx)
	return math.Pow(mat.Norm(&diff, 2), 2) + a*mat.Sum(&lx) + b*math.Pow(mat.Norm(lap, 2), 2), &x
}

// rowEnergy returns the mean energy of a row once each signal's mean is removed:
// a sum over pairs, as in the variance.
func rowEnergy(y *mat.Dense) float64 {
	n, _ := y.Dims()
	return floats.Sum(squaredDistances(y)) / float64(n*n)
}

func TestSigRepObjectiveNeverRises(t *testing.T) {
	for seed := range uint64(3) {
		y := randomSignals(rng.Stream(seed, "rise"), 15, 8)
		const a, b = 1, 0.1
		last := math.Inf(1)
		for rounds := 1; rounds <= 12; rounds++ {
			r := learned(t, SigRep{Smoothness: a, Spread: b, Rounds: rounds}, y)
			f, _ := denoisedObjective(t, y, r.Weights, a, b*rowEnergy(y))
			if f > last*(1+1e-10) {
				t.Errorf("seed %d, round %d: from %.12g to %.12g", seed, rounds, last, f)
			}
			if r.Status == method.Converged {
				break
			}
			if r.Rounds != rounds {
				t.Errorf("seed %d: %d rounds allowed, %d made, %s", seed, rounds, r.Rounds, r.Status)
			}
			last = f
		}
	}
}

// Where it has converged, the graph is nearly the best one for the signals that
// are the best for it.
func TestSigRepEndsAtAFixedPoint(t *testing.T) {
	y := randomSignals(rng.Stream(5, "fixed"), 15, 8)
	const a, b = 0.3, 0.1
	r, err := SigRep{Smoothness: a, Spread: b}.Learn(t.Context(), method.Problem{Y: y})
	if err != nil || r.Status != method.Converged {
		t.Fatal(err, r.Status)
	}
	energy := rowEnergy(y)
	f, x := denoisedObjective(t, y, r.Weights, a, b*energy)
	cost := squaredDistances(x)
	floats.Scale(a, cost)
	now, g := spreadObjective(15, cost, pairWeights(r.Weights), b*energy)
	if gap := floats.Dot(g, pairWeights(r.Weights)) - floats.Min(g)*15/2; gap > 0.02*now || gap < 0 {
		t.Errorf("the graph can be better by up to %g of %g, %g in all", gap, now, f)
	}
}

// In the first round the signals are as given, and the graph is the known
// solution of the programme: 0.1 z·w + 1·(2‖w‖² + ‖S·w‖²).
func TestSigRepStartsWithTheKnownSolution(t *testing.T) {
	y := fourPoints()
	r, err := SigRep{Smoothness: 0.1, Spread: 1 / rowEnergy(y), Rounds: 1}.learn(t.Context(), method.Problem{Y: y})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := pairWeights(r.Weights), []float64{.656250, .381250, 0, .450000, .043750, .468750}; !floats.EqualApprox(got, want, 1e-7) {
		t.Errorf("got %.8f, want %.6f", got, want)
	}
}
