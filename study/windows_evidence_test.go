package study

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
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

// Signals that are alike in time and do not change are seldom said to, between windows or between states, which
// are compared by blocks: of four tests at 0.05, three or more reject once in two thousand times.
func TestDependenceInTimeIsNotTakenForChange(t *testing.T) {
	changed, differ := 0, 0
	for seed := range 4 {
		s := still(seed, 600)
		windows, err := LearnWindows(t.Context(), s, WindowOptions{
			Window: Length{Observations: 150}, Learn: nervure.Options{Method: baseline.Correlation{}, Structure: nervure.No},
		})
		if err != nil || windows.Evidence.Course == nil {
			t.Fatal(err, windows.Evidence.Why)
		}
		if windows.Evidence.Course.Whole.P <= 0.05 {
			changed++
		}
		s.Labels = map[string][]string{}
		for k := range 600 {
			s.Labels["state"] = append(s.Labels["state"], []string{"before", "after"}[k/300])
		}
		o := options(Grouping{By: "state"})
		o.Learn.Prepare.Rows, o.Learn.Method, o.Learn.Prepare.Difference = "time", baseline.Correlation{}, "no"
		states, err := LearnGroups(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		if states.Design.Unit != "block" || states.Test.Units >= 200 {
			t.Fatalf("%d units, each a %s", states.Test.Units, states.Unit)
		}
		if states.Test.Whole.P <= 0.05 {
			differ++
		}
	}
	if changed > 2 || differ > 2 {
		t.Errorf("%d and %d of 4 are said to change", changed, differ)
	}
}

// Too few blocks are not tested.
func TestTooFewBlocksAreNotTested(t *testing.T) {
	found, err := LearnWindows(t.Context(), still(1, 60), WindowOptions{
		Window: Length{Observations: 30}, Learn: nervure.Options{Method: baseline.Correlation{}, Structure: nervure.No},
	})
	if err != nil {
		t.Fatal(err)
	}
	if e := found.Evidence; (e.Course == nil) != (e.Why != "") || e.Course != nil && e.Course.Units < 8 {
		t.Errorf("%+v: %s", e.Course, e.Why)
	}
}
