package assess

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
)

// withCycles is the tree with some more edges, so that there is no closed form.
func withCycles(tree *graph.Graph) *graph.Graph {
	n := tree.Vertices()
	edges := tree.Edges()
	for i := 1; i+2 < n; i += 3 {
		if (i+1)/2 != i && (i-1)/2 != i+2 {
			edges = append(edges, graph.Edge{I: i, J: i + 2, Weight: 1})
		}
	}
	return drawn(n, edges...)
}

// The gain is a difference of log densities, as they are computed from covariance matrices
// in the units of the signals, and is what held-out signals are judged by.
func TestEdgeGainIsADifferenceOfLogDensities(t *testing.T) {
	r := rng.Stream(*rankSeed, "edge gain")
	for _, n := range []int{3, 7, 20} {
		y, tree := treeSignals(r, n, 40)
		test, _ := treeSignals(r, n, 25)
		for name, g := range map[string]*graph.Graph{"tree": tree, "cycles": withCycles(tree), "empty": drawn(n)} {
			m := must.Get(FitEdges(y, g))
			if err := m.Check(n); err != nil {
				t.Error(err)
			}
			got := must.Get(m.Gain(test))
			with, alone := m.covariance(t)
			full := must.Get(FitGaussian(y, g))
			none := must.Get(FitGaussian(y, drawn(n)))
			a, b := full.LogDensity(test), none.LogDensity(test)
			for k, v := range got {
				x := mat.Col(nil, k, test)
				want := logNormal(t, x, m.Mean, with) - logNormal(t, x, m.Mean, alone)
				if math.Abs(v-want) > 1e-8*(1+math.Abs(want)) {
					t.Errorf("%s of %d: signal %d gains %g, by densities %g", name, n, k, v, want)
				}
				if held := a[k] - b[k]; math.Abs(v-held) > 1e-4*(1+math.Abs(held)) {
					t.Errorf("%s of %d: signal %d gains %g, held out %g", name, n, k, v, held)
				}
			}
		}
	}
}

// covariance returns that of the model, and that of the vertices alone.
func (m *EdgeGaussian) covariance(t *testing.T) (with, alone *mat.SymDense) {
	t.Helper()
	n := len(m.Mean)
	theta := mat.NewSymDense(n, nil) // in the units of the signals
	alone = mat.NewSymDense(n, nil)
	for i := range n {
		theta.SetSym(i, i, m.Diagonal[i]/(m.Scale[i]*m.Scale[i]))
		alone.SetSym(i, i, m.Scale[i]*m.Scale[i])
	}
	for k, p := range m.Pairs {
		theta.SetSym(p[0], p[1], m.Precision[k]/(m.Scale[p[0]]*m.Scale[p[1]]))
	}
	var chol mat.Cholesky
	if !chol.Factorize(theta) {
		t.Fatal("Θ is not positive definite")
	}
	with = mat.NewSymDense(n, nil)
	if err := chol.InverseTo(with); err != nil {
		t.Fatal(err)
	}
	return with, alone
}

// logNormal is the log density of a Gaussian, by its definition.
func logNormal(t *testing.T, x, mean []float64, covariance *mat.SymDense) float64 {
	t.Helper()
	var chol mat.Cholesky
	if !chol.Factorize(covariance) {
		t.Fatal("the covariance is not positive definite")
	}
	d := mat.NewVecDense(len(x), nil)
	for i := range x {
		d.SetVec(i, x[i]-mean[i])
	}
	var solved mat.VecDense
	if err := chol.SolveVecTo(&solved, d); err != nil {
		t.Fatal(err)
	}
	return -(float64(len(x))*math.Log(2*math.Pi) + chol.LogDet() + mat.Dot(d, &solved)) / 2
}

