package kernel

import "testing"

func TestShortNameKeepsWhatPeopleRead(t *testing.T) {
	for name, want := range map[string]string{
		"heat:2": "heat:2", "heat:1.23456789": "heat:1.235", "poly:1,-0.5": "poly:1,-0.5", "poly:1,0.123456,3,4,5": "poly:1,0.1235,3,…",
	} {
		if got := ShortName(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
