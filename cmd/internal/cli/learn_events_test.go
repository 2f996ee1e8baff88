package cli

import (
	"encoding/json"
	"testing"
)

func TestShortNumbersKeepVerticesWhole(t *testing.T) {
	for number, want := range map[short]string{0: "0", 123456: "123456", -2: "-2", 1.0 / 3: "0.33333", 1234.5678: "1234.6", 1e300: "1e+300"} {
		if got, err := json.Marshal(number); err != nil || string(got) != want {
			t.Errorf("%g: got %s (%v), want %s", float64(number), got, err, want)
		}
	}
}
