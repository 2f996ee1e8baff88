package recordings

import (
	"context"
	"slices"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
)

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
	return out, faultsOf(a), nil
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
