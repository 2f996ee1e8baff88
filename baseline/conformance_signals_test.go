package baseline_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// fillRow sets all values of a vertex.
func fillRow(y *mat.Dense, i int, v float64) {
	for s := range y.RawRowView(i) {
		y.Set(i, s, v)
	}
}

// A vertex that nothing can be learned about is left isolated, a warning names
// it, and the others are joined as if it were not there.
func TestMethodsSetVerticesAside(t *testing.T) {
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t, e)
		want := mustLearn(t, e.Default, without(p))
		changed := with(p, func(y *mat.Dense) { fillRow(y, 0, 7.5) })
		got := mustLearn(t, e.Default, changed)
		wantSound(t, e, changed, got)
		if got.Weights.Degrees()[0] != 0 || len(got.Aside) != 1 {
			t.Errorf("a vertex that does not vary has edges, or was not set aside: %+v", got.Aside)
		}
		wantSame(t, "with a vertex that does not vary", got, want)
	})
}

// Missing values are left out by methods that say so. For all others they are the
// means of their vertices, and a warning says how many.
func TestMethodsLearnFromSignalsWithMissingValues(t *testing.T) {
	eachMethod(t, func(t *testing.T, e method.Entry) {
		r := rng.Stream(*seed, "missing")
		missing := 0
		full := conformProblem(t, e)
		p := with(full, func(y *mat.Dense) {
			y.Apply(func(_, _ int, v float64) float64 {
				if r.Float64() < 0.02 {
					missing++
					return math.NaN()
				}
				return v
			}, y)
		})
		filled := p
		filled.Y, _, _ = signals.FillMissing(t.Context(), p.Y)
		got := mustLearn(t, e.Default, p)
		wantSound(t, e, p, got)
		told := slices.Contains(got.Warnings, fmt.Sprintf("%d missing values were drawn from what the other vertices suggest", missing))
		if e.Has(method.TakesMissing) {
			if told || got.Filled != 0 {
				t.Errorf("%d values filled, warnings %q", got.Filled, got.Warnings)
			}
			return
		}
		if !told || got.Filled != missing {
			t.Errorf("%d of %d values filled, warnings %q", got.Filled, missing, got.Warnings)
		}
		wantIdentical(t, "with missing values", got, mustLearn(t, e.Default, filled))
	})
}

// Whatever the signals, a method gives a sound graph or blames them; it does not
// panic and its weights are numbers.
func TestMethodsSurviveOddSignals(t *testing.T) {
	slow(t)
	r := rng.Stream(*seed, "odd signals")
	draw := func(n, m int) *mat.Dense {
		y := mat.NewDense(n, m, nil)
		y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
		return y
	}
	twins := draw(6, 20)
	twins.SetRow(4, twins.RawRowView(1))
	opposite := draw(6, 20)
	floats.ScaleTo(opposite.RawRowView(2), -1, opposite.RawRowView(3))
	huge, tiny, offset := draw(6, 20), draw(6, 20), draw(6, 20)
	huge.Scale(1e150, huge)
	tiny.Scale(1e-150, tiny)
	offset.Apply(func(_, _ int, v float64) float64 { return 1e6 + v }, offset)
	uneven, lost := draw(6, 20), draw(6, 20)
	floats.Scale(1e8, uneven.RawRowView(0))
	floats.Scale(1e-200, lost.RawRowView(0))
	spikes := mat.NewDense(6, 6, nil)
	for i := range 6 {
		spikes.Set(i, i, 1)
	}
	same := mat.NewDense(6, 20, nil)
	for i := range 6 {
		same.SetRow(i, twins.RawRowView(1))
	}
	holes := draw(6, 20)
	for s := range 20 {
		holes.Set(s%6, s, math.NaN())
	}
	for name, y := range map[string]*mat.Dense{
		"two vertices": draw(2, 10), "two signals": draw(6, 2), "five vertices": draw(5, 50), "fewer signals than vertices": draw(10, 4),
		"two equal vertices": twins, "opposite vertices": opposite, "all vertices equal": same,
		"huge": huge, "tiny": tiny, "far from zero": offset, "uneven": uneven, "one tiny vertex": lost, "spikes": spikes, "holes": holes,
	} {
		t.Run(name, func(t *testing.T) {
			eachMethod(t, func(t *testing.T, e method.Entry) {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("panic: %v", r)
					}
				}()
				p := method.Problem{Y: y, Kernels: conformKernels(t)}
				r, err := e.Default.Learn(t.Context(), p)
				switch {
				case err != nil && input.Find(err) == nil:
					t.Errorf("got error %v", err)
				case err == nil:
					wantSound(t, e, p, r)
				}
			})
		})
	}
}

// A method refuses more vertices than it has room for before anything is built of pairs.
func TestMethodsRefuseMoreVerticesThanTheyHaveRoomFor(t *testing.T) {
	eachMethod(t, func(t *testing.T, e method.Entry) {
		if e.MostVertices == 0 {
			return // there is no limit to hold it to
		}
		p := method.Problem{Y: mat.NewDense(e.MostVertices+1, 2, nil), Kernels: conformKernels(t)}
		_, err := e.Default.Learn(t.Context(), p)
		want := fmt.Sprintf("got %d, want at most %d", e.MostVertices+1, e.MostVertices)
		if fault := input.Find(err); fault == nil || fault.Op != e.Name() || fault.Field != input.Vertices || fault.Msg != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}
