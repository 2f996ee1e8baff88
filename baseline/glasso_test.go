package baseline

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/solver"
)

// glassoStream draws from the seed that the tests of the package share.
func glassoStream(name string, index ...int) *rand.Rand {
	seed := uint64(1)
	if f := flag.Lookup("seed"); f != nil {
		seed, _ = strconv.ParseUint(f.Value.String(), 10, 64)
	}
	return rng.Stream(seed, "glasso "+name, index...)
}

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

// solved returns Θ for the signals.
func solved(t *testing.T, y *mat.Dense, rho, tolerance float64) *mat.SymDense {
	t.Helper()
	p := newPrecision(secondMoments(standardised(y)))
	if end := p.solve(t.Context(), rho, tolerance, 5000); end.status != solver.Converged {
		t.Fatalf("rho = %g: %s with gap %g after %d sweeps", rho, end.status, end.gap, end.sweeps)
	}
	n := p.s.Rows
	eachPair(n, func(_, i, j int) {
		if p.theta.Data[i*n+j] != p.theta.Data[j*n+i] {
			t.Fatalf("rho = %g: precision (%d, %d) and (%d, %d) differ", rho, i, j, j, i)
		}
	})
	return mat.NewSymDense(n, p.theta.Data)
}

// kktViolation returns by how much Θ misses its optimality conditions: with
// W = Θ⁻¹, W_ii = S_ii, W_ij − S_ij = ρ sign Θ_ij, and |W_ij − S_ij| ≤ ρ where Θ_ij = 0.
func kktViolation(t *testing.T, s, theta mat.Symmetric, rho float64) float64 {
	t.Helper()
	var chol mat.Cholesky
	if !chol.Factorize(theta) {
		t.Fatal("the precision matrix is not positive definite")
	}
	var w mat.SymDense
	if err := chol.InverseTo(&w); err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i := range s.SymmetricDim() {
		worst = max(worst, math.Abs(w.At(i, i)-s.At(i, i)))
		for j := range i {
			d := w.At(i, j) - s.At(i, j)
			if v := theta.At(i, j); v == 0 {
				worst = max(worst, math.Abs(d)-rho)
			} else {
				worst = max(worst, math.Abs(d-math.Copysign(rho, v)))
			}
		}
	}
	return worst
}

func TestGraphicalLassoMeetsItsOptimalityConditions(t *testing.T) {
	for trial, c := range []struct {
		n, signals int
		rho        float64
	}{{8, 100, 0.05}, {20, 400, 0.1}, {20, 400, 0.01}, {20, 10, 0.3}, {30, 12, 0.05}, {12, 2, 0.2}, {40, 60, 0.25}} {
		y, _ := gaussianSignals(glassoStream("kkt", trial), c.n, c.signals, 3, true)
		for _, tolerance := range []float64{1e-6, 1e-10, 1e-13} {
			// A step along one entry of Θ has curvature tr(WEWE) ≤ 4, because W_ii ≈ S_ii = 1, and slope
			// 2v where the condition is missed by v: it gains about v²/2, which the gap bounds.
			bound := 2 * math.Sqrt(float64(c.n)*tolerance)
			if v := kktViolation(t, pearson(y), solved(t, y, c.rho, tolerance), c.rho); v > bound {
				t.Errorf("n=%d/m=%d/rho=%g: conditions missed by %.2g at tolerance %g, want at most %.2g", c.n, c.signals, c.rho, v, tolerance, bound)
			}
		}
	}
}

