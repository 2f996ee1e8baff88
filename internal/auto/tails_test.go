package auto_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/auto"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// fieldOf returns a field on a grid, each vertex with variance 1.
func fieldOf(t *testing.T, seed uint64, signals int) *mat.Dense {
	t.Helper()
	drawn := must.Get(synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25, Seed: seed}))
	field := must.Get(synth.Field(drawn.Graph, synth.FieldSpec{Order: 1, Count: signals, Seed: seed}))
	y := field.Signals
	n, m := y.Dims()
	for i := range n {
		scale := mat.Norm(y.RowView(i), 2) / math.Sqrt(float64(m))
		for k := range m {
			y.Set(i, k, y.At(i, k)/scale)
		}
	}
	return y
}

// Skewed values, counts, sizes that differ and wild signals are no codes.
func TestHeavyTailsAreFields(t *testing.T) {
	for name, change := range map[string]func(y *mat.Dense, r *rand.Rand){
		"log-normal": func(y *mat.Dense, _ *rand.Rand) {
			y.Apply(func(_, _ int, v float64) float64 { return math.Exp(v) }, y)
		},
		"counts": func(y *mat.Dense, _ *rand.Rand) {
			y.Apply(func(_, _ int, v float64) float64 { return math.Floor(math.Exp(v + 1)) }, y)
		},
		"t with two degrees of freedom": func(y *mat.Dense, r *rand.Rand) {
			n, m := y.Dims()
			for k := range m {
				a, b := r.NormFloat64(), r.NormFloat64()
				for i := range n {
					y.Set(i, k, y.At(i, k)/math.Sqrt((a*a+b*b)/2))
				}
			}
		},
		"wild signals": func(y *mat.Dense, r *rand.Rand) {
			n, m := y.Dims()
			for k := 5; k < m; k += 100 {
				for i := range n {
					y.Set(i, k, 30*r.NormFloat64())
				}
			}
		},
	} {
		for seed := range uint64(2) {
			y := fieldOf(t, seed+1, 125)
			change(y, rng.Stream(seed, name))
			if c, err := auto.Compare(t.Context(), method.Problem{Y: y, Seed: 1}, true, nil); err != nil || !c.IsField() {
				t.Errorf("%s: %+v, %v", name, c, err)
			}
		}
	}
}

// The same rule, and the same evidence, is what comparisons of all methods favour.
func TestComparisonsFavourWhatIsChosen(t *testing.T) {
	drawn := must.Get(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: 5}, kernel.Paper(),
		synth.SignalSpec{Count: 100, Sparsity: 4, Noise: 0.1, Seed: 5}))
	list := []assess.Contender{{Name: "sparse"}, {Name: "field", Edges: 30}, {Name: "knn"}}
	for want, y := range map[string]*mat.Dense{"sparse": drawn.Signals, "field": fieldOf(t, 1, 125)} {
		p := method.Problem{Y: y, Seed: 1}
		d := must.Get(auto.Choose(t.Context(), t.Context(), p, nil, nil))
		if got := auto.Favoured(t.Context(), p, true, list); got.Name != want || d.Method.Name() != want ||
			got.Because != "nervure learn takes it, by a test of its own on halves of the signals: "+d.Choice.Because() {
			t.Errorf("got %+v and %s, want %s", got, d.Choice, want)
		}
		for _, without := range [][]assess.Contender{
			list[1:],
			{list[0], list[2]},
			{list[0], list[1], {Name: "other", Certified: true}},
		} {
			if got := auto.Favoured(t.Context(), p, true, without); got != (assess.Favoured{}) {
				t.Errorf("%v: got %+v", without, got)
			}
		}
	}
}
