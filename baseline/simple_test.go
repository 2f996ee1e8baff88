package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/synth"
)

// lowPass returns the kernels e^(−2λ) and e^(−λ).
func lowPass(t *testing.T) []kernel.Kernel {
	t.Helper()
	var kernels []kernel.Kernel
	for _, tau := range []float64{2, 1} {
		k, err := kernel.Heat(tau, 20, kernel.Chebyshev)
		if err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// drawn returns signals of the low-pass kernels on a random graph.
func drawn(t *testing.T, vertices, signals int, seed uint64) *synth.Truth {
	t.Helper()
	truth, err := synth.Generate(
		synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Probability: 0.3, Seed: seed},
		lowPass(t), synth.SignalSpec{Count: signals, Sparsity: 4, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

func weightsOf(g *graph.Graph) []float64 {
	n := g.Vertices()
	w := make([]float64, n*(n-1)/2)
	for _, e := range g.Edges() {
		w[pairIndex(n, e.I, e.J)] = e.Weight
	}
	return w
}

func samePairs(a, b *graph.Graph) bool {
	return slices.EqualFunc(a.Edges(), b.Edges(), func(e, f graph.Edge) bool { return e.I == f.I && e.J == f.J })
}

func largestDifference(a, b *graph.Graph) float64 {
	var d float64
	v, w := weightsOf(a), weightsOf(b)
	for e := range v {
		d = max(d, math.Abs(v[e]-w[e]))
	}
	return d
}

func TestCorrelationIsPearsons(t *testing.T) {
	y := drawn(t, 12, 40, 3).Signals
	n, _ := y.Dims()
	for i := range n { // a mean and a scale of its own change no correlation
		row := y.RawRowView(i)
		for k := range row {
			row[k] = float64(i+1)*row[k] - 5*float64(i)
		}
	}
	r, err := Correlation(t.Context(), y, CorrelationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w := weightsOf(r.Weights)
	eachPair(n, func(e, i, j int) {
		if want := math.Abs(stat.Correlation(y.RawRowView(i), y.RawRowView(j), nil)); math.Abs(w[e]-want) > 1e-12 {
			t.Errorf("pair (%d, %d): %g, want %g", i, j, w[e], want)
		}
	})
	for degree, want := range map[float64]int{0: 3 * n, 2: n, 1e9: n * (n - 1) / 2} {
		r, err := Correlation(t.Context(), y, CorrelationOptions{Degree: degree})
		if err != nil {
			t.Fatal(err)
		}
		if !samePairs(r.Graph, r.Weights.Strongest(want)) {
			t.Errorf("degree %g keeps %d edges, want the %d heaviest", degree, r.Graph.EdgeCount(), want)
		}
	}
}

// bruteNeighbours sorts all others by distance, for each vertex.
func bruteNeighbours(distance func(i, j int) float64, n, k int) map[[2]int]bool {
	edges := map[[2]int]bool{}
	for i := range n {
		var others []int
		for j := range n {
			if j != i {
				others = append(others, j)
			}
		}
		slices.SortFunc(others, func(a, b int) int {
			if distance(i, a) < distance(i, b) {
				return -1
			}
			return 1
		})
		for _, j := range others[:k] {
			edges[[2]int{min(i, j), max(i, j)}] = true
		}
	}
	return edges
}

func TestNearestNeighboursAreTheNearest(t *testing.T) {
	y := drawn(t, 15, 60, 4).Signals
	n, signals := y.Dims()
	standard := mat.DenseCopyOf(y)
	for i := range n {
		row := standard.RawRowView(i)
		mean, deviation := stat.PopMeanStdDev(row, nil)
		for k := range row {
			row[k] = (row[k] - mean) / deviation
		}
	}
	squared := func(m *mat.Dense, i, j int) (d float64) {
		for s := range signals {
			d += math.Pow(m.At(i, s)-m.At(j, s), 2)
		}
		return d
	}
	for _, k := range []int{1, 3, 6, 14} {
		r, err := NearestNeighbours(t.Context(), y, NeighbourOptions{Neighbours: k})
		if err != nil {
			t.Fatal(err)
		}
		want := bruteNeighbours(func(i, j int) float64 { return squared(standard, i, j) }, n, k)
		if r.Graph.EdgeCount() != len(want) {
			t.Errorf("k = %d: %d edges, want %d", k, r.Graph.EdgeCount(), len(want))
		}
		for _, e := range r.Graph.Edges() {
			similarity := 1 - squared(standard, e.I, e.J)/float64(4*signals)
			if !want[[2]int{e.I, e.J}] || math.Abs(e.Weight-similarity) > 1e-12 {
				t.Errorf("k = %d: edge %v, want similarity %g", k, e, similarity)
			}
		}

		g, err := GaussianKernel(t.Context(), y, GaussianOptions{Neighbours: k})
		if err != nil {
			t.Fatal(err)
		}
		want = bruteNeighbours(func(i, j int) float64 { return squared(y, i, j) }, n, k)
		for _, e := range g.Graph.Edges() {
			if !want[[2]int{e.I, e.J}] {
				t.Errorf("k = %d: gaussian kernel keeps %v", k, e)
			}
		}
		if g.Graph.EdgeCount() != len(want) {
			t.Errorf("k = %d: gaussian kernel keeps %d edges, want %d", k, g.Graph.EdgeCount(), len(want))
		}
	}
}

func TestGaussianOfMedianDistance(t *testing.T) {
	// Points 0, 1, 3, 7 twice over: distances √2·(1, 3, 7, 2, 6, 4), median √2·3.5.
	y := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 3, 3, 7, 7})
	for width, sigma := range map[float64]float64{0: 3.5, 2: 7} {
		r, err := GaussianKernel(t.Context(), y, GaussianOptions{Width: width})
		if err != nil {
			t.Fatal(err)
		}
		for e, d := range []float64{1, 3, 7, 2, 6, 4} {
			if got, want := weightsOf(r.Weights)[e], math.Exp(-d*d/(2*sigma*sigma)); math.Abs(got-want) > 1e-14 {
				t.Errorf("width %g, pair %d: %g, want %g", width, e, got, want)
			}
		}
	}
}

func TestEqualNeighboursAreAllKept(t *testing.T) {
	// Rows 1 and 2 are equal, so both are or neither is a nearest neighbour.
	y := mat.NewDense(4, 4, []float64{1, 2, 3, 5, 1, 2, 3, 4, 1, 2, 3, 4, 4, 1, 2, 0})
	r, err := NearestNeighbours(t.Context(), y, NeighbourOptions{Neighbours: 1})
	if err != nil {
		t.Fatal(err)
	}
	w := r.Graph.Weights()
	if w.At(0, 1) == 0 || w.At(0, 1) != w.At(0, 2) {
		t.Errorf("weights %g and %g of equal vertices", w.At(0, 1), w.At(0, 2))
	}
}

// own lists the methods of simple.go and spectral.go with some parameters.
func own() map[string]Params {
	return map[string]Params{
		"correlation": {"degree": 5}, "knn": {"k": 4}, "gaussian-kernel": {"width": 0.7}, "kernel-inversion": nil, "spectral-templates": {"rounds": 1},
	}
}

func learnOwn(t *testing.T, name string, params Params, y *mat.Dense) *Result {
	t.Helper()
	m, ok := ByName(name)
	if !ok {
		t.Fatalf("no method %q", name)
	}
	r, err := m.Learn(t.Context(), Problem{Y: y, Kernels: lowPass(t)}, params)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOwnMethodsSeeTheSameGraphIn(t *testing.T) {
	// 1e-5 is ten times the stop rule of the iterative method.
	const tolerance = 1e-5
	y := drawn(t, 14, 3000, 5).Signals
	n, signals := y.Dims()
	vertices, columns := rng.Stream(5, "vertices").Perm(n), rng.Stream(5, "columns").Perm(signals)
	for name, params := range own() {
		plain := learnOwn(t, name, params, y)
		same := func(what string, r *Result) {
			t.Run(name+"/"+what, func(t *testing.T) {
				if !samePairs(r.Graph, plain.Graph) || largestDifference(r.Weights, plain.Weights) > tolerance {
					t.Errorf("another graph: %d edges for %d, weights off by %g",
						r.Graph.EdgeCount(), plain.Graph.EdgeCount(), largestDifference(r.Weights, plain.Weights))
				}
			})
		}
		again := learnOwn(t, name, params, y)
		same("the same signals", again)
		if largestDifference(again.Weights, plain.Weights) != 0 {
			t.Errorf("%s: two runs differ", name)
		}
		for _, scale := range []float64{1e-200, 3.7, 1e200} {
			scaled := mat.DenseCopyOf(y)
			scaled.Scale(scale, scaled)
			same(fmt.Sprintf("signals times %g", scale), learnOwn(t, name, params, scaled))
		}
		flipped, shuffled, relabelled := mat.DenseCopyOf(y), mat.DenseCopyOf(y), mat.DenseCopyOf(y)
		flipped.Scale(-1, flipped)
		same("signals of the other sign", learnOwn(t, name, params, flipped))
		for i := range n {
			for s := range signals {
				shuffled.Set(i, s, y.At(i, columns[s]))
			}
			relabelled.SetRow(i, y.RawRowView(vertices[i]))
		}
		same("signals in another order", learnOwn(t, name, params, shuffled))

		r := learnOwn(t, name, params, relabelled)
		back := make([]int, n)
		for k, i := range vertices {
			back[i] = k
		}
		var err error
		for _, g := range []**graph.Graph{&r.Graph, &r.Weights} {
			if *g, err = (*g).Permuted(back); err != nil {
				t.Fatal(err)
			}
		}
		same("vertices in another order", r)
	}
}

// An impatient is a context that ends when it has been asked some times.
type impatient struct {
	context.Context
	left *int
}

var errImpatient = errors.New("counted down")

func (c impatient) Err() error {
	if *c.left--; *c.left < 0 {
		return errImpatient
	}
	return nil
}

func TestOwnMethodsStopWhenTold(t *testing.T) {
	truth := drawn(t, 12, 200, 6)
	for name, params := range own() {
		m, _ := ByName(name)
		for _, asked := range []int{0, 1, 5, 40} {
			left := asked
			r, err := m.Learn(impatient{t.Context(), &left}, Problem{Y: truth.Signals, Kernels: lowPass(t)}, params)
			switch {
			case r == nil:
				t.Errorf("%s after %d: no result (%v)", name, asked, err)
			case left >= 0 && (err != nil || r.Status == solver.Interrupted):
				t.Errorf("%s after %d: %s (%v) though never told to stop", name, asked, r.Status, err)
			case left < 0 && (!errors.Is(err, errImpatient) || r.Status != solver.Interrupted):
				t.Errorf("%s after %d: %s (%v), want interrupted with the cause", name, asked, r.Status, err)
			case r.Iterations > asked:
				t.Errorf("%s after %d: %d iterations", name, asked, r.Iterations)
			}
		}
	}
}

func TestOwnMethodsRefuse(t *testing.T) {
	good := drawn(t, 8, 20, 7).Signals
	bad := mat.DenseCopyOf(good)
	bad.Set(3, 4, math.NaN())
	flat, err := kernel.Polynomial("flat", []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		run   func() (*Result, error)
		field string
	}{
		"a number that is none": {func() (*Result, error) { return Correlation(t.Context(), bad, CorrelationOptions{}) }, "signals"},
		"one signal": {func() (*Result, error) {
			return Correlation(t.Context(), mat.NewDense(3, 1, nil), CorrelationOptions{})
		}, "signals"},
		"a negative k":         {func() (*Result, error) { return NearestNeighbours(t.Context(), good, NeighbourOptions{Neighbours: -1}) }, "k"},
		"a width that is none": {func() (*Result, error) { return GaussianKernel(t.Context(), good, GaussianOptions{Width: math.NaN()}) }, "width"},
		"no kernels":           {func() (*Result, error) { return KernelInversion(t.Context(), good, nil, InversionOptions{}) }, "kernels"},
		"kernels without a trace": {func() (*Result, error) {
			return KernelInversion(t.Context(), good, []kernel.Kernel{flat}, InversionOptions{})
		}, "kernels"},
		"an unknown set": {func() (*Result, error) { return SpectralTemplates(t.Context(), good, TemplateOptions{Set: "soup"}) }, "set"},
		"signals of zeros": {func() (*Result, error) {
			return SpectralTemplates(t.Context(), mat.NewDense(3, 3, nil), TemplateOptions{})
		}, "signals"},
		"a cut of no edges": {func() (*Result, error) {
			return Correlation(t.Context(), good, CorrelationOptions{Cut: graph.Cut{Rule: graph.CutEdges}})
		}, "edges"},
		"half a neighbour": {func() (*Result, error) {
			m, _ := ByName("knn")
			return m.Learn(t.Context(), Problem{Y: good}, Params{"k": 1.5})
		}, "k"},
		"a third set": {func() (*Result, error) {
			m, _ := ByName("spectral-templates")
			return m.Learn(t.Context(), Problem{Y: good}, Params{"set": 2})
		}, "set"},
	} {
		var input *input.Error
		if _, err := c.run(); !errors.As(err, &input) || string(input.Field) != c.field {
			t.Errorf("%s: error %v, want one about %s", what, err, c.field)
		}
	}
}
