package baseline

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

// inverseOf returns the inverse of a symmetric matrix.
func inverseOf(t *testing.T, w linalg.Dense) *mat.SymDense {
	t.Helper()
	var chol mat.Cholesky
	theta := mat.NewSymDense(w.Rows, nil)
	if !chol.Factorize(mat.NewSymDense(w.Rows, slices.Clone(w.Data))) || chol.InverseTo(theta) != nil {
		t.Fatal("the covariance is not positive definite")
	}
	return theta
}

// wantPartials compares the partial correlations of a model with those of its covariance.
func wantPartials(t *testing.T, trial int, a *attractive, theta *mat.SymDense) {
	t.Helper()
	n, got := a.k.Rows, map[[2]int]float64{}
	for _, e := range a.partials() {
		got[[2]int{e.i, e.j}] = e.weight
	}
	eachPair(n, func(_, i, j int) {
		if want := -theta.At(i, j) / math.Sqrt(theta.At(i, i)*theta.At(j, j)); math.Abs(got[[2]int{i, j}]-want) > 1e-4 {
			t.Errorf("trial %d: the partial correlation of %d and %d is %g, want %g", trial, i, j, got[[2]int{i, j}], want)
		}
	})
}

// The conditions of the optimum of soft signs: W − K is zero where a partial correlation is
// positive, the price where it is negative, and between these elsewhere.
func TestSoftSignsAreOptimal(t *testing.T) {
	const tolerance = 1e-5
	negative := 0
	for trial := range 3 {
		k, price := drawnMoments(trial), 0.05*float64(1+trial%3)
		a := newSoft(k, price)
		if _, status := a.solve(t.Context(), 1e-10, 5000); status != method.Converged {
			t.Fatal(status)
		}
		theta := inverseOf(t, a.w)
		wantPartials(t, trial, a, theta)
		eachPair(k.Rows, func(_, i, j int) {
			excess, at := a.w.Data[i*k.Rows+j]-k.Data[i*k.Rows+j], theta.At(i, j)
			switch {
			case at < -1e-3 && math.Abs(excess) > tolerance,
				at > 1e-3 && math.Abs(excess-price) > tolerance,
				excess < -tolerance || excess > price+tolerance:
				t.Errorf("trial %d: pair %d–%d has Θ = %g and W − K = %g at the price %g", trial, i, j, at, excess, price)
			}
			if at > 1e-3 {
				negative++
			}
		})
	}
	if negative == 0 {
		t.Error("no partial correlation was negative, so that nothing was tested")
	}
}

// Restricted to some pairs, a model has no price any more, and each pair its sign.
func TestRestrictedSignsAreOptimal(t *testing.T) {
	const tolerance = 1e-5
	for trial := range 3 {
		k := drawnMoments(trial)
		n := k.Rows
		var pairs []weighedPair
		sign := map[[2]int]float64{}
		eachPair(n, func(e, i, j int) {
			if e%3 != 0 {
				s := float64(1 - 2*(e%2))
				pairs = append(pairs, weighedPair{i, j, s})
				sign[[2]int{i, j}] = s
			}
		})
		a := newSoft(k, 0.1)
		a.solve(t.Context(), 1e-3, 10) // what was found before does not matter
		a.restrict(pairs)
		if _, status := a.solve(t.Context(), 1e-10, 5000); status != method.Converged {
			t.Fatal(status)
		}
		theta := inverseOf(t, a.w)
		eachPair(n, func(_, i, j int) {
			s, gap, at := sign[[2]int{i, j}], a.w.Data[i*n+j]-k.Data[i*n+j], theta.At(i, j)
			switch {
			case s == 0 && math.Abs(at) > tolerance:
				t.Errorf("trial %d: pair %d–%d was left out and has Θ = %g", trial, i, j, at)
			case s != 0 && (s*at > tolerance || s*gap < -tolerance || math.Abs(at) > 1e-3 && math.Abs(gap) > tolerance):
				t.Errorf("trial %d: pair %d–%d of sign %g has Θ = %g and W − K = %g", trial, i, j, s, at, gap)
			}
		})
	}
}

