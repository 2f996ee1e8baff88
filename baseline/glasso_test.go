package baseline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

// gaussianSignals draws signals of a random precision matrix of about the given
// mean degree, and returns its edges. With signed, half of them repel.
func gaussianSignals(r *rand.Rand, n, signals int, degree float64, signed bool) (*mat.Dense, map[[2]int]bool) {
	theta, truth := mat.NewSymDense(n, nil), map[[2]int]bool{}
	for i := range n {
		theta.SetSym(i, i, theta.At(i, i)+0.3)
	}
	eachPair(n, func(_, i, j int) {
		if r.Float64() >= degree/float64(n-1) {
			return
		}
		v := 0.5 + r.Float64()
		theta.SetSym(i, i, theta.At(i, i)+v)
		theta.SetSym(j, j, theta.At(j, j)+v)
		if signed && r.IntN(2) == 0 {
			v = -v
		}
		theta.SetSym(i, j, -v)
		truth[[2]int{i, j}] = true
	})
	var chol mat.Cholesky
	chol.Factorize(theta)
	var u mat.TriDense
	chol.UTo(&u)
	y := mat.NewDense(n, signals, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	if err := y.Solve(&u, y); err != nil {
		panic(err)
	}
	return y, truth
}

// pearson is the correlation matrix by its definition.
func pearson(y *mat.Dense) *mat.SymDense {
	n, signals := y.Dims()
	rows := make([][]float64, n)
	for i := range n {
		rows[i] = slices.Clone(y.RawRowView(i))
		floats.AddConst(-floats.Sum(rows[i])/float64(signals), rows[i])
	}
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, floats.Dot(rows[i], rows[j])/floats.Norm(rows[i], 2)/floats.Norm(rows[j], 2))
		}
	}
	return s
}

func TestGraphicalLassoOfTwoVerticesIsSoftThresholding(t *testing.T) {
	y := mat.NewDense(2, 4, []float64{1, 2, 3, 5, 0, 4, 1, 6})
	c := pearson(y).At(0, 1)
	for _, rho := range []float64{0.9 * c, 0.5 * c, 0.01 * c} {
		// W_12 = c − ρ and W_ii = 1, so that the partial correlation is c − ρ too.
		for _, sign := range []float64{1, -1} {
			z := mat.DenseCopyOf(y)
			floats.Scale(sign, z.RawRowView(1))
			r := learned(t, Glasso{Penalty: rho, Absolute: true}, z)
			if got := r.Weights.Weights().At(0, 1); math.Abs(got-(c-rho)) > 1e-12 {
				t.Errorf("rho = %g: weight %.15g, want %.15g", rho, got, c-rho)
			}
			r = learned(t, Glasso{Penalty: rho}, z)
			if got := r.Graph.EdgeCount() == 1; got != (sign > 0) {
				t.Errorf("rho = %g, correlation of sign %g: edge is %t", rho, sign, got)
			}
		}
	}
}

func TestLargePenaltyLeavesNoEdges(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso large"), 15, 40, 3, true)
	s := pearson(y)
	largest := 0.0
	eachPair(15, func(_, i, j int) { largest = max(largest, math.Abs(s.At(i, j))) })
	for _, c := range []struct {
		share float64
		empty bool
	}{{1 + 1e-12, true}, {3, true}, {0.99, false}} {
		r := learned(t, Glasso{Penalty: c.share * largest, Absolute: true}, y)
		if (r.Graph.EdgeCount() == 0) != c.empty {
			t.Errorf("penalty of %g times the largest correlation: %d edges", c.share, r.Graph.EdgeCount())
		}
	}
}

