package learn_test

import (
	"testing"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// The number of atoms per signal of a large graph is found, more or fewer than are
// begun with.
func TestLargeGraphsTellHowManyAtoms(t *testing.T) {
	slow(t)
	for _, atoms := range []int{2, 8} {
		truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 310, Seed: *seed}, learn.PaperModel().Kernels,
			synth.SignalSpec{Count: 400, Sparsity: atoms, Noise: 0.05, Seed: *seed})
		if err != nil {
			t.Fatal(err)
		}
		r := fit(t, truth.Signals, learn.Model{}, learn.Options{Threads: 2})
		if got := score(t, r, truth); r.Model.Sparsity != atoms || got.f1 < 0.99 {
			t.Errorf("%d atoms per signal: found %d, F1 %.4f", atoms, r.Model.Sparsity, got.f1)
		}
	}
}
