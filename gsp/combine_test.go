package gsp

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

func weighted(t *testing.T, w [][]float64) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for i, row := range w {
		for j := i + 1; j < len(row); j++ {
			edges = append(edges, graph.Edge{I: i, J: j, Weight: row[j]})
		}
	}
	return must(graph.New(graph.DefaultNames(len(w)), edges))(t)
}

// SLSQP and Clarabel found the same minima, to 5e-9 and 9e-7 in the weights.
func TestWeightsAreThoseOfOtherSoftware(t *testing.T) {
	text, err := os.ReadFile("testdata/kernel_combination.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Cases []struct {
			Name                          string
			Gamma, Objective              float64
			Graphs                        [][][]float64
			Signals, Combined, Prediction [][]float64
			Labelled                      []int
			Weights                       []float64
		}
	}
	if err := json.Unmarshal(text, &oracle); err != nil {
		t.Fatal(err)
	}
	for _, c := range oracle.Cases {
		var graphs []*graph.Graph
		for _, w := range c.Graphs {
			graphs = append(graphs, weighted(t, w))
		}
		labels := dense(c.Signals)
		for i := range c.Signals {
			if !slices.Contains(c.Labelled, i) {
				labels.SetRow(i, slices.Repeat([]float64{math.NaN()}, len(c.Signals[i])))
			}
		}
		r := must(Combine(t.Context(), graphs, labels, CombineOptions{Gamma: c.Gamma}))(t)
		if math.Abs(r.Objective-c.Objective) > 1e-9*c.Objective || r.Status != method.Converged || r.Gap > 1e-10*c.Objective || r.Joined != nil {
			t.Errorf("%s: %s with objective %v and gap %.2g, want %v", c.Name, r.Status, r.Objective, r.Gap, c.Objective)
		}
		column := func(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }
		near(t, c.Name+": weights", column(r.Weights), column(c.Weights), 1e-7)
		near(t, c.Name+": combined", r.Graph.Weights(), dense(c.Combined), 1e-7)
		near(t, c.Name+": prediction", r.Prediction, dense(c.Prediction), 1e-6)
		for k, w := range c.Weights {
			if (w == 0) != (r.Weights[k] == 0) {
				t.Errorf("%s: graph %d has weight %g, want %g", c.Name, k, r.Weights[k], w)
			}
		}
	}
}

// candidates draws connected graphs on n vertices: rings with chords.
func candidates(t *testing.T, n, count int) []*graph.Graph {
	t.Helper()
	draw := rng.Stream(*seed, "candidates")
	var list []*graph.Graph
	for range count {
		w := mat.NewSymDense(n, nil)
		order := draw.Perm(n)
		for k := range n {
			w.SetSym(order[k], order[(k+1)%n], 0.2+draw.Float64())
		}
		for range n {
			if i, j := draw.IntN(n), draw.IntN(n); i != j {
				w.SetSym(i, j, 0.2+draw.Float64())
			}
		}
		list = append(list, must(graph.FromWeights(graph.DefaultNames(n), w))(t))
	}
	return list
}