// On signals whose vertices all but determine each other, a coarse fit would not do.
func TestEdgesOfNearlySingularSignals(t *testing.T) {
	const n, signals = 8, 20_000
	r := rng.Stream(*rankSeed, "nearly singular")
	y := mat.NewDense(n, signals, nil)
	for k := range signals {
		common := r.NormFloat64()
		for i := range n {
			y.Set(i, k, common+1e-3*r.NormFloat64())
		}
	}
	var edges []graph.Edge
	for i := range n {
		edges = append(edges, graph.Edge{I: i, J: (i + 1) % n, Weight: 1}) // a cycle
	}
	g := drawn(n, edges...)
	coarse := must.Get(FitGaussian(y, g))
	if coarse.onEdges(g) != nil {
		t.Error("a coarse fit does: this tests nothing")
	}
	m := must.Get(FitEdges(y, g))
	gains := must.Get(m.Gain(y))
	full := must.Get(fitGaussian(y, g, precision{fineTolerance, fineSweeps}))
	none := must.Get(FitGaussian(y, drawn(n)))
	a, b := full.LogDensity(y), none.LogDensity(y)
	mean, want := 0.0, 0.0
	for k := range gains {
		mean, want = mean+gains[k]/signals, want+(a[k]-b[k])/signals
	}
	if math.Abs(mean-want) > 2*lostLikeness {
		t.Errorf("the mean gain is %g, want %g", mean, want)
	}
}

// A missing value is the mean: it adds nothing but through its neighbours, and one signal
// alone gains as much as among others.
func TestEdgeGainOfMissingValues(t *testing.T) {
	y, g := treeSignals(rng.Stream(*rankSeed, "missing gain"), 7, 50)
	m := must.Get(FitEdges(y, g))
	gaps, filled := mat.DenseCopyOf(y), mat.DenseCopyOf(y)
	for k := range 50 {
		gaps.Set(k%7, k, math.NaN())
		filled.Set(k%7, k, m.Mean[k%7])
	}
	a := must.Get(m.Gain(gaps))
	b := must.Get(m.Gain(filled))
	for k := range a {
		alone, err := m.Gain(mat.DenseCopyOf(gaps.Slice(0, 7, k, k+1)))
		if err != nil || a[k] != b[k] || alone[0] != a[k] {
			t.Errorf("signal %d: %g with a gap, %g filled, %g alone, %v", k, a[k], b[k], alone, err)
		}
	}
	if _, err := m.Gain(mat.NewDense(3, 2, nil)); err == nil {
		t.Error("three vertices are taken for seven")
	}
}

// Numbers from a file are not trusted.
func TestEdgeGaussianIsChecked(t *testing.T) {
	y, g := treeSignals(rng.Stream(*rankSeed, "checked"), 5, 30)
	for name, spoil := range map[string]func(m *EdgeGaussian){
		"too few means":        func(m *EdgeGaussian) { m.Mean = m.Mean[1:] },
		"too few entries":      func(m *EdgeGaussian) { m.Precision = nil },
		"a scale of zero":      func(m *EdgeGaussian) { m.Scale[2] = 0 },
		"a mean of NaN":        func(m *EdgeGaussian) { m.Mean[0] = math.NaN() },
		"a negative diagonal":  func(m *EdgeGaussian) { m.Diagonal[1] = -1 },
		"a vertex too many":    func(m *EdgeGaussian) { m.Pairs[0][1] = 5 },
		"an infinite entry":    func(m *EdgeGaussian) { m.Precision[0] = math.Inf(1) },
		"an infinite log det":  func(m *EdgeGaussian) { m.LogDet = math.Inf(-1) },
		"a vertex before all":  func(m *EdgeGaussian) { m.Pairs[0][0] = -1 },
		"an infinite diagonal": func(m *EdgeGaussian) { m.Diagonal[1] = math.Inf(1) },
	} {
		m := must.Get(FitEdges(y, g))
		if spoil(m); m.Check(5) == nil {
			t.Errorf("%s is taken", name)
		}
	}
	big := mat.NewDense(MostGaussianVertices+1, 2, nil)
	if _, err := FitEdges(big, drawn(MostGaussianVertices+1)); err == nil {
		t.Error("no number of vertices is too large")
	}
}
