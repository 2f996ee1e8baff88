package assess

import (
	"cmp"
	"slices"

	"github.com/nervure/nervure/graph"
)

// A tally says where the edges of a graph stand in what each half gives. Ranks
// and not the halves' own cuts are counted: where signals are few, a cut may keep
// most pairs, but the strongest edges are still the best ones.
type tally struct {
	place     map[[2]int]int    // of each edge of the graph
	level     int               // how many of a half's edges count as found
	chance    float64           // that one of all pairs is among them
	rank      [][]int           // of each edge in each half, from 0; level if it is not found
	strongest []map[[2]int]bool // the edges found in each half
}

// newTally is for the edges of g, which were cut out of weights. What counts as
// found are as many edges as g has, or as the gap in the weights suggests if
// that is more: who keeps only the ten strongest does not doubt them because
// halves put eleven others among their first ten.
func newTally(weights, g *graph.Graph, halves int) *tally {
	atGap, _ := weights.CutAtGap()
	t := &tally{
		place: map[[2]int]int{}, level: max(g.EdgeCount(), atGap.EdgeCount()),
		rank: make([][]int, halves), strongest: make([]map[[2]int]bool, halves),
	}
	n := weights.Vertices() - len(weights.Isolated())
	t.chance = min(float64(t.level)/max(float64(n)*float64(n-1)/2, 1), 1)
	for k, e := range g.Edges() {
		t.place[[2]int{e.I, e.J}] = k
	}
	return t
}

// add enters half k. Different halves may be added at a time.
func (t *tally) add(k int, weights *graph.Graph) {
	edges := weights.NormalizedWeights() // by which gaps are found
	slices.SortStableFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	t.rank[k] = slices.Repeat([]int{t.level}, len(t.place))
	t.strongest[k] = make(map[[2]int]bool, t.level)
	for r, e := range edges[:min(t.level, len(edges))] {
		pair := [2]int{e.I, e.J}
		t.strongest[k][pair] = true
		if at, ok := t.place[pair]; ok {
			t.rank[k][at] = r
		}
	}
}

// agreement returns the share of edges found that both halves of a pair find,
// over all pairs, in excess of chance: Cohen's κ. It is 0 where all pairs count
// as found.
func (t *tally) agreement() float64 {
	if t.level == 0 || t.chance == 1 {
		return 0
	}
	var both int
	for k := 0; k < len(t.strongest); k += 2 {
		for pair := range t.strongest[k] {
			if t.strongest[k+1][pair] {
				both++
			}
		}
	}
	share := float64(both) / float64(t.level*len(t.strongest)/2)
	return (share - t.chance) / (1 - t.chance)
}

// An evidence is what halves say about an edge.
type evidence struct {
	found     float64 // logit of the share of halves that find it
	strength  float64 // logit of that share, averaged over all stricter ways to count edges as found
	agreement float64 // of the halves, on all edges
}

// evidence returns what speaks for edge e.
func (t *tally) evidence(e int, agreement float64) evidence {
	var found, strength float64
	for _, rank := range t.rank {
		if rank[e] < t.level {
			found++
		}
		strength += 1 - float64(rank[e])/float64(t.level)
	}
	halves := float64(len(t.rank))
	return evidence{logit(found, halves), logit(strength, halves), agreement}
}

// confidence puts what was found into numbers, for the graph of the tally.
func (t *tally) confidence(g *graph.Graph) (*Confidence, error) {
	agreement := t.agreement()
	confidence := make([]float64, g.EdgeCount())
	for e := range confidence {
		confidence[e] = probability(t.evidence(e, agreement))
	}
	g, err := g.WithConfidence(confidence)
	return &Confidence{Graph: g, Halves: len(t.rank), Agreement: agreement}, err
}