// from draws label vectors with the kernel of a graph as covariance, and noise.
func from(t *testing.T, g *graph.Graph, m int, noise float64) *mat.Dense {
	t.Helper()
	kernel, _, err := kernelOf(g, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := g.Vertices()
	eigen := linalg.NewEigen(n)
	copy(eigen.Vectors.Data, kernel.Data)
	if err := eigen.Factorize(); err != nil {
		t.Fatal(err)
	}
	draw := rng.Stream(*seed, "labels")
	white, y := mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
	white.Apply(func(k, _ int, _ float64) float64 { return math.Sqrt(max(eigen.Values[k], 0)) * draw.NormFloat64() }, white)
	linalg.Mul(y.RawMatrix(), eigen.Vectors, white.RawMatrix())
	y.Apply(func(_, _ int, v float64) float64 { return v + noise*draw.NormFloat64() }, y)
	return y
}

// objective is F(q) by its definition.
func objective(p *combineProblem, rows []int, gamma float64, q []float64) float64 {
	k := p.mixed(q, rows, rows)
	for i := range rows {
		k.Data[i*len(rows)+i] += gamma
	}
	y := matrix.Rows(p.labels, rows)
	var inverse, x mat.Dense
	if err := inverse.Inverse(mat.NewDense(len(rows), len(rows), k.Data)); err != nil {
		panic(err)
	}
	x.Mul(&inverse, y)
	_, m := y.Dims()
	return gamma * inner(y.RawMatrix(), x.RawMatrix()) / float64(m)
}

func problemOf(t *testing.T, graphs []*graph.Graph, y *mat.Dense) *combineProblem {
	t.Helper()
	p := &combineProblem{threads: 1, n: graphs[0].Vertices(), labels: y}
	for _, g := range graphs {
		kernel, _, err := kernelOf(g, 1)
		if err != nil {
			t.Fatal(err)
		}
		p.kernels = append(p.kernels, kernel)
	}
	return p
}

func TestDerivativesMatchFiniteDifferences(t *testing.T) {
	graphs := candidates(t, 9, 3)
	for _, m := range []int{2, 30} { // fewer label vectors than vertices, and more
		p := problemOf(t, graphs, from(t, graphs[0], m, 0.3))
		rows, gamma, q := []int{0, 2, 3, 5, 8}, 0.3, []float64{0.2, 0.5, 0.3}
		s := &search{combineProblem: p, gamma: gamma, rows: rows, labels: p.compressed(rows)}
		for k := range graphs {
			s.parts = append(s.parts, p.part(k, rows))
		}
		s.moveTo(q)
		if want := objective(p, rows, gamma, q); math.Abs(s.value-want) > 1e-12*want {
			t.Errorf("objective %v, want %v", s.value, want)
		}
		const h = 1e-5
		at := func(k int, d float64) []float64 {
			moved := slices.Clone(q)
			moved[k] += d
			return moved
		}
		for k := range q {
			want := (objective(p, rows, gamma, at(k, h)) - objective(p, rows, gamma, at(k, -h))) / (2 * h)
			if math.Abs(s.slope[k]-want) > 1e-6*math.Abs(want) {
				t.Errorf("derivative %d is %v, want %v", k, s.slope[k], want)
			}
		}
	}
}

func TestScaleOfGraphsAndLabelsDoesNotMatter(t *testing.T) {
	graphs := candidates(t, 12, 3)
	y := from(t, graphs[0], 10, 0.3)
	r := must(Combine(t.Context(), graphs, y, CombineOptions{Gamma: 0.2}))(t)
	var edges []graph.Edge
	for _, e := range graphs[1].Edges() {
		edges = append(edges, graph.Edge{I: e.I, J: e.J, Weight: 1e6 * e.Weight})
	}
	graphs[1] = must(graph.New(graphs[1].Names(), edges))(t)
	y.Scale(1e-3, y)
	again := must(Combine(t.Context(), graphs, y, CombineOptions{Gamma: 0.2}))(t)
	near(t, "weights", mat.NewDense(3, 1, again.Weights), mat.NewDense(3, 1, r.Weights), 1e-6)
}

// With a gamma that is chosen, labels that were never seen are predicted by the
// right graph, and about as well as those hidden.
func TestHiddenLabelsArePredicted(t *testing.T) {
	graphs := candidates(t, 40, 4)
	truth := from(t, graphs[2], 8, 0)
	labels := mat.DenseCopyOf(truth)
	for i := 0; i < 40; i += 4 {
		labels.SetRow(i, slices.Repeat([]float64{math.NaN()}, 8))
	}
	r := must(Combine(t.Context(), graphs, labels, CombineOptions{Threads: 2}))(t)
	var left, energy float64
	for i := 0; i < 40; i += 4 {
		for m := range 8 {
			left += math.Pow(r.Prediction.At(i, m)-truth.At(i, m), 2)
			energy += math.Pow(truth.At(i, m), 2)
		}
	}
	if left > 0.85*energy || r.HiddenError > 0.85 || slices.Max(r.Weights) != r.Weights[2] {
		t.Errorf("error %.2f, %.2f of hidden labels, weights %.2f", left/energy, r.HiddenError, r.Weights)
	}
	one := must(Combine(t.Context(), graphs, labels, CombineOptions{}))(t)
	near(t, "prediction on one thread", one.Prediction, r.Prediction, 0)
}

// A constant that is added to labels is added to what is predicted, and to nothing else.
func TestCenterMovesConstantsThrough(t *testing.T) {
	graphs := candidates(t, 12, 3)
	y := from(t, graphs[0], 4, 0.2)
	y.SetRow(5, slices.Repeat([]float64{math.NaN()}, 4))
	r := must(Combine(t.Context(), graphs, y, CombineOptions{Gamma: 0.2, Center: true}))(t)
	y.Apply(func(_, k int, v float64) float64 { return v + float64(k) }, y)
	again := must(Combine(t.Context(), graphs, y, CombineOptions{Gamma: 0.2, Center: true}))(t)
	near(t, "weights", mat.NewDense(3, 1, again.Weights), mat.NewDense(3, 1, r.Weights), 1e-8)
	r.Prediction.Apply(func(_, k int, v float64) float64 { return v + float64(k) }, r.Prediction)
	near(t, "prediction", again.Prediction, r.Prediction, 1e-8)
}

func TestClassesAreOneAgainstTheRest(t *testing.T) {
	names, labels := Classes([]string{"sea", "", "land", "sea"})
	if want := []string{"land", "sea"}; !slices.Equal(names, want) {
		t.Errorf("classes %q, want %q", names, want)
	}
	nan := math.NaN()
	for i, want := range [][]float64{{-1, 1}, {nan, nan}, {1, -1}, {-1, 1}} {
		if got := labels.RawRowView(i); got[0] != want[0] && !math.IsNaN(want[0]) || math.IsNaN(got[1]) != math.IsNaN(want[1]) {
			t.Errorf("vertex %d: %v, want %v", i, got, want)
		}
	}
	predicted := NearestClasses(names, dense([][]float64{{-0.2, 0.1}, {0.3, 0.2}, {0, 0}}))
	if want := []string{"sea", "land", "land"}; !slices.Equal(predicted, want) {
		t.Errorf("predicted %q, want %q", predicted, want)
	}
}

// A graph in pieces is tied together weakly, and told; alike graphs share.
func TestGraphsInPiecesAndAlikeGraphs(t *testing.T) {
	graphs := candidates(t, 10, 2)
	pieces := must(graph.New(graph.DefaultNames(10), []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 2, J: 3, Weight: 2}}))(t)
	graphs = append(graphs, pieces, graphs[0])
	r := must(Combine(t.Context(), graphs, from(t, graphs[0], 15, 0.2), CombineOptions{Gamma: 0.1}))(t)
	if !slices.Equal(r.Joined, []int{2}) || r.Status != method.Converged {
		t.Errorf("joined %v, %s with gap %.2g of %.2g", r.Joined, r.Status, r.Gap, r.Objective)
	}
	kernel, joined, err := kernelOf(pieces, 1)
	if err != nil || !joined {
		t.Fatal(err, joined)
	}
	var trace float64
	for i := range 10 {
		trace += kernel.Data[i*10+i]
		var sum float64
		for j := range 10 {
			sum += kernel.Data[i*10+j]
		}
		if math.Abs(sum) > 1e-10 {
			t.Errorf("row %d of the kernel sums to %g: constants are not free", i, sum)
		}
	}
	if math.Abs(trace-10) > 1e-10 {
		t.Errorf("trace %g, want 10", trace)
	}
}

