package plot

import (
	"cmp"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/layout"
)

// Heatmap is the weight matrix, the largest component first, in the order that its
// vertices have along the drawing of the graph, which is laid out to be wide.
func Heatmap(title string, g *graph.Graph) figure.Matrix {
	x, _ := layout.Places(g)
	label, count := g.Components()
	size := make([]int, count)
	for _, c := range label {
		size[c]++
	}
	order := make([]int, g.Vertices())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		ca, cb := label[a], label[b]
		return cmp.Or(cmp.Compare(size[cb], size[ca]), cmp.Compare(ca, cb), cmp.Compare(x[a], x[b]))
	})
	m := figure.Matrix{Title: title, Directed: g.Directed()}
	names, place := g.Names(), make([]int, len(order))
	for k, i := range order {
		m.Names = append(m.Names, names[i])
		place[i] = k
		if k > 0 && label[i] != label[order[k-1]] && size[label[order[k-1]]] > 1 {
			m.Breaks = append(m.Breaks, k)
		}
	}
	for _, e := range g.Edges() {
		m.Cells = append(m.Cells, figure.Cell{Row: place[e.I], Column: place[e.J], Weight: e.Weight})
	}
	return m
}
