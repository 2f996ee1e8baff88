package graph

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// CutRule says which edges of learned weights are kept.
type CutRule string

const (
	// CutAuto keeps the edges before the largest gap of the sorted weights.
	CutAuto CutRule = "auto"
	// CutEdges keeps the heaviest Cut.Edges edges, whatever their signs.
	CutEdges CutRule = "edges"
	// CutThreshold keeps the edges of weight at least Cut.Threshold in size.
	CutThreshold CutRule = "threshold"
)

// CutRules lists the rules.
func CutRules() []CutRule { return []CutRule{CutAuto, CutEdges, CutThreshold} }

// A Cut turns learned weights into a graph. The zero Cut is automatic and uses no truth.
type Cut struct {
	Rule      CutRule // zero means CutAuto
	Edges     int     // for CutEdges
	Threshold float64 // for CutThreshold
}

// Fault says which field of c cannot be used on undirected graphs of n vertices,
// and why; both are empty if c is valid.
func (c Cut) Fault(n int) (field, sentence string) { return c.fault(n * (n - 1) / 2) }

// DirectedFault is Fault for directed graphs, which have room for twice as many edges.
func (c Cut) DirectedFault(n int) (field, sentence string) { return c.fault(n * (n - 1)) }

func (c Cut) fault(pairs int) (field, sentence string) {
	switch {
	case c.Rule != "" && !slices.Contains(CutRules(), c.Rule):
		return "cut", fmt.Sprintf("got %q, want one of %v", c.Rule, CutRules())
	case c.Rule == CutEdges && (c.Edges < 1 || c.Edges > pairs):
		return "edges", fmt.Sprintf("got %d to keep, want 1 to %d", c.Edges, pairs)
	case c.Rule == CutThreshold && !(c.Threshold >= 0 && c.Threshold <= math.MaxFloat64):
		return "threshold", fmt.Sprintf("got %g, want a non-negative number", c.Threshold)
	}
	return "", ""
}

// Apply returns the edges of g that c keeps.
func (c Cut) Apply(g *Graph) *Graph {
	switch c.Rule {
	case CutEdges:
		return g.Strongest(c.Edges)
	case CutThreshold:
		return g.Above(c.Threshold)
	default:
		kept, _ := g.CutAtGap()
		return kept
	}
}

// Strongest returns the graph of the k heaviest edges of g, or g itself if it
// has no more than k. Equal weights are taken in the order of (I, J).
func (g *Graph) Strongest(k int) *Graph {
	if k >= len(g.edges) {
		return g
	}
	kept := g.places(heaviestFirst)[:max(k, 0)]
	slices.Sort(kept)
	return g.pick(kept)
}

// Above returns the graph of the edges with weight at least x in size.
func (g *Graph) Above(x float64) *Graph {
	return g.where(func(e Edge) bool { return math.Abs(e.Weight) >= x })
}

// A Gap is a steep drop in the sorted edge weights.
type Gap struct {
	Edges int     // how many edges come before the gap
	Ratio float64 // weight before it over weight after it, 1 if there is no gap
}

// gapFloor is the share of the mean of the N heaviest normalised weights below
// which edges count as absent, so that the noise among vanishing weights cannot
// look like the largest gap.
const gapFloor = 0.01

// CutAtGap returns the edges of g before its largest gap, and the gap: the largest
// ratio of consecutive normalised weights A_ij = W_ij/√(d_i d_j) in descending order,
// among the cuts that keep between N/2 and 10N edges, or all if there are fewer.
// Without noise it is exactly after the true edges.
func (g *Graph) CutAtGap() (*Graph, Gap) {
	n := len(g.names)
	order := g.heaviestNormalized()
	gap := Gap{Edges: len(order), Ratio: 1}
	floor := gapFloor * meanOfHeaviest(order, n)
	for k := max(min(n/2, len(order)), 1); k <= min(len(order), 10*n); k++ {
		if r := ratioAfter(order, k, floor); r > gap.Ratio {
			gap = Gap{k, r}
		}
	}
	return g.only(order[:gap.Edges]), gap
}

// AboveShare returns the graph of the edges whose normalised weight is at least
// the given share of the mean of the N heaviest.
func (g *Graph) AboveShare(share float64) *Graph {
	order := g.heaviestNormalized()
	level := share * meanOfHeaviest(order, len(g.names))
	kept := slices.IndexFunc(order, func(e Edge) bool { return math.Abs(e.Weight) < level })
	if kept < 0 {
		return g
	}
	return g.only(order[:kept])
}

// GapAfter returns the ratio of the k-th heaviest normalised weight to the next.
func (g *Graph) GapAfter(k int) float64 {
	if k < 1 || k > len(g.edges) {
		return 1
	}
	order := g.heaviestNormalized()
	return ratioAfter(order, k, gapFloor*meanOfHeaviest(order, len(g.names)))
}

func (g *Graph) heaviestNormalized() []Edge {
	order := g.NormalizedWeights()
	slices.SortStableFunc(order, heaviestFirst)
	return order
}

// meanOfHeaviest returns the mean of the n heaviest of the sorted edges, 0 if there are none.
func meanOfHeaviest(order []Edge, n int) float64 {
	heaviest := order[:min(n, len(order))]
	var sum float64
	for _, e := range heaviest {
		sum += math.Abs(e.Weight)
	}
	return sum / float64(max(len(heaviest), 1))
}

// ratioAfter returns the ratio of weight k−1 to weight k of the sorted edges;
// whatever is absent or below the floor counts as the floor.
func ratioAfter(order []Edge, k int, floor float64) float64 {
	next := floor
	if k < len(order) {
		next = max(math.Abs(order[k].Weight), floor)
	}
	return max(math.Abs(order[k-1].Weight), floor) / next
}

func heaviestFirst(a, b Edge) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) }

// places returns the places of the edges of g in the order of compare, equals in
// their own.
func (g *Graph) places(compare func(a, b Edge) int) []int {
	places := make([]int, len(g.edges))
	for k := range places {
		places[k] = k
	}
	slices.SortStableFunc(places, func(a, b int) int { return compare(g.edges[a], g.edges[b]) })
	return places
}

// Passing returns the graph of the edges that pass the test of their evidence at a false discovery
// rate; none do if g has no evidence.
func (g *Graph) Passing(rate float64) *Graph {
	var kept []int
	for k, e := range g.Evidence() {
		if e.Q <= rate {
			kept = append(kept, k)
		}
	}
	return g.pick(kept)
}

// pick returns the graph of the edges at the given places of g, which follow one
// another as edges do, each with what is known of it.
func (g *Graph) pick(places []int) *Graph {
	return &Graph{g.names, pick(g.edges, places), g.known.pick(places), g.directed}
}

// where returns the graph of the edges for which keep holds.
func (g *Graph) where(keep func(e Edge) bool) *Graph {
	var kept []int
	for k, e := range g.edges {
		if keep(e) {
			kept = append(kept, k)
		}
	}
	return g.pick(kept)
}

// only returns the graph of those edges of g that are among the given ones,
// whose weights do not matter.
func (g *Graph) only(some []Edge) *Graph {
	keep := make(map[[2]int]bool, len(some))
	for _, e := range some {
		keep[[2]int{e.I, e.J}] = true
	}
	return g.where(func(e Edge) bool { return keep[[2]int{e.I, e.J}] })
}
