package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
)

// criterion computes the extended BIC of some edges from its formula.
func criterion(t *testing.T, s linalg.Dense, signals int, gamma float64, edge func(i, j int) bool) float64 {
	t.Helper()
	n, m, edges := s.Rows, float64(signals), 0.0
	model := linalg.NewCompletion(s)
	eachPair(n, func(_, i, j int) {
		if edge(i, j) {
			model.Join(i, j)
			edges++
		}
	})
	if !model.Solve(1e-12, 5000) {
		t.Fatal("the model was not fitted")
	}
	p := &precision{s: s, theta: linalg.Dense{Rows: n, Cols: n, Stride: n, Data: inverseOf(t, model.W).RawSymmetric().Data}}
	mirror(p.theta)
	return m*p.loss(s) + edges*(math.Log(m)+4*gamma*math.Log(float64(n)))
}

// stepwiseFromTree begins a search as GGM does.
func stepwiseFromTree(y *mat.Dense, gamma float64) *stepwise {
	_, signals := y.Dims()
	moments := secondMoments(standardised(y))
	shrinkMoments(moments, signals)
	return newStepwise(moments, strongestTree(moments), float64(signals), gamma)
}

// Where the search ends, no single edge more or less lowers the criterion, as another
// solver computes it; nor did the tree that it began with have a lower one.
func TestStepwiseEndsWhereNoEdgeHelps(t *testing.T) {
	const n, signals, gamma = 7, 60, 0.5
	for trial := range 2 {
		y := mixedSignals(stream("stepwise", trial), n, signals)
		s := stepwiseFromTree(y, gamma)
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

// What a change is worth is what the likelihood of the same change says, made by hand.
func TestWorthOfAChangeIsThatOfMovingOnePair(t *testing.T) {
	const n = 6
	y := mixedSignals(stream("worth"), n, 40)
	s := stepwiseFromTree(y, 0.5)
	s.model.Solve(1e-13, 5000) // the tree
	w := mat.NewSymDense(n, s.model.W.Data)
	var chol mat.Cholesky
	theta := mat.NewSymDense(n, nil)
	if !chol.Factorize(w) || chol.InverseTo(theta) != nil {
		t.Fatal("W is not positive definite")
	}
	given := mat.NewSymDense(n, s.model.S.Data)
	f := func(theta mat.Symmetric) float64 {
		var chol mat.Cholesky
		if !chol.Factorize(theta) {
			t.Fatal("the precision matrix is not positive definite")
		}
		var product mat.Dense
		product.Mul(given, theta)
		return product.Trace() - chol.LogDet()
	}
	// moved returns Θ with the inverse of W on a pair replaced by (a c; c b).
	moved := func(i, j int, a, b, c float64) *mat.SymDense {
		wij := w.At(i, j)
		d := 1 - wij*wij
		to := mat.NewSymDense(n, nil)
		to.CopySym(theta)
		to.SetSym(i, i, theta.At(i, i)-1/d+a)
		to.SetSym(j, j, theta.At(j, j)-1/d+b)
		to.SetSym(i, j, theta.At(i, j)+wij/d+c)
		return to
	}
	eachPair(n, func(_, i, j int) {
		sij := given.At(i, j)
		if !s.model.Joined(i, j) {
			d := 1 - sij*sij
			if got, want := pairGain(sij, w.At(i, j)), f(theta)-f(moved(i, j, 1/d, 1/d, -sij/d)); math.Abs(got-want) > 1e-9 {
				t.Errorf("adding %d–%d gains %g, want %g", i, j, got, want)
			}
			return
		}
		c := -sij/(1-sij*sij) - theta.At(i, j)
		m := (1 + math.Sqrt(1+4*c*c)) / 2
		without := moved(i, j, m, m, c)
		if got, want := pairLoss(sij, theta.At(i, j)), f(without)-f(theta); math.Abs(got-want) > 1e-9 || math.Abs(without.At(i, j)) > 1e-9 {
			t.Errorf("removing %d–%d loses %g, want %g; what is left of it is %g", i, j, got, want, without.At(i, j))
		}
		for _, h := range []float64{-1e-3, 1e-3} {
			if f(moved(i, j, m+h, m, c)) < f(without) || f(moved(i, j, m, m+h, c)) < f(without) {
				t.Errorf("removing %d–%d: other entries on the pair would be better", i, j)
			}
		}
	})
}
