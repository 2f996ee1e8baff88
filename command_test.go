package nervure_test

import (
	"fmt"
	"testing"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// commandSeed is that of the graphs that the command is timed on. No constant was chosen by
// looking at these.
const commandSeed = 920_000

// BenchmarkCommand takes the CPU time of what `nervure learn FILE` does with signals without
// noise, once they are read: with no flags, with the method sparse, and by learn.Fit, which only
// learns. `make performance` keeps what it prints.
func BenchmarkCommand(b *testing.B) {
	for _, n := range []int{20, 50, 100, 200, 500, 1000} {
		b.Run(fmt.Sprintf("er/n=%d/m=%d", n, 2*n), func(b *testing.B) {
			truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Seed: commandSeed}, kernel.Paper(),
				synth.SignalSpec{Count: 2 * n, Sparsity: 4, Seed: commandSeed})
			if err != nil {
				b.Fatal(err)
			}
			s := &nervure.Signals{Y: truth.Signals, Names: truth.Graph.Names()}
			took := func(work func() error) float64 {
				from := checks.CPUTime(b)
				if err := work(); err != nil {
					b.Fatal(err)
				}
				return (checks.CPUTime(b) - from).Seconds()
			}
			for b.Loop() {
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(took(func() error { _, err := nervure.Learn(b.Context(), s, nervure.Options{}); return err }), "default-s")
				b.ReportMetric(took(func() error {
					_, err := nervure.Learn(b.Context(), s, nervure.Options{Method: learn.Sparse{}})
					return err
				}), "sparse-s")
				b.ReportMetric(took(func() error { _, err := learn.Fit(b.Context(), s.Y, learn.Model{}, learn.Options{}); return err }), "fit-s")
			}
		})
	}
}
