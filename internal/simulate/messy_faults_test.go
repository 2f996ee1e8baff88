package simulate

import (
	"math"
	"slices"
	"testing"
)

// brokenPair is a recording whose faults are all of one kind, and the same one with
// none.
func brokenPair(t *testing.T, kind FaultKind, seed uint64) (broken, whole *Recording) {
	t.Helper()
	spec := MessySpec{Vertices: 20, Observations: 1000, Broken: 6, Kinds: []FaultKind{kind}, Seed: seed}
	broken = messy(t, spec)
	spec.Mess = MessCycles
	return broken, messy(t, spec)
}

// Every fault is what its comment says, seen from the values alone: they differ from
// those of the same sensor unbroken only where the fault lies.
func TestFaultsAreWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		kind        FaultKind
		least, most float64                         // share of the values
		shows       func(was, is, all float64) bool // that a value is at fault, for at least half of those that changed
	}{
		{FaultStuck, 0.05, 0.4, func(was, is, _ float64) bool { return was != is }},
		{FaultCode, 0.015, 0.1, func(_, is, _ float64) bool {
			return is == -999 || is == 85 || is == -127 || is == 0 || is == 9999 || is == 99.99
		}},
		{FaultSpikes, 0.005, 0.02, func(was, is, all float64) bool { return math.Abs(is-was) > 5.9*all && math.Abs(is-was) < 30.1*all }},
		{FaultNoise, 0.05, 0.4, func(was, is, all float64) bool { return math.Abs(is-was) > all/3 }},
		{FaultJump, 0.05, 0.4, func(was, is, _ float64) bool {
			return math.Abs(is-1.8*was-32) < 0.1 || math.Abs(is-100*was) < 1 || math.Abs(is-1000*was) < 1
		}},
		{FaultDrift, 0.1, 0.4, func(was, is, all float64) bool { return math.Abs(is-was) > all/3 }},
		{FaultSlip, 0.1, 0.4, func(was, is, _ float64) bool { return was != is }},
	} {
		for seed := range uint64(2) {
			broken, whole := brokenPair(t, c.kind, seed)
			for _, f := range broken.Faults {
				if share := float64(f.Entries) / 1000; share < c.least-0.001 || share > c.most+0.001 || f.From < 0 ||
					f.To > 1000 || f.To-f.From < f.Entries {
					t.Errorf("%s: %+v", c.kind, f)
				}
				was, is := whole.Signals.RawRowView(f.Vertex), broken.Signals.RawRowView(f.Vertex)
				all := deviation(present(was))
				differ, shown := 0, 0
				for k, v := range is {
					switch {
					case math.IsNaN(v) != math.IsNaN(was[k]):
						t.Fatalf("%s: other gaps", c.kind)
					case !math.IsNaN(v) && v != was[k]:
						differ++
						if k < f.From || k >= f.To {
							t.Fatalf("%s: observation %d changed outside %d to %d", c.kind, k, f.From, f.To)
						}
						if c.shows(was[k], v, all) {
							shown++
						}
					}
				}
				if shows := present(is[f.From:f.To]); c.kind == FaultStuck && slices.Max(shows) != slices.Min(shows) {
					t.Errorf("a stuck sensor shows %g and %g", slices.Min(shows), slices.Max(shows))
				}
				if differ == 0 || differ > f.Entries || 2*shown < differ {
					t.Errorf("%s: %d differ, %d show, %d are at fault", c.kind, differ, shown, f.Entries)
				}
			}
		}
	}
}

// present returns the values that are not missing.
func present(row []float64) []float64 {
	var values []float64
	for _, v := range row {
		if !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// A copy is another sensor's row, missing values included, up to a change of unit.
func TestCopiesFollowTheirSource(t *testing.T) {
	converted := 0
	for seed := range uint64(3) {
		broken, _ := brokenPair(t, FaultCopy, seed)
		for _, f := range broken.Faults {
			of, is := broken.Signals.RawRowView(f.Source), broken.Signals.RawRowView(f.Vertex)
			if f.Source == f.Vertex || f.From != 0 || f.To != 1000 {
				t.Errorf("%+v", f)
			}
			a, b := present(of), present(is)
			slope := deviation(b) / deviation(a)
			if slope > 1.5 {
				converted++
			}
			if len(a) != len(b) {
				t.Fatal("other gaps")
			}
			for k := range a {
				if math.Abs(b[k]-b[0]-slope*(a[k]-a[0])) > 0.03 {
					t.Fatalf("%g at %g, where slope is %g", b[k], a[k], slope)
				}
			}
		}
	}
	if converted == 0 || converted == 18 {
		t.Errorf("%d of 18 copies are in another unit", converted)
	}
}

// The values of a slipped clock are its own of some hours before or after, but for
// gaps.
func TestSlippedClocksShowOtherHours(t *testing.T) {
	broken, whole := brokenPair(t, FaultSlip, 2)
	for _, f := range broken.Faults {
		best := 0
		for shift := -longestSlip; shift <= longestSlip; shift++ {
			agree := 0
			for k := f.From; k < f.To-longestSlip; k++ {
				if shift != 0 && broken.Signals.At(f.Vertex, k) == whole.Signals.At(f.Vertex, k+shift) {
					agree++
				}
			}
			best = max(best, agree)
		}
		if length := f.To - longestSlip - f.From; 2*best < length {
			t.Errorf("at best %d of %d agree", best, length)
		}
	}
}
