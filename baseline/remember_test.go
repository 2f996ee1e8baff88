package baseline_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/method"
)

// What a method came to is kept, and comes back to the last bit; only of modules, which
// have more to say, it is not.
func TestResultsAreKept(t *testing.T) {
	for _, e := range baseline.Methods() {
		t.Run(e.Name(), func(t *testing.T) {
			p := conformProblem(t, e)
			store := &checkpoint.Memory{}
			learn := func(ctx context.Context) *method.Result {
				t.Helper()
				r, err := e.Default.Learn(ctx, p)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			want := learn(t.Context())
			first := learn(checkpoint.With(t.Context(), store))
			pieces, _ := store.Size()
			if pieces == 0 && want.Own == nil {
				t.Fatal("nothing is kept")
			}
			for _, got := range []*method.Result{first, learn(checkpoint.With(t.Context(), store))} {
				if !reflect.DeepEqual(got, want) {
					t.Errorf("got %+v, want %+v", got, want)
				}
			}
		})
	}
}
