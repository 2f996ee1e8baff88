package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/study"
)

// The stages of the measurement of recordings as they come.
const (
	Sensors  = "sensors"  // [simulate.Messy]
	FMRI     = "fmri"     // [simulate.FMRI]
	Changing = "changing" // [simulate.Changing]
)

// Series are those whose graph changes in its middle, and how they are cut.
var Series = []Windows{{24, 250, 250, 8}, {36, 400, 400, 8}, {30, 200, 100, 15}, {20, 300, 300, 10}}

// Windows are some windows of a series.
type Windows struct {
	Vertices     int // before isolated ones are stripped
	Window, Step int // in observations
	Count        int
}

// messyStages have no grid but that of series.
func messyStages(o Options) ([]experiment.Stage, error) {
	seeds := func(count int) experiment.Seeds { return experiment.Seeds{First: 1001, Count: count} }
	var series []Cell
	for _, w := range Series {
		measure := func(ctx context.Context, seed uint64) (Values, error) { return w.measure(ctx, seed, o.Threads) }
		series = append(series, cell(measure, experiment.Amount("vertices", w.Vertices), experiment.Amount("window", w.Window),
			experiment.Amount("step", w.Step), experiment.Amount("count", w.Count)))
	}
	return []experiment.Stage{
		{Name: Sensors, Seeds: seeds(20), Cells: []Cell{cell(func(ctx context.Context, seed uint64) (Values, error) {
			return measureSensors(ctx, simulate.MessySpec{Seed: seed}, o.Threads)
		})}},
		{Name: FMRI, Seeds: seeds(10), Cells: []Cell{cell(func(ctx context.Context, seed uint64) (Values, error) {
			return measureScan(ctx, simulate.FMRISpec{Seed: seed}, o.Threads)
		})}},
		{Name: Changing, Seeds: seeds(20), Cells: series},
	}, nil
}

// measureSensors learns from the field of a network of sensors alone (clean), from the recording without
// broken sensors (cycles), from the whole mess, and from the field where the mess leaves anything of it (known).
func measureSensors(ctx context.Context, spec simulate.MessySpec, threads int) (Values, error) {
	all := Values{}
	for _, part := range []struct {
		name string
		mess simulate.Mess
	}{{"clean.", simulate.MessNone}, {"cycles.", simulate.MessCycles}, {"messy.", simulate.MessAll}} {
		spec.Mess = part.mess
		drawn, err := simulate.Messy(spec)
		if err != nil {
			return nil, err
		}
		known := truth(drawn.Graph)
		s := &nervure.Signals{Y: drawn.Signals, Names: drawn.Graph.Names(), Times: drawn.Times}
		v, found, err := learnRecording(ctx, s, known, prepare.Options{}, threads)
		if err != nil {
			return nil, err
		}
		all["edges"] = float64(known.Edges())
		all["broken"], v["alarms"] = judge(found, drawn.Faults)
		put(all, part.name, v)
		if part.mess != simulate.MessAll {
			continue
		}
		s.Y = leftOf(drawn)
		if v, _, err = learnRecording(ctx, s, known, prepare.Options{}, threads); err != nil {
			return nil, err
		}
		put(all, "known.", v)
	}
	return all, nil
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

// measureScan learns from values, from differences, and from what the tool chooses of them.
func measureScan(ctx context.Context, spec simulate.FMRISpec, threads int) (Values, error) {
	drawn, err := simulate.FMRI(spec)
	if err != nil {
		return nil, err
	}
	known := truth(drawn.Graph)
	s := &nervure.Signals{Y: drawn.Signals, Names: drawn.Graph.Names(), Times: drawn.Times}
	all := Values{"edges": float64(known.Edges())}
	for name, o := range map[string]prepare.Options{
		"values.": {Difference: prepare.No}, "differences.": {Difference: prepare.Yes}, "auto.": {},
	} {
		v, found, err := learnRecording(ctx, s, known, o, threads)
		if err != nil {
			return nil, err
		}
		_, v["alarms"] = judge(found, nil)
		put(all, name, v)
	}
	return all, nil
}

// learnRecording learns as the tool does by default, but for how signals are prepared, and returns what is
// wrong with which sensor, too.
func learnRecording(
	ctx context.Context, s *nervure.Signals, known Target, o prepare.Options, threads int,
) (Values, []prepare.Fault, error) {
	a, v, err := learn(ctx, s, known, nervure.Options{Prepare: o}, threads)
	if err != nil {
		return nil, nil, err
	}
	faults := slices.Clone(a.Preparation.Faults)
	for _, e := range a.Preparation.Equal { // a copy in the same unit
		faults = append(faults, prepare.Fault{Vertex: e.Vertex, Kind: prepare.Copy, Origin: e.Origin})
	}
	delete(v, "kernel")
	return v, faults, nil
}

// judge compares what was found wrong with sensors with what is: "6, drift: drift" for each that is broken
// and "3: noise" for each that is not, with semicolons between them. A copy and the sensor that it is a
// copy of are the same to who looks at their values: either of them counts for the copy, and neither is a
// false alarm.
func judge(found []prepare.Fault, truth []simulate.SensorFault) (broken, alarms string) {
	named := map[int][]string{}
	for _, f := range found {
		if kind := string(f.Kind); !slices.Contains(named[f.Vertex], kind) {
			named[f.Vertex] = append(named[f.Vertex], kind)
		}
	}
	var said, wrong []string
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
		said = append(said, fmt.Sprintf("%d, %s: %s", f.Vertex, f.Kind, strings.Join(kinds, ", ")))
	}
	for _, f := range slices.SortedFunc(slices.Values(found), func(a, b prepare.Fault) int { return a.Vertex - b.Vertex }) {
		if !excused[f.Vertex] {
			excused[f.Vertex] = true // said once
			wrong = append(wrong, fmt.Sprintf("%d: %s", f.Vertex, strings.Join(named[f.Vertex], ", ")))
		}
	}
	return strings.Join(said, "; "), strings.Join(wrong, "; ")
}

// measure learns from the windows of a graph that changes.
func (w Windows) measure(ctx context.Context, seed uint64, threads int) (Values, error) {
	drawn, err := simulate.Changing(simulate.ChangingSpec{Vertices: w.Vertices, Observations: (w.Count-1)*w.Step + w.Window, Seed: seed})
	if err != nil {
		return nil, err
	}
	s := &nervure.Signals{Y: drawn.Signals, Names: drawn.Before.Names(), Times: drawn.Times}
	series, err := study.LearnWindows(ctx, s, study.WindowOptions{
		Window: study.Length{Observations: w.Window}, Step: study.Length{Observations: w.Step},
		Learn: nervure.Options{Structure: nervure.No, Threads: threads},
	})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(series.Judge(drawn.Before, drawn.After, drawn.Spec.Moment))
	if err != nil {
		return nil, err
	}
	v := Values{}
	return v, json.Unmarshal(text, &v)
}
