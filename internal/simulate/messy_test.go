package simulate

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/prepare"
)

func messy(t *testing.T, spec MessySpec) *Recording {
	t.Helper()
	r, err := Messy(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// same reports whether two matrices are equal, missing values included.
func same(a, b *mat.Dense) bool {
	return slices.EqualFunc(a.RawMatrix().Data, b.RawMatrix().Data,
		func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}

// Who looks for faults and who makes them call them the same.
func TestFaultsAreCalledAsInSensors(t *testing.T) {
	for _, k := range []prepare.FaultKind{
		prepare.Stuck, prepare.MissingCode, prepare.Spikes, prepare.Noisy, prepare.UnitJump, prepare.Drift, prepare.ClockSlip, prepare.Copy,
	} {
		if !slices.Contains(FaultKinds(), FaultKind(k)) {
			t.Errorf("%q is not made", k)
		}
	}
}

func TestRecordingsAreDrawnAlikeFromASeed(t *testing.T) {
	spec := MessySpec{Vertices: 20, Observations: 300, Seed: 3}
	a, b := messy(t, spec), messy(t, spec)
	if !same(a.Signals, b.Signals) || !same(a.Clean, b.Clean) || !slices.Equal(a.Faults, b.Faults) {
		t.Error("two recordings of a seed differ")
	}
	spec.Seed++
	if same(a.Clean, messy(t, spec).Clean) {
		t.Error("two seeds give the same field")
	}
}

// More mess changes neither the graph nor the field, and broken sensors change only
// their own values.
func TestMessIsAddedToTheSameField(t *testing.T) {
	for seed := range uint64(2) {
		spec := MessySpec{Seed: seed, Observations: 500}
		all := messy(t, spec)
		spec.Mess = MessCycles
		cycles := messy(t, spec)
		spec.Mess = MessNone
		none := messy(t, spec)
		if !same(all.Clean, none.Clean) || !same(cycles.Clean, none.Clean) || !same(none.Signals, none.Clean) {
			t.Error("the fields differ")
		}
		if n := all.Graph.Vertices(); len(all.Faults) < 2 || len(all.Faults) > 6*n/40+1 || len(cycles.Faults)+len(none.Faults) > 0 {
			t.Errorf("seed %d: %d, %d and %d faults", seed, len(all.Faults), len(cycles.Faults), len(none.Faults))
		}
		broken := map[int]bool{}
		for _, f := range all.Faults {
			broken[f.Vertex] = true
		}
		for i := range all.Graph.Vertices() {
			if differ := !same(mat.DenseCopyOf(all.Signals.Slice(i, i+1, 0, 500)),
				mat.DenseCopyOf(cycles.Signals.Slice(i, i+1, 0, 500))); differ != broken[i] {
				t.Errorf("seed %d, sensor %d: differs %t, broken %t", seed, i, differ, broken[i])
			}
		}
	}
}

// The field forgets by its coefficient from one hour to the next, less what noise of
// measurement takes.
func TestFieldGoesOnFromHourToHour(t *testing.T) {
	r := messy(t, MessySpec{Mess: MessNone, Memory: 0.7, Observations: 4000, Seed: 5})
	n, m := r.Clean.Dims()
	product, square := 0.0, 0.0
	for i := range n {
		row := r.Clean.RawRowView(i)
		for k := 1; k < m; k++ {
			product += row[k] * row[k-1]
			square += row[k] * row[k]
		}
	}
	want := 0.7 / (1 + sensorNoise*sensorNoise)
	if got := product / square; math.Abs(got-want) > 0.03 {
		t.Errorf("got %g, want %g", got, want)
	}
	if got := square / float64(n*m); math.Abs(got-1-sensorNoise*sensorNoise) > 0.02 {
		t.Errorf("variance %g", got)
	}
}

// The daily cycle of an unbroken recording has more energy than the field: the means
// of the hours of the day vary more than what is left.
func TestDailyCycleIsStrongerThanTheField(t *testing.T) {
	for seed := range uint64(1) {
		r := messy(t, MessySpec{Mess: MessCycles, Seed: seed})
		i := 0
		var sums, counts [24]float64
		total, square, count := 0.0, 0.0, 0.0
		for k, v := range r.Signals.RawRowView(i) {
			if !math.IsNaN(v) {
				sums[k%24] += v
				counts[k%24]++
				total, square, count = total+v, square+v*v, count+1
			}
		}
		cycle := 0.0
		for h := range sums {
			d := sums[h]/counts[h] - total/count
			cycle += d * d / 24
		}
		if share := cycle / (square/count - total/count*total/count); share < 0.25 {
			t.Errorf("seed %d: the daily cycle has %.0f %% of the variance", seed, 100*share)
		}
		if missing := 1 - count/float64(len(r.Signals.RawRowView(i))); missing < 0.002 || missing > 0.15 {
			t.Errorf("seed %d: %.1f %% missing", seed, 100*missing)
		}
	}
}
