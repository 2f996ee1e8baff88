package kernel

import (
	"math"
	"strings"
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
	for spec, want := range map[string]string{
		"heat":         "is not a number",
		"heat:":        "is not a number",
		"heat:abc":     "is not a number",
		"heat:-1":      "must be a positive number",
		"heat:0":       "must be a positive number",
		"heat:NaN":     "must be a positive number",
		"heat:+Inf":    "must be a positive number",
		"heat:1,2":     "takes one number",
		"cold:1":       "unknown family",
		"matern:":      "is not a number",
		"matern:0":     "the order must be a number from 0.5 to 16",
		"matern:17":    "the order must be a number from 0.5 to 16",
		"matern:NaN":   "the order must be a number from 0.5 to 16",
		"matern:2,0":   "must be a positive number",
		"matern:2,-1":  "must be a positive number",
		"matern:1,2,":  "is not a number",
		"matern:1,2,3": "takes one or two numbers",
		"poly:0,0":     "generates no atoms",
		"poly:Inf":     "not finite",
		"poly:1e200":   "its largest value",
		"poly:1e-200":  "its largest value",
		"poly:1e999":   "is not a number",
	} {
		if _, err := Parse(spec, 15, Taylor); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", spec, err, want)
		}
	}
	if _, err := Parse("heat:1", 0, Taylor); err == nil {
		t.Error("degree 0 was accepted")
	}
	if _, err := Parse("heat:1", 5, "pade"); err == nil {
		t.Error("an unknown approximation was accepted")
	}
}

// The sentences name whatever families there are.
func TestParseSaysWhatItKnows(t *testing.T) {
	_, noNumber := Parse("heat", 15, Taylor)
	_, noFamily := Parse("cold:1", 15, Taylor)
	for _, f := range Families() {
		if !strings.Contains(noNumber.Error(), f.Example) || !strings.Contains(noFamily.Error(), f.Name) {
			t.Errorf("%s is missing in %q or %q", f.Name, noNumber, noFamily)
		}
	}
	last := Families()[len(Families())-1]
	if want := `kernel "heat": "" is not a number (write `; !strings.HasPrefix(noNumber.Error(), want) || !strings.HasSuffix(noNumber.Error(), " or "+last.Example+")") {
		t.Errorf("got %q", noNumber)
	}
	if want := `kernel "cold:1": unknown family "cold" (`; !strings.HasPrefix(noFamily.Error(), want) || !strings.HasSuffix(noFamily.Error(), " or "+last.Name+")") {
		t.Errorf("got %q", noFamily)
	}
}
