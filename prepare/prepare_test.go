package prepare

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
)

var seed = flag.Uint64("seed", 1, "seed of everything drawn in these tests; any must pass")

var nan = math.NaN()

// noise returns an n×m matrix of independent standard Gaussian entries.
func noise(n, m int, stream uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(*seed, stream))
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	return y
}

func apply(y *mat.Dense, f func(i, k int, v float64) float64) *mat.Dense {
	var z mat.Dense
	z.Apply(f, y)
	return &z
}

func prepared(t *testing.T, y *mat.Dense, o Options) (*mat.Dense, *Report) {
	t.Helper()
	z, r, err := Signals(t.Context(), y, o)
	if err != nil {
		t.Fatal(err)
	}
	return z, r
}

// same compares two matrices, missing entries included.
func same(t *testing.T, got *mat.Dense, want [][]float64) {
	t.Helper()
	n, m := got.Dims()
	if n != len(want) || m != len(want[0]) {
		t.Fatalf("got %d×%d, want %d×%d", n, m, len(want), len(want[0]))
	}
	for i := range n {
		for k := range m {
			g, w := got.At(i, k), want[i][k]
			if math.IsNaN(g) != math.IsNaN(w) || math.Abs(g-w) > 1e-12*max(1, math.Abs(w)) {
				t.Errorf("entry (%d, %d): got %g, want %g", i, k, g, w)
			}
		}
	}
}

// none forbids everything that is not asked for.
func none(o Options) Options {
	for _, c := range []*Choice{&o.Center, &o.Scale, &o.CommonMode} {
		if *c == "" {
			*c = No
		}
	}
	return o
}

