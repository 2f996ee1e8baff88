package matrix

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

var (
	seed = flag.Uint64("seed", 1, "seed of everything drawn in these tests; any must pass")
	nan  = math.NaN()
)

// draw returns n values around 3.
func draw(n int, stream uint64) []float64 {
	r := rand.New(rand.NewPCG(*seed, stream))
	x := make([]float64, n)
	for k := range x {
		x[k] = 3 + r.NormFloat64()
	}
	return x
}

func times(c float64, x []float64) []float64 {
	return floats.ScaleTo(make([]float64, len(x)), c, x)
}

// identical compares all numbers bit by bit.
func identical(a, b Row) bool {
	bits := math.Float64bits
	return a.Observed == b.Observed && a.Varies == b.Varies && bits(a.Low) == bits(b.Low) && bits(a.High) == bits(b.High) &&
		bits(a.Mean) == bits(b.Mean) && bits(a.SD) == bits(b.SD)
}

func TestDescribeIsTheDefinition(t *testing.T) {
	for n := 2; n < 200; n += 7 {
		x := draw(n, uint64(n))
		var mean, square float64
		for _, v := range x {
			mean += v / float64(n)
		}
		for _, v := range x {
			square += (v - mean) * (v - mean) / float64(n)
		}
		r := Describe(x)
		if r.Observed != n || r.Low != slices.Min(x) || r.High != slices.Max(x) || !r.Varies {
			t.Errorf("n = %d: got %+v", n, r)
		}
		if math.Abs(r.Mean-mean) > 1e-14*math.Abs(mean) || math.Abs(r.SD-math.Sqrt(square)) > 1e-13*r.SD {
			t.Errorf("n = %d: mean %g and standard deviation %g, want %g and %g", n, r.Mean, r.SD, mean, math.Sqrt(square))
		}
	}
}

func TestPowersOfTwoChangeOnlyTheUnit(t *testing.T) {
	x := draw(50, 1)
	same := slices.Repeat([]float64{0.1}, 5)
	for _, exponent := range []int{-1000, -300, -1, 1, 7, 300, 1000} {
		unit := math.Ldexp(1, exponent)
		for _, values := range [][]float64{x, same} {
			want := Describe(values)
			want.Low, want.High, want.Mean, want.SD = want.Low*unit, want.High*unit, want.Mean*unit, want.SD*unit
			if got := Describe(times(unit, values)); !identical(got, want) {
				t.Errorf("2^%d: got %+v, want %+v", exponent, got, want)
			}
		}
	}
}

func TestMissingValuesAreLeftOut(t *testing.T) {
	x := draw(40, 2)
	want := Describe(x)
	r := rand.New(rand.NewPCG(*seed, 3))
	gappy := slices.Clone(x)
	for range 30 {
		gappy = slices.Insert(gappy, r.IntN(len(gappy)+1), nan)
	}
	if got := Describe(gappy); !identical(got, want) {
		t.Errorf("got %+v with gaps, want %+v", got, want)
	}
	if !Varies(gappy) || Varies([]float64{nan, 2, nan, 2}) {
		t.Error("gaps decide whether values vary")
	}
	for _, empty := range [][]float64{nil, {nan}, {nan, nan, nan}} {
		if got := Describe(empty); !identical(got, Row{}) || Varies(empty) {
			t.Errorf("%v: got %+v, want nothing", empty, got)
		}
	}
}

func TestNoSquareOrDifferenceOverflows(t *testing.T) {
	for _, c := range []struct {
		x        []float64
		mean, sd float64
	}{
		{[]float64{1e308, -1e308}, 0, 1e308},
		{[]float64{1e308, 1.5e308}, 1.25e308, 0.25e308},
		{[]float64{-math.MaxFloat64, math.MaxFloat64, nan}, 0, math.MaxFloat64},
		{[]float64{1e-308, 3e-308}, 2e-308, 1e-308},
		{[]float64{1e-320, 3e-320}, 2e-320, 1e-320},
	} {
		r := Describe(c.x)
		if !r.Varies || math.Abs(r.Mean-c.mean) > 1e-12*math.Abs(c.mean)+1e-323 || math.Abs(r.SD-c.sd) > 1e-12*c.sd+1e-323 {
			t.Errorf("%v: got %+v, want mean %g and standard deviation %g", c.x, r, c.mean, c.sd)
		}
	}
}

