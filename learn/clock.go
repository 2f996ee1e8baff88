package learn

import (
	"math"
	"time"

	"github.com/nervure/nervure/method"
)

// clock keeps the contract of [method.Clock]. What is still to be done is told from what was
// done before: learning from a half of the signals takes about half as long as a search
// took, without what follows it; a point of the pruning path about as long as the one
// before.
type clock struct {
	size     method.Size
	searched bool // one search is enough

	searches    int // begun
	round       int // of the present search
	mostRounds  int // of a search that is over
	searching   time.Duration
	searchBegun time.Duration

	pruning           bool
	pruningBegun      time.Duration
	firstEdges, edges int // of the pruning path
}

// Clock keeps the contract of [method.Timed].
func (s Sparse) Clock(size method.Size) method.Clock {
	return &clock{size: size, searched: s.Options.Kernels != KernelsAuto && s.Model.Kernels != nil || size.Vertices >= DefaultLargeFrom}
}

// How long parts of a run take, in searches. TestTimeLeftIsRightToAFactorOfTwo of the root package holds them.
const (
	pruningSearches      = 9.0
	largePruningSearches = 0.4
	structureSearches    = 0.7
	halfSearches         = 0.5
)

// Follow implements [method.Clock].
func (c *clock) Follow(s method.Step, now time.Duration) {
	switch s.Phase {
	case Pruning:
		if !c.pruning {
			c.endSearch(now)
			c.pruning, c.pruningBegun, c.firstEdges = true, now, s.Edges
		}
		c.edges = s.Edges
	case Polishing:
	default:
		if c.pruning { // another number of atoms is tried
			c.pruning, c.searchBegun, c.round = false, now, 0
		}
		if s.Round == 1 && s.Phase == Coding {
			if c.round > 0 {
				c.endSearch(now)
			}
			c.searches++
		}
		c.round = s.Round
	}
}

func (c *clock) endSearch(now time.Duration) {
	c.searching += now - c.searchBegun
	c.mostRounds = max(c.mostRounds, c.round)
	c.searchBegun = now
}

// Pruning implements [method.Clock].
func (c *clock) Pruning() bool { return c.pruning }

// Left implements [method.Clock].
func (c *clock) Left(now time.Duration) (time.Duration, bool) {
	if !c.pruning {
		one, ok := c.search(now)
		return method.Rest(one*time.Duration(c.usualSearches()), now), ok
	}
	spent := now - c.pruningBegun
	if path := c.pathLeft(); path >= 0 {
		return time.Duration(float64(spent) * path), true
	}
	whole, ok := c.Expected(method.PruningPart, now)
	return method.Rest(whole, spent), ok
}

// Expected implements [method.Clock].
func (c *clock) Expected(p method.Part, now time.Duration) (time.Duration, bool) {
	one, ok := c.search(now)
	times := structureSearches
	switch {
	case p == method.PruningPart && c.size.Vertices >= DefaultLargeFrom:
		times = largePruningSearches
	case p == method.PruningPart:
		times = pruningSearches
	case p == method.ConfidencePart:
		times = halfSearches * float64(c.size.Halves)
	}
	return time.Duration(times * float64(one)), ok
}

// search returns how long one search takes, and whether one is known.
func (c *clock) search(now time.Duration) (time.Duration, bool) {
	switch {
	case c.searching > 0:
		over := c.searches
		if !c.pruning {
			over--
		}
		return c.searching / time.Duration(max(over, 1)), true
	case c.round > 1: // the present one, as far as it has come
		share := min(float64(c.round)/float64(c.usualRounds()), 0.9)
		return time.Duration(float64(now-c.searchBegun) / share), true
	}
	return 0, false
}

// usualRounds is how many rounds a search has.
func (c *clock) usualRounds() int {
	switch {
	case c.mostRounds > 0:
		return c.mostRounds
	case c.size.Vertices >= DefaultLargeFrom:
		return 3
	}
	return 10
}

// usualSearches is how many searches there are.
func (c *clock) usualSearches() int {
	if c.searched {
		return 1
	}
	return max(5, c.searches)
}

// pathLeft returns how many times as long as the pruning path has taken it will still
// take; every step removes a share of the edges.
func (c *clock) pathLeft() float64 {
	last := math.Log(float64(max(c.size.Vertices/2, 1)))
	gone, left := math.Log(float64(c.firstEdges))-math.Log(float64(c.edges)), math.Log(float64(max(c.edges, 1)))-last
	if gone <= 0 {
		return -1
	}
	return max(left, 0) / gone
}

// paperClock keeps the contract of [method.Clock] for Maretic2017, whose rounds are as many as
// are asked for and take about as long each.
type paperClock struct {
	size          method.Size
	rounds, round int
	at            time.Duration // when the present round was reported
}

// Clock keeps the contract of [method.Timed].
func (m Maretic2017) Clock(size method.Size) method.Clock {
	return &paperClock{size: size, rounds: m.defaults().Rounds}
}

// How long parts of a run take, in runs of the algorithm.
const (
	structureRuns = 0.9
	halfRuns      = 0.6
)

// Follow implements [method.Clock].
func (c *paperClock) Follow(s method.Step, now time.Duration) { c.round, c.at = s.Round, now }

// Pruning implements [method.Clock]: edges are cut at once.
func (*paperClock) Pruning() bool { return false }

// Left implements [method.Clock].
func (c *paperClock) Left(now time.Duration) (time.Duration, bool) {
	whole, ok := c.whole()
	return method.Rest(whole, now), ok
}

// Expected implements [method.Clock].
func (c *paperClock) Expected(p method.Part, _ time.Duration) (time.Duration, bool) {
	times := structureRuns
	switch p {
	case method.PruningPart:
		return 0, true
	case method.ConfidencePart:
		times = halfRuns * float64(c.size.Halves)
	}
	whole, ok := c.whole()
	return time.Duration(times * float64(whole)), ok
}

// whole estimates how long all rounds take.
func (c *paperClock) whole() (time.Duration, bool) {
	return time.Duration(float64(c.at) * float64(c.rounds) / float64(max(c.round, 1))), c.round > 1
}
