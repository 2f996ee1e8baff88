package study

import (
	"math"
	"slices"
)

// A chain is the model of all pairs of vertices: each is joined or not, seldom changes
// from one window to the next, and shows one of a few levels in each window. How often
// which level shows in either state, and how many pairs change at each step, are
// estimated from all pairs together, so that nothing has to be set: where a learner is
// unsure, a window says little, and where many pairs change at once, less evidence is
// needed to follow one of them.
type chain struct {
	looks  []history
	levels int
	fresh  float64 // share of a window that is not in the one before: its look counts so much

	start float64      // probability that a pair is joined in the first window
	on    []float64    // that one that is not joined in a window is in the next
	off   []float64    // that one that is joined is not in the next
	shows [2][]float64 // of the levels, not joined and joined
	quiet []bool       // steps at which no more changes than usual
}

// A history is the levels of a pair in all windows, and how many pairs have it.
type history struct {
	levels []uint8
	pairs  float64
}

// noLook is the level of a window from which nothing was learned.
const noLook = math.MaxUint8

const (
	chainRounds = 100
	// The usual share of the edges that change at a step, and as how many edges it counts
	// where more do. Chosen on simulated graphs that change at one moment: with more,
	// other edges change along, and with less the change is missed.
	usualChange  = 0.003
	changeCounts = 20
	leastGain    = 8    // nats that the changes of a step must be worth, if all of its window is new
	levelCounts  = 2    // as many pairs the levels are alike a priori
	leastStart   = 1e-6 // so that no state is impossible
	// How many times as likely as none a change must be to be told. Where many edges
	// change, weak ones that stay look as if they changed, too; an edge that is wrongly said to
	// change misleads more than one that is taken for stable.
	changeOdds = 2
)

// newChain prepares the model. kept is the least level of a pair that a window has as an
// edge.
func newChain(looks []history, levels int, kept uint8, fresh float64) *chain {
	c := &chain{looks: looks, levels: levels, fresh: fresh}
	steps := len(looks[0].levels) - 1
	c.on, c.off, c.quiet = make([]float64, steps), make([]float64, steps), make([]bool, steps)
	edges, all := 1.0, 2.0
	counts := c.noCounts()
	for _, h := range looks {
		here, seen := 0.0, 0.0
		for _, l := range h.levels {
			if l != noLook {
				seen++
			}
			if l != noLook && l >= kept {
				here++
			}
		}
		edges += here * h.pairs
		all += seen * h.pairs
		state := 0
		if 2*here >= seen { // at first a pair is taken for joined that half of the windows have
			state = 1
		}
		h.count(counts[state], func(int) float64 { return 1 })
	}
	c.setShows(counts)
	c.start = min(edges/all, 0.5)
	for t := range steps {
		c.off[t] = usualChange
		c.on[t] = usualChange * c.odds()
	}
	return c
}

// odds are those of being joined in the first window.
func (c *chain) odds() float64 { return c.start / (1 - c.start) }

// noCounts are counts of levels before any is seen.
func (c *chain) noCounts() (counts [2][]float64) {
	for s := range counts {
		counts[s] = slices.Repeat([]float64{levelCounts / float64(c.levels)}, c.levels)
	}
	return counts
}

// count adds the levels of a history, weighted by window.
func (h history) count(counts []float64, weight func(t int) float64) {
	for t, l := range h.levels {
		if l != noLook {
			counts[l] += h.pairs * weight(t)
		}
	}
}

func (c *chain) setShows(counts [2][]float64) {
	for s, list := range counts {
		total := 0.0
		for _, v := range list {
			total += v
		}
		c.shows[s] = make([]float64, c.levels)
		for l, v := range list {
			c.shows[s][l] = math.Pow(v/total, c.fresh)
		}
	}
}

// seen is how likely a look is, not joined and joined.
func (c *chain) seen(level uint8) [2]float64 {
	if level == noLook {
		return [2]float64{1, 1}
	}
	return [2]float64{c.shows[0][level], c.shows[1][level]}
}

// fit estimates the model. Steps that are as likely with the usual few changes are held at
// those: a step of many changes makes each of them likelier, and chance would make its
// own steps.
func (c *chain) fit() {
	for range c.quiet {
		c.estimate()
		more := false
		for t, gain := range c.gains() {
			if !c.quiet[t] && gain < leastGain*c.fresh {
				c.quiet[t], more = true, true
			}
		}
		if !more {
			return
		}
	}
}

// estimate finds the likeliest model, but for quiet steps (expectation–maximisation).
func (c *chain) estimate() {
	last := math.Inf(-1)
	for range chainRounds {
		likelihood := c.improve()
		if likelihood-last < 1e-6*math.Abs(likelihood) {
			break
		}
		last = likelihood
	}
}

