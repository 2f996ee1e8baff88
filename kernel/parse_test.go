package kernel

import (
	"math"
	"testing"
)

func TestParse(t *testing.T) {
	for spec, at := range map[string]float64{ // value at λ = 0.5
		"heat:2":      math.Exp(-1),
		"highpass:1":  1 - math.Exp(-0.5),
		"poly:1,-0.5": 0.75,
		"poly: 2 , 4": 4,
		"wavelet:1":   0.25,
		"matern:2":    1 / 3.0,
		"matern:2,1":  1 / 1.5,
		"matern:4, 1": 1 / 2.25,
	} {
		k, err := Parse(spec, 40, Chebyshev)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
		} else if got := k.Eval(0.5); math.Abs(got-at) > 1e-3 {
			t.Errorf("%s: value %g at 0.5, want %g", spec, got, at)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, spec := range []string{
		"heat", "heat:", "heat:abc", "heat:-1", "heat:0", "heat:NaN", "heat:+Inf", "heat:1,2", "cold:1",
		"matern:", "matern:0", "matern:17", "matern:NaN", "matern:2,0", "matern:1,2,3", "poly:0,0", "poly:Inf", "poly:1e200", "poly:1e-200",
	} {
		if _, err := Parse(spec, 15, Taylor); err == nil {
			t.Errorf("%s was accepted", spec)
		}
	}
	if _, err := Parse("heat:1", 0, Taylor); err == nil {
		t.Error("degree 0 was accepted")
	}
	if _, err := Parse("heat:1", 5, "pade"); err == nil {
		t.Error("an unknown approximation was accepted")
	}
}
