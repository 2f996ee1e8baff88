// Package recordings learns graphs from simulated recordings as they come – with
// cycles, gaps, broken sensors and values that depend on one another in time – and
// keeps what came of it for docs/recordings.md and docs/windows.md.
package recordings

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/study"
)

// A Measurement says what to measure.
type Measurement struct {
	Kinds   []Kind
	Seeds   []uint64 // of recordings of sensors and of graphs that change
	Scans   []uint64 // of fMRI-like recordings
	Threads int      // as in [nervure.Options]
	Log     io.Writer

	// What is drawn, but for mess and seed: smaller in tests.
	network simulate.MessySpec
	scan    simulate.FMRISpec
	series  []Setting
}

// Measure learns from each recording without any option, says what came of it, and
// writes it to a file of records, where others stay; to none if the path is empty.
func (m Measurement) Measure(ctx context.Context, results string) error {
	for _, kind := range m.Kinds {
		seeds, measure := m.Seeds, m.sensors
		switch kind {
		case FMRI:
			seeds, measure = m.Scans, m.fmri
		case Changing:
			measure = m.changing
		}
		for _, seed := range seeds {
			r, err := measure(ctx, seed)
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", kind, seed, err)
			}
			fmt.Fprintln(m.Log, r.sentence())
			if results == "" {
				continue
			}
			if err := keep(results, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// sensors measures the recordings of a network of sensors: clean, with cycles and with
// all of the mess.
func (m Measurement) sensors(ctx context.Context, seed uint64) (Record, error) {
	r := Record{Kind: Sensors, Seed: seed}
	for _, part := range []struct {
		mess    simulate.Mess
		outcome **Outcome
	}{{simulate.MessNone, &r.Clean}, {simulate.MessCycles, &r.Cycles}, {simulate.MessAll, &r.Messy}} {
		spec := m.network
		spec.Mess, spec.Seed = part.mess, seed
		drawn, err := simulate.Messy(spec)
		if err != nil {
			return r, err
		}
		r.Edges = drawn.Graph.EdgeCount()
		o, found, err := m.learn(ctx, &nervure.Signals{Y: drawn.Signals, Names: drawn.Graph.Names(), Times: drawn.Times}, drawn.Graph, prepare.Options{})
		if err != nil {
			return r, err
		}
		r.Broken, o.Alarms = judge(found, drawn.Faults)
		*part.outcome = o
		if part.mess == simulate.MessAll {
			if r.Known, _, err = m.learn(ctx, &nervure.Signals{Y: leftOf(drawn), Names: drawn.Graph.Names(), Times: drawn.Times}, drawn.Graph, prepare.Options{}); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// leftOf returns what a recording leaves of its field, for who knows all about the mess:
// the field itself where a value was recorded, by a sensor that was not stuck, noisy, in
// another unit, drifting, at another time or a copy. Nobody can do better than with it.
func leftOf(r *simulate.Recording) *mat.Dense {
	y := mat.DenseCopyOf(r.Clean)
	y.Apply(func(i, k int, v float64) float64 {
		if math.IsNaN(r.Signals.At(i, k)) {
			return math.NaN()
		}
		return v
	}, y)
	for _, f := range r.Faults {
		if f.Kind == simulate.FaultSpikes || f.Kind == simulate.FaultCode {
			continue // single values, which count for little
		}
		for k := f.From; k < f.To; k++ {
			y.Set(f.Vertex, k, math.NaN())
		}
	}
	return y
}

// fmri measures values, differences and the automatic choice.
func (m Measurement) fmri(ctx context.Context, seed uint64) (Record, error) {
	spec := m.scan
	spec.Seed = seed
	drawn, err := simulate.FMRI(spec)
	if err != nil {
		return Record{}, err
	}
	r := Record{Kind: FMRI, Seed: seed, Edges: drawn.Graph.EdgeCount()}
	for _, part := range []struct {
		options prepare.Options
		outcome **Outcome
	}{{values, &r.Values}, {differences, &r.Differences}, {prepare.Options{}, &r.Auto}} {
		o, found, err := m.learn(ctx, &nervure.Signals{Y: drawn.Signals, Names: drawn.Graph.Names(), Times: drawn.Times}, drawn.Graph, part.options)
		if err != nil {
			return r, err
		}
		_, o.Alarms = judge(found, nil)
		*part.outcome = o
	}
	return r, nil
}

// The options that learn from values and from differences, whatever the tool would
// choose.
var (
	values      = prepare.Options{Difference: prepare.No}
	differences = prepare.Options{Difference: prepare.Yes}
)

// sentence says what came of a recording.
func (r Record) sentence() string {
	switch r.Kind {
	case FMRI:
		return fmt.Sprintf("fmri %d: F1 %.3f of values, %.3f of differences, %.3f of the choice (%.0f s)", r.Seed, r.Values.F1, r.Differences.F1, r.Auto.F1,
			r.Values.Seconds+r.Differences.Seconds+r.Auto.Seconds)
	case Changing:
		return r.changes()
	}
	found := 0
	for _, b := range r.Broken {
		if b.Found != nil {
			found++
		}
	}
	return fmt.Sprintf("sensors %d: F1 %.3f clean, %.3f with cycles, %.3f messy, %.3f if all were known; %d of %d sure edges true; %d of %d broken sensors found, %d alarms (%d with cycles, %d clean); %.0f s",
		r.Seed, r.Clean.F1, r.Cycles.F1, r.Messy.F1, r.Known.F1, r.Messy.SureTrue, r.Messy.Sure, found, len(r.Broken),
		len(r.Messy.Alarms), len(r.Cycles.Alarms), len(r.Clean.Alarms), r.Clean.Seconds+r.Cycles.Seconds+r.Messy.Seconds)
}

// countSure counts the edges of a graph that the tool is sure of, and the true ones of
// them.
func countSure(g, truth *graph.Graph) (sure, right int) {
	for _, e := range records.SureEdges(g) {
		sure++
		if truth.HasEdge(e.I, e.J) {
			right++
		}
	}
	return sure, right
}

// learn learns from a recording as the tool does by default, but for how it is
// prepared, and returns what is wrong with which sensor, too.
func (m Measurement) learn(ctx context.Context, s *nervure.Signals, truth *graph.Graph, o prepare.Options) (*Outcome, []prepare.Fault, error) {
	begin := time.Now()
	a, err := nervure.Learn(ctx, s, nervure.Options{Prepare: o, Threads: m.Threads})
	if err != nil {
		return nil, nil, err
	}
	found, err := metrics.EdgeF1(a.Graph, truth)
	if err != nil {
		return nil, nil, err
	}
	out := &Outcome{F1: found, Edges: a.Graph.EdgeCount(), Method: a.Options.Method.Name(), Seconds: time.Since(begin).Seconds()}
	out.Sure, out.SureTrue = countSure(a.Graph, truth)
	faults := slices.Clone(a.Preparation.Faults)
	for _, e := range a.Preparation.Equal { // a copy in the same unit
		faults = append(faults, prepare.Fault{Vertex: e.Vertex, Kind: prepare.Copy, Origin: e.Origin})
	}
	return out, faults, nil
}

// judge compares what was found wrong with sensors with what is. A copy and the sensor
// that it is a copy of are the same to who looks at their values: either of them counts
// for the copy, and neither is a false alarm.
func judge(found []prepare.Fault, truth []simulate.SensorFault) ([]Broken, []Alarm) {
	named := map[int][]string{}
	for _, f := range found {
		if kind := string(f.Kind); !slices.Contains(named[f.Vertex], kind) {
			named[f.Vertex] = append(named[f.Vertex], kind)
		}
	}
	var broken []Broken
	excused := map[int]bool{}
	for _, f := range truth {
		excused[f.Vertex] = true
		kinds := named[f.Vertex]
		if of := named[f.Source]; f.Kind == simulate.FaultCopy && slices.Equal(of, []string{string(prepare.Copy)}) {
			excused[f.Source] = true
			if kinds == nil {
				kinds = of
			}
		}
		broken = append(broken, Broken{f.Vertex, string(f.Kind), kinds})
	}
	var alarms []Alarm
	for vertex, kinds := range named {
		if !excused[vertex] {
			alarms = append(alarms, Alarm{vertex, kinds})
		}
	}
	slices.SortFunc(alarms, func(a, b Alarm) int { return a.Sensor - b.Sensor })
	return broken, alarms
}

// A Setting is a series whose graph changes in its middle, and how it is cut.
type Setting struct {
	Vertices     int // before isolated ones are stripped
	Window, Step int // in observations
	Count        int // of windows
}

// Settings returns those of the committed results.
func Settings() []Setting {
	return []Setting{{24, 250, 250, 8}, {36, 400, 400, 8}, {30, 200, 100, 15}, {20, 300, 300, 10}}
}

// changing measures the windows of graphs that change, in each setting.
func (m Measurement) changing(ctx context.Context, seed uint64) (Record, error) {
	r := Record{Kind: Changing, Seed: seed}
	settings := m.series
	if settings == nil {
		settings = Settings()
	}
	for k, c := range settings {
		drawn, err := simulate.Changing(simulate.ChangingSpec{Vertices: c.Vertices, Observations: (c.Count-1)*c.Step + c.Window, Seed: seed})
		if err != nil {
			return r, err
		}
		if k == 0 {
			r.Edges = drawn.Before.EdgeCount()
		}
		series, err := study.LearnWindows(ctx, &nervure.Signals{Y: drawn.Signals, Names: drawn.Before.Names(), Times: drawn.Times}, study.WindowOptions{
			Window: study.Length{Observations: c.Window}, Step: study.Length{Observations: c.Step},
			Learn: nervure.Options{Structure: nervure.No, Threads: m.Threads},
		})
		if err != nil {
			return r, err
		}
		r.Windows = append(r.Windows, series.Judge(drawn.Before, drawn.After, drawn.Spec.Moment))
	}
	return r, nil
}

// changes says what came of the series of a seed.
func (r Record) changes() string {
	var parts []string
	for _, j := range r.Windows {
		parts = append(parts, fmt.Sprintf("F1 %.3f, %.1f %% of the stable edges change per window, %.1f %% at the moment, which is %d windows off", j.F1, 100*j.Flicker, 100*j.AtMoment, j.Off))
	}
	return fmt.Sprintf("changing %d: %s", r.Seed, strings.Join(parts, "; "))
}
