package report

import (
	"bytes"
	"context"
	"flag"
	"strings"
	"sync"
	"testing"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

var seed = flag.Uint64("seed", 1, "seed of the random draws")

// truth draws signals on a graph.
func truth(t testing.TB, vertices int, noise float64) *synth.Truth {
	t.Helper()
	drawn, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyRBF, Vertices: vertices, Seed: *seed},
		learn.PaperModel().Kernels, synth.SignalSpec{Count: 80, Sparsity: 3, Noise: noise, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
	return drawn
}

// learnedRun learns from signals and has the answer to report.
func learnedRun(t testing.TB, drawn *synth.Truth, o learn.Options) content {
	t.Helper()
	return runOf(t, drawn, learn.Sparse{Model: learn.Model{Kernels: learn.PaperModel().Kernels, Sparsity: 3}, Options: o})
}

// someRun is learned once for all tests that do not change its result.
func someRun(t testing.TB) content {
	t.Helper()
	onceSomeRun.Do(func() { aRun = learnedRun(t, truth(t, 12, 0.1), learn.Options{}) })
	return aRun
}

var (
	onceSomeRun sync.Once
	aRun        content
)

// paperRun is learnedRun by the paper's algorithm.
func paperRun(t testing.TB, drawn *synth.Truth) content {
	t.Helper()
	return runOf(t, drawn, learn.Maretic2017{Model: learn.Model{Sparsity: 3}, Rounds: 20})
}

func runOf(t testing.TB, drawn *synth.Truth, m method.Method) content {
	t.Helper()
	learned, err := m.Learn(context.Background(), method.Problem{Y: drawn.Signals})
	if err != nil {
		t.Fatal(err)
	}
	result := learned.Own.(*learn.Result)
	return content{
		Title: "The graph behind a test", Command: "nervure learn test.csv", Version: "test", Method: "sparse",
		Verdict: "Supported.", Grade: nervure.Supported, Warnings: []string{"This is a test."}, Numbers: []number{{Label: "Vertices", Value: "many", Key: true}},
		Graph: result.Graph, Weights: result.Weights, Signals: drawn.Signals, Sparse: result, Kernels: []string{"heat:2", "highpass:1"},
	}
}

// webRun is a run without codes on n vertices with three edges each, and one more
// that the cut dropped.
func webRun(t testing.TB, n int, names []string) content {
	t.Helper()
	draw := rng.Stream(*seed, "web")
	seen := map[[2]int]bool{}
	var edges, dropped []graph.Edge
	add := func(list *[]graph.Edge, i, j int, weight float64) {
		pair := [2]int{min(i, j), max(i, j)}
		if i != j && !seen[pair] {
			seen[pair] = true
			*list = append(*list, graph.Edge{I: pair[0], J: pair[1], Weight: weight})
		}
	}
	for _, step := range []int{1, 2, 40} {
		for i := range n {
			add(&edges, i, (i+step)%n, 0.5+draw.Float64())
		}
	}
	for i := range n {
		add(&dropped, i, (i+3)%n, 0.1+0.1*draw.Float64())
	}
	return content{
		Title: "A web", Version: "test", Method: "knn", Verdict: "Learned by hand.",
		Graph: mustGraph(t, names, edges), Weights: mustGraph(t, names, append(edges, dropped...)),
	}
}

func mustGraph(t testing.TB, names []string, edges []graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(names, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// vertexTable reads a table about vertices.
func vertexTable(t testing.TB, names []string, text string) *dataio.VertexTable {
	t.Helper()
	read, err := dataio.DecodeVertices(strings.NewReader(text), "vertices.csv", dataio.CSV)
	if err != nil {
		t.Fatal(err)
	}
	of, _, err := read.For(names)
	if err != nil {
		t.Fatal(err)
	}
	return of
}

func page(t testing.TB, r content) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(t.Context(), &b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
