package words

import (
	"testing"
	"time"
)

func TestSpansReadBack(t *testing.T) {
	for text, want := range map[string]time.Duration{"1h": time.Hour, "15m": 15 * time.Minute, "1d": day, "7d": 7 * day, "2w": 14 * day, "1h30m": 90 * time.Minute, "0.5d": 12 * time.Hour, "5min": 5 * time.Minute, "2H": 2 * time.Hour, "30S": 30 * time.Second} {
		got, err := ParseSpan(text)
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
		if back, err := ParseSpan(Span(got)); err != nil || back != got {
			t.Errorf("%s is written %s", text, Span(got))
		}
	}
	for _, text := range []string{"", "1", "0h", "-1d", "d", "1e300d", "NaNd", "1 day", "9999999h", "5M"} {
		if d, err := ParseSpan(text); err == nil {
			t.Errorf("%q is read as %v", text, d)
		}
	}
}