// gains returns how much likelier the looks are with the changes of each step than with
// the usual few, in nats.
func (c *chain) gains() []float64 {
	gains := make([]float64, len(c.on))
	for _, h := range c.looks {
		_, changes, _ := c.posterior(h.levels)
		for t, change := range changes {
			gains[t] += h.pairs * change.gain
		}
	}
	return gains
}

// improve does a round of estimation and returns the log-likelihood before it.
func (c *chain) improve() (likelihood float64) {
	windows := len(c.looks[0].levels)
	counts := c.noCounts()
	on, off := make([]float64, windows-1), make([]float64, windows-1)
	joined, pairs := make([]float64, windows), 0.0
	for _, h := range c.looks {
		p, changes, l := c.posterior(h.levels)
		likelihood += h.pairs * l
		h.count(counts[1], func(t int) float64 { return p[t] })
		h.count(counts[0], func(t int) float64 { return 1 - p[t] })
		for t := range windows {
			joined[t] += h.pairs * p[t]
		}
		for t, change := range changes {
			on[t] += h.pairs * change.on
			off[t] += h.pairs * change.off
		}
		pairs += h.pairs
	}
	c.setShows(counts)
	c.start = min(max(joined[0]/pairs, leastStart), 0.5)
	for t := range on {
		if c.quiet[t] {
			c.off[t], c.on[t] = usualChange, usualChange*c.odds()
			continue
		}
		c.off[t] = (off[t] + usualChange*changeCounts) / (joined[t] + changeCounts)
		c.on[t] = (on[t] + usualChange*changeCounts) / (pairs - joined[t] + changeCounts/c.odds())
	}
	return likelihood
}

// A change is how likely a pair comes and goes at a step, and how much likelier its looks
// are than with the usual few changes there, in nats.
type change struct{ on, off, gain float64 }

// posterior returns how likely a pair is joined in each window, how likely it changes at
// each step, and the log-likelihood of its levels (forward–backward algorithm).
func (c *chain) posterior(levels []uint8) (joined []float64, changes []change, likelihood float64) {
	windows := len(levels)
	forward := make([][2]float64, windows)
	for t, level := range levels {
		e := c.seen(level)
		now := [2]float64{1 - c.start, c.start}
		if t > 0 {
			before := forward[t-1]
			now = [2]float64{before[0]*(1-c.on[t-1]) + before[1]*c.off[t-1], before[0]*c.on[t-1] + before[1]*(1-c.off[t-1])}
		}
		sum := now[0]*e[0] + now[1]*e[1]
		forward[t] = [2]float64{now[0] * e[0] / sum, now[1] * e[1] / sum}
		likelihood += math.Log(sum)
	}
	joined, changes = make([]float64, windows), make([]change, windows-1)
	back := [2]float64{1, 1}
	for t := windows - 1; ; t-- {
		a, b := forward[t][0]*back[0], forward[t][1]*back[1]
		if joined[t] = b / (a + b); t == 0 {
			return joined, changes, likelihood
		}
		e := c.seen(levels[t])
		on, off := c.on[t-1], c.off[t-1]
		apart, together := e[0]*back[0], e[1]*back[1]
		f := forward[t-1]
		likely := func(on, off float64) float64 {
			return f[0]*(on*together+(1-on)*apart) + f[1]*(off*apart+(1-off)*together)
		}
		all := likely(on, off)
		changes[t-1] = change{f[0] * on * together / all, f[1] * off * apart / all, math.Log(all / likely(usualChange*c.odds(), usualChange))}
		before := [2]float64{(1-on)*apart + on*together, off*apart + (1-off)*together}
		sum := before[0] + before[1]
		back = [2]float64{before[0] / sum, before[1] / sum}
	}
}

// path returns the likeliest states of a pair in all windows together (Viterbi's
// algorithm), if each change counts as changeOdds times less likely than it is.
func (c *chain) path(levels []uint8) []bool {
	windows := len(levels)
	from := make([][2]uint8, windows) // the state before, by the state
	best := [2]float64{math.Log(1 - c.start), math.Log(c.start)}
	for t, level := range levels {
		if t > 0 {
			var next [2]float64
			stay, leave := best[0]+math.Log(1-c.on[t-1]), best[1]+math.Log(c.off[t-1]/changeOdds)
			if next[0] = stay; leave > stay {
				next[0], from[t][0] = leave, 1
			}
			come, keep := best[0]+math.Log(c.on[t-1]/changeOdds), best[1]+math.Log(1-c.off[t-1])
			next[1], from[t][1] = keep, 1
			if come > keep {
				next[1], from[t][1] = come, 0
			}
			best = next
		}
		e := c.seen(level)
		best[0] += math.Log(e[0])
		best[1] += math.Log(e[1])
	}
	state := uint8(0)
	if best[1] > best[0] {
		state = 1
	}
	joined := make([]bool, windows)
	for t := windows - 1; t >= 0; t-- {
		joined[t] = state == 1
		state = from[t][state]
	}
	return joined
}
