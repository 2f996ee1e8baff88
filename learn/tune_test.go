package learn_test

import (
	"fmt"
	"testing"

	"github.com/nervure/nervure/learn"
)

// tuningSeed begins the seeds of the graphs that step size and edge penalty of
// the Maretic2017 recipe are tuned on. No figure is reported on these.
const tuningSeed = 7000

// BenchmarkTune is the grid search behind the recipe's default step size and
// edge penalty: the mean F1 at the true edge count, for each point of the grid
// and each size. `make tuning` keeps what it prints, and a test holds the
// defaults to it.
func BenchmarkTune(b *testing.B) {
	for k, s := range paperTable1() {
		b.Run(s.name, func(b *testing.B) {
			var examples []learn.Example
			for g := range 4 - k {
				truth := s.draw(b, tuningSeed+uint64(g))
				examples = append(examples, learn.Example{Signals: truth.Signals, Truth: truth.Graph})
			}
			for b.Loop() {
				_, trials, err := learn.Tune(b.Context(), examples, s.model, learn.Options{},
					[]float64{0.02, 0.05, 0.1, 0.2}, []float64{0.05, 0.1, 0.2, 0.4, 0.8})
				if err != nil {
					b.Fatal(err)
				}
				for _, t := range trials {
					b.ReportMetric(t.F1, fmt.Sprintf("F1:step=%g:beta=%g", t.StepSize, t.EdgePenalty))
				}
			}
		})
	}
}