// The reference is scikit-learn 1.9.1's solution (numpy 2.4.6, scipy 1.17.1, Python
// 3.11.7), printed by
//
//	import json, platform
//	import numpy as np, scipy, sklearn
//	from sklearn.covariance import graphical_lasso
//	random = np.random.default_rng(20080701)
//	cases = []
//	for vertices, signals, rho in [(12, 60, 0.1), (15, 10, 0.3)]:
//	    mix = np.eye(vertices) + 0.6 * np.diag(np.ones(vertices - 1), 1)
//	    mix[0, vertices // 2] = -0.8
//	    y = np.round(mix @ random.standard_normal((vertices, signals)) * 3 + 1, 6)
//	    s = np.corrcoef(y)
//	    _, theta = graphical_lasso(s, rho, tol=1e-10, enet_tol=1e-12, max_iter=10000)
//	    cases.append({"rho": rho, "signals": y.tolist(), "precision": theta.tolist()})
//	versions = {"scikit-learn": sklearn.__version__, "numpy": np.__version__,
//	            "scipy": scipy.__version__, "python": platform.python_version()}
//	print(json.dumps({"versions": versions, "cases": cases}))
func TestGraphicalLassoAgreesWithScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/glasso_reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Cases []struct {
			Rho                float64
			Signals, Precision [][]float64
		}
	}
	if err := json.Unmarshal(text, &reference); err != nil {
		t.Fatal(err)
	}
	if len(reference.Cases) != 2 {
		t.Fatalf("got %d cases, want 2", len(reference.Cases))
	}
	for _, c := range reference.Cases {
		y, want := fromRows(c.Signals), fromRows(c.Precision)
		got := solved(t, y, c.Rho, 1e-13)
		if d := largestEntry(got, want); d > 1e-5 {
			t.Errorf("rho = %g: entries differ by up to %.2g", c.Rho, d)
		}
		eachPair(len(c.Signals), func(_, i, j int) {
			if (got.At(i, j) != 0) != (want.At(i, j) != 0) {
				t.Errorf("rho = %g: entry (%d, %d) is %g, theirs %g", c.Rho, i, j, got.At(i, j), want.At(i, j))
			}
		})
		r := learned(t, Glasso{Penalty: c.Rho}, y)
		eachPair(len(c.Signals), func(_, i, j int) {
			partial := -want.At(i, j) / math.Sqrt(want.At(i, i)*want.At(j, j))
			if w := r.Graph.Weights().At(i, j); math.Abs(w-max(partial, 0)) > 1e-4 {
				t.Errorf("rho = %g: edge (%d, %d) weighs %g, their partial correlation is %g", c.Rho, i, j, w, partial)
			}
		})
	}
}

func fromRows(rows [][]float64) *mat.Dense {
	return mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))
}

// edgeF1 compares all non-zeros with the truth.
func edgeF1(g *graph.Graph, truth map[[2]int]bool) float64 {
	hits := 0
	for _, e := range g.Edges() {
		if truth[[2]int{e.I, e.J}] {
			hits++
		}
	}
	return 2 * float64(hits) / float64(g.EdgeCount()+len(truth))
}

func TestExtendedBICFindsEdgesBetterThanFolds(t *testing.T) {
	slow(t)
	var bic, folds float64
	const graphs = 6
	for trial := range graphs {
		y, truth := gaussianSignals(stream("glasso choice", trial), 20, []int{100, 500}[trial%2], 3, trial%3 == 0)
		for _, c := range []struct {
			folds int
			sum   *float64
		}{{0, &bic}, {5, &folds}} {
			r := learned(t, Glasso{Folds: c.folds, Absolute: true}, y)
			if r.Status != method.Converged || len(r.Warnings) > 0 {
				t.Errorf("%s, warnings %q", r.Status, r.Warnings)
			}
			*c.sum += edgeF1(r.Graph, truth) / graphs
		}
	}
	t.Logf("mean F1: %.3f by the extended BIC, %.3f by five folds", bic, folds)
	if bic < folds+0.1 || bic < 0.7 {
		t.Errorf("mean F1 %.3f by the extended BIC, %.3f by five folds; want the first to be clearly better, and at least 0.7", bic, folds)
	}
}

func TestChosenPenaltyGivenIsTheSame(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso given"), 15, 80, 3, true)
	for _, folds := range []int{0, 4} {
		chosen := learned(t, Glasso{Folds: folds, Absolute: true}, y)
		given := learned(t, chosen.Method, y)
		if d := largestEntry(chosen.Weights.Weights(), given.Weights.Weights()); d > 1e-4 {
			t.Errorf("%d folds: weights differ by %.2g", folds, d)
		}
		a, b := chosen.Method.(Glasso).Penalty, given.Method.(Glasso).Penalty
		if a != b || given.Rounds >= chosen.Rounds {
			t.Errorf("%d folds: rho %g after %d sweeps, given %g after %d", folds, a, chosen.Rounds, b, given.Rounds)
		}
	}
}

// Units, means and order are no part of the answer, whatever chooses the penalty.
func TestGraphicalLassoIgnoresUnitsAndOrder(t *testing.T) {
	slow(t)
	const n, signals = 14, 50
	r := stream("glasso units")
	y, _ := gaussianSignals(r, n, signals, 3, true)
	order, columns := r.Perm(n), r.Perm(signals)
	z := mat.NewDense(n, signals, nil)
	for i, from := range order {
		scale, mean := math.Pow(10, 6*r.Float64()-3), 10*r.NormFloat64()
		for k, column := range columns {
			z.Set(i, k, scale*(y.At(from, column)+mean))
		}
	}
	for _, o := range []Glasso{{Penalty: 0.1}, {}, {Folds: 5}, {Folds: signals}} {
		o.Absolute = true
		a := learned(t, o, y)
		b := learned(t, o, z)
		wa, wb := a.Weights.Weights(), b.Weights.Weights()
		eachPair(n, func(_, i, j int) {
			if d := math.Abs(wb.At(i, j) - wa.At(order[i], order[j])); d > 1e-4 {
				t.Errorf("%+v: edge (%d, %d) differs by %.2g", o, i, j, d)
			}
		})
	}
}

