package prepare

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
)

// Preparation that is stopped gives no signals, wherever it is: never ones with a cycle
// or a mean that it had no time to see.
func TestStoppedPreparationGivesNothing(t *testing.T) {
	y := cyclic(35, 400, 1, 10, 24)
	for i := range 35 {
		for k := range 400 {
			y.Set(i, k, y.At(i, k)+5)
		}
	}
	want, wanted := prepared(t, y, Options{})
	if !wanted.Season.Done || !wanted.Center.Done {
		t.Fatal("the signals are no test: ", wanted.Sentence())
	}
	stopped := 0
	for looks := 0; ; looks += 1 + looks/8 {
		z, r, err := Signals(checks.EndsAfter(looks), y, Options{})
		if err == nil {
			if !mat.Equal(z, want) || !reflect.DeepEqual(r, wanted) {
				t.Fatalf("after %d looks: got other signals and no error", looks)
			}
			break
		}
		stopped++
		if z != nil || r != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d looks: got %v, %v and the error %v", looks, z, r, err)
		}
	}
	if stopped < 10 {
		t.Errorf("stopped %d times", stopped)
	}
}

// Innovations come with what was found out about the values, and the filter repeats on the
// same signals what was done to them.
func TestInnovationsNeedNoNewSearch(t *testing.T) {
	for name, y := range map[string]*mat.Dense{
		"with a cycle": apply(wander(6, 300, 0.8, 13), func(_, k int, v float64) float64 { return v + 5*math.Sin(2*math.Pi*float64(k)/24) }),
		"skewed":       apply(wander(6, 300, 0.9, 11), func(_, _ int, v float64) float64 { return math.Exp(v) }),
	} {
		for _, o := range []Options{{}, {Center: No}, {CommonMode: Yes}} {
			_, first := prepared(t, y, o)
			z, r, err := first.Innovations(t.Context(), y)
			if err != nil || r == nil || !r.Autoregression.Done || r.Season.Done != first.Season.Done || r.Season.Sentence != first.Season.Sentence {
				t.Fatalf("%s, %+v: got %+v, %v", name, o, r, err)
			}
			again, undo, err := r.Transform.Apply(y, nil)
			if err != nil || !mat.EqualApprox(again, z, 1e-9) || !mat.EqualApprox(undo(again), y, 1e-9) {
				t.Errorf("%s, %+v: the transform gives other signals, %v", name, o, err)
			}
		}
	}
	_, first := prepared(t, noise(6, 300, 12), Options{})
	if z, r, err := first.Innovations(t.Context(), noise(6, 300, 12)); z != nil || r != nil || err != nil {
		t.Errorf("of noise: got %v, %v, %v", z, r, err)
	}
}

// A common mode that is kept leaves the signals as without looking for it, and its share is
// that which would have been removed.
func TestKeptCommonModeIsOnlyTold(t *testing.T) {
	for name, offset := range map[string]float64{"with means": 7, "without": 0} {
		mode := noise(1, 200, 51).RawRowView(0)
		y := apply(noise(40, 200, 50), func(_, k int, v float64) float64 { return v + 2*mode[k] + offset })
		want, _ := prepared(t, y, Options{CommonMode: No})
		_, removed := prepared(t, y, Options{})
		z, r := prepared(t, y, Options{KeepCommonMode: true})
		if !removed.CommonMode.Done || r.CommonMode.Done || !mat.Equal(z, want) {
			t.Errorf("%s: removed %t without being asked to keep it, %t else", name, removed.CommonMode.Done, r.CommonMode.Done)
		}
		if r.CommonMode.Kept != removed.CommonMode.Energy || r.CommonMode.Energy != 0 || r.CommonMode.Kept < 0.5 {
			t.Errorf("%s: got %g of the energy kept and %g removed, want %g", name, r.CommonMode.Kept, r.CommonMode.Energy, removed.CommonMode.Energy)
		}
		if _, asked := prepared(t, y, Options{KeepCommonMode: true, CommonMode: Yes}); !asked.CommonMode.Done {
			t.Error("it was kept though it was to be removed")
		}
	}
}
