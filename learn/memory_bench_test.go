package learn_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// BenchmarkMemory learns from many signals on both engines and reports the most
// memory beyond the signals themselves, over the memory of these.
func BenchmarkMemory(b *testing.B) {
	small := sized(synth.FamilyER, 64, 20_000, 4)
	noisy := small
	noisy.name += "/noise=0.1"
	noisy.signals.Noise = 0.1
	for _, l := range []load{
		{small, 2, 1},
		{noisy, 2, 1},
		{sized(synth.FamilyER, 1000, 4000, 4), 2, 1},
	} {
		for _, model := range []string{"given", "found"} {
			b.Run(fmt.Sprintf("%s/model=%s", l.name, model), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(l.threads))
				defer debug.SetGCPercent(debug.SetGCPercent(collectorPercent))
				truth := l.draw(performanceSeed)
				y := mat.DenseCopyOf(truth.Signals)
				truth.Clean, truth.Signals = nil, nil // only what learning needs is there
				n, m := y.Dims()
				given := l.model
				if model == "found" {
					given = learn.Model{}
				}
				var times, seconds, f1 float64
				for b.Loop() {
					debug.FreeOSMemory()
					memory.WatchPeak()
					before, begin := checks.PeakMemory(b), time.Now()
					r := fit(b, y, given, learn.Options{Threads: l.threads})
					seconds = time.Since(begin).Seconds()
					times = (checks.PeakMemory(b) - before) * 1e6 / float64(8*n*m)
					f1 = score(b, r, truth).f1
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(times, "times-signals")
				b.ReportMetric(seconds, "s/graph")
				b.ReportMetric(f1, "F1")
			})
		}
	}
}
