package plot

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
)

// ComponentColumn numbers components from the largest, and leaves out vertices
// that are alone.
func ComponentColumn(g *graph.Graph) dataio.VertexColumn {
	label, count := g.Components()
	size, order := make([]int, count), make([]int, count)
	for _, c := range label {
		size[c]++
	}
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	rank := make([]int, count)
	for k, c := range order {
		rank[c] = k + 1
	}
	column := dataio.VertexColumn{Name: "component", Text: make([]string, len(label))}
	for i, c := range label {
		if size[c] > 1 {
			column.Text[i] = fmt.Sprint(rank[c])
		}
	}
	return column
}

// mostGroups is how many different numbers are drawn as groups, each with a colour
// of its own.
const mostGroups = 6

// Coloring gives a colour to each text of a column, those that most vertices have
// first; or shades to its numbers, if there are many of them.
func Coloring(c dataio.VertexColumn) *figure.Coloring {
	times := map[string]int{}
	for _, text := range c.Text {
		if text != "" {
			times[text]++
		}
	}
	if c.Numbers != nil && len(times) > mostGroups {
		return &figure.Coloring{Label: c.Name, Values: c.Numbers}
	}
	coloring := &figure.Coloring{Label: c.Name, Of: make([]int, len(c.Text))}
	for text := range times {
		coloring.Groups = append(coloring.Groups, text)
	}
	slices.SortFunc(coloring.Groups, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
	place := map[string]int{"": -1}
	for k, text := range coloring.Groups {
		place[text] = k
	}
	for i, text := range c.Text {
		coloring.Of[i] = place[text]
	}
	return coloring
}
