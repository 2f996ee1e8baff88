package learn_test

import (
	"fmt"
	"testing"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// tuningSeed begins the seeds of the graphs that step size and edge penalty of
// [learn.Maretic2017] are tuned on. No figure is reported on these.
const tuningSeed = 7000

// edgeF1AtCount returns the mean F1 at the true edge count of what m learns.
func edgeF1AtCount(t testing.TB, truths []*synth.Truth, m learn.Maretic2017) float64 {
	t.Helper()
	var f1 float64
	for _, truth := range truths {
		r := must(m.Learn(t.Context(), method.Problem{Y: truth.Signals, Threads: 1}))
		score := must(metrics.EdgesAtCount(r.Weights, truth.Graph))
		f1 += score.F1() / float64(len(truths))
	}
	return f1
}

// BenchmarkTune is the grid search behind the default step size and edge
// penalty, by which [maretic2017] sets them: the mean F1 at the true edge count, for
// each point of the grid and each size. It uses the truth, so its graphs are none
// that results are reported on. `make tuning` keeps what it prints, and a test holds
// the defaults to it.
func BenchmarkTune(b *testing.B) {
	for k, s := range paperTable1() {
		b.Run(s.name, func(b *testing.B) {
			var truths []*synth.Truth
			for g := range 4 - k {
				truths = append(truths, s.draw(tuningSeed+uint64(g)))
			}
			for b.Loop() {
				for _, step := range []float64{0.02, 0.05, 0.1, 0.2} {
					for _, penalty := range []float64{0.05, 0.1, 0.2, 0.4, 0.8} {
						f1 := edgeF1AtCount(b, truths, learn.Maretic2017{Model: s.model, StepSize: step, EdgePenalty: penalty})
						b.ReportMetric(f1, fmt.Sprintf("F1:step=%g:beta=%g", step, penalty))
					}
				}
			}
		})
	}
}
