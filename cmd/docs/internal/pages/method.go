package pages

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
)

// leafSample is what the figures of the method are drawn from.
const leafSample = inputs.SamplePrefix + "leaf"

// methodFigures are the figures of docs/method.md, computed from the leaf of the
// examples.
func methodFigures(ctx context.Context) ([]File, error) {
	signals, err := inputs.Signals(leafSample, dataio.ReadOptions{}, inputs.Open)
	if err != nil {
		return nil, err
	}
	exact, err := learnLeaf(ctx, signals.Y, 0)
	if err != nil {
		return nil, err
	}
	noisy, err := learnLeaf(ctx, signals.Y, 0.5)
	if err != nil {
		return nil, err
	}
	if !exact.result.Certified || len(noisy.result.Path) == 0 {
		return nil, fmt.Errorf("the leaf has nothing to show: exact: %t, and %d graphs on the path", exact.result.Certified,
			len(noisy.result.Path))
	}
	var files []File
	for _, f := range []struct {
		name string
		draw func() (string, error)
	}{
		{"signal", func() (string, error) { return signalFigure(signals.Names) }},
		{"convergence", func() (string, error) { return convergenceFigure(exact.result) }},
		{"cut", func() (string, error) { return cutFigure(exact, noisy.result) }},
	} {
		svg, err := f.draw()
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: "docs/figures/" + f.name + ".svg", Text: svg, Computed: true})
	}
	return files, nil
}

// A learnedLeaf is the leaf as learned, and its weights at the last graph update,
// when no edge was cut yet.
type learnedLeaf struct {
	result *learn.Result
	uncut  *graph.Graph
}

// learnLeaf learns from the leaf's signals with noise of a share of their amplitude.
func learnLeaf(ctx context.Context, y *mat.Dense, noise float64) (learnedLeaf, error) {
	y = mat.DenseCopyOf(y)
	n, m := y.Dims()
	amplitude := noise * mat.Norm(y, 2) / math.Sqrt(float64(n*m))
	draw := rng.Stream(1, "noise of the method's figures", 0)
	y.Apply(func(_, _ int, v float64) float64 { return v + amplitude*draw.NormFloat64() }, y)
	var l learnedLeaf
	// The learner itself, because the figures are of seed 0, which the pipeline takes for 1.
	for step, err := range learn.Steps(ctx, y, learn.Model{}, learn.Options{}) {
		if err != nil {
			return l, err
		}
		if step.Phase == learn.GraphUpdate {
			l.uncut = step.Weights()
		}
		l.result = step.Result
	}
	return l, nil
}

// convergenceFigure shows the residual and the number of edges, by step.
func convergenceFigure(r *learn.Result) (string, error) {
	residual := figure.Series{Name: "residual, as a power of ten", Color: 2}
	edges := figure.Series{Name: "pairs of positive weight", Color: 0}
	veins := figure.Series{Name: "veins of the leaf", Color: 1, Dashed: true}
	for k, s := range r.History {
		x := float64(k + 1)
		residual.X, residual.Y = append(residual.X, x), append(residual.Y, math.Log10(max(s.Residual, 1e-32)))
		edges.X, edges.Y = append(edges.X, x), append(edges.Y, float64(s.Edges))
	}
	count := float64(r.Graph.EdgeCount())
	veins.X, veins.Y = []float64{1, float64(len(r.History))}, []float64{count, count}
	return chartsOf("Convergence of a run", 2,
		figure.Chart{Title: "Residual", XLabel: "step", YLabel: "log10", Series: []figure.Series{residual}},
		figure.Chart{Title: "Edges", XLabel: "step", YLabel: "pairs", Series: []figure.Series{edges, veins}})
}

// cutFigure shows the gap in the weights of exact signals, and the path of noisy ones.
func cutFigure(exact learnedLeaf, noisy *learn.Result) (string, error) {
	kept := figure.Series{Name: "kept", Color: 2, Points: true}
	dropped := figure.Series{Name: "dropped", Color: 3, Points: true}
	weights := exact.uncut.NormalizedWeights()
	slices.SortFunc(weights, func(a, b graph.Edge) int { return int(math.Copysign(1, b.Weight-a.Weight)) })
	for k, e := range weights {
		s := &kept
		if k >= exact.result.Graph.EdgeCount() {
			s = &dropped
		}
		s.X, s.Y = append(s.X, float64(k+1)), append(s.Y, math.Log10(max(e.Weight, 1e-16)))
	}
	path := figure.Series{Name: "held-out residual", Color: 0}
	for _, p := range noisy.Path {
		path.X, path.Y = append(path.X, float64(p.Edges)), append(path.Y, p.CodeError)
	}
	cut := float64(noisy.Graph.EdgeCount())
	chosen := figure.Series{
		Name: "number of edges chosen", Color: 1, Dashed: true, X: []float64{cut, cut},
		Y: []float64{slices.Min(path.Y), slices.Max(path.Y)},
	}
	return chartsOf("How edges are cut", 2,
		figure.Chart{
			Title: "Without noise: a gap", XLabel: "pairs, heaviest first", YLabel: "log10, normalised",
			Series: []figure.Series{kept, dropped},
		},
		figure.Chart{Title: "With noise: a pruning path with a bend", XLabel: "edges", YLabel: "residual", Series: []figure.Series{path, chosen}})
}

// signalFigure shows a signal of one atom and one of three, on the true leaf.
func signalFigure(names []string) (string, error) {
	truth, err := inputs.Graph(leafSample, names, inputs.Open)
	if err != nil {
		return "", err
	}
	places, err := verticesOf(leafSample)
	if err != nil {
		return "", err
	}
	leaf := plot.Graph("", truth, places)
	atoms, err := dictionary.Dense(truth.Laplacian(), learn.PaperModel().Kernels)
	if err != nil {
		return "", err
	}
	var svg strings.Builder
	err = figure.WriteFields(&svg, "A signal of one atom and one of three, on the leaf",
		sumOfAtoms("One atom, at M3", leaf, atoms, map[string]float64{"M3": 1}),
		sumOfAtoms("Three atoms, at M3, R7 and L1", leaf, atoms, map[string]float64{"M3": 1, "R7": -0.8, "L1": 0.6}))
	return svg.String(), err
}

// sumOfAtoms is a signal made of atoms of the first kernel, by their vertices.
func sumOfAtoms(title string, on figure.Network, atoms mat.Matrix, coefficients map[string]float64) figure.Field {
	f := figure.Field{Title: title, Network: on, Values: make([]float64, len(on.Vertices))}
	for i, v := range on.Vertices {
		coefficient, used := coefficients[v.Name]
		if !used {
			continue
		}
		f.Marked = append(f.Marked, i)
		for k := range f.Values {
			f.Values[k] += coefficient * atoms.At(k, i)
		}
	}
	return f
}