// signedField draws signals of order one on a ring with chords; the signs of edges are those of a
// list, over and over.
func signedField(seed, n, m int, signs ...float64) (*mat.Dense, map[[2]int]float64) {
	draw := stream("signed field", seed)
	theta, truth := mat.NewSymDense(n, nil), map[[2]int]float64{}
	for i := range n {
		for _, j := range []int{(i + 1) % n, (i + n/3) % n} {
			if j == i || (j != (i+1)%n && i%3 != 0) {
				continue
			}
			w := (0.7 + 0.6*draw.Float64()) * signs[len(truth)%len(signs)]
			truth[[2]int{min(i, j), max(i, j)}] = w
			theta.SetSym(i, j, -w)
		}
	}
	for i := range n {
		own := 0.3
		for j := range n {
			if j != i {
				own += math.Abs(theta.At(i, j))
			}
		}
		theta.SetSym(i, i, own)
	}
	var chol mat.Cholesky
	if !chol.Factorize(theta) {
		panic("the precision matrix is not positive definite")
	}
	z := mat.NewDense(n, m, nil)
	for i := range n {
		for k := range m {
			z.Set(i, k, draw.NormFloat64())
		}
	}
	var u mat.TriDense
	chol.UTo(&u)
	var y mat.Dense
	if err := y.Solve(&u, z); err != nil {
		panic(err)
	}
	return &y, truth
}

// scoreSigned returns the F1 of the pairs, and how many of them have the wrong sign.
func scoreSigned(g *graph.Graph, truth map[[2]int]float64) (f1 float64, wrong int) {
	hits := 0
	for _, e := range g.Edges() {
		if w := truth[[2]int{e.I, e.J}]; w != 0 {
			hits++
			if w*e.Weight < 0 {
				wrong++
			}
		}
	}
	return 2 * float64(hits) / float64(g.EdgeCount()+len(truth)), wrong
}

func TestFieldFindsNegativeEdges(t *testing.T) {
	y, truth := signedField(1, 18, 300, -1, 1, 1, -1, -1, 1)
	r := learned(t, Field{}, y)
	if f1, wrong := scoreSigned(r.Graph, truth); f1 < 0.9 || wrong > 0 {
		t.Errorf("F1 is %.3g, and %d edges have the wrong sign", f1, wrong)
	}
	fit := FieldFitOf(r)
	if used := r.Method.(Field); used.Signed != 1 || used.Order != 1 || fit.Signs == nil || fit.Signs.Gain < 2*fit.Signs.StdErr {
		t.Errorf("learned by %+v after the trial %+v", used, fit.Signs)
	}
	again, err := r.Method.(method.Relearner).Relearn(t.Context(), method.Problem{Y: y}, len(truth))
	if err != nil {
		t.Fatal(err)
	}
	if f1, wrong := scoreSigned(again, truth); f1 < 0.9 || wrong > 0 {
		t.Errorf("learned again, F1 is %.3g, and %d edges have the wrong sign", f1, wrong)
	}
	if forbidden := learned(t, Field{Signed: 2}, y); forbidden.Weights.Negative() > 0 {
		t.Errorf("got %d negative edges, though they are forbidden", forbidden.Weights.Negative())
	}
}

// Signs are not even tried where no pair of vertices is negative beyond chance.
func TestPositiveFieldsStayPositive(t *testing.T) {
	y, _ := signedField(1, 20, 160, 1)
	r, positive := learned(t, Field{Order: 1}, y), learned(t, GGL{}, y)
	if fit := FieldFitOf(r); fit.Signs != nil || r.Graph.Negative() > 0 || !slices.Equal(r.Weights.Edges(), positive.Weights.Edges()) {
		t.Errorf("the trial of signs was %+v, and the graph is %v", fit.Signs, r.Graph.Edges())
	}
}

// A correlation falls short of what is expected by more standard errors, √((1 + w²)/m), than chance.
func TestCorrelationsFallShortBeyondChance(t *testing.T) {
	const m = 400
	k, w := linalg.NewDense(2, 2), linalg.NewDense(2, 2)
	for _, c := range []struct {
		expected, errors float64
		want             bool
	}{{0, -2.2, false}, {0, -2.4, true}, {0.5, -2.2, false}, {0.5, -2.4, true}, {0.5, 3, false}} { // one pair: 2.33 at one percent
		w.Data[1], w.Data[2] = c.expected, c.expected
		k.Data[1] = c.expected + c.errors*math.Sqrt((1+c.expected*c.expected)/m)
		k.Data[2] = k.Data[1]
		if got := fallsShort(k, w, m); got != c.want {
			t.Errorf("%g errors from %g: got %t", c.errors, c.expected, got)
		}
	}
}

