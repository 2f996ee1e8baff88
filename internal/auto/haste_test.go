package auto_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/auto"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

var errEnough = errors.New("enough")

// ended is a context that is over.
func ended(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	return ctx
}

// Without time to compare methods, a graph that the sparse method has not proved is not the
// result if there can be one of a field.
func TestWithoutAComparisonAFieldIsLearned(t *testing.T) {
	p := method.Problem{Y: checks.Chain(3, 20, 200), Seed: 1}
	for name, c := range map[string]struct {
		learning context.Context
		want     method.Status
	}{
		"time to learn":    {t.Context(), method.Converged},
		"no time at all":   {ended(t), method.Interrupted},
		"given up at once": {nil, method.Interrupted},
	} {
		comparing, p := ended(t), p
		if c.learning == nil { // it ends with the step that gives the sparse method up
			ctx, cancel := context.WithCancelCause(t.Context())
			c.learning, p.Progress = ctx, func(method.Step) { cancel(errEnough) }
		}
		d, err := auto.Choose(c.learning, comparing, p, nil, nil)
		if !errors.Is(err, errEnough) || d.Result == nil {
			t.Errorf("%s: got %+v, %v", name, d, err)
			continue
		}
		if baseline.FieldFitOf(d.Result) == nil || !d.Choice.IsField() || d.Method.Name() != "field" || d.Result.Status != c.want || d.Result.Graph.EdgeCount() < 15 {
			t.Errorf("%s: got %s of %d edges by %s, %s", name, d.Result.Status, d.Result.Graph.EdgeCount(), d.Result.Method.Name(), d.Choice)
		}
		if d.Choice.Uncompared() == "" || d.Choice.Signals != 0 {
			t.Errorf("%s: it says %q", name, d.Choice)
		}
	}
}

// Where a field has no edges, the sparse method stands in, and methods count as not compared.
func TestWithoutEdgesTheSparseMethodStandsIn(t *testing.T) {
	r := rng.Stream(1, "noise")
	y := mat.NewDense(12, 120, nil)
	y.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, y)
	for name, learning := range map[string]context.Context{"time to learn": t.Context(), "no time at all": ended(t)} {
		d, err := auto.Choose(learning, ended(t), method.Problem{Y: y, Seed: 1}, nil, nil)
		if !errors.Is(err, errEnough) || d.Method.Name() != "sparse" || d.Choice.IsField() || d.Choice.Uncompared() == "" {
			t.Errorf("%s: got %s, %v", name, d.Choice, err)
		}
		if (d.Result != nil) != (learning.Err() != nil) {
			t.Errorf("%s: a result is there: %t", name, d.Result != nil)
		}
	}
}

// Wherever a comparison ends, what held-out signals said until then decides, and is told.
func TestWhatWasSeenDecides(t *testing.T) {
	drawn, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: 5}, kernel.Paper(), synth.SignalSpec{Count: 200, Sparsity: 4, Noise: 0.1, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for want, p := range map[string]method.Problem{
		"field":  {Y: checks.Chain(3, 20, 200), Seed: 1},
		"sparse": {Y: drawn.Signals, Seed: 1},
	} {
		for limit := 4 * time.Millisecond; ; limit = limit * 3 / 2 {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			c, err := auto.Compare(ctx, p, false, nil)
			cancel()
			if known := c.Uncompared() == ""; known != (c.Signals > 0) || known && c.Method != want {
				t.Errorf("%s after %s: got %+v, %v", want, limit, c, err)
			}
			if err == nil {
				break
			}
		}
	}
}
