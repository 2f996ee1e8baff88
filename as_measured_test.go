package nervure

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// stuck are signals with a vertex that reads 12.5 all the time, and one that rises by
// one half each time.
func stuck() *Signals {
	draw := rng.Stream(1, "stuck")
	y := mat.NewDense(8, 60, nil)
	for i := range 8 {
		for k := range 60 {
			y.Set(i, k, 20+draw.NormFloat64())
		}
	}
	for k := range 60 {
		y.Set(3, k, 12.5)
		y.Set(5, k, float64(k)/2)
	}
	return &Signals{Y: y, Names: []string{"a", "b", "c", "S24", "e", "ramp", "g", "h"}}
}

func TestAConstantVertexHasTheValueOfTheFile(t *testing.T) {
	for _, c := range []struct {
		difference prepare.Choice
		want       []string
	}{
		{prepare.No, []string{`vertex "S24" is constant (12.5 in every signal) and was left without edges`}},
		{prepare.Yes, []string{
			`vertex "S24" is constant (12.5 in every signal) and was left without edges`,
			`vertex "ramp" is constant after preprocessing and was left without edges`,
		}},
	} {
		o := prepare.Options{Center: prepare.Yes, Difference: c.difference}
		a, err := Learn(t.Context(), stuck(), Options{Method: baseline.KNN{}, Prepare: o})
		if err != nil {
			t.Fatal(err)
		}
		compared, err := Compare(t.Context(), stuck(), CompareOptions{Methods: []method.Method{baseline.KNN{}}, Prepare: o})
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range map[string][]string{"Learn": a.Warnings(), "Compare": compared.Methods[0].Warnings} {
			constant := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return !strings.Contains(s, "constant") })
			if !slices.Equal(constant, c.want) {
				t.Errorf("%s warns %q, want %q", name, constant, c.want)
			}
		}
	}
}
