package metrics

import (
	"iter"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// align returns found with its vertices in the order of truth's, and both without
// direction unless both are directed.
func align(op string, found, truth *graph.Graph) (alignedFound, alignedTruth *graph.Graph, err error) {
	if found.Vertices() != truth.Vertices() {
		return nil, nil, input.Errorf("metrics."+op, "vertices", "got %d, want %d", found.Vertices(), truth.Vertices())
	}
	if found.Directed() != truth.Directed() {
		found, truth = found.Undirected(), truth.Undirected()
	}
	have, want := found.Names(), truth.Names()
	if slices.Equal(have, want) {
		return found, truth, nil
	}
	place := make(map[string]int, len(have))
	for i, name := range have {
		place[name] = i
	}
	order := make([]int, len(want))
	for k, name := range want {
		i, ok := place[name]
		if !ok {
			return nil, nil, input.Errorf("metrics."+op, "vertex names", "the vertex %q of the true graph is not in the learned graph", name)
		}
		order[k] = i
	}
	found, err = found.Permuted(order)
	return found, truth, err
}

// pairs yields, in order, the two weights of every pair of vertices that is an
// edge of either graph, 0 standing for no edge.
func pairs(found, truth *graph.Graph) iter.Seq2[float64, float64] {
	return func(yield func(a, b float64) bool) {
		f, t := found.Edges(), truth.Edges()
		for len(f) > 0 || len(t) > 0 {
			var a, b float64
			inFound := len(t) == 0 || len(f) > 0 && !before(t[0], f[0])
			inTruth := len(f) == 0 || len(t) > 0 && !before(f[0], t[0])
			if inFound {
				a, f = f[0].Weight, f[1:]
			}
			if inTruth {
				b, t = t[0].Weight, t[1:]
			}
			if !yield(a, b) {
				return
			}
		}
	}
}

func before(a, b graph.Edge) bool { return a.I < b.I || a.I == b.I && a.J < b.J }
