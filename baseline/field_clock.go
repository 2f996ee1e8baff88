package baseline

import (
	"time"

	"github.com/nervure/nervure/method"
)

// Clock keeps the contract of [method.Timed]: only order one, which takes longest, has steps to
// tell the time by.
func (f Field) Clock(size method.Size) method.Clock {
	if engine(f.Engine).isLocal(size.Vertices) {
		n, m := float64(size.Vertices), float64(size.Signals)
		return &localClock{size: size, search: searchCost * n * n * m, regress: regressCost * n * m}
	}
	return GGL{}.Clock(size)
}

// How long the local engine takes, up to a factor: measured on grids of 2500 and 10,000 vertices.
const (
	searchCost  = 1.0    // of a product of two vertices
	regressCost = 6000.0 // of a signal in the regression of a vertex

	localStructureShare  = 0.7 // of the time of learning
	localConfidenceShare = 2
)

// localClock keeps the contract of [method.Clock] for the local engine.
type localClock struct {
	size            method.Size
	search, regress float64 // cost of the two stages
	done, before    float64 // of all, and of the stages before this one
	phase           method.Phase
	share           float64 // of the phase, when it was last told
	at              time.Duration
}

// Follow implements [method.Clock].
func (c *localClock) Follow(s method.Step, now time.Duration) {
	cost := map[method.Phase]float64{CandidatesSearched: c.search, VerticesRegressed: c.regress}
	if s.Phase != c.phase || s.Share < c.share { // the one before is over
		c.before += cost[c.phase]
	}
	c.phase, c.share = s.Phase, s.Share
	c.done, c.at = c.before+s.Share*cost[s.Phase], now
}

// Pruning implements [method.Clock].
func (*localClock) Pruning() bool { return false }

// Left implements [method.Clock].
func (c *localClock) Left(now time.Duration) (time.Duration, bool) {
	whole, ok := c.learning()
	return method.Rest(whole, now), ok
}

// Expected implements [method.Clock].
func (c *localClock) Expected(p method.Part, _ time.Duration) (time.Duration, bool) {
	whole, ok := c.learning()
	return expectedPart(p, whole, localStructureShare, localConfidenceShare), ok || p == method.PruningPart
}

// learning estimates how long learning takes in all.
func (c *localClock) learning() (time.Duration, bool) {
	if c.done <= 0 {
		return c.size.Choosing, c.size.Choosing > 0
	}
	all := max(c.search+c.regress, c.done)
	return time.Duration(float64(c.at) * all / c.done), true
}
