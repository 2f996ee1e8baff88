package cli

import (
	"errors"
	"time"
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
