package study

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/simulate"
)

// A graph that changes at one moment is said to change there, and most pairs that are said to change do.
func TestChangesBeyondChanceAreThoseThatAre(t *testing.T) {
	truth, err := simulate.Changing(simulate.ChangingSpec{Vertices: 16, Observations: 1600, Seed: 11})
	if err != nil {
		t.Fatal(err)
	}
	s, err := LearnWindows(t.Context(), &nervure.Signals{Y: truth.Signals, Names: truth.Before.Names()}, WindowOptions{
		Window: Length{Observations: 200}, Step: Length{Observations: 100}, Learn: nervure.Options{Method: baseline.GGL{}, Structure: nervure.No},
	})
	if err != nil {
		t.Fatal(err)
	}
	e := s.Evidence
	if e.Course == nil || e.Course.Whole.P > 0.01 {
		t.Fatalf("%+v: %s", e.Course, e.Why)
	}
	if at := s.Windows[e.Windows[e.Course.Moment]].From; at != truth.Spec.Moment {
		t.Errorf("the moment is %d, want %d", at, truth.Spec.Moment)
	}
	was, is := pairsOf(truth.Before), pairsOf(truth.After)
	right, list := 0, e.Course.Clear(0.05)
	for _, c := range list {
		if p := [2]int{c.I, c.J}; was[p] != is[p] {
			right++
			if (c.After > c.Before) != is[p] {
				t.Errorf("%+v changes the wrong way", c)
			}
		}
	}
	// Where an edge goes, partial correlations of its neighbours change a little, too.
	if 2*right < len(list) || right < 3 {
		t.Errorf("%d of %d changes are true", right, len(list))
	}
	for k := 1; k < len(e.Windows); k++ {
		if s.Windows[e.Windows[k]].From < s.Windows[e.Windows[k-1]].To {
			t.Error("windows that are tested overlap")
		}
	}
	if said := e.Sentence(s); !strings.HasPrefix(said, "changes are more than chance (p = 0.0") || !strings.Contains(said, "), most clearly in the window from 801 to 1000 on; ") {
		t.Error(said)
	}
}

// still draws signals on a path that are alike in time and do not change.
func still(seed, rows int) *nervure.Signals {
	draw := rng.Stream(uint64(seed), "still")
	s := &nervure.Signals{Y: mat.NewDense(5, rows, nil)}
	before := make([]float64, 5)
	for k := range rows {
		for i := range before {
			before[i] = 0.7*before[i] + draw.NormFloat64()
			s.Y.Set(i, k, before[i])
			if i > 0 {
				s.Y.Set(i, k, before[i]+0.5*s.Y.At(i-1, k))
			}
		}
	}
	return s
}

// Signals that are alike in time and do not change are seldom said to: of 16 series tested at 0.05, five or more
// reject once in a thousand times.
func TestDependenceInTimeIsNotTakenForChange(t *testing.T) {
	rejected := 0
	for seed := range 16 {
		s, err := LearnWindows(t.Context(), still(seed, 600), WindowOptions{
			Window: Length{Observations: 150}, Learn: nervure.Options{Method: baseline.Correlation{}, Structure: nervure.No},
		})
		if err != nil {
			t.Fatal(err)
		}
		if s.Evidence.Course == nil {
			t.Fatal(s.Evidence.Why)
		}
		if s.Evidence.Course.Whole.P <= 0.05 {
			rejected++
		}
	}
	if rejected > 4 {
		t.Errorf("%d of 16 are said to change", rejected)
	}
}

// Too few blocks are said to be too few.
func TestTooFewBlocksAreNotTested(t *testing.T) {
	s := still(1, 60)
	found, err := LearnWindows(t.Context(), s, WindowOptions{Window: Length{Observations: 30}, Learn: nervure.Options{Method: baseline.Correlation{}, Structure: nervure.No}})
	if err != nil {
		t.Fatal(err)
	}
	if e := found.Evidence; e.Course != nil && e.Course.Units < 8 || e.Course == nil && !strings.Contains(e.Why, "are too few to find out what changes: 8 of at least two windows would do") {
		t.Errorf("%+v: %s", e.Course, e.Why)
	}
}

// States of a recording are compared by blocks: rows that are alike in time do not make a difference of a test.
func TestStatesOfARecordingAreComparedByBlocks(t *testing.T) {
	rejected := 0
	for seed := range 16 {
		s := still(100+seed, 400)
		s.Labels = map[string][]string{}
		for k := range 400 {
			s.Labels["state"] = append(s.Labels["state"], []string{"before", "after"}[k/200])
		}
		o := options(Grouping{By: "state"})
		o.Learn.Prepare.Rows, o.Learn.Method, o.Learn.Prepare.Difference = "time", baseline.Correlation{}, "no"
		found, err := LearnGroups(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(found.Unit, "block of ") || found.Design.Unit != "block" {
			t.Fatalf("units are %s", found.Unit)
		}
		if found.Test.Whole.P <= 0.05 {
			rejected++
		}
	}
	if rejected > 4 {
		t.Errorf("%d of 16 are said to differ", rejected)
	}
}

// Where vertices follow each other closely and nothing changes, p-values of the whole are those of chance: their mean
// is near one half, 0.5 ± 3 standard errors of 60 series is 0.39 to 0.61. A block by itself has other sizes than its
// window, which must not pass for correlation.
func TestSizesOfBlocksAreNoChange(t *testing.T) {
	const series, vertices, each, windows, block = 60, 6, 100, 4, 5
	sum := 0.0
	for seed := range series {
		draw := rng.Stream(uint64(seed+1), "followers")
		y := mat.NewDense(vertices, each*windows, nil)
		for k := range each * windows {
			common := draw.NormFloat64()
			for i := range vertices {
				y.Set(i, k, math.Sqrt(0.85)*common+math.Sqrt(0.15)*draw.NormFloat64())
			}
		}
		var parts []Part
		for w := range windows {
			parts = append(parts, Part{From: w * each, To: (w + 1) * each})
		}
		z := inWindows(y, parts)
		var units []*mat.SymDense
		var window []int
		for w, p := range parts {
			for from := p.From; from < p.To; from += block {
				units, window = append(units, moments(z.Slice(0, vertices, from, from+block))), append(window, w)
			}
		}
		v, err := groups.OfCorrelations([]string{"a", "b", "c", "d", "e", "f"}, units)
		if err != nil {
			t.Fatal(err)
		}
		c, err := groups.Changes(t.Context(), v, window, groups.Options{Permutations: 99})
		if err != nil {
			t.Fatal(err)
		}
		sum += c.Whole.P
	}
	if mean := sum / series; mean < 0.39 || mean > 0.61 {
		t.Errorf("mean p-value %.2f", mean)
	}
}
