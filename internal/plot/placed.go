package plot

import (
	"slices"
	"strconv"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
)

// Placed returns a table of vertices, which may be nil, with the columns x and y, where
// drawings have the vertices, and community, numbered from 1, the largest first. Columns that the
// table has already stay as they are, places as a whole: x is not taken from one drawing and y from
// another.
func Placed(g *graph.Graph, table *dataio.VertexTable) *dataio.VertexTable {
	placed := &dataio.VertexTable{Names: g.Names()}
	if table != nil {
		placed.Columns = slices.Clone(table.Columns)
	}
	add := func(name string, numbers []float64) {
		c := dataio.VertexColumn{Name: name, Numbers: numbers}
		for _, v := range numbers {
			c.Text = append(c.Text, strconv.FormatFloat(v, 'g', -1, 64))
		}
		placed.Columns = append(placed.Columns, c)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(placed.Columns, func(c dataio.VertexColumn) bool { return c.Name == name })
	}
	if !has("x") && !has("y") {
		x, y := Places(g, table)
		add("x", x)
		add("y", y)
	}
	if !has("community") {
		label, count := g.Communities()
		add("community", bySize(label, sizes(label, count)))
	}
	return placed
}

// bySize numbers groups from 1, the largest first and those of one size in their order.
func bySize(label, size []int) []float64 {
	order := matrix.Sorted(len(size), func(a, b int) int { return size[b] - size[a] })
	number := make([]float64, len(label))
	for i, c := range label {
		number[i] = float64(slices.Index(order, c) + 1)
	}
	return number
}
