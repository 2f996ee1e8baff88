package words

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Spans of time are written as Go does (90s, 15m, 1h30m), and with days and weeks:
// 1d, 7d, 2w.

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// spelled are units as pandas writes them. Its M is a month, and so is no minute here.
var spelled = strings.NewReplacer("min", "m", "H", "h", "D", "d", "W", "w", "S", "s")

// ParseSpan reads a positive span of time such as 15m, 1h, 7d or 2w, or as pandas writes it: 15min, 1H.
func ParseSpan(text string) (time.Duration, error) {
	text = spelled.Replace(text)
	for suffix, unit := range map[string]time.Duration{"d": day, "w": week} {
		count, ok := strings.CutSuffix(text, suffix)
		if !ok {
			continue
		}
		if n, err := strconv.ParseFloat(count, 64); err == nil && n > 0 && n < float64(longestSpan/unit) {
			return time.Duration(n * float64(unit)), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 && d <= longestSpan {
		return d, nil
	}
	return 0, fmt.Errorf("%q is not a span of time: want one such as 15m, 1h, 7d or 2w", text)
}

// longestSpan is some two hundred years, so that sums of two do not overflow.
const longestSpan = 200 * 365 * day

// Span writes a span as [ParseSpan] reads it, in one unit if possible.
func Span(d time.Duration) string {
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{{"d", day}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}} {
		if d >= unit.of && d%unit.of == 0 {
			return strconv.FormatInt(int64(d/unit.of), 10) + unit.name
		}
	}
	return d.String()
}

// ParseLength reads a number of observations, such as 200, or a span of time, such as 7d. One of both is zero.
func ParseLength(text string) (observations int, span time.Duration, err error) {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n, 0, nil
	}
	if d, err := ParseSpan(text); err == nil {
		return 0, d, nil
	}
	return 0, 0, errors.New("want a number of observations such as 200, or a span of time such as 7d")
}
