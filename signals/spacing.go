package signals

import (
	"math"
	"slices"
	"time"
)

// A Spacing is how observations follow each other in time.
type Spacing struct {
	Step        time.Duration // the median of the steps from one time to the next; 0 if there is none
	Least, Most time.Duration // the shortest and the longest step
	Uneven      bool          // more than one step in twenty is not near a multiple of Step
	Gaps        int           // steps of more than one and a half times Step
	Missing     int           // observations of a grid of Step that lie within gaps
	LongestGap  time.Time     // when the longest step begins
}

const (
	nearStep    = 0.1  // of a step: what still counts as a multiple; months are within it
	unevenSteps = 0.05 // the share of other steps from which on times are uneven
)

// Spacing tells how the observations follow each other. Equal times are one.
func (s *Set) Spacing() Spacing {
	var steps []time.Duration
	var sp Spacing
	for k := 1; k < len(s.Times); k++ {
		d := s.Times[k].Sub(s.Times[k-1])
		if d <= 0 {
			continue
		}
		if d > sp.Most {
			sp.Most, sp.LongestGap = d, s.Times[k-1]
		}
		steps = append(steps, d)
	}
	if len(steps) == 0 {
		return Spacing{}
	}
	slices.Sort(steps)
	sp.Step, sp.Least = steps[len(steps)/2], steps[0]
	odd := 0
	for _, d := range steps {
		ratio := float64(d) / float64(sp.Step)
		multiple := max(math.Round(ratio), 1)
		if math.Abs(ratio-multiple) > nearStep {
			odd++
		}
		if ratio > 1.5 {
			sp.Gaps++
			sp.Missing += int(math.Round(ratio)) - 1
		}
	}
	sp.Uneven = float64(odd) > unevenSteps*float64(len(steps))
	return sp
}

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// niceSpans are spans that people choose.
var niceSpans = []time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day, week, 4 * week, 13 * week,
}

// SuggestSpan returns a span to [Set.Resample] by: one that people choose, in which half of
// the vertices have a value most of the time; 0 if there is none.
func (s *Set) SuggestSpan() time.Duration {
	var medians []time.Duration
	n, _ := s.Y.Dims()
	for i := range n {
		var steps []time.Duration
		last := -1
		for k, v := range s.Y.RawRowView(i) {
			if math.IsNaN(v) || k >= len(s.Times) {
				continue
			}
			if last >= 0 && s.Times[k].After(s.Times[last]) {
				steps = append(steps, s.Times[k].Sub(s.Times[last]))
			}
			last = k
		}
		if len(steps) > 0 {
			slices.Sort(steps)
			medians = append(medians, steps[len(steps)/2])
		}
	}
	if len(medians) == 0 {
		return 0
	}
	slices.Sort(medians)
	typical := medians[len(medians)/2]
	for _, nice := range niceSpans {
		if float64(nice) >= (1-nearStep)*float64(typical) {
			return nice
		}
	}
	return 0
}
