package words

import (
	"slices"
	"testing"
)

func TestMeantIsWhatASlipAwayOrBeginsAlike(t *testing.T) {
	known := []string{"out", "edges", "bad_sensors", "seed"}
	for given, want := range map[string][]string{
		"ot": {"out"}, "uot": {"out"}, "outt": {"out"}, "oit": {"out"}, "edge": {"edges"}, "edges-file": {"edges"},
		"badSensors": {"bad_sensors"}, "sede": {"seed"}, "report": nil, "o": nil, "tuo": nil,
	} {
		if got := Meant(given, known); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", given, got, want)
		}
	}
}
