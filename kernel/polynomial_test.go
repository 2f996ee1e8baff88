package kernel

import (
	"math"
	"strings"
	"testing"
)

func TestConstantPolynomial(t *testing.T) {
	k := must(t)(Polynomial("poly:3", []float64{3}))
	if k.Eval(0.7) != 3 || k.DividedDifference(0.1, 0.9) != 0 || k.Coef()[0] != 3 {
		t.Errorf("a constant kernel is not constant: %+v", k)
	}
}

func TestPolynomialHasNoScale(t *testing.T) {
	k := must(t)(Polynomial("poly:1,2", []float64{1, 2}))
	if _, err := k.WithScale(2); err == nil || !strings.Contains(err.Error(), "no scale") {
		t.Errorf("a polynomial was given a scale: %v", err)
	}
	if k.Family() != "" || k.Scale() != 0 || k.ScaleDerivative(1) != 0 {
		t.Error("a polynomial has a scale")
	}
	if _, err := Polynomial("poly", nil); err == nil {
		t.Error("no coefficients were accepted")
	}
}

func TestInPowersReadsBackToTheLastBit(t *testing.T) {
	k := must(t)(FromSeries("learned", []float64{1. / 3, -0.2, 1. / 7, 1e-9, -0.01, 0.003}))
	p := must(t)(k.InPowers())
	again := must(t)(Parse(p.Name, 15, Taylor))
	for l := 0.0; l <= 2; l += 0.01 {
		if math.Abs(p.Eval(l)-k.Eval(l)) > 1e-13 {
			t.Errorf("p(%g) = %g in powers, %g before", l, p.Eval(l), k.Eval(l))
		}
		if again.Eval(l) != p.Eval(l) {
			t.Errorf("%s reads back with p(%g) = %g, want %g", p.Name, l, again.Eval(l), p.Eval(l))
		}
	}
}

func TestPolynomialsHaveALimit(t *testing.T) {
	spec := "poly:1" + strings.Repeat(",0", MaxDegree)
	if _, err := Parse(spec, 0, ""); err != nil {
		t.Errorf("degree %d: %v", MaxDegree, err)
	}
	_, err := Parse(spec+",0", 0, "")
	const want = "kernel poly:1,0,0,…: there are 1002 coefficients, but at most 1001 can be used: give a polynomial of degree up to 1000"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
