package nervure_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/figure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/signals"
)

// The figures of docs/method.md are what the code computes from the leaf in
// examples. `go test . -run MethodFigures -update` draws them anew. Machines round
// differently, so drawings are compared without their numbers.
func TestMethodFiguresAreWhatIsComputed(t *testing.T) {
	leaf := readLeaf(t)
	exact, before := leaf.learn(t, 0)
	noisy, _ := leaf.learn(t, 0.5)
	if !exact.Certified || len(noisy.Path) == 0 {
		t.Fatalf("exact: %t, and %d graphs on the path", exact.Certified, len(noisy.Path))
	}
	for name, svg := range map[string]string{
		"signal":      leaf.signalFigure(t),
		"convergence": convergenceFigure(t, exact),
		"cut":         cutFigure(t, before, exact, noisy),
	} {
		path := filepath.Join("docs/figures", name+".svg")
		if *update {
			hold(t, path, svg)
			continue
		}
		if have, err := os.ReadFile(path); err != nil || drawing(string(have)) != drawing(svg) {
			t.Errorf("%s is not what is computed; run go test . -run MethodFigures -update", path)
		}
	}
}

// drawing is a figure without its numbers.
func drawing(svg string) string { return regexp.MustCompile(`[-\d.]+`).ReplaceAllString(svg, "#") }

// A leafSample is the sample of the demo.
type leafSample struct {
	signals *signals.Set
	truth   *graph.Graph
	network figure.Network
}

func readLeaf(t *testing.T) leafSample {
	t.Helper()
	signals, err := dataio.ReadSignals("examples/leaf/signals.csv", dataio.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	truth, err := dataio.ReadGraph("examples/leaf/truth.csv", signals.Names)
	if err != nil {
		t.Fatal(err)
	}
	leaf := leafSample{signals: signals, truth: truth}
	for _, row := range readTable(t, "examples/leaf/vertices.csv")[1:] {
		leaf.network.Vertices = append(leaf.network.Vertices, figure.Vertex{Name: row[0], X: number(t, row[1]), Y: number(t, row[2])})
	}
	for _, e := range truth.Edges() {
		leaf.network.Edges = append(leaf.network.Edges, figure.Edge{From: e.I, To: e.J, Weight: e.Weight})
	}
	return leaf
}

// learn learns the leaf from its signals and noise of a share of their amplitude.
// The weights before are those of the last graph update, when no edge was cut yet.
func (l leafSample) learn(t *testing.T, noise float64) (r *learn.Result, before *graph.Graph) {
	t.Helper()
	y := mat.DenseCopyOf(l.signals.Y)
	n, m := y.Dims()
	amplitude := noise * mat.Norm(y, 2) / math.Sqrt(float64(n*m))
	draw := rng.Stream(1, "noise of the method's figures", 0)
	y.Apply(func(_, _ int, v float64) float64 { return v + amplitude*draw.NormFloat64() }, y)
	for step, err := range learn.Steps(t.Context(), y, learn.Model{}, learn.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if step.Phase == learn.GraphUpdate {
			before = step.Weights()
		}
		r = step.Result
	}
	return r, before
}

// signalFigure shows a signal of one atom, and one of three.
func (l leafSample) signalFigure(t *testing.T) string {
	t.Helper()
	d, err := dictionary.Dense(l.truth.Laplacian(), learn.PaperModel().Kernels)
	if err != nil {
		t.Fatal(err)
	}
	n := l.truth.Vertices()
	sum := func(title string, parts map[string]float64) figure.Field {
		f := figure.Field{Title: title, Network: l.network, Values: make([]float64, n)}
		for i, v := range l.network.Vertices {
			coefficient, used := parts[v.Name]
			if !used {
				continue
			}
			f.Marked = append(f.Marked, i)
			for k := range n {
				f.Values[k] += coefficient * d.At(k, i)
			}
		}
		return f
	}
	var svg strings.Builder
	err = figure.WriteFields(&svg, "A signal of one atom and one of three, on the leaf",
		sum("One atom, at M3", map[string]float64{"M3": 1}),
		sum("Three atoms, at M3, R7 and L1", map[string]float64{"M3": 1, "R7": -0.8, "L1": 0.6}))
	if err != nil {
		t.Fatal(err)
	}
	return svg.String()
}

// convergenceFigure shows what is left over and how many edges there are, by step.
func convergenceFigure(t *testing.T, r *learn.Result) string {
	t.Helper()
	left := figure.Series{Name: "share left over, power of ten", Color: 2}
	edges := figure.Series{Name: "pairs of positive weight", Color: 0}
	true35 := figure.Series{Name: "veins of the leaf", Color: 1, Dashed: true}
	for k, s := range r.History {
		x := float64(k + 1)
		left.X, left.Y = append(left.X, x), append(left.Y, math.Log10(max(s.Residual, 1e-32)))
		edges.X, edges.Y = append(edges.X, x), append(edges.Y, float64(s.Edges))
	}
	last := float64(len(r.History))
	true35.X, true35.Y = []float64{1, last}, []float64{float64(r.Graph.EdgeCount()), float64(r.Graph.EdgeCount())}
	return charts(t, "How a run goes",
		figure.Chart{Title: "What is left over", XLabel: "step", YLabel: "log10", Series: []figure.Series{left}},
		figure.Chart{Title: "Edges", XLabel: "step", YLabel: "pairs", Series: []figure.Series{edges, true35}})
}

// cutFigure shows the gap in the weights of exact signals, and the path of noisy ones.
func cutFigure(t *testing.T, before *graph.Graph, exact, noisy *learn.Result) string {
	t.Helper()
	kept := figure.Series{Name: "kept", Color: 2, Points: true}
	dropped := figure.Series{Name: "dropped", Color: 3, Points: true}
	weights := before.NormalizedWeights()
	slices.SortFunc(weights, func(a, b graph.Edge) int { return int(math.Copysign(1, b.Weight-a.Weight)) })
	for k, e := range weights {
		s := &kept
		if k >= exact.Graph.EdgeCount() {
			s = &dropped
		}
		s.X, s.Y = append(s.X, float64(k+1)), append(s.Y, math.Log10(max(e.Weight, 1e-16)))
	}
	path := figure.Series{Name: "left over, held out", Color: 0}
	for _, p := range noisy.Path {
		path.X, path.Y = append(path.X, float64(p.Edges)), append(path.Y, p.CodeError)
	}
	cut := float64(noisy.Graph.EdgeCount())
	chosen := figure.Series{Name: "number of edges chosen", Color: 1, Dashed: true, X: []float64{cut, cut}, Y: []float64{slices.Min(path.Y), slices.Max(path.Y)}}
	return charts(t, "How edges are cut",
		figure.Chart{Title: "Without noise: a gap", XLabel: "pairs, heaviest first", YLabel: "log10, normalised", Series: []figure.Series{kept, dropped}},
		figure.Chart{Title: "With noise: a path that bends", XLabel: "edges", YLabel: "left over", Series: []figure.Series{path, chosen}})
}

func charts(t *testing.T, title string, list ...figure.Chart) string {
	t.Helper()
	var svg strings.Builder
	if err := figure.WriteCharts(&svg, title, 2, list...); err != nil {
		t.Fatal(err)
	}
	return svg.String()
}
