package parse

import (
	"math"
	"testing"
)

func TestNumberTellsNumbersMissingValuesAndTextApart(t *testing.T) {
	for cell, want := range map[string]Kind{
		"1": Number, "-1.5e-3": Number, "+.5": Number, "1e400": Number, "inf": Number, "-Infinity": Number,
		"": Missing, "NA": Missing, "NaN": Missing, "nan": Missing, "-nan": Missing,
		"na": Missing, "N/A": Missing, "#N/A": Missing, "NULL": Missing, "None": Missing,
		"a": Text, "nul": Text, "-": Text, "n": Text, "1,5": Text, "1 2": Text, "0x1p4": Text, "1_000": Text, "2021-01-03": Text, "−1": Text, "é": Text,
	} {
		if _, got := Cell(cell, false); got != want {
			t.Errorf("%q: got %d, want %d", cell, got, want)
		}
	}
	for cell, want := range map[string]float64{"1,5": 1.5, "-,5": -0.5, "2.5": 2.5, "1e400": math.Inf(1)} {
		if got, k := Cell(cell, true); got != want || k != Number {
			t.Errorf("%q with a decimal comma: got %g (%d), want %g", cell, got, k, want)
		}
	}
	for _, cell := range []string{"1.234,5", "1,234,5", ","} {
		if _, k := Cell(cell, true); k != Text {
			t.Errorf("%q with a decimal comma is not text", cell)
		}
	}
}
