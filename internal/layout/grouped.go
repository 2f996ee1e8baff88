package layout

import (
	"context"
	"math"

	"github.com/nervure/nervure/graph"
)

// apart is the space between the circles around two groups, in lengths of an edge.
const apart = 1.2

// Grouped gives each vertex of g a place near those of its group: every group is
// drawn for itself, as by Places, within a circle that no other group reaches into,
// and groups with heavy edges between them lie near one another. label has the group
// of each vertex, a number from 0. The unit and the middle are those of Places. If ctx ends, groups are
// drawn as by PlacesUntil.
func Grouped(ctx context.Context, g *graph.Graph, label []int) (x, y []float64) {
	x, y = make([]float64, g.Vertices()), make([]float64, g.Vertices())
	g = g.Undirected()
	component, count := g.Components()
	parts, edges := make([][]int, count), make([][]graph.Edge, count)
	for i, c := range component {
		parts[c] = append(parts[c], i)
	}
	for _, e := range g.Edges() {
		edges[component[e.I]] = append(edges[component[e.I]], e)
	}
	var boxes []*box
	var isolated []int
	for c, vertices := range parts {
		if len(vertices) == 1 {
			isolated = append(isolated, vertices[0])
			continue
		}
		boxes = append(boxes, newBox(vertices, inCircles(ctx, vertices, edges[c], label)))
	}
	pack(boxes, isolated, 1, x, y)
	return x, y
}

// A circle is a group of vertices with its own drawing around the origin.
type circle struct {
	members []int // places among the vertices of the component
	edges   []graph.Edge
	drawing
	radius float64
}

// inCircles draws a component: the groups, and the groups among one another.
func inCircles(ctx context.Context, vertices []int, edges []graph.Edge, label []int) drawing {
	var circles []*circle
	number := map[int]int{} // of the circle of a group
	home, inside := make([]int, len(vertices)), make([]int, len(vertices))
	place := map[int]int{} // of a vertex among those of the component
	for k, v := range vertices {
		c, known := number[label[v]]
		if !known {
			c = len(circles)
			number[label[v]] = c
			circles = append(circles, &circle{})
		}
		place[v], home[k], inside[k] = k, c, len(circles[c].members)
		circles[c].members = append(circles[c].members, k)
	}
	between := map[[2]int]float64{}
	for _, e := range edges {
		i, j := place[e.I], place[e.J]
		if a, b := home[i], home[j]; a == b {
			circles[a].edges = append(circles[a].edges, graph.Edge{I: inside[i], J: inside[j], Weight: e.Weight})
		} else {
			between[[2]int{min(a, b), max(a, b)}] += math.Abs(e.Weight)
		}
	}
	for _, c := range circles {
		c.drawing = drawingOf(ctx, len(c.members), c.edges)
		for i := range c.x {
			c.radius = max(c.radius, math.Sqrt(float64(c.x[i]*c.x[i])+float64(c.y[i]*c.y[i])))
		}
	}
	var roads []graph.Edge
	for pair, weight := range between {
		roads = append(roads, graph.Edge{I: pair[0], J: pair[1], Weight: weight}) // which are sorted by the graph
	}
	middles := drawingOf(ctx, len(circles), roads)
	middles.makeRoom(circles)
	d := newDrawing(len(vertices))
	for a, c := range circles {
		for k, member := range c.members {
			d.x[member], d.y[member] = middles.x[a]+c.x[k], middles.y[a]+c.y[k]
		}
	}
	return d
}

// drawingOf draws a graph of that many vertices.
func drawingOf(ctx context.Context, n int, edges []graph.Edge) drawing {
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		panic(err) // edges of a graph, or sums of them
	}
	x, y := PlacesUntil(ctx, g)
	return drawing{x, y}
}

// makeRoom moves the middles of circles until none reaches into another: those that do
// push one another aside, and what is left after a while is mended by scaling all.
func (d drawing) makeRoom(circles []*circle) {
	const rounds = 200
	least := func(a, b int) float64 { return circles[a].radius + circles[b].radius + apart }
	for range rounds {
		pushed := false
		for a := range circles {
			for b := range a {
				r, dx, dy := d.distance(a, b)
				if r == 0 {
					r, dx, dy = 1, 1, 0
				}
				if short := least(a, b) - r; short > 0 {
					by := short / (2 * r)
					d.x[a], d.y[a] = d.x[a]+float64(by*dx), d.y[a]+float64(by*dy)
					d.x[b], d.y[b] = d.x[b]-float64(by*dx), d.y[b]-float64(by*dy)
					pushed = pushed || short > 1e-9
				}
			}
		}
		if !pushed {
			return
		}
	}
	grow := 1.0
	for a := range circles {
		for b := range a {
			if r, _, _ := d.distance(a, b); r > 0 {
				grow = max(grow, least(a, b)/r)
			}
		}
	}
	d.scale(grow)
}
