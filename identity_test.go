package nervure_test

import (
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
)

// A run can go on with whatever does not change its result, and with nothing else.
func TestRunIdentity(t *testing.T) {
	signals := func(last float64) *nervure.Signals {
		return &nervure.Signals{Y: mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, last}), Names: []string{"a", "b"}}
	}
	identity := func(s *nervure.Signals, o nervure.Options) string {
		t.Helper()
		first, err := nervure.RunIdentity(signals(6), nervure.Options{})
		if err != nil {
			t.Fatal(err)
		}
		id, err := nervure.RunIdentity(s, o)
		if err != nil {
			t.Fatal(err)
		}
		return first.Difference(id)
	}
	prior, err := graph.New([]string{"a", "b"}, []graph.Edge{{I: 0, J: 1, Weight: 2}})
	if err != nil {
		t.Fatal(err)
	}
	renamed := signals(6)
	renamed.Names = []string{"a", "c"}
	timed := signals(6)
	timed.Times = []time.Time{time.Unix(0, 0), time.Unix(1, 0), time.Unix(2, 0)}
	for _, c := range []struct {
		name    string
		signals *nervure.Signals
		options nervure.Options
		want    string
	}{
		{"the same", signals(6), nervure.Options{}, ""},
		{"threads", signals(6), nervure.Options{Threads: 7}, ""},
		{"the default seed", signals(6), nervure.Options{Seed: 1}, ""},
		{"another seed", signals(6), nervure.Options{Seed: 2}, "the seed 2"},
		{"another value", signals(6.000001), nervure.Options{}, "other signals"},
		{"another name", renamed, nervure.Options{}, "other signals"},
		{"times", timed, nervure.Options{}, "other signals"},
		{"another method", signals(6), nervure.Options{Method: baseline.GGL{}}, "other options"},
		{"confidence", signals(6), nervure.Options{Confidence: nervure.No}, "other options"},
		{"preprocessing", signals(6), nervure.Options{Prepare: prepare.Options{Center: prepare.Yes}}, "other options"},
	} {
		if got := identity(c.signals, c.options); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	sparse := func(o learn.Options) string {
		t.Helper()
		id, err := nervure.RunIdentity(signals(6), nervure.Options{Method: learn.Sparse{Options: o}})
		if err != nil {
			t.Fatal(err)
		}
		return id.Options
	}
	if sparse(learn.Options{Prior: prior}) == sparse(learn.Options{}) || sparse(learn.Options{Threads: 3}) != sparse(learn.Options{}) {
		t.Error("the identity has not what the result depends on, or more than that")
	}
	for _, e := range nervure.Methods() {
		if id, err := nervure.RunIdentity(signals(6), nervure.Options{Method: e.Default}); err != nil || id.Options == "" {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
	if _, err := nervure.RunIdentity(nil, nervure.Options{}); input.Find(err) == nil {
		t.Errorf("no signals: got %v", err)
	}
}
