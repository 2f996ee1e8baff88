package prepare

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// Applied to the signals it comes from, a transform repeats their preparation bit by bit, and undoing it gives
// the signals back. Made from its record again, it does the same.
func TestTransformRepeatsAndUndoesThePreparation(t *testing.T) {
	r := rng.Stream(1, "transform")
	y := mat.NewDense(5, 60, nil)
	y.Apply(func(i, _ int, _ float64) float64 { return 10 + float64(i)*math.Exp(0.3*r.NormFloat64()) }, y)
	y.Set(2, 7, math.NaN())
	names := []string{"a", "b", "c", "d", "e"}
	for _, o := range []Options{
		{}, None(), {Center: Yes}, {Center: Yes, Scale: Yes, CommonMode: Yes}, {Log: true, LogOffset: 2}, {Difference: Yes},
	} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
			want, report, err := Signals(t.Context(), y, o)
			if err != nil {
				t.Fatal(err)
			}
			z, undo, err := report.Transform.Apply(y, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !agree(z, want, 0) {
				t.Error("the signals are not prepared as they were")
			}
			again, err := report.Transform.Record().Transform(names)
			if err != nil {
				t.Fatal(err)
			}
			got, undoAgain, err := again.Apply(y, nil)
			if err != nil || !agree(got, z, 0) || undo != nil && !agree(undoAgain(got), undo(z), 0) {
				t.Errorf("its record does something else, %v", err)
			}
			if undo == nil {
				if o.Difference != Yes {
					t.Error("it cannot be undone")
				}
				return
			}
			if !agree(undo(z), y, 1e-12) {
				t.Error("undoing it does not give the signals back")
			}
		})
	}
}

// agree reports whether two matrices agree to a relative tolerance, with NaN in the
// same places.
func agree(a, b *mat.Dense, tolerance float64) bool {
	n, m := a.Dims()
	for i := range n {
		for k := range m {
			x, y := a.At(i, k), b.At(i, k)
			if math.IsNaN(x) != math.IsNaN(y) || math.Abs(x-y) > tolerance*math.Abs(y) {
				return false
			}
		}
	}
	return true
}

func TestRecordsOfTransformsAreChecked(t *testing.T) {
	y := mat.NewDense(2, 3, []float64{1, 2, 3, 5, 4, 7})
	_, report, err := Signals(t.Context(), y, Options{Center: Yes})
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*TransformRecord){
		"a mean less":        func(r *TransformRecord) { r.Mean = r.Mean[1:] },
		"no deviations":      func(r *TransformRecord) { r.SD = nil },
		"a mean of NaN":      func(r *TransformRecord) { r.Mean[1] = math.NaN() },
		"an infinite offset": func(r *TransformRecord) { r.LogOffset = math.Inf(1) },
		"a deviation of 0":   func(r *TransformRecord) { r.SD[1] = 0 },
	} {
		record := report.Transform.Record()
		spoil(&record)
		if _, err := record.Transform([]string{"a", "b"}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
