package baseline

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
)

// Of a process on thirty vertices nearly all arrows are found, and hardly any the other way round.
func TestCausalFindsTheArrowsOfAProcess(t *testing.T) {
	y, truth := checks.Causal(stream("recovery").Uint64(), 30, 4, 500, 0.2)
	r := learned(t, Causal{}, y)
	for name, g := range map[string]*graph.Graph{"as many as there are": r.Weights.Strongest(truth.EdgeCount()), "own cut": r.Graph} {
		score, err := metrics.Edges(g, truth)
		if err != nil || score.F1() < 0.85 {
			t.Errorf("%s: F1 %.3f, %v", name, score.F1(), err)
		}
	}
}

// One vertex drives another, and not the other way round.
func TestCausalArrowsLeadFromThePastToThePresent(t *testing.T) {
	r := stream("drive")
	y := randomSignals(r, 3, 300)
	for k := 1; k < 300; k++ {
		y.Set(2, k, y.At(2, k)-0.8*y.At(0, k-1))
	}
	got := learned(t, Causal{}, y)
	if e := got.Graph.Edges(); len(e) != 1 || e[0].I != 0 || e[0].J != 2 {
		t.Errorf("got %v, want an arrow from 0 to 2", e)
	}
	// Weights are of standardised rows: 0.8 over the standard deviation of the driven one.
	if w := got.Graph.Edges()[0].Weight; math.Abs(w-0.8/math.Sqrt(1.64)) > 0.15 {
		t.Errorf("the weight is %g", w)
	}
	if fit := got.Own.(*CausalFit); fit.Lags[0].At(2, 0) >= 0 {
		t.Errorf("the coefficient %g lost its sign", fit.Lags[0].At(2, 0))
	}
}

func TestCausalSaysThatTheOrderMeansNothing(t *testing.T) {
	signals, _ := checks.Causal(stream("order").Uint64(), 12, 4, 400, 0)
	inOrder := learned(t, Causal{}, signals)
	if len(inOrder.Warnings) > 0 || inOrder.Graph.EdgeCount() < 20 {
		t.Errorf("in order: %d arrows, %q", inOrder.Graph.EdgeCount(), inOrder.Warnings)
	}
	shuffled := mat.NewDense(12, 400, nil)
	for k, s := range stream("shuffle").Perm(400) {
		shuffled.SetCol(k, mat.Col(nil, s, signals))
	}
	for what, y := range map[string]*mat.Dense{"shuffled": shuffled, "noise": randomSignals(stream("noise"), 12, 400)} {
		r := learned(t, Causal{}, y)
		if len(r.Warnings) == 0 || !strings.HasPrefix(r.Warnings[0], "the order of the signals says ") {
			t.Errorf("%s: %d arrows, %q", what, r.Graph.EdgeCount(), r.Warnings)
		}
	}
}

func TestCausalSaysThatAProcessIsNotStationary(t *testing.T) {
	y := randomSignals(stream("walk"), 4, 200)
	for k := 1; k < 200; k++ {
		for i := range 4 {
			y.Set(i, k, 0.1*y.At(i, k)+1.03*y.At(i, k-1)+0.02*y.At((i+1)%4, k-1))
		}
	}
	r := learned(t, Causal{}, y)
	if fit := r.Own.(*CausalFit); fit.Radius < 1 || !strings.Contains(fmt.Sprint(r.Warnings), "not stationary") {
		t.Errorf("radius %g, warnings %q", fit.Radius, r.Warnings)
	}
}

// The radius is that of the eigenvalues, here of gonum.
func TestSpectralRadiusIsTheLargestEigenvalue(t *testing.T) {
	for trial := range 5 {
		r := stream("radius", trial)
		n, order := 1+r.IntN(6), 1+r.IntN(3)
		size := n * order
		c := mat.NewDense(size, size, nil)
		var lags []*mat.Dense
		for k := range order {
			lag := randomSignals(r, n, n)
			lags = append(lags, lag)
			c.Slice(0, n, k*n, (k+1)*n).(*mat.Dense).Copy(lag)
		}
		for i := n; i < size; i++ {
			c.Set(i, i-n, 1)
		}
		var eigen mat.Eigen
		if !eigen.Factorize(c, mat.EigenNone) {
			t.Fatal("no eigenvalues")
		}
		want := 0.0
		for _, v := range eigen.Values(nil) {
			want = max(want, math.Hypot(real(v), imag(v)))
		}
		if got := spectralRadius(lags, 1); math.Abs(got-want) > 1e-4*want {
			t.Errorf("got %g, want %g", got, want)
		}
	}
	if got := spectralRadius([]*mat.Dense{mat.NewDense(2, 2, []float64{0, 1, 0, 0})}, 1); got != 0 {
		t.Errorf("a nilpotent matrix has radius %g", got)
	}
}

