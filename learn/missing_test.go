package learn_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// losing returns a copy of y in which each entry is missing with the given chance.
func losing(y *mat.Dense, share float64, seed uint64) *mat.Dense {
	r := rng.Stream(seed, "missing")
	lost := mat.DenseCopyOf(y)
	lost.Apply(func(_, _ int, v float64) float64 {
		if r.Float64() < share {
			return math.NaN()
		}
		return v
	}, lost)
	return lost
}

func TestMissingEntriesDoNotHideTheGraph(t *testing.T) {
	slow(t)
	s := paperTable1()[0]
	truth := s.draw(*seed)
	r := fit(t, losing(truth.Signals, 0.2, *seed), s.model, learn.Options{})
	if f1 := score(t, r, truth).f1; f1 < 1 {
		t.Errorf("edge F1 %.4f", f1)
	}
	if r.Certified && !mat.EqualApprox(r.Graph.Laplacian(), truth.Graph.Laplacian(), 1e-7) {
		t.Error("the certified Laplacian is not the true one")
	}
}

func TestLargeEngineTakesMissingEntries(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 60, 400, 3, *seed)
	r := fit(t, losing(truth.Signals, 0.1, *seed), model, always)
	if f1 := score(t, r, truth).f1; f1 < 0.9 {
		t.Errorf("edge F1 %.4f, want 0.9 or more", f1)
	}
}

func TestVerticesHardlyEverSeenAreLeftIsolated(t *testing.T) {
	slow(t)
	truth := small(t)
	y := mat.DenseCopyOf(truth.Signals)
	row := y.RawRowView(1)
	for s := range row[1:] {
		row[s] = math.NaN()
	}
	r := fit(t, y, learn.PaperModel(), learn.Options{})
	if slices.ContainsFunc(pairs(r.Graph), func(p [2]int) bool { return p[0] == 1 || p[1] == 1 }) || len(r.Warnings) == 0 {
		t.Errorf("vertex 1 has one value, and yet edges or no warning: %v", r.Warnings)
	}
}