func TestGraphicalLassoOfTwoVerticesIsSoftThresholding(t *testing.T) {
	y := mat.NewDense(2, 4, []float64{1, 2, 3, 5, 0, 4, 1, 6})
	c := pearson(y).At(0, 1)
	for _, rho := range []float64{0.9 * c, 0.5 * c, 0.01 * c} {
		// W_12 = c − ρ and W_ii = 1, so that the partial correlation is c − ρ too.
		for _, sign := range []float64{1, -1} {
			z := mat.DenseCopyOf(y)
			floats.Scale(sign, z.RawRowView(1))
			r, err := GraphicalLasso(t.Context(), z, GraphicalLassoOptions{Penalty: rho, Absolute: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Weights.Weights().At(0, 1); math.Abs(got-(c-rho)) > 1e-12 {
				t.Errorf("rho = %g: weight %.15g, want %.15g", rho, got, c-rho)
			}
			r, err = GraphicalLasso(t.Context(), z, GraphicalLassoOptions{Penalty: rho})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Graph.EdgeCount() == 1; got != (sign > 0) {
				t.Errorf("rho = %g, correlation of sign %g: edge is %t", rho, sign, got)
			}
		}
	}
}

func TestLargePenaltyLeavesNoEdges(t *testing.T) {
	y, _ := gaussianSignals(glassoStream("large"), 15, 40, 3, true)
	s := pearson(y)
	largest := 0.0
	eachPair(15, func(_, i, j int) { largest = max(largest, math.Abs(s.At(i, j))) })
	for _, c := range []struct {
		share float64
		empty bool
	}{{1 + 1e-12, true}, {3, true}, {0.99, false}} {
		r, err := GraphicalLasso(t.Context(), y, GraphicalLassoOptions{Penalty: c.share * largest, Absolute: true})
		if err != nil {
			t.Fatal(err)
		}
		if (r.Graph.EdgeCount() == 0) != c.empty {
			t.Errorf("penalty of %g times the largest correlation: %d edges", c.share, r.Graph.EdgeCount())
		}
	}
}

// splitting is a second solver: it alternates an eigenvalue problem for the smooth
// part and shrinkage for the penalty (ADMM with unit step), until they agree.
func splitting(t *testing.T, s *mat.SymDense, rho float64) *mat.SymDense {
	t.Helper()
	n := s.SymmetricDim()
	z, u, x := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	var eigen mat.EigenSym
	var v, scaled, product mat.Dense
	for range 20000 {
		for i := range n {
			for j := i; j < n; j++ {
				x.SetSym(i, j, z.At(i, j)-u.At(i, j)-s.At(i, j))
			}
		}
		if !eigen.Factorize(x, true) {
			t.Fatal("eigenvalues not found")
		}
		values := eigen.Values(nil)
		for k, d := range values {
			values[k] = (d + math.Sqrt(d*d+4)) / 2
		}
		eigen.VectorsTo(&v)
		scaled.Mul(&v, mat.NewDiagDense(n, values))
		product.Mul(&scaled, v.T())
		change := 0.0
		for i := range n {
			for j := i; j < n; j++ {
				to := product.At(i, j) + u.At(i, j)
				if i != j {
					to = shrink(to, rho)
				}
				change = max(change, math.Abs(to-z.At(i, j)), math.Abs(to-product.At(i, j)))
				u.SetSym(i, j, u.At(i, j)+product.At(i, j)-to)
				z.SetSym(i, j, to)
			}
		}
		if change < 1e-11 {
			return z
		}
	}
	t.Fatal("the second solver did not converge")
	return nil
}

func TestGraphicalLassoAgreesWithSplitting(t *testing.T) {
	for trial, c := range []struct {
		n, signals int
		rho        float64
	}{{6, 50, 0.1}, {12, 200, 0.05}, {12, 6, 0.3}} {
		y, _ := gaussianSignals(glassoStream("splitting", trial), c.n, c.signals, 3, true)
		got, want := solved(t, y, c.rho, 1e-14), splitting(t, pearson(y), c.rho)
		if d := largestEntry(got, want) / mat.Max(want); d > 1e-5 {
			t.Errorf("n=%d/m=%d/rho=%g: the solvers differ by %.2g of the largest entry", c.n, c.signals, c.rho, d)
		}
	}
}

func largestEntry(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
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
		r, err := GraphicalLasso(t.Context(), y, GraphicalLassoOptions{Penalty: c.Rho})
		if err != nil {
			t.Fatal(err)
		}
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

func TestSplittingIntoComponentsChangesNothing(t *testing.T) {
	y, _ := gaussianSignals(glassoStream("components"), 24, 80, 2, true)
	s := secondMoments(standardised(y))
	all := make([]int, 24)
	for i := range all {
		all[i] = i
	}
	// The largest penalties of the path have many components.
	path, several := penalties(s), 0
	for _, rho := range []float64{path[3], path[8], path[12], path[20]} {
		if len(blocksOf(s, rho)) > 1 {
			several++
		}
		split, whole := newPrecision(s), newPrecision(s)
		split.solve(t.Context(), rho, 1e-13, 5000)
		whole.solveBlocks(t.Context(), rho, 1e-13, 5000, [][]int{all})
		if d := floats.Distance(split.theta.Data, whole.theta.Data, math.Inf(1)); d > 1e-5 {
			t.Errorf("rho = %.3g: split and whole differ by %.2g", rho, d)
		}
		if a, b := split.edges(), whole.edges(); a != b {
			t.Errorf("rho = %.3g: %d edges split, %d whole", rho, a, b)
		}
	}
	if several == 0 {
		t.Error("no penalty gave more than one component")
	}
}

func TestGraphicalLassoObjectiveNeverRises(t *testing.T) {
	y, _ := gaussianSignals(glassoStream("monotone"), 20, 15, 4, true)
	const rho = 0.1
	p := newPrecision(secondMoments(standardised(y)))
	before := math.Inf(1)
	for sweep := range 30 {
		p.solve(t.Context(), rho, 1e-16, 1)
		f := p.loss(p.s)
		eachPair(20, func(_, i, j int) { f += 2 * rho * math.Abs(p.theta.Data[i*20+j]) })
		if f > before+1e-12*math.Abs(before) {
			t.Fatalf("sweep %d: objective rose from %.15g to %.15g", sweep, before, f)
		}
		before = f
	}
}

func TestStartDoesNotMatter(t *testing.T) {
	y, _ := gaussianSignals(glassoStream("start"), 15, 60, 3, true)
	cold := solved(t, y, 0.1, 1e-13)
	warm := newPrecision(secondMoments(standardised(y)))
	for _, rho := range []float64{0.02, 0.4, 0.1} { // up and down
		warm.solve(t.Context(), rho, 1e-13, 5000)
	}
	if d := largestEntry(cold, mat.NewSymDense(15, warm.theta.Data)); d > 1e-5 {
		t.Errorf("warm and cold start differ by %.2g", d)
	}
}

// The unpenalised fit on a support has the covariance of the signals there and zero
// precision elsewhere.
func TestRefitMatchesTheSignalsOnItsSupport(t *testing.T) {
	y, _ := gaussianSignals(glassoStream("refit"), 20, 300, 3, true)
	p := newPrecision(secondMoments(standardised(y)))
	p.solve(t.Context(), 0.2, 1e-10, 1000)
	before := p.edges()
	if end := p.refit(t.Context(), 1e-13, 1000); end.status != solver.Converged {
		t.Fatalf("%s with gap %g", end.status, end.gap)
	}
	if after := p.edges(); before == 0 || after != before {
		t.Errorf("%d edges became %d", before, after)
	}
	var w mat.Dense
	if err := w.Inverse(mat.NewSymDense(20, p.theta.Data)); err != nil {
		t.Fatal(err)
	}
	s := pearson(y)
	for i := range 20 {
		for j := range 20 {
			if d := math.Abs(w.At(i, j) - s.At(i, j)); p.theta.Data[i*20+j] != 0 && d > 1e-5 {
				t.Errorf("covariance (%d, %d) misses that of the signals by %.2g", i, j, d)
			}
		}
	}
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
		y, truth := gaussianSignals(glassoStream("choice", trial), 20, []int{100, 500}[trial%2], 3, trial%3 == 0)
		for _, c := range []struct {
			folds int
			sum   *float64
		}{{0, &bic}, {5, &folds}} {
			r, err := GraphicalLasso(t.Context(), y, GraphicalLassoOptions{Folds: c.folds, Absolute: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != solver.Converged || len(r.Warnings) > 0 {
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
	y, _ := gaussianSignals(glassoStream("given"), 15, 80, 3, true)
	for _, folds := range []float64{0, 4} {
		params := Params{"folds": folds, "absolute": 1}
		m, _ := ByName("glasso")
		chosen, err := m.Learn(t.Context(), Problem{Y: y}, params)
		if err != nil {
			t.Fatal(err)
		}
		given, err := m.Learn(t.Context(), Problem{Y: y}, chosen.Params)
		if err != nil {
			t.Fatal(err)
		}
		if d := largestEntry(chosen.Weights.Weights(), given.Weights.Weights()); d > 1e-4 {
			t.Errorf("%g folds: weights differ by %.2g", folds, d)
		}
		if given.Params["rho"] != chosen.Params["rho"] || given.Iterations >= chosen.Iterations {
			t.Errorf("%g folds: rho %g after %d sweeps, given %g after %d", folds, chosen.Params["rho"], chosen.Iterations, given.Params["rho"], given.Iterations)
		}
	}
}

// Units, means and order are no part of the answer, whatever chooses the penalty.
func TestGraphicalLassoIgnoresUnitsAndOrder(t *testing.T) {
	slow(t)
	const n, signals = 14, 50
	r := glassoStream("units")
	y, _ := gaussianSignals(r, n, signals, 3, true)
	order, columns := r.Perm(n), r.Perm(signals)
	z := mat.NewDense(n, signals, nil)
	for i, from := range order {
		scale, mean := math.Pow(10, 6*r.Float64()-3), 10*r.NormFloat64()
		for k, column := range columns {
			z.Set(i, k, scale*(y.At(from, column)+mean))
		}
	}
	for _, o := range []GraphicalLassoOptions{{Penalty: 0.1}, {}, {Folds: 5}, {Folds: signals}} {
		o.Absolute = true
		a, err := GraphicalLasso(t.Context(), y, o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := GraphicalLasso(t.Context(), z, o)
		if err != nil {
			t.Fatal(err)
		}
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
	r := glassoStream("singular")
	y, _ := gaussianSignals(r, 10, 30, 3, false)
	copy(y.RawRowView(1), y.RawRowView(0)) // the same vertex twice
	for k, v := range y.RawRowView(2) {    // and once more, upside down
		y.Set(3, k, -v)
	}
	for _, o := range []GraphicalLassoOptions{{}, {Folds: 3}, {Penalty: 0.5}, {Penalty: 0.02}} {
		o.Absolute = true
		got, err := GraphicalLasso(t.Context(), y, o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		// The likelihood of equal vertices has no bound, so that folds ask for the smallest penalty there is.
		unbounded := o.Folds > 0 && len(got.Warnings) > 0 && strings.HasPrefix(got.Warnings[0], "rho is the smallest tried")
		if got.Status != solver.Converged && !unbounded {
			t.Errorf("%+v: %s %q", o, got.Status, got.Warnings)
		}
		if w := got.Weights.Weights(); w.At(0, 1) <= 0 || w.At(2, 3) <= 0 {
			t.Errorf("%+v: equal vertices are not joined", o)
		}
	}
}

func TestSweepsUsedUpAreReported(t *testing.T) {
	y, _ := gaussianSignals(glassoStream("sweeps"), 20, 25, 4, true)
	r, err := GraphicalLasso(t.Context(), y, GraphicalLassoOptions{Penalty: 0.05, MaxSweeps: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != solver.MaxRounds || r.Iterations != 2 || len(r.Warnings) != 1 {
		t.Errorf("got %s after %d sweeps with warnings %q", r.Status, r.Iterations, r.Warnings)
	}
}

// A stopWatch is a context that ends when it has been asked so many times.
type stopWatch struct {
	context.Context
	left *int
}

var errStopWatch = errors.New("time is up")

func (s stopWatch) Err() error {
	if *s.left--; *s.left < 0 {
		return errStopWatch
	}
	return nil
}

func TestGraphicalLassoReturnsWhatItHasWhenStopped(t *testing.T) {
	y, _ := gaussianSignals(glassoStream("stop"), 12, 30, 3, true)
	for _, o := range []GraphicalLassoOptions{{Penalty: 0.1}, {}, {Folds: 3}} {
		for _, checks := range []int{0, 1, 7, 40, 90} {
			if checks == 90 && o.Penalty > 0 {
				continue // done before
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(errStopWatch) // the cause; Err is asked first
			left := checks
			r, err := graphicalLasso(stopWatch{ctx, &left}, y, o)
			cancel(nil)
			if !errors.Is(err, errStopWatch) || r == nil || r.Status != solver.Interrupted {
				t.Errorf("%+v, stopped at check %d: %v, %+v", o, checks, err, r)
				continue
			}
			if r.Params["rho"] <= 0 || r.Graph.Vertices() != 12 {
				t.Errorf("%+v, stopped at check %d: rho %g, %d vertices", o, checks, r.Params["rho"], r.Graph.Vertices())
			}
		}
	}
}

func TestGraphicalLassoRefuses(t *testing.T) {
	y, _ := gaussianSignals(glassoStream("refuse"), 4, 6, 2, true)
	for name, o := range map[string]GraphicalLassoOptions{
		"rho": {Penalty: -1}, "gamma": {Gamma: math.NaN()}, "tolerance": {Tolerance: math.Inf(1)}, "sweeps": {MaxSweeps: -1},
	} {
		_, err := GraphicalLasso(t.Context(), y, o)
		if input := (*input.Error)(nil); !errors.As(err, &input) || string(input.Field) != name {
			t.Errorf("%s: got %v", name, err)
		}
	}
	m, _ := ByName("glasso")
	for _, params := range []Params{{"folds": 1}, {"folds": 2.5}, {"folds": 7}, {"folds": 1e300}, {"absolute": 2}, {"absolute": 0.5}} {
		_, err := m.Learn(t.Context(), Problem{Y: y}, params)
		name := slices.Collect(maps.Keys(params))[0]
		if input := (*input.Error)(nil); !errors.As(err, &input) || string(input.Field) != name {
			t.Errorf("%v: got %v", params, err)
		}
	}
}

func TestBlocksAreComponents(t *testing.T) {
	a := linalg.NewDense(5, 5)
	for _, e := range [][2]int{{0, 3}, {3, 4}} {
		a.Data[e[0]*5+e[1]], a.Data[e[1]*5+e[0]] = -1, -1
	}
	if got := fmt.Sprint(blocksOf(a, 0.5), blocksOf(a, 1)); got != "[[0 3 4] [1] [2]] [[0] [1] [2] [3] [4]]" {
		t.Errorf("got %s", got)
	}
}

func BenchmarkGraphicalLasso(b *testing.B) {
	for _, c := range [][2]int{{20, 500}, {100, 200}} {
		y, _ := gaussianSignals(rng.Stream(1, "bench"), c[0], c[1], 4, false)
		b.Run(fmt.Sprintf("n=%d/m=%d", c[0], c[1]), func(b *testing.B) {
			for b.Loop() {
				if _, err := GraphicalLasso(b.Context(), y, GraphicalLassoOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
