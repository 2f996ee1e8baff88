package study

import (
	"math"
	"testing"

	"github.com/nervure/nervure/internal/rng"
)

// randomChain has three levels and five windows.
func randomChain(seed uint64) (*chain, []uint8) {
	draw := rng.Stream(seed, "chain")
	p := func() float64 { return 0.05 + 0.9*draw.Float64() }
	c := &chain{levels: 3, fresh: 1, start: p()}
	levels := make([]uint8, 5)
	for t := range levels {
		levels[t] = uint8(draw.IntN(3))
		if t > 0 {
			c.on, c.off = append(c.on, p()), append(c.off, p())
		}
	}
	if draw.IntN(2) == 0 {
		levels[draw.IntN(5)] = noLook
	}
	c.setShows([2][]float64{{p(), p(), p()}, {p(), p(), p()}})
	return c, levels
}

// All histories of a pair are few enough to be counted: what the algorithms say is what
// the sums over all of them are.
func TestChainsAgreeWithTheSumOverAllHistories(t *testing.T) {
	for seed := range uint64(5) {
		c, levels := randomChain(seed)
		const windows = 5
		total, best, bestPath := 0.0, 0.0, 0
		var joined, on, off [windows]float64
		probability := func(path int) float64 {
			state := func(t int) int { return path >> t & 1 }
			p := []float64{1 - c.start, c.start}[state(0)]
			for t, level := range levels {
				if t > 0 {
					p *= [2][2]float64{{1 - c.on[t-1], c.on[t-1]}, {c.off[t-1], 1 - c.off[t-1]}}[state(t-1)][state(t)]
				}
				if level != noLook {
					p *= c.shows[state(t)][level]
				}
			}
			return p
		}
		for path := range 1 << windows {
			p := probability(path)
			total += p
			told := p
			for t := 1; t < windows; t++ {
				if path>>t&1 != path>>(t-1)&1 {
					told /= 2 // a change is told if it is twice as likely as none
				}
			}
			if told > best {
				best, bestPath = told, path
			}
			for t := range windows {
				now, before := path>>t&1, 0
				if now == 1 {
					joined[t] += p
				}
				if t > 0 {
					before = path >> (t - 1) & 1
				}
				switch {
				case t > 0 && now > before:
					on[t] += p
				case t > 0 && now < before:
					off[t] += p
				}
			}
		}
		found, changes, likelihood := c.posterior(levels)
		path := c.path(levels)
		if math.Abs(likelihood-math.Log(total)) > 1e-12 {
			t.Errorf("seed %d: log-likelihood %g, want %g", seed, likelihood, math.Log(total))
		}
		for k := range windows {
			if math.Abs(found[k]-joined[k]/total) > 1e-12 || path[k] != (bestPath>>k&1 == 1) {
				t.Errorf("seed %d, window %d: joined with %g and %t, want %g and %t", seed, k, found[k], path[k], joined[k]/total, bestPath>>k&1 == 1)
			}
			if k > 0 && (math.Abs(changes[k-1].on-on[k]/total) > 1e-12 || math.Abs(changes[k-1].off-off[k]/total) > 1e-12) {
				t.Errorf("seed %d, step %d: %+v, want %g and %g", seed, k, changes[k-1], on[k]/total, off[k]/total)
			}
		}
		// The gain of a step is that of the likelihood when only its rates change.
		usual := *c
		usual.on, usual.off = append([]float64(nil), c.on...), append([]float64(nil), c.off...)
		usual.on[2], usual.off[2] = usualChange*c.odds(), usualChange
		_, _, without := usual.posterior(levels)
		if math.Abs(changes[2].gain-(likelihood-without)) > 1e-9 {
			t.Errorf("seed %d: gain %g, want %g", seed, changes[2].gain, likelihood-without)
		}
	}
}

// Looks drawn from a chain give back how often levels show, and which pairs change.
func TestChainsAreEstimatedFromTheirLooks(t *testing.T) {
	draw := rng.Stream(5, "looks")
	const windows, pairs = 12, 600
	shows := [2][]float64{{0.9, 0.08, 0.02}, {0.3, 0.2, 0.5}}
	var looks []history
	var truth [][]bool
	for k := range pairs {
		state := k < 100
		h := history{make([]uint8, windows), 1}
		states := make([]bool, windows)
		for w := range windows {
			if w == 6 && k%5 == 0 && k < 200 { // one in five of the edges goes, and as many pairs are joined
				state = !state
			}
			s := 0
			if state {
				s = 1
			}
			states[w] = state
			u := draw.Float64()
			for u >= shows[s][h.levels[w]] && h.levels[w] < 2 {
				u -= shows[s][h.levels[w]]
				h.levels[w]++
			}
		}
		looks, truth = append(looks, h), append(truth, states)
	}
	c := newChain(looks, 3, 2, 1)
	c.fit()
	for s := range shows {
		for l, want := range shows[s] {
			if math.Abs(c.shows[s][l]-want) > 0.03 {
				t.Errorf("state %d shows level %d with %.3f, want %.3f", s, l, c.shows[s][l], want)
			}
		}
	}
	for w := range c.off {
		if c.quiet[w] != (w != 5) {
			t.Errorf("step %d: quiet %t, rates %.3f and %.3f", w, c.quiet[w], c.on[w], c.off[w])
		}
	}
	wrong := 0
	for k, h := range looks {
		for w, joined := range c.path(h.levels) {
			if joined != truth[k][w] {
				wrong++
			}
		}
	}
	if share := float64(wrong) / (windows * pairs); share > 0.02 {
		t.Errorf("%.3f of the states are wrong", share)
	}
}
