package views

import (
	"strings"
	"testing"
)

func TestDurationsInWords(t *testing.T) {
	for seconds, want := range map[float64]string{0.0123: "12 ms", 0.5: "0.5 s", 42: "42 s", 600: "10 min", 10000: "2.8 h"} {
		if got := InWords(seconds); got != want {
			t.Errorf("%g: got %q, want %q", seconds, got, want)
		}
	}
}

func TestWrappedKeepsWordsAndWidth(t *testing.T) {
	sentence := "warning: " + strings.Repeat("some words of λ ", 30) + strings.Repeat("x", 100)
	got := Wrapped(sentence)
	if strings.Join(strings.Fields(got), " ") != sentence {
		t.Errorf("the words changed: %q", got)
	}
	for line := range strings.Lines(got) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > Columns && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}