// refittedCriterion is computed from the coefficients alone.
func refittedCriterion(y *mat.Dense, lag *mat.Dense) float64 {
	u := standardised(y)
	k, n := float64(u.Cols-1), u.Rows
	total := 0.0
	for a := range n {
		rss, entries := 0.0, 0.0
		for s := 1; s < u.Cols; s++ {
			e := linalg.Row(u, a)[s]
			for j := range n {
				e -= lag.At(a, j) * linalg.Row(u, j)[s-1]
			}
			rss += e * e
		}
		for j := range n {
			if lag.At(a, j) != 0 {
				entries++
			}
		}
		total += k*math.Log(rss/k) + entries*(math.Log(k)+math.Log(float64(n)))
	}
	return total
}

// No penalty of the path has a smaller criterion.
func TestCausalChoosesTheLeastCriterion(t *testing.T) {
	y, _ := checks.Causal(stream("criterion").Uint64(), 10, 3, 200, 0)
	best := learned(t, Causal{}, y)
	least := refittedCriterion(y, best.Own.(*CausalFit).Lags[0])
	u := standardised(y)
	largest := 0.0
	for i := range 10 {
		for j := range 10 {
			if i != j {
				largest = max(largest, math.Abs(linalg.Dot(linalg.Row(u, i)[1:], linalg.Row(u, j)[:199]))/199)
			}
		}
	}
	chosen := best.Method.(Causal).Penalty
	tried := false
	for k := range 25 {
		penalty := largest * math.Pow(100, -float64(k)/24)
		tried = tried || math.Abs(penalty-chosen) < 1e-9*chosen
		r := learned(t, Causal{Penalty: penalty}, y)
		lag := r.Own.(*CausalFit).Lags[0]
		if c := refittedCriterion(y, lag); c < least-1e-6 {
			t.Errorf("penalty %g has criterion %g, the one chosen, %g, has %g", penalty, c, chosen, least)
		}
	}
	if !tried {
		t.Errorf("the penalty %g is not one of the path from %g", chosen, largest)
	}
}

func TestCausalChoosesTheOrder(t *testing.T) {
	second := randomSignals(stream("second"), 4, 1000)
	for k := 2; k < 1000; k++ {
		for i := range 4 {
			second.Set(i, k, second.At(i, k)+0.3*second.At((i+1)%4, k-1)+0.6*second.At((i+2)%4, k-2))
		}
	}
	first, _ := checks.Causal(stream("first").Uint64(), 4, 1, 1000, 0)
	for want, y := range map[int]*mat.Dense{1: first, 2: second} {
		r := learned(t, Causal{ChooseOrder: true}, y)
		if got := r.Method.(Causal); got.Order != want || got.ChooseOrder {
			t.Errorf("chose %+v, want order %d", got, want)
		}
		if lags := r.Own.(*CausalFit).Lags; len(lags) != want {
			t.Errorf("%d lags, want %d", len(lags), want)
		}
	}
}

// The answer of the lasso meets its optimality conditions, recomputed from it alone,
// from any start; also where columns are the same.
func TestLassoMeetsItsOptimalityConditions(t *testing.T) {
	for trial := range 9 {
		r := stream("lasso", trial)
		n, m := 2+r.IntN(12), 3+r.IntN(20)
		z := randomSignals(r, n, m)
		if trial%3 == 0 {
			z.SetRow(1, z.RawRowView(0))
		}
		y := randomSignals(r, 1, m)
		var q, b mat.Dense
		q.Mul(z, z.T())
		b.Mul(y, z.T())
		lambda := math.Abs(r.NormFloat64()) * 2
		l := lasso{q: q.RawMatrix(), b: b.RawRowView(0), lambda: func(int) float64 { return lambda }, x: make([]float64, n), g: make([]float64, n)}
		for i := range l.x {
			l.x[i] = r.NormFloat64() * float64(trial%2)
		}
		l.solve()
		for i, x := range l.x {
			g := l.b[i]
			for j, v := range l.x {
				g -= q.At(i, j) * v
			}
			if x != 0 && math.Abs(g-math.Copysign(lambda, x)) > 1e-7 || x == 0 && math.Abs(g) > lambda+1e-7 {
				t.Errorf("entry %d is %g with gradient %g and penalty %g", i, x, g, lambda)
			}
		}
	}
}

// A context that ends leaves the best graph among the penalties that were fitted.
func TestCausalKeepsWhatItHasWhenInterrupted(t *testing.T) {
	y, _ := checks.Causal(stream("stop").Uint64(), 10, 2, 300, 0)
	left := 10 * 12 // a row each: twelve penalties
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	r, err := Causal{}.Learn(stopWatch{ctx, &left}, method.Problem{Y: y, Threads: 1})
	if r == nil || r.Rounds != 12 || r.Graph.EdgeCount() == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
