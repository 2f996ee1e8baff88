package evidence

import (
	"math"

	"github.com/nervure/nervure/graph"
)

const (
	// sureErrors is by how many standard errors a partial correlation must be above what is not sure.
	sureErrors = 1.2
	// pathShare is by how much an edge must exceed what a path past a third vertex may leave. Noise of
	// measurement at that vertex leaves less than the product of its two partial correlations,
	// sensors that are mixed and signals that are smoothed up to twice as much.
	pathShare = 2
)

// A Margin is how far an edge is from what would look like it without being one.
type Margin struct {
	Floor float64 // standard errors above the floor
	// Path is the size of the partial correlation over the product of those on the strongest path past a
	// third vertex, if it is less than both: it may come from nothing else. +Inf if there is no such path.
	Path   float64
	Below  bool // the edge may be below the floor
	OfPath bool // it may come from such a path
}

// Unsure reports whether the edge may be either.
func (m Margin) Unsure() bool { return m.Below || m.OfPath }

// Margins returns those of the edges of the graph.
func (f *Finding) Margins(g *graph.Graph) []Margin {
	edges := g.Edges()
	neighbours := make([]map[int]float64, g.Vertices())
	for v := range neighbours {
		neighbours[v] = map[int]float64{}
	}
	for k, e := range edges {
		size := math.Abs(f.Edges[k].Partial)
		neighbours[e.I][e.J], neighbours[e.J][e.I] = size, size
	}
	margins := make([]Margin, len(edges))
	for k, e := range edges {
		size := math.Abs(f.Edges[k].Partial)
		a, b := neighbours[e.I], neighbours[e.J]
		if len(b) < len(a) {
			a, b = b, a
		}
		path := 0.0
		for j, first := range a {
			if second, closed := b[j]; closed && size < min(first, second) {
				path = max(path, first*second)
			}
		}
		margins[k] = Margin{f.Above[k], math.Inf(1), f.Above[k] < sureErrors, surely(f.Edges[k]) < pathShare*path}
		if path > 0 {
			margins[k].Path = size / path
		}
	}
	return margins
}

// surely returns the size of a partial correlation less sureErrors standard errors.
func surely(e graph.Evidence) float64 {
	z, se := e.OnFisherScale()
	return math.Tanh(max(math.Abs(z)-float64(sureErrors*se), 0))
}
