package nervure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
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

func TestAVertexWhoseValuesWereSetAsideIsNotSaidToHaveHadNone(t *testing.T) {
	s := stuck()
	r := &method.Result{Graph: mustGraph(t, s.Names...), Aside: []signals.Aside{
		{Vertex: 0, Name: "a", Reason: signals.TooFewValues, Observed: 0, Signals: 60},
		{Vertex: 1, Name: "b", Reason: signals.TooFewValues, Observed: 1, Signals: 60},
	}}
	for k := range 59 {
		s.Y.Set(1, k, math.NaN()) // this one had none in the file, either
	}
	for _, a := range r.Aside {
		r.Warnings = append(r.Warnings, a.Sentence())
	}
	asMeasured(r, s)
	want := []string{
		`vertex "a" has values in only 0 of 60 signals after preprocessing and was left without edges`,
		`vertex "b" has values in only 1 of 60 signals and was left without edges`,
	}
	if !slices.Equal(r.Warnings, want) {
		t.Errorf("got %q, want %q", r.Warnings, want)
	}
}
