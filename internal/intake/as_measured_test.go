package intake

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

func TestAVertexWhoseValuesWereSetAsideIsNotSaidToHaveHadNone(t *testing.T) {
	draw := rng.Stream(1, "set aside")
	y := mat.NewDense(2, 60, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, y)
	s := &signals.Set{Y: y, Names: []string{"a", "b"}}
	g, err := graph.New(s.Names, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &method.Result{Graph: g, Aside: []signals.Aside{
		{Vertex: 0, Name: "a", Reason: signals.TooFewValues, Observed: 0, Signals: 60},
		{Vertex: 1, Name: "b", Reason: signals.TooFewValues, Observed: 1, Signals: 60},
	}}
	for k := range 59 {
		s.Y.Set(1, k, math.NaN()) // this one had none in the file, either
	}
	for _, a := range r.Aside {
		r.Warnings = append(r.Warnings, a.Sentence())
	}
	AsMeasured(r, s, &prepare.Prepared{})
	want := []string{
		`vertex "a" has values in only 0 of 60 signals after preprocessing and was left without edges`,
		`vertex "b" has values in only 1 of 60 signals and was left without edges`,
	}
	if !slices.Equal(r.Warnings, want) {
		t.Errorf("got %q, want %q", r.Warnings, want)
	}
}
