package words

import (
	"testing"
	"time"
)

func TestTimesHaveThePartsTheyNeed(t *testing.T) {
	zone := time.FixedZone("", 3600)
	for want, at := range map[string]time.Time{
		"2024-01-31 12:00":          time.Date(2024, 1, 31, 13, 0, 0, 0, zone),
		"2024-01-31 13:00:05":       time.Date(2024, 1, 31, 13, 0, 5, 0, time.UTC),
		"2024-01-31 13:00:05.00025": time.Date(2024, 1, 31, 13, 0, 5, 250_000, time.UTC),
	} {
		if got := Time(at); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
