package study

import (
	"fmt"
	"sort"
	"strconv"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
)

// A Length is that many observations, or a span of time. One of both is zero.
type Length struct {
	Observations int
	Span         time.Duration
}

// ParseLength reads a number of observations, such as 200, or a span of time, such as 7d.
func ParseLength(text string) (Length, error) {
	observations, span, err := words.ParseLength(text)
	return Length{Observations: observations, Span: span}, err
}

// String writes a length as [ParseLength] reads it.
func (l Length) String() string {
	if l.Span > 0 {
		return words.Span(l.Span)
	}
	return strconv.Itoa(l.Observations)
}

// A Part is observations [From, To) of a series, and the span of time that they are
// from, zero if that is not known.
type Part struct {
	From, To   int
	Begin, End time.Time
}

const (
	leastObservations = 10     // of a window; with fewer, methods cannot test what they find
	mostWindows       = 10_000 // that a slip of the finger may ask for
)

// cut cuts a series into windows. A last window that would not be full is left out.
func cut(s *nervure.Signals, o WindowOptions) ([]Part, error) {
	if s == nil || s.Y == nil {
		return nil, input.Errorf(op, input.Signals, "got none")
	}
	if o.Step == (Length{}) {
		o.Step = o.Window
	}
	_, m := s.Y.Dims()
	switch {
	case s.Whole != nil:
		return nil, input.Completef(op, input.Signals, "only a sample of the signals is in memory, and windows need all of them")
	case o.Window.Span < 0 || o.Window.Observations < 0 || o.Window == Length{} || o.Step.Span < 0 || o.Step.Observations < 0:
		return nil, input.Errorf(op, "window", "got %v and a step of %v, want positive lengths", o.Window, o.Step)
	case (o.Window.Span > 0) != (o.Step.Span > 0):
		return nil, input.Completef(op, "window", "the window (%v) and the step (%v) must both be spans of time or both numbers of observations", o.Window, o.Step)
	case o.Window.Span > 0 && s.Times == nil:
		return nil, input.Completef(op, input.Signals, "the times of the observations are not known: give the window as a number of observations, or add a column of times")
	}
	parts, err := o.parts(s, m)
	switch {
	case err != nil:
		return nil, err
	case len(parts) < 2:
		return nil, input.Completef(op, "window", "windows of %v make fewer than two of %s: take shorter ones", o.Window, inAll(s, m))
	}
	largest := 0
	for _, p := range parts {
		largest = max(largest, p.To-p.From)
	}
	if largest < leastObservations {
		return nil, input.Completef(op, "window", "windows of %v have %s at most, want at least %d: take longer ones", o.Window, words.Plural(largest, "observation"), leastObservations)
	}
	return parts, nil
}

// inAll says how long a series is.
func inAll(s *nervure.Signals, m int) string {
	all := words.Plural(m, "observation")
	if s.Times == nil {
		return all
	}
	return fmt.Sprintf("%s from %s to %s", all, words.Time(s.Times[0]), words.Time(s.Times[m-1]))
}

func (o WindowOptions) parts(s *nervure.Signals, m int) (parts []Part, err error) {
	tooMany := func() error {
		return input.Completef(op, "window", "steps of %v make more than %d windows: take longer ones", o.Step, mostWindows)
	}
	if o.Window.Span == 0 {
		for from := 0; from+o.Window.Observations <= m; from += o.Step.Observations {
			p := Part{From: from, To: from + o.Window.Observations}
			if s.Times != nil {
				p.Begin, p.End = s.Times[p.From], s.Times[p.To-1]
			}
			if parts = append(parts, p); len(parts) > mostWindows {
				return nil, tooMany()
			}
		}
		return parts, nil
	}
	// The last observation stands for as long as lies between two of them.
	begin, end := s.Times[0], s.Times[m-1].Add(s.Spacing().Step)
	if whole := begin.UTC().Truncate(o.Step.Span); o.Step.Span <= 24*time.Hour {
		begin = whole // full hours or days
	}
	place := func(t time.Time) int {
		return sort.Search(m, func(k int) bool { return !s.Times[k].Before(t) })
	}
	for ; !begin.Add(o.Window.Span).After(end); begin = begin.Add(o.Step.Span) {
		last := begin.Add(o.Window.Span)
		if parts = append(parts, Part{From: place(begin), To: place(last), Begin: begin, End: last}); len(parts) > mostWindows {
			return nil, tooMany()
		}
	}
	return parts, nil
}

// fresh returns the share of a window that is not in the one before.
func (o WindowOptions) fresh() float64 {
	switch {
	case o.Step == (Length{}):
		return 1
	case o.Window.Span > 0:
		return min(1, float64(o.Step.Span)/float64(o.Window.Span))
	}
	return min(1, float64(o.Step.Observations)/float64(o.Window.Observations))
}
