package assess

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
)

// fewPairs has the correlations of those pairs that may look like edges: the edges, the largest weights,
// and neighbours of a common neighbour. Without matrices of all pairs, they stand for all.
type fewPairs struct {
	vertices int
	pairs    []correlatedPair // in order
	signed   bool             // those of either sign are alike
}

type correlatedPair struct {
	pair        [2]int
	correlation float64
	twoSteps    bool // not among the edges and the largest weights
}

// mostPaths is how many neighbours of a vertex, the closest, are held to be neighbours of each other.
const mostPaths = 16

// newFewPairs is for signals that are standardised.
func newFewPairs(x linalg.Dense, weights, g *graph.Graph, level int, signed bool, threads int) *fewPairs {
	f := &fewPairs{vertices: x.Rows, signed: signed}
	for _, pair := range slices.Concat(g.Pairs(), weights.Strongest(2*level).Pairs()) {
		f.pairs = append(f.pairs, correlatedPair{pair: pair})
	}
	f.pairs = append(f.pairs, twoSteps(g)...)
	slices.SortStableFunc(f.pairs, func(a, b correlatedPair) int { return comparePairs(a.pair, b.pair) })
	f.pairs = slices.CompactFunc(f.pairs, func(a, b correlatedPair) bool { return a.pair == b.pair })
	linalg.ForEach(threads, len(f.pairs), func(_, k int) {
		p := &f.pairs[k]
		p.correlation = portable.Dot(linalg.Row(x, p.pair[0]), linalg.Row(x, p.pair[1])) / float64(x.Cols)
	})
	return f
}

func comparePairs(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// twoSteps returns the pairs of neighbours of each vertex, those of its largest weights.
func twoSteps(g *graph.Graph) []correlatedPair {
	edges := g.Edges()
	slices.SortStableFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	neighbours := make([][]int, g.Vertices())
	for _, e := range edges {
		for _, ends := range [][2]int{{e.I, e.J}, {e.J, e.I}} {
			if list := &neighbours[ends[0]]; len(*list) < mostPaths {
				*list = append(*list, ends[1])
			}
		}
	}
	var pairs []correlatedPair
	for _, list := range neighbours {
		for a, i := range list {
			for _, j := range list[:a] {
				pairs = append(pairs, correlatedPair{pair: [2]int{min(i, j), max(i, j)}, twoSteps: true})
			}
		}
	}
	return pairs
}

func (f *fewPairs) at(i, j int) float64 {
	k, _ := slices.BinarySearchFunc(f.pairs, [2]int{i, j}, func(p correlatedPair, of [2]int) int { return comparePairs(p.pair, of) })
	return f.pairs[k].correlation
}

// size returns a correlation as far as it counts.
func (f *fewPairs) size(p correlatedPair) float64 {
	if f.signed {
		return math.Abs(p.correlation)
	}
	return p.correlation
}

// closest returns the pairs by their correlations, the largest first.
func (f *fewPairs) closest() []correlatedPair {
	list := slices.Clone(f.pairs)
	slices.SortStableFunc(list, func(a, b correlatedPair) int { return cmp.Compare(f.size(b), f.size(a)) })
	return list
}

// tree returns the spanning forest of the largest correlations among the pairs, by Kruskal's algorithm.
// An edge of the tree of all pairs is in the forest of any that it belongs to.
func (f *fewPairs) tree() map[[2]int]bool {
	joined, tree := matrix.NewSets(f.vertices), map[[2]int]bool{}
	for _, p := range f.closest() {
		if joined.Unite(p.pair[0], p.pair[1]) {
			tree[p.pair] = true
		}
	}
	return tree
}

// candidates returns the edges, the largest weights, twice level, and as many as level of the closest
// pairs that have a common neighbour.
func (f *fewPairs) candidates(_, _ *graph.Graph, level int) [][2]int {
	var pairs [][2]int
	for _, p := range f.closest() {
		switch {
		case !p.twoSteps:
		case level > 0 && f.size(p) > 0:
			level--
		default:
			continue
		}
		pairs = append(pairs, p.pair)
	}
	slices.SortFunc(pairs, comparePairs)
	return pairs
}

// notByChance returns the most confidence of each edge: 1 less the false discovery rate, among all pairs, at
// which its vertices have anything to do with each other, by their correlation. Whatever method learned a
// graph of many vertices, it chose among enough pairs for the strongest to be strong by chance, and in any
// half; and there may be no structure test to tell that there is a graph at all.
func (t *fieldTally) notByChance() []float64 {
	const closest = 0.9999 // so that rounding errors are no infinity
	errors := math.Sqrt(max(t.observed-3, 1))
	chances := make([]float64, len(t.edges))
	for k, e := range t.edges {
		r := min(math.Abs(t.near.at(e.I, e.J)), closest)
		chances[k] = 2 * distuv.UnitNormal.Survival(math.Atanh(r)*errors)
	}
	most := matrix.QValues(chances, t.vertices*(t.vertices-1)/2)
	for k, q := range most {
		most[k] = math.Round(1000*(1-q)) / 1000
	}
	return most
}
