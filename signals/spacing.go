package signals

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
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
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second,
	15 * time.Second, 30 * time.Second,
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

// Resample returns the means over equal spans of time, for each vertex over what was
// observed: a value is missing where nothing was. Spans are [a, b), and begin at midnight UTC of
// the first day; the time of a span is its begin. Spans in which nothing at all was observed are left
// out and counted as dropped.
//
// Signals without times, or of which only a sample is in memory, are an [*input.Error].
func (s *Set) Resample(span time.Duration) (*Set, error) {
	const op = "signals.Resample"
	switch {
	case span <= 0:
		return nil, input.Errorf(op, "span", "got %v, want a positive one", span)
	case s.Times == nil:
		return nil, input.Completef(op, input.Signals,
			"the times of the observations are not known, so they cannot be resampled: add a column of times, such as 2024-01-31 13:00")
	case s.Whole != nil:
		return nil, input.Completef(op, input.Signals, "only a sample of the signals is in memory, and only all can be resampled")
	}
	r := *s
	g := newGathering(span, s.Times[0])
	g.row(s.names())
	g.columns(s.Times)
	if err := g.fill(op, s); err != nil {
		return nil, err
	}
	r.Y, r.Times = g.y, g.times
	r.Notes = append(slices.Clone(s.Notes), g.note(len(s.Times)))
	r.Dropped += g.empty()
	return &r, nil
}

// Unite makes one set of several, such as the files of a study: of all their vertices,
// matched by name, and at all their times. So sets of the same vertices follow each other in time,
// and those of different ones stand beside each other. What was observed at the same
// time, in several sets or twice in one, is averaged, and with a positive span all that was observed within
// one, as [Set.Resample] does; what was not observed is missing.
//
// labels are what the sets are called in sentences. Sets without names or times are an
// [*input.Error].
func Unite(labels []string, span time.Duration, sets ...*Set) (*Set, error) {
	const op = "signals.Unite"
	const timeless = "the times of the observations are not known, so they cannot be united with those of other files: " +
		"add a column of times, such as 2024-01-31 13:00"
	if len(sets) == 0 || len(labels) != len(sets) {
		return nil, input.Errorf(op, input.Signals, "got %d sets and %d labels, want as many, and at least one", len(sets), len(labels))
	}
	fault := func(k int, field input.Field, msg string) error {
		return &input.Error{Op: op, Field: field, File: labels[k], Msg: msg, Complete: true}
	}
	first := time.Time{}
	for k, s := range sets {
		switch {
		case s.Times == nil:
			return nil, fault(k, input.Signals, timeless)
		case s.Names == nil:
			return nil, fault(k, input.Names, "the vertices have no names, by which several files are united")
		case s.Whole != nil:
			return nil, fault(k, input.Signals, "only a sample of the signals is in memory, and only all can be united")
		}
		if k == 0 || s.Times[0].Before(first) {
			first = s.Times[0]
		}
	}
	united := &Set{}
	g := newGathering(span, first)
	observations := 0
	for k, s := range sets {
		g.row(s.Names)
		g.columns(s.Times)
		observations += len(s.Times)
		united.Dropped += s.Dropped
		for _, note := range s.Notes {
			united.Notes = append(united.Notes, labels[k]+": "+note)
		}
	}
	if err := g.fill(op, sets...); err != nil {
		return nil, err
	}
	united.Y, united.Names, united.Times = g.y, g.names, g.times
	united.Notes = append(
		united.Notes,
		fmt.Sprintf("%d files were united to %s and %s", len(sets), words.Plural(len(g.names), "vertex"),
			words.Plural(len(g.times), "observation")),
	)
	if span > 0 {
		united.Notes = append(united.Notes, g.note(observations))
		united.Dropped += g.empty()
	}
	return united, nil
}