// Edges that were missed are found again, with their signs: the moments are those of a chain whose
// signs take turns, and two of its edges are not among those kept.
func TestMissedEdgesAreAdded(t *testing.T) {
	const n = 12
	theta := mat.NewSymDense(n, nil)
	for i := range n {
		theta.SetSym(i, i, 1)
		if i > 0 {
			theta.SetSym(i-1, i, 0.4*float64(1-2*(i%2)))
		}
	}
	k := linalg.Dense{Rows: n, Cols: n, Stride: n, Data: inverseOf(t, linalg.Dense{Rows: n, Cols: n, Stride: n, Data: mat.DenseCopyOf(theta).RawMatrix().Data}).RawSymmetric().Data}
	mirror(k)
	var kept []weighedPair
	for i := 1; i < n; i++ {
		if i != 4 && i != 9 {
			kept = append(kept, weighedPair{i - 1, i, -theta.At(i-1, i)})
		}
	}
	all := withMissed(t.Context(), foundEdges{k: unitMoments(k), observations: 500}, kept)
	if len(all) != n-1 {
		t.Fatalf("got %d edges, want %d", len(all), n-1)
	}
	for _, e := range all {
		if want := -theta.At(e.i, e.j); e.j != e.i+1 || math.Abs(e.weight-want) > 1e-3 {
			t.Errorf("the edge %d–%d has the partial correlation %.4f, want %.4f", e.i, e.j, e.weight, want)
		}
	}
}

// unitMoments returns the correlations of moments.
func unitMoments(k linalg.Dense) linalg.Dense {
	n, r := k.Rows, linalg.NewDense(k.Rows, k.Rows)
	for i := range n {
		for j := range n {
			r.Data[i*n+j] = k.Data[i*n+j] / math.Sqrt(k.Data[i*n+i]*k.Data[j*n+j])
		}
	}
	return r
}

// Benjamini and Hochberg's rule: the last edge that passes its own quantile counts, and all before it.
func TestSureEdgesFollowTheRule(t *testing.T) {
	weights := []float64{0.30, -0.26, 0.22, -0.12}
	var edges []graph.Edge
	for i, w := range weights {
		edges = append(edges, graph.Edge{I: i, J: i + 1, Weight: w})
	}
	g := mustGraph(graph.DefaultNames(5), edges)
	// With ten pairs the quantiles are 2.58, 2.33, 2.17 and 2.05.
	for observations, want := range map[float64]int{100: 3, 81: 2, 300: 4, 1: 1} {
		if got := sureEdges(g, observations); got != want {
			t.Errorf("%g observations: got %d sure edges, want %d", observations, got, want)
		}
	}
}

func TestLogDensitiesAreThoseOfAGaussian(t *testing.T) {
	k := drawnMoments(2)
	x := linalg.NewDense(k.Rows, 3)
	draw := stream("log densities", 1)
	for e := range x.Data {
		x.Data[e] = draw.NormFloat64()
	}
	theta := inverseOf(t, k)
	logDet, _ := linalg.Threads(1).LogDet(linalg.Dense{Rows: k.Rows, Cols: k.Cols, Stride: k.Stride, Data: slices.Clone(k.Data)})
	for s, got := range logDensities(k, x) {
		want := -logDet / 2
		for i := range k.Rows {
			for j := range k.Rows {
				want -= x.Data[i*3+s] * theta.At(i, j) * x.Data[j*3+s] / 2
			}
		}
		if math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("signal %d: got %g, want %g", s, got, want)
		}
	}
}

// With a number of edges given and a kernel, either sign works: halves are learned from so.
func TestSignedFieldsOfAKernelTakeANumberOfEdges(t *testing.T) {
	y := mat.NewDense(8, 60, nil)
	r := rng.Stream(9, "signed kernel")
	for k := range 60 {
		before := 0.0
		for i := range 8 {
			before = r.NormFloat64() - 0.7*before
			y.Set(i, k, before)
		}
	}
	got, err := Field{Order: 2, Signed: 1}.Learn(t.Context(), method.Problem{Y: y, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 5}})
	if err != nil || got.Graph.EdgeCount() > 5 {
		t.Errorf("got %v and %v", got, err)
	}
	if _, err := (Field{Heat: true, Signed: 1}).Relearn(t.Context(), method.Problem{Y: y}, 5); err != nil {
		t.Error(err)
	}
}
