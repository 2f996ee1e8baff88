package metrics

import "github.com/nervure/nervure/graph"

// A Coverage says how many of the vertices a true graph is about.
type Coverage struct {
	Joined   int // vertices with an edge
	Vertices int // all of them
}

// Covers returns how many of its vertices a true graph joins.
func Covers(truth *graph.Graph) Coverage {
	n := truth.Vertices()
	return Coverage{n - len(truth.Isolated()), n}
}

// Low says that less than half of the vertices have a true edge, as when the graph
// belongs to other signals: all edges found between the others count as false.
func (c Coverage) Low() bool { return 2*c.Joined < c.Vertices }