func TestSingularCorrelationsAreNoObstacle(t *testing.T) {
	slow(t)
	r := stream("glasso singular")
	y, _ := gaussianSignals(r, 10, 30, 3, false)
	copy(y.RawRowView(1), y.RawRowView(0)) // the same vertex twice
	for k, v := range y.RawRowView(2) {    // and once more, upside down
		y.Set(3, k, -v)
	}
	for _, o := range []Glasso{{}, {Folds: 3}, {Penalty: 0.5}, {Penalty: 0.02}} {
		o.Absolute = true
		got := learned(t, o, y)
		// The likelihood of equal vertices has no bound, so that folds ask for the smallest penalty there is.
		unbounded := o.Folds > 0 && len(got.Warnings) > 0 && strings.HasPrefix(got.Warnings[0], "rho is the smallest tried")
		if got.Status != method.Converged && !unbounded {
			t.Errorf("%+v: %s %q", o, got.Status, got.Warnings)
		}
		if w := got.Weights.Weights(); w.At(0, 1) <= 0 || w.At(2, 3) <= 0 {
			t.Errorf("%+v: equal vertices are not joined", o)
		}
	}
}

func TestSweepsUsedUpAreReported(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso sweeps"), 20, 25, 4, true)
	r := learned(t, Glasso{Penalty: 0.05, MaxSweeps: 2}, y)
	if r.Status != method.MaxRounds || r.Rounds != 2 || len(r.Warnings) != 1 {
		t.Errorf("got %s after %d sweeps with warnings %q", r.Status, r.Rounds, r.Warnings)
	}
}

func TestGraphicalLassoReturnsWhatItHasWhenStopped(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso stop"), 12, 30, 3, true)
	for _, o := range []Glasso{{Penalty: 0.1}, {}, {Folds: 3}} {
		for _, checks := range []int{0, 1, 7, 40, 90} {
			if checks == 90 && o.Penalty > 0 {
				continue // done before
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(errStopWatch) // the cause; Err is asked first
			left := checks
			r, err := o.Learn(stopWatch{ctx, &left}, method.Problem{Y: y, Threads: 1})
			cancel(nil)
			if !errors.Is(err, errStopWatch) || r == nil || r.Status != method.Interrupted {
				t.Errorf("%+v, stopped at check %d: %v, %+v", o, checks, err, r)
				continue
			}
			if r.Method.(Glasso).Penalty <= 0 || r.Graph.Vertices() != 12 {
				t.Errorf("%+v, stopped at check %d: rho %g, %d vertices", o, checks, r.Method.(Glasso).Penalty, r.Graph.Vertices())
			}
		}
	}
}

func TestGraphicalLassoRefuses(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso refuse"), 4, 6, 2, true)
	p := method.Problem{Y: y}
	const number = "want a number of at least 0"
	refuses(t, Glasso{Penalty: -1}, p, "rho", "got -1, "+number)
	refuses(t, Glasso{Gamma: math.NaN()}, p, "gamma", "got NaN, "+number)
	refuses(t, Glasso{Tolerance: math.Inf(1)}, p, "tolerance", "got +Inf, "+number)
	refuses(t, Glasso{MaxSweeps: -1}, p, "sweeps", "got -1, want at least 0")
	for value, words := range map[string]string{
		"1": "got 1, want 0 or 2 to 6, the number of signals", "7": "got 7, want 0 or 2 to 6, the number of signals",
		"2.5": "got 2.5, want a whole number", "1e300": "got 1e+300, want a whole number",
	} {
		refusesParams(t, "glasso", map[string]string{"folds": value}, p, input.Folds, words)
	}
	for value, words := range map[string]string{"2": "got 2, want 0 or 1", "0.5": "got 0.5, want 0 or 1"} {
		refusesParams(t, "glasso", map[string]string{"absolute": value}, p, "absolute", words)
	}
}

func BenchmarkGraphicalLasso(b *testing.B) {
	for _, c := range [][2]int{{20, 500}, {100, 200}} {
		y, _ := gaussianSignals(rng.Stream(1, "bench"), c[0], c[1], 4, false)
		b.Run(fmt.Sprintf("n=%d/m=%d", c[0], c[1]), func(b *testing.B) {
			for b.Loop() {
				learned(b, Glasso{}, y)
			}
		})
	}
}

func TestGraphicalLassoCutsAsTold(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso cut"), 12, 60, 3, false)
	p := method.Problem{Y: y, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 4}}
	r, err := Glasso{Penalty: 0.05}.Learn(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if r.Graph.EdgeCount() != 4 || r.Weights.EdgeCount() <= 4 {
		t.Errorf("kept %d of %d edges, want 4", r.Graph.EdgeCount(), r.Weights.EdgeCount())
	}
	p.Cut.Edges = 67
	refuses(t, Glasso{}, p, input.Edges, "got 67 to keep, want 1 to 66")
}
