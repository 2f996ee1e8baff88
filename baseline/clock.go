package baseline

import (
	"math"
	"time"

	"github.com/nervure/nervure/method"
)

// A clock keeps the contract of [method.Clock] for methods whose stages tell how long learning takes.
type clock struct {
	stages

	structure, confidence float64 // time of these parts, over that of learning
}

// Stages are those of a method at work.
type stages interface {
	Follow(s method.Step, now time.Duration)
	// learning estimates how long learning takes in all.
	learning() (whole time.Duration, known bool)
}

// Pruning implements [method.Clock].
func (*clock) Pruning() bool { return false }

// Left implements [method.Clock].
func (c *clock) Left(now time.Duration) (time.Duration, bool) {
	whole, known := c.learning()
	return method.Rest(whole, now), known
}

// Expected implements [method.Clock].
func (c *clock) Expected(p method.Part, _ time.Duration) (time.Duration, bool) {
	whole, known := c.learning()
	share := map[method.Part]float64{method.StructurePart: c.structure, method.ConfidencePart: c.confidence}[p]
	return time.Duration(share * float64(whole)), known || p == method.PruningPart
}

// Clock keeps the contract of [method.Timed].
func (GGL) Clock(size method.Size) method.Clock { return laplacianClock(size) }

// Clock keeps the contract of [method.Timed].
func (DDGL) Clock(size method.Size) method.Clock { return laplacianClock(size) }

// Clock keeps the contract of [method.Timed].
func (CGL) Clock(size method.Size) method.Clock { return laplacianClock(size) }

// Clock keeps the contract of [method.Timed]: only order one, which takes longest, has steps to
// tell the time by.
func (f Field) Clock(size method.Size) method.Clock {
	if !engine(f.Engine).isLocal(size.Vertices) {
		return laplacianClock(size)
	}
	n, m := float64(size.Vertices), float64(size.Signals)
	cost := map[method.Phase]float64{CandidatesSearched: searchCost * n * n * m, VerticesRegressed: regressCost * n * m}
	return &clock{&localStages{choosing: size.Choosing, cost: cost}, localStructureShare, localConfidenceShare}
}

func laplacianClock(size method.Size) method.Clock {
	return &clock{&laplacianStages{size: size}, structureShare, confidenceShare}
}

// How long parts of a run take. TestTimeLeftOfFields holds them to a factor of two.
const (
	foldShare       = 0.85 // of the time of weights and path that a fold takes
	weightPaths     = 1.0  // how many times as long as the weights their path takes
	confidenceShare = 0.6  // of the time of learning
	structureShare  = 0.15 // of the time of learning
)

// How long the local engine takes, up to a factor: measured on grids of 2500 and 10,000 vertices.
const (
	searchCost  = 1.0    // of a product of two vertices
	regressCost = 6000.0 // of a signal in the regression of a vertex

	localStructureShare  = 0.7 // of the time of learning
	localConfidenceShare = 2
)

// The stages of GGL, DDGL and CGL are weights, a path, and the same for each fold.
type laplacianStages struct {
	size              method.Size
	weightsAt, pathAt time.Duration // when there were weights and a path
}

func (c *laplacianStages) Follow(s method.Step, now time.Duration) {
	switch s.Phase {
	case WeightsLearned:
		c.weightsAt = now
	case PathFollowed:
		c.pathAt = now
	}
}

func (c *laplacianStages) learning() (time.Duration, bool) {
	rounds := math.Ceil(pruneFolds / float64(max(c.size.Threads, 1)))
	switch {
	case c.pathAt > 0:
		return time.Duration((1 + foldShare*rounds) * float64(c.pathAt)), true
	case c.weightsAt > 0:
		return time.Duration((1 + foldShare*rounds) * (1 + weightPaths) * float64(c.weightsAt)), true
	}
	return c.size.Choosing, c.size.Choosing > 0
}

// The stages of the local engine are told as they go on.
type localStages struct {
	choosing     time.Duration
	cost         map[method.Phase]float64
	done, before float64 // of all, and of the stages before this one
	phase        method.Phase
	share        float64 // of the phase, when it was last told
	at           time.Duration
}

func (c *localStages) Follow(s method.Step, now time.Duration) {
	if s.Phase != c.phase || s.Share < c.share { // the one before is over
		c.before += c.cost[c.phase]
	}
	c.phase, c.share = s.Phase, s.Share
	c.done, c.at = c.before+s.Share*c.cost[s.Phase], now
}

func (c *localStages) learning() (time.Duration, bool) {
	if c.done <= 0 {
		return c.choosing, c.choosing > 0
	}
	all := max(c.cost[CandidatesSearched]+c.cost[VerticesRegressed], c.done)
	return time.Duration(float64(c.at) * all / c.done), true
}