func TestStepsHaveTheirClosedForms(t *testing.T) {
	e := math.E
	y := mat.NewDense(3, 4, []float64{
		1, e, nan, e * e,
		e, 1, 1, e,
		1, 1, 1, 1,
	})
	for name, c := range map[string]struct {
		o    Options
		want [][]float64
	}{
		"nothing":     {Options{}, [][]float64{{1, e, nan, e * e}, {e, 1, 1, e}, {1, 1, 1, 1}}},
		"logarithms":  {Options{Log: true}, [][]float64{{0, 1, nan, 2}, {1, 0, 0, 1}, {0, 0, 0, 0}}},
		"an offset":   {Options{Log: true, LogOffset: e}, [][]float64{{math.Log(1 + e), 1 + math.Ln2, nan, math.Log(e*e + e)}, {1 + math.Ln2, math.Log(1 + e), math.Log(1 + e), 1 + math.Ln2}, {math.Log(1 + e), math.Log(1 + e), math.Log(1 + e), math.Log(1 + e)}}},
		"differences": {Options{Log: true, Difference: Yes}, [][]float64{{1, nan, nan}, {-1, 0, 1}, {0, 0, 0}}},
		"means":       {Options{Log: true, Center: Yes}, [][]float64{{-1, 0, nan, 1}, {0.5, -0.5, -0.5, 0.5}, {0, 0, 0, 0}}},
		"scales":      {Options{Log: true, Center: Yes, Scale: Yes}, [][]float64{{-math.Sqrt(1.5), 0, nan, math.Sqrt(1.5)}, {1, -1, -1, 1}, {0, 0, 0, 0}}},
		"the mode": {Options{Log: true, Center: Yes, CommonMode: Yes}, [][]float64{
			{-0.75, 0.25, nan, 0.25}, {0.75, -0.25, 0, -0.25}, {0, 0, 0, 0}, // the third vertex takes no part
		}},
		"scales without means": {Options{Log: true, Scale: Yes}, [][]float64{{0, math.Sqrt(1.5), nan, 2 * math.Sqrt(1.5)}, {2, 0, 0, 2}, {0, 0, 0, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			z, r := prepared(t, y, none(c.o))
			same(t, z, c.want)
			if r.Log.Done != c.o.Log || r.Difference.Done != (c.o.Difference == Yes) || r.Center.Done != (c.o.Center == Yes) ||
				r.Scale.Done != (c.o.Scale == Yes) || r.CommonMode.Done != (c.o.CommonMode == Yes) {
				t.Errorf("the report is of something else: %+v", r)
			}
			for _, s := range r.Steps() {
				if s.Sentence == "" {
					t.Errorf("a step says nothing: %+v", r)
				}
			}
			if (r.Sentence() == "") != (name == "nothing") {
				t.Errorf("the sentence is %q", r.Sentence())
			}
			if want := matrix.Missing(z); r.Missing != want {
				t.Errorf("%d missing, want %d", r.Missing, want)
			}
		})
	}
	same(t, y, [][]float64{{1, e, nan, e * e}, {e, 1, 1, e}, {1, 1, 1, 1}}) // not modified
}

func TestEnergySharesAddUp(t *testing.T) {
	y := apply(noise(40, 60, 2), func(i, k int, v float64) float64 { return v + 3 + math.Sin(float64(k)) })
	_, r := prepared(t, y, Options{Center: Yes, Scale: No, CommonMode: Yes})
	var all, means, modes, left float64
	mean := func(x []float64) (s float64) {
		for _, v := range x {
			s += v / float64(len(x))
		}
		return s
	}
	column := make([]float64, 40)
	for i := range 40 {
		means += 60 * mean(y.RawRowView(i)) * mean(y.RawRowView(i))
		for _, v := range y.RawRowView(i) {
			all += v * v
		}
	}
	for k := range 60 {
		for i := range 40 {
			column[i] = y.At(i, k) - mean(y.RawRowView(i))
			left += column[i] * column[i]
		}
		modes += 40 * mean(column) * mean(column)
	}
	if math.Abs(r.Center.Energy-means/all) > 1e-12 || math.Abs(r.CommonMode.Energy-modes/left) > 1e-12 {
		t.Errorf("shares %g and %g, want %g and %g", r.Center.Energy, r.CommonMode.Energy, means/all, modes/left)
	}
}

func TestBadInputIsAnsweredWithWhatAndWhere(t *testing.T) {
	y := mat.NewDense(2, 3, []float64{1, 2, 3, 4, -5, 6})
	named := []string{"a", "b"}
	for name, c := range map[string]struct {
		y    *mat.Dense
		o    Options
		want string
	}{
		"a logarithm of a negative number": {y, Options{Log: true, Names: named}, `prepare: log: vertex "b", observation 2: -5 has no logarithm: add an offset to every value first`},
		"an offset that does not do":       {y, Options{Log: true, LogOffset: 5, Names: named}, `prepare: log: vertex "b", observation 2: -5 + 5 has no logarithm: use a larger offset`},
		"an offset without logarithms":     {y, Options{LogOffset: 5}, "prepare: log offset: got 5 without logarithms, want 0"},
		"an offset that is no number":      {y, Options{Log: true, LogOffset: nan}, "prepare: log offset: got NaN, want a finite number"},
		"too few for a difference":         {mat.NewDense(2, 1, nil), Options{Difference: Yes}, "prepare: difference: got 1 observation, want at least 2"},
		"names that do not fit":            {y, Options{Names: []string{"a"}}, "prepare: names: got 1, want 2"},
		"choices that are none":            {y, Options{Center: "maybe", Scale: "soon"}, "prepare: center: got \"maybe\", want auto, yes or no\nprepare: scale: got \"soon\", want auto, yes or no"},
		"an infinite value":                {mat.NewDense(1, 2, []float64{1, math.Inf(1)}), Options{}, `prepare: signals: vertex "v0", observation 2: the value is not finite`},
		"values whose sums are no numbers": {mat.NewDense(2, 2, []float64{-1.5e308, 1.5e308, 1, 2}), Options{Center: No, Scale: No, CommonMode: No}, `prepare: signals: vertex "v0", observation 1: the value is too large to process: divide all values by a large number`},
		"a difference beyond all numbers":  {mat.NewDense(1, 2, []float64{-1.5e308, 1.5e308}), Options{Difference: Yes}, `prepare: signals: vertex "v0", observation 1: the value is too large to process: divide all values by a large number`},
	} {
		_, _, err := Signals(t.Context(), c.y, c.o)
		var e *input.Error
		if !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// Scaling is by a standard deviation in any unit, so large that its square
// overflows or so small that it underflows.
func TestScalesOfAnySizeBecomeOne(t *testing.T) {
	y := apply(noise(4, 50, 3), func(i, _ int, v float64) float64 { return (v + 5) * []float64{1e300, 1e-300, 1, -1e200}[i] })
	z, r := prepared(t, y, Options{})
	if !r.Center.Done || !r.Scale.Done {
		t.Fatalf("not centred and scaled: %+v", r)
	}
	for i, row := range matrix.DescribeRows(z) {
		if math.Abs(row.Mean) > 1e-12 || math.Abs(row.SD-1) > 1e-12 {
			t.Errorf("vertex %d: mean %g, standard deviation %g", i, row.Mean, row.SD)
		}
	}
}

func TestVertexThatDoesNotVaryStaysSo(t *testing.T) {
	y := apply(noise(40, 60, 4), func(i, k int, v float64) float64 {
		if i == 7 {
			return 0.1
		}
		return v + 5*math.Sin(float64(k))
	})
	z, r := prepared(t, y, Options{})
	if !r.CommonMode.Done || r.Center.Done || z.At(7, 3) != 0.1 {
		t.Errorf("got %g, %+v", z.At(7, 3), r)
	}
	z, _ = prepared(t, y, Options{Center: Yes})
	for k, v := range z.RawRowView(7) {
		if v != 0 {
			t.Fatalf("observation %d of a vertex that does not vary is %g", k, v)
		}
	}
	_, r = prepared(t, mat.NewDense(3, 5, nil), Options{})
	if r.Sentence() != "" || len(r.Warnings) > 0 {
		t.Errorf("zeros were prepared: %+v", r)
	}
}
