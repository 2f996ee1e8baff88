package learn_test

import (
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// mostMemory is the most memory that learning may keep beyond its signals, over the
// memory of these, beside matrices of vertices × vertices: as many as that of each of
// the models that are compared, and a megabyte.
const mostMemory, mostMatrices, mostFixed = 3, 60, 1 << 20

// heap returns the memory, in bytes, that is kept.
func heap() float64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// What learning needs beyond the signals is a few times what these take, on both
// engines, with noise, gaps or neither, and whatever is to be found beside the graph.
func TestMemoryIsAFewTimesThatOfTheSignals(t *testing.T) {
	slow(t)
	for _, c := range []struct {
		n, m  int
		noise float64
		gaps  float64
		found bool
		o     learn.Options
	}{
		{n: 60, m: 12_000},
		{n: 100, m: 6000, noise: 0.1, found: true, o: learn.Options{Rounds: 2, Starts: 1}},
		{n: 60, m: 10_000, gaps: 0.01, o: learn.Options{Rounds: 2, Starts: 1}},
		{n: 310, m: 3000, o: learn.Options{Rounds: 1}},
	} {
		s := sized(synth.FamilyER, c.n, c.m, 3)
		s.signals.Noise = c.noise
		y, model := s.draw(*seed).Signals, s.model
		if c.gaps > 0 {
			y = losing(y, c.gaps, *seed)
		}
		if c.found {
			model = learn.Model{}
		}
		y = mat.DenseCopyOf(y) // alone: the truth goes
		c.o.Threads = 1
		before, most := heap(), 0.0
		for _, err := range learn.Steps(t.Context(), y, model, c.o) {
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, heap())
		}
		fixed := float64(mostFixed)
		if c.n < learn.DefaultLargeFrom {
			fixed += float64(mostMatrices * 8 * c.n * c.n)
		}
		times := (most - before - fixed) / float64(8*c.n*c.m)
		if times > mostMemory {
			t.Errorf("%+v: %.2f times the signals, want at most %d", c, times, mostMemory)
		}
		runtime.KeepAlive(y)
	}
}
