package views

import (
	"testing"
)

func TestRoffGivesNoOrders(t *testing.T) {
	for text, want := range map[string]string{
		".csv files":  `\&.csv files`,
		"'it' is":     `\(aqit\(aq is`,
		`a\b -c ~ ^ `: `a\eb \-c \(ti \(ha `,
	} {
		if got := Roff(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
