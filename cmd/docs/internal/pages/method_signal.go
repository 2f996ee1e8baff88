package pages

import (
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/learn"
)

// signalFigure shows a signal of one atom and one of three, on the true leaf.
func signalFigure(names []string) (string, error) {
	truth, err := truthOf("leaf", names)
	if err != nil {
		return "", err
	}
	places, err := verticesOf("leaf")
	if err != nil {
		return "", err
	}
	var leaf figure.Network
	for k, name := range places.Names {
		leaf.Vertices = append(leaf.Vertices, figure.Vertex{Name: name, X: places.Columns[0].Numbers[k], Y: places.Columns[1].Numbers[k]})
	}
	for _, e := range truth.Edges() {
		leaf.Edges = append(leaf.Edges, figure.Edge{From: e.I, To: e.J, Weight: e.Weight})
	}
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
