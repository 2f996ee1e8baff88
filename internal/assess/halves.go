package assess

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/prepare"
)

// halves splits m signals at random into two halves, disjoint and of as many
// blocks of consecutive signals; a block left over is in neither. Pair k of a
// seed is always the same.
func halves(seed uint64, k, m, block int) [2][]int {
	blocks := (m + block - 1) / block
	order := rng.Stream(seed, "stability", k).Perm(blocks)
	var half [2][]int
	for h := range half {
		for _, b := range order[h*(blocks/2) : (h+1)*(blocks/2)] {
			for s := b * block; s < min((b+1)*block, m); s++ {
				half[h] = append(half[h], s)
			}
		}
	}
	return half
}

// leastBlocks is how many blocks make halves that differ enough: 35 pairs.
const leastBlocks = 8

// BlockLength returns how many consecutive signals are to stay together: as many as
// count for one, if they follow one another in time.
func BlockLength(y *mat.Dense) int {
	_, m := y.Dims()
	return max(min(int(float64(m)/prepare.EffectiveObservations(y)+0.5), m/leastBlocks), 1)
}

// checkHalves refuses signals that make too few halves to tell anything by.
func checkHalves(m, block int) error {
	switch {
	case block < 0:
		return input.Errorf("assess", input.Block, "got %d signals, want at least 1", block)
	case m < leastBlocks:
		return input.Errorf("assess", input.Signals, "got %d, want at least %d to learn from halves", m, leastBlocks)
	case m < leastBlocks*block:
		return input.Errorf("assess", input.Block, "got %d signals, want at most %d: %d signals must give at least %d blocks",
			block, m/leastBlocks, m, leastBlocks)
	}
	return nil
}

// The names of the work on halves. Workers are given halves to learn from, but not those where known edges are only
// regressed: that takes less time than it takes a worker to come to it.
const (
	learnedHalves   = "halves"
	regressedHalves = "regressed-halves"
)

// eachHalf learns from every half of the signals, those of a pair one after the
// other: 2k and 2k + 1, and calls use with what it found. Both may be called from
// several goroutines at a time. The first error ends it, whoever met it, and so does ctx.
func eachHalf(ctx context.Context, name string, y *mat.Dense, o StabilityOptions,
	way func(ctx context.Context, k int, half *mat.Dense) (*graph.Graph, error), use func(k int, learned *graph.Graph),
) error {
	_, m := y.Dims()
	all := 2 * o.Pairs
	faults := make([]error, all)
	var reporting sync.Mutex
	done := 0
	checkpoint.EachPart(ctx, name, o.Threads, all, func(ctx context.Context, k int) {
		if run.Ended(ctx) != nil {
			return
		}
		learned, err := checkpoint.Piece(ctx, "half", (*checkpoint.Coder).Graph, func(ctx context.Context) (*graph.Graph, error) {
			guard.Trip("half")
			return way(ctx, k, matrix.Columns(y, halves(o.Seed, k/2, m, o.Block)[k%2]))
		})
		if faults[k] = err; err != nil {
			return
		}
		use(k, learned)
		reporting.Lock()
		defer reporting.Unlock()
		if done++; o.Report != nil {
			o.Report(done, all)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, err := range faults {
		if err != nil {
			return fmt.Errorf("assess: a half of the signals: %w", err)
		}
	}
	return nil
}

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
	slices.SortStableFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
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

// A support is what halves say about an edge.
type support struct {
	found     float64 // logit of the share of halves that find it
	strength  float64 // logit of that share, averaged over all stricter ways to count edges as found
	agreement float64 // of the halves, on all edges
}

// support returns what speaks for edge e.
func (t *tally) support(e int, agreement float64) support {
	var found, strength float64
	for _, rank := range t.rank {
		if rank[e] < t.level {
			found++
		}
		strength += 1 - float64(rank[e])/float64(t.level)
	}
	halves := float64(len(t.rank))
	return support{logit(found, halves), logit(strength, halves), agreement}
}

// confidence puts what was found into numbers, for the graph of the tally.
func (t *tally) confidence(g *graph.Graph) (*Confidence, error) {
	agreement := t.agreement()
	confidence := make([]float64, g.EdgeCount())
	for e := range confidence {
		confidence[e] = probability(t.support(e, agreement))
	}
	g, err := g.WithConfidence(confidence)
	return &Confidence{Graph: g, Halves: len(t.rank), Agreement: agreement}, err
}
