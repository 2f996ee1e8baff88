package assess

import (
	"math"

	"github.com/nervure/nervure/internal/linalg"
)

// A fieldEvidence is what speaks for an edge of a field, and against it.
type fieldEvidence struct {
	agreement float64 // of the halves, on all edges: between 0 and 1
	observed  float64 // signals, as many as they count for
	partial   float64 // partial correlation, the mean over the halves
	deviation float64 // its standard deviation over the halves

	correlation float64
	inTree      bool    // of the spanning tree of the largest correlations
	density     float64 // edges of the graph for each vertex
}

// evidence returns what there is on each edge.
func (t *fieldTally) evidence() []fieldEvidence {
	list := make([]fieldEvidence, len(t.edges))
	agreement, inTree, halves := t.agreement(), correlationTree(t.correlation), float64(len(t.partial))
	for k, e := range t.edges {
		list[k] = fieldEvidence{
			agreement: agreement, observed: t.observed, density: float64(len(t.edges)) / float64(t.correlation.Rows),
			correlation: t.correlation.Data[e.I*t.correlation.Cols+e.J], inTree: inTree[[2]int{e.I, e.J}],
		}
		sum := 0.0
		for _, partial := range t.partial {
			list[k].partial += partial[k] / halves
		}
		for _, partial := range t.partial {
			d := partial[k] - list[k].partial
			sum += d * d
		}
		list[k].deviation = math.Sqrt(sum / halves)
	}
	return list
}

// correlationTree returns the spanning tree of the largest correlations, by Prim's
// algorithm.
func correlationTree(correlation linalg.Dense) map[[2]int]bool {
	n := correlation.Rows
	in, nearest, tree := make([]bool, n), make([]int, n), make(map[[2]int]bool, n)
	to := func(v int) float64 { return correlation.Data[nearest[v]*n+v] }
	in[0] = true
	for range n - 1 {
		next := -1
		for v := range n {
			if !in[v] && (next < 0 || to(v) > to(next)) {
				next = v
			}
		}
		tree[[2]int{min(next, nearest[next]), max(next, nearest[next])}] = true
		in[next] = true
		for v := range n {
			if !in[v] && correlation.Data[next*n+v] > to(v) {
				nearest[v] = next
			}
		}
	}
	return tree
}
