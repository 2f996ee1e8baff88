package kernel

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestFamiliesSayHowTheyAreWritten(t *testing.T) {
	if len(Families()) < 4 {
		t.Fatalf("there are only %d families", len(Families()))
	}
	for _, f := range Families() {
		if f.Name == "" || f.Argument == "" || f.Formula == "" || f.About == "" {
			t.Errorf("a family leaves something out: %+v", f)
		}
		if f.Usage() != f.Name+":"+f.Argument || !strings.HasPrefix(f.Example, f.Name+":") {
			t.Errorf("%s is written %s, such as %s", f.Name, f.Usage(), f.Example)
		}
		k := must(t)(Parse(f.Example, 15, Taylor))
		if k.Name != f.Example {
			t.Errorf("%s is called %s", f.Example, k.Name)
		}
		if scaled := f.shape != nil; scaled != (k.Family() == f.Name) || scaled != (k.Scale() > 0) {
			t.Errorf("%s belongs to %q, with scale %g", f.Example, k.Family(), k.Scale())
		}
	}
}

func TestFamiliesAreInOrder(t *testing.T) {
	list := Families()
	for k := 1; k < len(list); k++ {
		a, b := list[k-1], list[k]
		if a.shape == nil && b.shape != nil || (a.shape == nil) == (b.shape == nil) && a.Name >= b.Name {
			t.Errorf("%s comes before %s", a.Name, b.Name)
		}
	}
	list[0].Name = "changed"
	if Families()[0].Name == "changed" {
		t.Error("the table can be changed from outside")
	}
}

func TestTwoFamiliesMustNotShareAName(t *testing.T) {
	before := slices.Clone(families)
	defer func() {
		if recover() == nil || !slices.Equal(families, before) {
			t.Error("a name was given twice")
		}
	}()
	register(Family{Name: "heat"})
}

// memberOf returns the member of a family by its scale, of order 2 where there are several.
func (f *Family) memberOf(scale float64) member {
	if f.shape.order != nil {
		return member{scale: scale, order: 2}
	}
	return member{scale: scale}
}

// members returns kernels of all families with a scale: good and poor stand-ins,
// by every approximation they have.
func members(t *testing.T) []Kernel {
	t.Helper()
	var list []Kernel
	for _, f := range families {
		if f.shape == nil {
			continue
		}
		for _, scale := range []float64{0.3, 1.7, 5} {
			for _, degree := range []int{2, 4, 15} {
				for _, by := range []Approximation{Taylor, Chebyshev} {
					list = append(list, must(t)(f.with(f.memberOf(scale), degree, by)))
				}
			}
		}
	}
	return list
}

// The derivative is that of the polynomial in use, however poor a stand-in for
// its function it is.
func TestScaleDerivativeMatchesFiniteDifference(t *testing.T) {
	for _, k := range members(t) {
		const h = 1e-5
		tau := k.Scale()
		up, down := must(t)(k.WithScale(tau+h)), must(t)(k.WithScale(tau-h))
		for l := 0.0; l <= 2; l += 0.05 {
			want := (up.Eval(l) - down.Eval(l)) / (2 * h)
			if got := k.ScaleDerivative(l); math.Abs(got-want) > 1e-7*max(1, math.Abs(want)) {
				t.Errorf("%s, degree %d, %s: ∂p/∂scale = %g at λ = %g, want %g", k.Name, k.Degree(), k.by, got, l, want)
			}
		}
	}
}

func TestWithScaleKeepsTheRest(t *testing.T) {
	for _, k := range members(t) {
		other := must(t)(must(t)(k.WithScale(0.7)).WithScale(k.Scale()))
		if other.Name != k.Name || other.Family() != k.Family() || other.Degree() != k.Degree() || other.Eval(0.4) != k.Eval(0.4) {
			t.Errorf("%+v came back as %+v", k, other)
		}
		for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			if _, err := k.WithScale(bad); err == nil {
				t.Errorf("%s: a scale of %g was accepted", k.Name, bad)
			}
		}
	}
}

// Interpolation comes near any function of a table if the degree is high enough,
// and a Taylor series is that of the same function: the two agree where both do.
func TestApproximationsStandForOneFunction(t *testing.T) {
	for _, f := range families {
		if f.shape == nil {
			continue
		}
		fine := must(t)(f.with(f.memberOf(0.5), 120, Chebyshev))
		if fine.Warning() != "" || fine.ApproximationError > 0.01*fine.peak {
			t.Errorf("%s: degree 120 is off by %g", f.Name, fine.ApproximationError)
		}
		series := must(t)(f.with(f.memberOf(0.5), 30, Taylor))
		for l := 0.0; l <= 2; l += 0.1 {
			want := f.shape.value(f.memberOf(0.5), l)
			if math.Abs(fine.Eval(l)-want) > fine.ApproximationError+1e-12 || math.Abs(series.Eval(l)-want) > series.ApproximationError+1e-12 {
				t.Errorf("%s: %g and %g at λ = %g, want %g", f.Name, fine.Eval(l), series.Eval(l), l, want)
			}
		}
		if f.shape.taylor != nil && series.ApproximationError > 1e-10 {
			t.Errorf("%s: its Taylor series of degree 30 is off by %g", f.Name, series.ApproximationError)
		}
	}
}

func TestDegreesHaveBounds(t *testing.T) {
	for _, f := range families {
		if f.shape == nil {
			continue
		}
		for _, degree := range []int{-1, 0, MaxDegree + 1} {
			if _, err := f.with(f.memberOf(1), degree, Chebyshev); err == nil || !strings.Contains(err.Error(), "degree") {
				t.Errorf("%s: degree %d: got %v", f.Name, degree, err)
			}
		}
	}
	for _, degree := range []int{-1, MaxDegree + 1} {
		if _, err := FromFunction("one", func(float64) float64 { return 1 }, degree); err == nil || !strings.Contains(err.Error(), "degree") {
			t.Errorf("degree %d: got %v", degree, err)
		}
	}
}

// Value is the function itself, also beyond the interval of the polynomial.
func TestValueIsTheFunction(t *testing.T) {
	for _, k := range members(t) {
		for _, l := range []float64{0, 0.3, 1, 2} {
			if off := math.Abs(k.Value(l) - k.Eval(l)); off > k.ApproximationError+1e-12 {
				t.Errorf("%s at %g: the polynomial is off by %g, beyond %g", k.Name, l, off, k.ApproximationError)
			}
		}
	}
	heat := must(t)(Heat(2, 5, Taylor))
	if got, want := heat.Value(9), math.Exp(-18); math.Abs(got-want) > 1e-15 {
		t.Errorf("heat:2 at 9 is %g, want %g", got, want)
	}
	if got := must(t)(Parse("poly:1,0,2", 15, Taylor)).Value(5); math.Abs(got-51) > 1e-9 {
		t.Errorf("1 + 2λ² at 5 is %g, want 51", got)
	}
}