func TestInterruptionKeepsTheBestSoFar(t *testing.T) {
	graphs := candidates(t, 10, 3)
	y := from(t, graphs[0], 5, 0.2)
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	r, err := Combine(ctx, graphs, y, CombineOptions{Gamma: 0.1})
	if !errors.Is(err, stop) || r == nil || r.Status != method.Interrupted || r.Graph.EdgeCount() == 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := Combine(ctx, graphs, y, CombineOptions{}); !errors.Is(err, stop) {
		t.Errorf("got %v, want the cause", err)
	}
}

func TestWhatCannotBeWeighedIsRefused(t *testing.T) {
	graphs := candidates(t, 6, 2)
	y := mat.NewDense(6, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	with := func(i, j int, v float64) *mat.Dense {
		changed := mat.DenseCopyOf(y)
		changed.Set(i, j, v)
		return changed
	}
	empty := must(graph.New(graphs[0].Names(), nil))(t)
	few := mat.NewDense(6, 1, slices.Repeat([]float64{math.NaN()}, 6))
	few.Set(0, 0, 1)
	for name, c := range map[string]struct {
		graphs []*graph.Graph
		y      *mat.Dense
		o      CombineOptions
	}{
		"one graph":        {graphs[:1], y, CombineOptions{}},
		"no edges":         {[]*graph.Graph{graphs[0], empty}, y, CombineOptions{}},
		"negative edges":   {[]*graph.Graph{graphs[0], weighted(t, [][]float64{{0, -1}, {-1, 0}})}, y, CombineOptions{}},
		"no labels":        {graphs, nil, CombineOptions{}},
		"a label of two":   {graphs, with(2, 1, math.NaN()), CombineOptions{}},
		"one label":        {graphs, few, CombineOptions{}},
		"a negative gamma": {graphs, y, CombineOptions{Gamma: -1}},
		"zeros":            {graphs, mat.NewDense(6, 1, nil), CombineOptions{}},
	} {
		if _, err := Combine(t.Context(), c.graphs, c.y, c.o); input.Find(err) == nil {
			t.Errorf("%s: got %v, want an input.Error", name, err)
		}
	}
}

// Directed graphs are weighed as the graphs without their direction.
func TestDirectedGraphsAreWeighedWithoutDirection(t *testing.T) {
	graphs := candidates(t, 8, 2)
	y := from(t, graphs[0], 3, 0.2)
	want := must(Combine(t.Context(), graphs, y, CombineOptions{Gamma: 0.1}))(t)
	graphs[0] = must(graph.NewDirected(graphs[0].Names(), graphs[0].Edges()))(t)
	if got := must(Combine(t.Context(), graphs, y, CombineOptions{Gamma: 0.1}))(t); !slices.Equal(got.Weights, want.Weights) {
		t.Errorf("got %v, want %v", got.Weights, want.Weights)
	}
}