// names returns those of the vertices, made up where there are none.
func (s *Set) names() []string {
	if s.Names != nil {
		return s.Names
	}
	n, _ := s.Y.Dims()
	return graph.DefaultNames(n)
}

// A gathering is values by vertex and time.
type gathering struct {
	span  time.Duration // that one column stands for; 0: each time is its own
	begin time.Time     // of the first span

	names []string
	rows  map[string]int
	times []time.Time
	at    map[instant]int // the columns of times
	y     *mat.Dense
}

// An instant tells times apart, whatever their zone.
type instant struct {
	seconds     int64
	nanoseconds int
}

func newGathering(span time.Duration, first time.Time) *gathering {
	return &gathering{span: span, begin: first.UTC().Truncate(day), rows: map[string]int{}, at: map[instant]int{}}
}

// column returns the time of the column that a time belongs to.
func (g *gathering) column(t time.Time) (time.Time, instant) {
	if g.span > 0 {
		t = t.UTC()
		// Truncate counts from year 1, and a Duration holds some centuries only.
		offset := g.begin.Sub(g.begin.Truncate(g.span))
		if t = t.Add(-offset).Truncate(g.span).Add(offset); t.Before(g.begin) {
			t = g.begin
		}
	}
	return t, instant{t.Unix(), t.Nanosecond()}
}

// row makes rows for vertices.
func (g *gathering) row(names []string) {
	for _, name := range names {
		if _, known := g.rows[name]; !known {
			g.rows[name] = len(g.names)
			g.names = append(g.names, name)
		}
	}
}

// columns makes columns for times.
func (g *gathering) columns(times []time.Time) {
	for _, t := range times {
		c, key := g.column(t)
		if _, known := g.at[key]; !known {
			g.at[key] = 0
			g.times = append(g.times, c)
		}
	}
}

// mostGathered is how many values may be gathered: 2 GiB.
const mostGathered = 1 << 28

// fill sets the values to the means of what was observed.
func (g *gathering) fill(op string, sets ...*Set) error {
	n, m := len(g.names), len(g.times)
	if n > mostGathered/m {
		return input.Completef(op, input.Signals,
			"%s at %s are more than the %d values that fit: resample them to longer spans, or take fewer",
			words.Plural(n, "vertex"), words.Plural(m, "time"), mostGathered)
	}
	slices.SortFunc(g.times, time.Time.Compare)
	for k, t := range g.times {
		_, key := g.column(t)
		g.at[key] = k
	}
	g.y = mat.NewDense(n, m, nil)
	count := make([]int32, n*m)
	for _, s := range sets {
		to := make([]int, len(s.Times))
		for k, t := range s.Times {
			_, key := g.column(t)
			to[k] = g.at[key]
		}
		for i, name := range s.names() {
			r := g.rows[name]
			means, counts := g.y.RawRowView(r), count[r*m:(r+1)*m]
			for k, v := range s.Y.RawRowView(i) {
				if !math.IsNaN(v) {
					c := to[k]
					counts[c]++
					means[c] += (v - means[c]) / float64(counts[c]) // a sum might overflow
				}
			}
		}
	}
	for k, c := range count {
		if c == 0 {
			g.y.Set(k/m, k%m, math.NaN())
		}
	}
	return nil
}

// empty returns how many spans between the first and the last are not there.
func (g *gathering) empty() int {
	last := len(g.times) - 1
	return int(math.Round(g.times[last].Sub(g.times[0]).Seconds()/g.span.Seconds())) - last
}

// note says what became of observations.
func (g *gathering) note(observations int) string {
	between := ""
	switch empty := g.empty(); empty {
	case 0:
	case 1:
		between = "; nothing was observed in one span in between"
	default:
		between = fmt.Sprintf("; nothing was observed in %d spans in between", empty)
	}
	return fmt.Sprintf("%s averaged over spans of %s, which gives %d%s",
		words.Plural(observations, "observation"), words.Span(g.span), len(g.times), between)
}
