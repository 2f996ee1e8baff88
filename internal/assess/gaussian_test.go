package assess

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
)

var rankSeed = flag.Uint64("rank-seed", 1, "seed of the signals that graphs are ranked by; any must pass")

// treeSignals returns signals of a Gaussian on a binary tree, of uneven means and
// scales, and the tree.
func treeSignals(r *rand.Rand, n, signals int) (*mat.Dense, *graph.Graph) {
	y := mat.NewDense(n, signals, nil)
	var edges []graph.Edge
	for i := range n {
		for k := range signals {
			v := r.NormFloat64()
			if i > 0 {
				v += 1.2 * y.At((i-1)/2, k)
			}
			y.Set(i, k, v)
		}
		if i > 0 {
			edges = append(edges, graph.Edge{I: (i - 1) / 2, J: i, Weight: 1})
		}
	}
	y.Apply(func(i, _ int, v float64) float64 { return float64(i) - 3 + v*math.Pow(2, float64(i%5)) }, y)
	return y, drawn(n, edges...)
}

func drawn(n int, edges ...graph.Edge) *graph.Graph {
	return must.Get(graph.New(graph.DefaultNames(n), edges))
}

func fitted(t *testing.T, y *mat.Dense, g *graph.Graph) *Gaussian {
	t.Helper()
	return must.Get(FitGaussian(y, g))
}

// correlation returns that of the signals and one more, as FitGaussian has it.
func correlation(y *mat.Dense, i, j int) float64 {
	_, m := y.Dims()
	mi, si := meanAndScale(y.RawRowView(i))
	mj, sj := meanAndScale(y.RawRowView(j))
	sum := 0.0
	for k := range m {
		sum += (y.At(i, k) - mi) / si * (y.At(j, k) - mj) / sj
	}
	return sum / float64(m+1)
}

// The conditions for the maximum of the likelihood: covariances are those of the
// signals on edges, and the precision is zero elsewhere.
func TestFitGaussianMeetsItsConditions(t *testing.T) {
	const n = 10
	y, tree := treeSignals(rng.Stream(*rankSeed, "conditions"), n, 50)
	edges := append(tree.Edges(), graph.Edge{I: 3, J: 9, Weight: 1}, graph.Edge{I: 0, J: 7, Weight: 1}, graph.Edge{I: 5, J: 6, Weight: 1})
	g := drawn(n, edges...)
	m := fitted(t, y, g)
	var sigma mat.Dense
	if err := sigma.Inverse(m.theta); err != nil {
		t.Fatal(err)
	}
	w := g.Weights()
	for i := range n {
		for j := range n {
			switch {
			case i == j:
				if math.Abs(sigma.At(i, i)-1) > 1e-6 {
					t.Errorf("variance of vertex %d is %g, want 1", i, sigma.At(i, i))
				}
			case w.At(i, j) > 0:
				if want := correlation(y, i, j); math.Abs(sigma.At(i, j)-want) > 1e-5 {
					t.Errorf("covariance %d, %d is %g, want %g", i, j, sigma.At(i, j), want)
				}
			case math.Abs(m.theta.At(i, j)) > 1e-4:
				t.Errorf("precision %d, %d is %g, want 0", i, j, m.theta.At(i, j))
			}
		}
	}
}

// On a tree log det Θ is −Σ log(1 − r²) over its edges.
func TestFitGaussianOnATreeIsClosedForm(t *testing.T) {
	y, tree := treeSignals(rng.Stream(*rankSeed, "closed form"), 12, 40)
	want := 0.0
	for _, e := range tree.Edges() {
		r := correlation(y, e.I, e.J)
		want -= math.Log1p(-r * r)
	}
	if got := fitted(t, y, tree).logDet; math.Abs(got-want) > 1e-6*want {
		t.Errorf("log det Θ is %g, want %g", got, want)
	}
}

// A complete graph leaves nothing out: density and hidden values are those of the
// covariance matrix, computed from its inverse and by regression.
func TestGaussianOfACompleteGraphIsThatOfTheCovariance(t *testing.T) {
	const n = 6
	y, _ := treeSignals(rng.Stream(*rankSeed, "complete"), n, 60)
	var edges []graph.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			edges = append(edges, graph.Edge{I: i, J: j, Weight: 1})
		}
	}
	m := fitted(t, y, drawn(n, edges...))
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			cov.SetSym(i, j, m.scale[i]*m.scale[j])
			if i != j {
				cov.SetSym(i, j, cov.At(i, j)*correlation(y, i, j))
			}
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(cov); err != nil {
		t.Fatal(err)
	}
	away := mat.NewVecDense(n, nil)
	for k, z := range m.LogDensity(y) {
		for i := range n {
			away.SetVec(i, y.At(i, k)-m.mean[i])
		}
		want := -(math.Log(mat.Det(cov)) + mat.Inner(away, &inverse, away)) / 2
		if got := m.inUnits(z); math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
			t.Fatalf("signal %d: log density %g, want %g", k, got, want)
		}
	}
	hidden, seen := []int{1, 4}, []int{0, 2, 3, 5}
	got := must.Get(m.Predict(y, hidden))
	block, cross := mat.NewDense(4, 4, nil), mat.NewDense(4, 2, nil)
	for a, i := range seen {
		for b, j := range seen {
			block.Set(a, b, cov.At(i, j))
		}
		for b, j := range hidden {
			cross.Set(a, b, cov.At(i, j))
		}
	}
	var regression mat.Dense
	if err := regression.Solve(block, cross); err != nil {
		t.Fatal(err)
	}
	for b, j := range hidden {
		want := m.mean[j]
		for a, i := range seen {
			want += regression.At(a, b) * (y.At(i, 0) - m.mean[i])
		}
		if math.Abs(got.At(b, 0)-want) > 1e-5*m.scale[j] {
			t.Errorf("hidden vertex %d: got %g, want %g", j, got.At(b, 0), want)
		}
	}
}

// What is hidden is not looked at.
func TestPredictDoesNotLook(t *testing.T) {
	y, tree := treeSignals(rng.Stream(*rankSeed, "hidden"), 8, 30)
	m := fitted(t, y, tree)
	want := must.Get(m.Predict(y, []int{2, 3}))
	y.SetRow(2, make([]float64, 30))
	y.SetRow(3, make([]float64, 30))
	got, err := m.Predict(y, []int{2, 3})
	if err != nil || !mat.Equal(got, want) {
		t.Errorf("other hidden values change the prediction (error %v)", err)
	}
}

func TestFitGaussianTakesFewAndOddSignals(t *testing.T) {
	y, tree := treeSignals(rng.Stream(*rankSeed, "odd"), 9, 3)
	y.SetRow(4, []float64{7, 7, 7})
	y.SetRow(5, y.RawRowView(6))
	m := fitted(t, y, tree)
	for _, v := range m.LogDensity(y) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("log density %g", v)
		}
	}
	if _, err := FitGaussian(y, drawn(3)); err == nil {
		t.Error("a graph of other vertices was taken")
	}
}
