package baseline

import (
	"math"
	"time"

	"github.com/nervure/nervure/method"
)

// laplacianClock keeps the contract of [method.Clock] for GGL, DDGL and CGL: weights, a path, and
// the same for each fold.
type laplacianClock struct {
	size              method.Size
	weightsAt, pathAt time.Duration // when there were weights and a path
}

// Clock keeps the contract of [method.Timed].
func (GGL) Clock(size method.Size) method.Clock { return &laplacianClock{size: size} }

// Clock keeps the contract of [method.Timed].
func (DDGL) Clock(size method.Size) method.Clock { return &laplacianClock{size: size} }

// Clock keeps the contract of [method.Timed].
func (CGL) Clock(size method.Size) method.Clock { return &laplacianClock{size: size} }

// How long parts of a run take; measured by BenchmarkTimeLeft of the root package.
const (
	foldShare       = 0.85 // of the time of weights and path that a fold takes
	weightPaths     = 1.0  // how many times as long as the weights their path takes
	confidenceShare = 0.6  // of the time of learning
	structureShare  = 0.15 // of the time of learning
)

// Follow implements [method.Clock].
func (c *laplacianClock) Follow(s method.Step, now time.Duration) {
	switch s.Phase {
	case WeightsLearned:
		c.weightsAt = now
	case PathFollowed:
		c.pathAt = now
	}
}

// Pruning implements [method.Clock].
func (*laplacianClock) Pruning() bool { return false }

// Left implements [method.Clock].
func (c *laplacianClock) Left(now time.Duration) (time.Duration, bool) {
	whole, ok := c.learning()
	return method.Rest(whole, now), ok
}

// Expected implements [method.Clock].
func (c *laplacianClock) Expected(p method.Part, _ time.Duration) (time.Duration, bool) {
	whole, ok := c.learning()
	switch p {
	case method.PruningPart:
		return 0, true
	case method.StructurePart:
		return time.Duration(structureShare * float64(whole)), ok
	}
	return time.Duration(confidenceShare * float64(whole)), ok
}

// learning estimates how long learning takes in all.
func (c *laplacianClock) learning() (time.Duration, bool) {
	rounds := math.Ceil(pruneFolds / float64(max(c.size.Threads, 1)))
	switch {
	case c.pathAt > 0:
		return time.Duration((1 + foldShare*rounds) * float64(c.pathAt)), true
	case c.weightsAt > 0:
		return time.Duration((1 + foldShare*rounds) * (1 + weightPaths) * float64(c.weightsAt)), true
	}
	return c.size.Choosing, c.size.Choosing > 0
}
