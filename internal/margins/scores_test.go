package margins

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Each value is the quantile at its own rank, whatever the rows before have had: ties, and fewer values.
func TestNormalScoresOfManyRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	y := mat.NewDense(60, 30, nil)
	y.Apply(func(i, _ int, _ float64) float64 {
		switch {
		case r.IntN(20) < i%3:
			return math.NaN()
		case i%2 == 0:
			return float64(r.IntN(6))
		}
		return r.NormFloat64()
	}, y)
	got := NormalScores(y)
	for i := range 60 {
		row := y.RawRowView(i)
		for k, v := range row {
			below, alike, all := 0, 0, 0
			for _, other := range row {
				switch {
				case other < v:
					below++
				case other == v:
					alike++
				}
				if !math.IsNaN(other) {
					all++
				}
			}
			want := quantile(float64(2*below+alike) / float64(2*all))
			if s := got.At(i, k); math.Abs(s-want) > 1e-12 || math.IsNaN(v) != math.IsNaN(s) {
				t.Errorf("row %d, value %g: got %g, want %g", i, v, s, want)
			}
		}
	}
}

func draw(seed uint64, n, m int, of func(*rand.Rand) float64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 7))
	y := mat.NewDense(n, m, nil)
	y.Apply(func(int, int, float64) float64 { return of(r) }, y)
	return y
}

// Normal values are rarely taken for others, and skewed, counted and heavy-tailed ones nearly always.
func TestValuesThatAreNotNormalAreKnown(t *testing.T) {
	t3 := func(r *rand.Rand) float64 {
		s := 0.0
		for range 3 {
			s += math.Pow(r.NormFloat64(), 2)
		}
		return r.NormFloat64() / math.Sqrt(s/3)
	}
	for name, c := range map[string]struct {
		of          func(*rand.Rand) float64
		least, most float64
	}{
		"normal":      {(*rand.Rand).NormFloat64, 0, 0.02},
		"exponential": {(*rand.Rand).ExpFloat64, 0.99, 1},
		"log-normal":  {func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }, 0.99, 1},
		"t3":          {t3, 0.6, 1},
		"binary":      {func(r *rand.Rand) float64 { return float64(r.IntN(2)) }, 1, 1},
	} {
		for _, m := range []int{60, 1000} {
			if got := NotNormal(draw(3, 100, m, c.of)); got < c.least-30/float64(m) || got > c.most {
				t.Errorf("%s, %d signals: %g of the vertices", name, m, got)
			}
		}
	}
	if got := NotNormal(draw(3, 50, 19, (*rand.Rand).ExpFloat64)); got != 0 {
		t.Errorf("too few values: %g", got)
	}
}

// A curve is rising, is undone by Value, and makes a density: that of other values is nearly the true one.
func TestCurvesAreDensities(t *testing.T) {
	train := draw(1, 1, 4000, func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }).RawRowView(0)
	c, ok := NewCurve(train)
	if !ok {
		t.Fatal("no curve")
	}
	apart := 0.0
	test := draw(2, 1, 4000, func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }).RawRowView(0)
	for _, v := range test {
		z, slope := c.At(v)
		if back := c.Value(z); math.Abs(back-v) > 1e-9*(1+v) {
			t.Fatalf("%g has the score %g, which has the value %g", v, z, back)
		}
		// log φ(log v) − log v is the true log density
		apart += (slope - z*z/2) - (-math.Log(v)*math.Log(v)/2 - math.Log(v))
	}
	if apart /= 4000; apart > 0.02 || apart < -0.1 {
		t.Errorf("held-out values are %g nats likelier than by their own density", apart)
	}
	if _, ok := NewCurve([]float64{1, 1, math.NaN()}); ok {
		t.Error("a curve through one value")
	}
	before := math.Inf(-1)
	for v := -1.0; v < 40; v += 0.01 {
		z, _ := c.At(v)
		if z <= before {
			t.Fatalf("it does not rise at %g", v)
		}
		before = z
	}
}
