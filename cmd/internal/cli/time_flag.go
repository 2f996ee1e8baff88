package cli

import (
	"errors"
	"time"

	"github.com/nervure/nervure/signals"
)

// A timeSpan is a flag that takes a time, such as 90s or 5m.
type timeSpan struct {
	value time.Duration
	given bool
}

func (t *timeSpan) Type() string { return "TIME" }

func (t *timeSpan) String() string {
	if !t.given {
		return ""
	}
	return t.value.String()
}

func (t *timeSpan) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil || v < 0 {
		return errors.New("want a time such as 90s or 5m, or 0")
	}
	t.value, t.given = v, true
	return nil
}

// A span is a flag that takes a positive span of time, also in days and weeks.
type span struct {
	value time.Duration
	given bool
}

func (s *span) Type() string { return "TIME" }

func (s *span) String() string {
	if !s.given {
		return ""
	}
	return signals.FormatSpan(s.value)
}

func (s *span) Set(text string) error {
	v, err := signals.ParseSpan(text)
	if err != nil {
		return errors.New("want a span of time such as 15m, 1h, 7d or 2w")
	}
	s.value, s.given = v, true
	return nil
}
