package intake

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/prepare"
)

// Vertices with the same values are learned as one: no method can tell them apart, and to each the
// other is all there is to know. Buses of a power grid that a switch joins are such vertices.

// equalUpTo is how far apart the values of equal vertices may be, in standard deviations: rounding.
const equalUpTo = 1e-9

// findEqual returns the vertices whose values are those of an earlier one, in the same unit.
func findEqual(ctx context.Context, y *mat.Dense) ([]prepare.Equal, error) {
	pairs, err := prepare.SameSignals(ctx, y)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	var equal []prepare.Equal
	merged := map[int]bool{}
	for _, p := range pairs {
		if !merged[p[0]] && !merged[p[1]] && areEqual(y.RawRowView(p[0]), y.RawRowView(p[1])) {
			merged[p[1]] = true
			equal = append(equal, prepare.Equal{Vertex: p[1], Origin: p[0]})
		}
	}
	slices.SortFunc(equal, func(a, b prepare.Equal) int { return a.Vertex - b.Vertex })
	return equal, nil
}

// areEqual reports whether two rows have the same values, and are observed at the same places.
func areEqual(a, b []float64) bool {
	far := equalUpTo * matrix.Describe(a).SD
	for k, v := range a {
		if math.IsNaN(v) != math.IsNaN(b[k]) || math.Abs(v-b[k]) > far {
			return false
		}
	}
	return true
}

// withoutEqual returns y without the values of vertices that another one has; y itself if there are
// none.
func withoutEqual(y *mat.Dense, equal []prepare.Equal) *mat.Dense {
	if len(equal) == 0 {
		return y
	}
	z := mat.DenseCopyOf(y)
	for _, e := range equal {
		row := z.RawRowView(e.Vertex)
		for k := range row {
			row[k] = math.NaN()
		}
	}
	return z
}

// warnOfEqual says which vertices have the same values.
func warnOfEqual(p *prepare.Prepared, names []string) {
	if len(p.Equal) == 0 {
		return
	}
	var pairs []string
	const most = 3
	for _, e := range p.Equal[:min(len(p.Equal), most)] {
		pairs = append(pairs, fmt.Sprintf("%q and %q", names[e.Vertex], names[e.Origin]))
	}
	if more := len(p.Equal) - most; more > 0 {
		pairs = append(pairs, fmt.Sprintf("%d more", more))
	}
	warn(p, prepare.EqualVertices, "vertices have equal values and are learned as one, joined by an edge: %s", strings.Join(pairs, ", "))
}

// rejoined returns a graph with the edges of vertices that were learned as one. Each has the edges of
// the other, with what is known of them, and one between the two that is as heavy as the heaviest,
// of which it is sure if anything is known of edges. A graph without edges, or of arrows, stays as it is.
func rejoined(g *graph.Graph, equal []prepare.Equal) *graph.Graph {
	if len(equal) == 0 || g.EdgeCount() == 0 || g.Directed() {
		return g
	}
	alike := map[int][]int{} // by origin, itself first
	for _, e := range equal {
		if alike[e.Origin] == nil {
			alike[e.Origin] = []int{e.Origin}
		}
		alike[e.Origin] = append(alike[e.Origin], e.Vertex)
	}
	all := func(i int) []int {
		if list := alike[i]; list != nil {
			return list
		}
		return []int{i}
	}
	copyOf := map[[2]int]int{} // places in the edges of g, −1 for what is none of them
	var edges []graph.Edge
	add := func(i, j int, weight float64, place int) {
		i, j = min(i, j), max(i, j)
		edges, copyOf[[2]int{i, j}] = append(edges, graph.Edge{I: i, J: j, Weight: weight}), place
	}
	heaviest := 0.0
	for k, e := range g.Edges() {
		heaviest = max(heaviest, math.Abs(e.Weight))
		for _, i := range all(e.I) {
			for _, j := range all(e.J) {
				add(i, j, e.Weight, k)
			}
		}
	}
	for _, list := range alike {
		for k, i := range list {
			for _, j := range list[:k] {
				add(i, j, heaviest, -1)
			}
		}
	}
	joined, err := graph.New(g.Names(), edges)
	var places []int
	if err == nil {
		for _, pair := range joined.Pairs() {
			places = append(places, copyOf[pair])
		}
		joined, err = joined.WithConfidence(copied(g.Confidence(), places, 1))
	}
	if err == nil {
		joined, err = joined.WithEvidence(copied(g.Evidence(), places, graph.Evidence{Partial: 1, Low: 1, High: 1, Q: 0}))
	}
	if err != nil {
		panic(err) // the vertices had no edges, being set aside
	}
	return joined
}

// copied returns the entries of a list at the given places, and sure where there is none; nil if
// there is no list.
func copied[T any](list []T, places []int, sure T) []T {
	if list == nil {
		return nil
	}
	again := make([]T, len(places))
	for k, place := range places {
		if again[k] = sure; place >= 0 {
			again[k] = list[place]
		}
	}
	return again
}
