package dataio

import (
	"math"
	"testing"
)

func TestNumberTellsNumbersMissingValuesAndTextApart(t *testing.T) {
	for cell, want := range map[string]cellKind{
		"1": isNumber, "-1.5e-3": isNumber, "+.5": isNumber, "1e400": isNumber, "inf": isNumber, "-Infinity": isNumber,
		"": isMissing, "NA": isMissing, "NaN": isMissing, "nan": isMissing, "-nan": isMissing,
		"na": isMissing, "N/A": isMissing, "#N/A": isMissing, "NULL": isMissing, "None": isMissing,
		"a": isText, "nul": isText, "-": isText, "n": isText, "1,5": isText, "1 2": isText, "0x1p4": isText, "1_000": isText, "2021-01-03": isText, "−1": isText, "é": isText,
	} {
		if _, got := parseNumber(cell, false); got != want {
			t.Errorf("%q: got %d, want %d", cell, got, want)
		}
	}
	for cell, want := range map[string]float64{"1,5": 1.5, "-,5": -0.5, "2.5": 2.5, "1e400": math.Inf(1)} {
		if got, k := parseNumber(cell, true); got != want || k != isNumber {
			t.Errorf("%q with a decimal comma: got %g (%d), want %g", cell, got, k, want)
		}
	}
	for _, cell := range []string{"1.234,5", "1,234,5", ","} {
		if _, k := parseNumber(cell, true); k != isText {
			t.Errorf("%q with a decimal comma is not text", cell)
		}
	}
}

func TestNumbersReadBackExactly(t *testing.T) {
	for _, v := range []float64{0, math.Copysign(0, -1), 0.1, 1.0 / 3, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e21, -123456789.125} {
		got, k := parseNumber(formatNumber(v), false)
		if math.Float64bits(got) != math.Float64bits(v) || k != isNumber {
			t.Errorf("%g became %g", v, got)
		}
	}
}