// The bound is half the range: 10⁻¹² of the largest value in size.
func TestVariesMeansByMoreThanRounding(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want bool
	}{
		{"one value", []float64{5}, false},
		{"zeros", []float64{0, 0, 0}, false},
		{"zero and its negative", []float64{0, math.Copysign(0, -1)}, false},
		{"one value again and again", []float64{0.1, 0.1, 0.1}, false},
		{"values that rounding makes differ", []float64{0.3, 0.1 + 0.2, 0.3}, false},
		{"a range just below the bound", []float64{1, 1 - 1.9e-12}, false},
		{"a range just above it", []float64{1, 1 - 2.1e-12}, true},
		{"the same of negative values", []float64{-1, -1 + 1.9e-12}, false},
		{"and above", []float64{-1, -1 + 2.1e-12}, true},
		{"a value beside zeros", []float64{0, 0, 1e-300}, true},
		{"opposites", []float64{-1e-200, 1e-200}, true},
	} {
		for _, sign := range []float64{1, -1} {
			x := times(sign, c.x)
			if got := Varies(x); got != c.want {
				t.Errorf("%s, times %g: got %t", c.name, sign, got)
			}
			slices.Reverse(x)
			r := Describe(x)
			if r.Varies != c.want {
				t.Errorf("%s, times %g: Describe says %t", c.name, sign, r.Varies)
			}
			if !r.Varies && (r.SD != 0 || r.Mean != r.Low) {
				t.Errorf("%s, times %g: a row that does not vary has mean %g and standard deviation %g", c.name, sign, r.Mean, r.SD)
			}
		}
	}
}

func TestDescribeRowsDescribesEachRow(t *testing.T) {
	y := mat.NewDense(3, 4, []float64{1, nan, 3, 2, nan, nan, nan, nan, 4, 4, 4, 4})
	for i, r := range DescribeRows(y) {
		if !identical(r, Describe(y.RawRowView(i))) {
			t.Errorf("row %d: got %+v", i, r)
		}
	}
}

// Rows without a value take nothing from the others.
func TestObservedShareIsOfRowsThatVary(t *testing.T) {
	nan := math.NaN()
	y := mat.NewDense(4, 4, []float64{1, 2, 3, 4, nan, nan, nan, nan, 7, 7, 7, nan, 1, nan, 2, nan})
	if got := ObservedShare(y); got != 0.75 {
		t.Errorf("got %g, want 6 of 8", got)
	}
	if got := ObservedShare(mat.NewDense(2, 2, nil)); got != 1 {
		t.Errorf("of rows that do not vary: got %g", got)
	}
}

// The kurtosis is the fourth moment over the square of the second.
func TestKurtosis(t *testing.T) {
	if got := Kurtosis([]float64{2, 4, 0}, []float64{2, 16, 0}, []float64{2, 4, 5}); got != (1+4)/2.0 {
		t.Errorf("got %g, want the middle of 2·2/4 and 4·16/16", got)
	}
}

func TestStandardisedRowsHaveMeanZeroAndVarianceOne(t *testing.T) {
	x := draw(50, 1)
	z := make([]float64, len(x))
	r := Describe(x)
	Standardise(z, x, r.Mean, r.SD)
	if of := Describe(z); math.Abs(of.Mean) > 1e-14 || math.Abs(of.SD-1) > 1e-14 {
		t.Errorf("mean %g and standard deviation %g, want 0 and 1", of.Mean, of.SD)
	}
	if Standardise(z, x, 3, 0); floats.Norm(z, 1) != 0 {
		t.Error("what does not vary is not zero")
	}
}
