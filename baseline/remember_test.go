package baseline_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/method"
)

// What a method came to is kept, and comes back to the last bit.
func TestResultsAreKept(t *testing.T) {
	for _, e := range baseline.Methods() {
		t.Run(e.Name(), func(t *testing.T) {
			testResultIsKept(t, e.Default, conformProblem(t, e))
		})
	}
}

// So is all that a field has to say, whatever its kernel, its signs and the engine.
func TestFieldsAreKept(t *testing.T) {
	y := checks.Chain(2, 25, 400)
	for name, field := range map[string]baseline.Field{
		"chosen": {}, "order 2": {Order: 2}, "signed": {Signed: 1}, "vertex by vertex": {Engine: 1},
	} {
		t.Run(name, func(t *testing.T) { testResultIsKept(t, field, method.Problem{Y: y}) })
	}
}

// testResultIsKept learns without a store, with one, and from what it has kept.
func testResultIsKept(t *testing.T, m method.Method, p method.Problem) {
	t.Helper()
	steps := 0
	p.Progress = func(method.Step) { steps++ }
	learn := func(ctx context.Context) *method.Result {
		t.Helper()
		steps = 0
		r, err := m.Learn(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	store := &checkpoint.Memory{}
	want := learn(t.Context())
	for k := range 2 {
		if got := learn(checkpoint.With(t.Context(), store)); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if k == 1 && steps > 0 {
			t.Errorf("%d steps were done again", steps)
		}
	}
	if pieces, _ := store.Size(); pieces != 1 {
		t.Errorf("%d pieces are kept, want the result", pieces)
	}
}
