package plot

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/kernel"
)

// atomsPerRow is how many atoms stand side by side.
const atomsPerRow = 4

// Atoms draws the atoms of kernels at some vertices of a graph as colours on its
// drawing n, a row of them for each kernel.
func Atoms(g *graph.Graph, n figure.Network, kernels []kernel.Kernel, centres []int) (figure.Fields, error) {
	fields := figure.Fields{Title: n.Title}
	operator, err := dictionary.NewOperator(g, kernels)
	if err != nil {
		return fields, err
	}
	chosen := mat.NewDense(operator.Atoms(), len(kernels)*len(centres), nil)
	for s := range kernels {
		for k, v := range centres {
			chosen.Set(s*g.Vertices()+v, s*len(centres)+k, 1)
		}
	}
	atoms, err := operator.Mul(chosen)
	if err != nil {
		return fields, err
	}
	n.Confidence = nil
	fields.PerRow = min(len(centres), atomsPerRow)
	for s, generator := range kernels {
		for k, v := range centres {
			fields.Fields = append(fields.Fields, figure.Field{
				Title:   kernel.ShortName(generator.Name) + " at " + n.Vertices[v].Name,
				Network: n, Marked: []int{v}, Values: mat.Col(nil, s*len(centres)+k, atoms),
			})
		}
	}
	return fields, nil
}

// BestConnected lists the vertices with most edges, at most count of them.
func BestConnected(g *graph.Graph, count int) []int {
	edges := make([]int, g.Vertices())
	for _, e := range g.Edges() {
		edges[e.I]++
		edges[e.J]++
	}
	order := make([]int, len(edges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(edges[b], edges[a]) })
	return order[:min(count, len(order))]
}
