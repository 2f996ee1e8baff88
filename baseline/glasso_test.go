package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

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
	for _, c := range oracle[struct {
		Rho                float64
		Signals, Precision [][]float64
	}](t, "glasso_reference") {
		y, want := denseOf(c.Signals), denseOf(c.Precision)
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

// Units, means and order are no part of the answer by folds either.
func TestGraphicalLassoIgnoresUnitsAndOrder(t *testing.T) {
	const n, signals = 10, 50
	r := stream("glasso units")
	y, _ := gaussianSignals(r, n, signals, 3, true)
	order, columns := r.Perm(n), r.Perm(signals)
	z := mat.NewDense(n, signals, nil)
	for i, from := range order {
		for k, column := range columns {
			z.Set(i, k, float64(i+1)*y.At(from, column)+10)
		}
	}
	m := Glasso{Folds: 5, Absolute: true}
	wa, wb := learned(t, m, y).Weights.Weights(), learned(t, m, z).Weights.Weights()
	eachPair(n, func(_, i, j int) {
		if d := math.Abs(wb.At(i, j) - wa.At(order[i], order[j])); d > 1e-4 {
			t.Errorf("edge (%d, %d) differs by %.2g", i, j, d)
		}
	})
}

func TestSweepsUsedUpAreReported(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso sweeps"), 20, 25, 4, true)
	r := learned(t, Glasso{Penalty: 0.05, MaxSweeps: 2}, y)
	if r.Status != method.MaxRounds || r.Rounds != 2 || len(r.Warnings) != 1 {
		t.Errorf("got %s after %d sweeps with warnings %q", r.Status, r.Rounds, r.Warnings)
	}
}
