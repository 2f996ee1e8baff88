package sensors

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/prepare"
)

func faultsIn(t testing.TB, y *mat.Dense, names []string, times []time.Time) []prepare.Fault {
	t.Helper()
	found, err := Find(t.Context(), y, names, times, prepare.RowsAuto)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A search that is stopped says so, wherever it is, and what it has found until then are
// faults that the whole search finds, too.
func TestStoppedSearchNeverAnswersSilently(t *testing.T) {
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
	r := recording(t, simulate.MessySpec{Seed: 501, Vertices: 20, Observations: 600, Broken: 6})
	whole := faultsIn(t, r.Signals, nil, r.Times)
	if len(whole) < 2 {
		t.Fatalf("got %d faults: the recording is no test", len(whole))
	}
	some, stopped := false, 0
	for looks := 0; ; looks += 1 + looks/3 {
		found, err := Find(checks.EndsAfter(looks), r.Signals, nil, r.Times, prepare.RowsAuto)
		if err == nil {
			if !reflect.DeepEqual(found, whole) {
				t.Fatalf("after %d looks: got %d faults and no error, want %d", looks, len(found), len(whole))
			}
			break
		}
		stopped++
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		some = some || len(found) > 0
		for _, f := range found {
			if !slices.ContainsFunc(whole, func(w prepare.Fault) bool { return reflect.DeepEqual(f, w) }) {
				t.Errorf("after %d looks: %+v is not among the faults of the whole search", looks, f)
			}
		}
	}
	if stopped < 10 || !some {
		t.Errorf("stopped %d times, found any before: %t", stopped, some)
	}
}

// The search for faults of the largest recordings stops soon.
func TestSearchStopsSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	y := checks.Chain(1, mostSensors, mostValues/mostSensors)
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	told := make(chan time.Duration, 1)
	context.AfterFunc(ctx, func() { told <- checks.CPUTime(t) })
	if _, err := Find(ctx, y, nil, nil, prepare.RowsAuto); err != nil {
		if late := checks.CPUTime(t) - <-told; late > 5*time.Second { // usually half of one
			t.Errorf("ended after another %s of work", late)
		}
	}
}
