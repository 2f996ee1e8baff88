package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
)

// A timeline shows what is wrong with which sensor, and when.
type timeline struct {
	Rows []sensorRow `json:"rows"` // those with most values at fault first
	More int         `json:"more"` // sensors that are not shown
	From float64     `json:"from"` // what the axis begins with
	To   float64     `json:"to"`
	// Clock says that the axis is the time, as clocks where it was measured showed it,
	// in milliseconds; else it is the number of the observation, from 1.
	Clock bool `json:"clock"`
	// Words name all faults, in the order of the rows.
	Words []faultWords `json:"-"`
}

// A sensorRow is a sensor with all of its faults.
type sensorRow struct {
	Name   string  `json:"name"`
	Faults []fault `json:"faults"`

	entries int // at fault
}

// A fault is some bars of the timeline.
type fault struct {
	Kind  prepare.FaultKind `json:"kind"`
	Runs  [][2]float64      `json:"runs"` // from where to where on the axis
	Words string            `json:"words"`
}

// faultWords are what the list below the timeline says.
type faultWords struct{ Name, Words string }

const (
	mostSensors = 40 // that are drawn
	fewFaults   = 8  // that are listed at once
)

// newTimeline returns nil if nothing is wrong.
func newTimeline(r content) *timeline {
	if len(r.Faults) == 0 {
		return nil
	}
	axis := newTimeAxis(r)
	t := &timeline{From: axis.at(0), To: axis.at(axis.count), Clock: axis.times != nil}
	names, at := r.Graph.Names(), map[int]int{}
	for _, f := range r.Faults {
		k, known := at[f.Vertex]
		if !known {
			k = len(t.Rows)
			at[f.Vertex] = k
			t.Rows = append(t.Rows, sensorRow{Name: names[f.Vertex]})
		}
		said := fmt.Sprintf("%s, %s: %s", f.Kind, axis.span(f.From, f.To), f.Sentence)
		if len(f.Places) < f.To-f.From {
			said = fmt.Sprintf("%s, %s, %s: %s", f.Kind, words.Plural(len(f.Places), "value"), axis.span(f.From, f.To), f.Sentence)
		}
		row := &t.Rows[k]
		row.Faults = append(row.Faults, fault{f.Kind, axis.runs(f.Places), said})
		row.entries += len(f.Places)
	}
	slices.SortStableFunc(t.Rows, func(a, b sensorRow) int { return cmp.Compare(b.entries, a.entries) })
	for _, row := range t.Rows {
		for _, f := range row.Faults {
			t.Words = append(t.Words, faultWords{row.Name, f.Words + "."})
		}
	}
	if t.More = max(0, len(t.Rows)-mostSensors); t.More > 0 {
		t.Rows = t.Rows[:mostSensors]
	}
	return t
}

// First are the faults that are listed at once.
func (t *timeline) First() []faultWords { return t.Words[:min(len(t.Words), fewFaults)] }

// Rest are those that are listed on demand.
func (t *timeline) Rest() []faultWords { return t.Words[len(t.First()):] }

// A timeAxis says where on the timeline an observation is.
type timeAxis struct {
	count int
	times []time.Time // of the observations, or nil
}

// newTimeAxis has room for all observations: preprocessing may have fewer.
func newTimeAxis(r content) timeAxis {
	axis := timeAxis{times: r.Times}
	if axis.count = len(r.Times); axis.times == nil && r.Signals != nil {
		_, axis.count = r.Signals.Dims()
	}
	for _, f := range r.Faults {
		axis.count = max(axis.count, f.To)
	}
	if axis.count > len(axis.times) {
		axis.times = nil
	}
	return axis
}

// at returns the place where observation k begins; the last one takes as long as the
// one before.
func (a timeAxis) at(k int) float64 {
	if a.times == nil {
		return float64(k) + 0.5 // around the number k + 1
	}
	if k < a.count {
		return onClock(a.times[k])
	}
	last := onClock(a.times[a.count-1])
	if a.count == 1 {
		return last + 1
	}
	return last + (last - onClock(a.times[a.count-2]))
}

// runs are the stretches of an ascending list of observations. Those so near that they
// could not be told apart are one.
func (a timeAxis) runs(places []int) [][2]float64 {
	const apart = 1.0 / 400 // of the axis
	runs := [][2]float64{}  // for the page, which wants a list
	least := apart * (a.at(a.count) - a.at(0))
	for _, k := range places {
		from, to := a.at(k), a.at(k+1)
		if last := len(runs) - 1; last >= 0 && from-runs[last][1] <= least {
			runs[last][1] = to
			continue
		}
		runs = append(runs, [2]float64{from, to})
	}
	return runs
}

// onClock is what a clock shows at a time, in milliseconds: scripts that take it for
// universal time show it as it is.
func onClock(t time.Time) float64 {
	_, offset := t.Zone()
	return float64(t.UnixMilli()) + 1000*float64(offset)
}

// span says when observations from ≤ k < to were made.
func (a timeAxis) span(from, to int) string {
	const minutes = "2 January 2006, 15:04"
	switch {
	case a.times == nil && to-from <= 1:
		return fmt.Sprintf("observation %d", from+1)
	case a.times == nil:
		return fmt.Sprintf("observations %d to %d", from+1, to)
	case to-from <= 1:
		return a.times[from].Format(minutes)
	}
	return a.times[from].Format(minutes) + " to " + a.times[to-1].Format(minutes)
}
