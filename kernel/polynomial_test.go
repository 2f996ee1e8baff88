package kernel

import (
	"math"
	"slices"
	"strings"
	"testing"
)

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
	if _, err := Polynomial("long", slices.Repeat([]float64{1}, MaxDegree+2)); err == nil {
		t.Error("too long a polynomial was accepted")
	}
}
