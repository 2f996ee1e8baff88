package learn_test

import (
	"testing"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// The number of atoms per signal of a large graph is found.
func TestLargeGraphsTellHowManyAtoms(t *testing.T) {
	slow(t)
	const atoms = 6
	truth := drawn(learn.DefaultLargeFrom+10, synth.SignalSpec{Count: 250, Sparsity: atoms, Noise: 0.05}, "heat:2", "highpass:1")
	r := fit(t, truth.Signals, learn.Model{Kernels: learn.PaperModel().Kernels}, learn.Options{})
	if got := score(t, r, truth); r.Model.Sparsity != atoms || got.f1 < 0.99 {
		t.Errorf("%d atoms per signal: found %d, F1 %.4f", atoms, r.Model.Sparsity, got.f1)
	}
}
