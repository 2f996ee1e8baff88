package dictionary

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Imputing and refitting in turn leads to least squares on the other entries.
func TestImputingLeadsToTheFitOfTheObservedEntries(t *testing.T) {
	in := sparseInstance(t, 12, 10, "impute")
	missing := make([][]int32, 10)
	complete := mat.DenseCopyOf(in.y)
	for m := range missing {
		i := int32(m % 12)
		missing[m] = []int32{i}
		in.y.Set(int(i), m, math.NaN())
	}
	want := newSpectral(in.y, in.kernels, 1)
	want.SetPairs(in.pairs)
	in.y = complete
	e := in.local(1, 0, 12)
	done(want.At(in.w))
	goal := want.Refit(in.x.Clone())
	last := math.Inf(1)
	for range 200 {
		now := e.Refit(in.x)
		if now > last*(1+1e-12) {
			t.Fatalf("the residual rose from %g to %g", last, now)
		}
		last = now
		e.Impute(in.x, missing)
	}
	if math.Abs(last-goal) > 1e-3*goal || last < goal*(1-1e-9) {
		t.Errorf("the residual came to %g, want %g, from above", last, goal)
	}
}
