package baseline

import (
	"flag"
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// treeSeed is the seed that the tests outside the package define as a flag.
func treeSeed() uint64 {
	s, err := strconv.ParseUint(flag.Lookup("seed").Value.String(), 10, 64)
	if err != nil {
		panic(err)
	}
	return s
}

// criterion computes the extended BIC of some edges from its formula, by glasso's
// solver with the zeros of Θ held.
func criterion(t *testing.T, s linalg.Dense, signals int, gamma float64, edge func(i, j int) bool) float64 {
	t.Helper()
	n, m := s.Rows, float64(signals)
	p, edges := newPrecision(s), 0.0
	eachPair(n, func(_, i, j int) {
		if edge(i, j) {
			edges++
			p.theta.Data[i*n+j], p.theta.Data[j*n+i] = 1e-9, 1e-9
		}
	})
	p.refit(t.Context(), 1e-12, 5000)
	return m*p.loss(s) + edges*(math.Log(m)+4*gamma*math.Log(float64(n)))
}

// Where the search ends, no single edge more or less lowers the criterion, as another
// solver computes it; nor did the tree that it began with have a lower one.
func TestStepwiseEndsWhereNoEdgeHelps(t *testing.T) {
	const n, signals, gamma = 7, 60, 0.5
	for trial := range 4 {
		y := mixedSignals(rng.Stream(treeSeed(), "stepwise", trial), n, signals)
		s := newStepwise(secondMoments(standardised(y)), signals, gamma)
		moments := s.model.S
		joined := s.model.Joined
		atTree := criterion(t, moments, signals, gamma, joined)
		for s.shrinkOnce(t.Context()) || s.growOnce(t.Context()) {
		}
		best := criterion(t, moments, signals, gamma, joined)
		if want := signals * (s.score + n); math.Abs(best-want) > 1e-3 {
			t.Errorf("trial %d: the search has %g, the formula %g", trial, want, best)
		}
		if best > atTree+1e-6 {
			t.Errorf("trial %d: %g is worse than the tree, %g", trial, best, atTree)
		}
		eachPair(n, func(_, a, b int) {
			other := criterion(t, moments, signals, gamma, func(i, j int) bool { return joined(i, j) != (i == a && j == b) })
			if other < best-0.5 { // the search goes by approximations when it chooses what to try
				t.Errorf("trial %d: changing %d–%d lowers the criterion from %g to %g", trial, a, b, best, other)
			}
		})
	}
}

// Signals of a Gaussian with few edges in its precision matrix lead to those edges.
func TestStepwiseFindsThePrecisionMatrix(t *testing.T) {
	const n, signals = 15, 4000
	r := rng.Stream(treeSeed(), "precision")
	theta := mat.NewSymDense(n, nil)
	for i := range n {
		theta.SetSym(i, i, 1)
		for _, j := range []int{(i + 1) % n, (i + 4) % n} {
			theta.SetSym(i, j, 0.22*float64(1-2*r.IntN(2)))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(theta) {
		t.Fatal("the precision matrix is not positive definite")
	}
	var u mat.TriDense // Θ = UᵀU, so that U⁻¹ times noise has precision Θ
	chol.UTo(&u)
	noise := mat.NewDense(n, signals, nil)
	noise.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, noise)
	var y mat.Dense
	if err := y.Solve(&u, noise); err != nil {
		t.Fatal(err)
	}
	got, err := Stepwise(t.Context(), &y, StepwiseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[[2]int]float64{}
	for _, e := range got.Graph.Edges() {
		found[[2]int{e.I, e.J}] = e.Weight
	}
	eachPair(n, func(_, i, j int) {
		want, weight := math.Abs(theta.At(i, j)), found[[2]int{i, j}]
		if want > 0 && math.Abs(weight-want) > 0.1 {
			t.Errorf("edge %d–%d weighs %g, want about %g", i, j, weight, want)
		}
	})
	if extra := len(found) - 2*n; extra > 1 {
		t.Errorf("%d edges too many", extra)
	}
}
