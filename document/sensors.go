package document

import (
	"time"

	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
)

// Sensors says what is wrong with sensors.
type Sensors struct {
	Check  string        `json:"check" doc:"checked, cut short if the time limit ended the search so that there may be more faults, or not checked if there are too few or too many sensors or values to tell what is usual"`
	Masked int           `json:"masked" doc:"number of values that became missing"`
	Faults []SensorFault `json:"faults" doc:"the faults, by vertex and time"`
	Equal  []EqualVertex `json:"equal,omitempty" doc:"vertices with the values of an earlier one, with which they were learned as one"`
}

// An EqualVertex has the values of another one.
type EqualVertex struct {
	Vertex string `json:"vertex" doc:"name of the vertex"`
	Origin string `json:"origin" doc:"the earlier vertex with the same values"`
}

// A SensorFault is a part of a recording that seems to be no measurement.
type SensorFault struct {
	Vertex   string `json:"vertex" doc:"name of the vertex"`
	Kind     string `json:"kind" doc:"what is wrong: stuck, code, spikes, noise, unit jump, drift, clock slip or copy"`
	From     int    `json:"from" doc:"number of the first observation at fault, from 1"`
	To       int    `json:"to" doc:"number of the last one"`
	Begun    string `json:"begun,omitempty" doc:"time of the first one, if times are known"`
	Ended    string `json:"ended,omitempty" doc:"time of the last one, if times are known"`
	Values   int    `json:"values" doc:"number of values at fault"`
	Origin   string `json:"origin,omitempty" doc:"of a copy, the vertex with the same values"`
	Evidence string `json:"evidence" doc:"what speaks for it"`
}

// NewSensors describes what is wrong with the sensors of the named vertices.
func NewSensors(p *prepare.Prepared, names []string) Sensors {
	s := Sensors{Check: string(p.Sensors), Masked: p.Masked, Faults: NewSensorFaults(p.Faults, names, p.Options.Times)}
	for _, e := range p.Equal {
		s.Equal = append(s.Equal, EqualVertex{names[e.Vertex], names[e.Origin]})
	}
	return s
}

// NewSensorFaults describes faults of the named vertices. times are those of the
// observations, nil if not known.
func NewSensorFaults(faults []prepare.Fault, names []string, times []time.Time) []SensorFault {
	list := []SensorFault{}
	for _, f := range faults {
		d := SensorFault{
			Vertex: names[f.Vertex], Kind: string(f.Kind), From: f.From + 1, To: f.To, Values: len(f.Places), Evidence: f.Sentence,
		}
		if times != nil {
			d.Begun, d.Ended = words.Time(times[f.From]), words.Time(times[f.To-1])
		}
		if f.Kind == prepare.Copy {
			d.Origin = names[f.Origin]
		}
		list = append(list, d)
	}
	return list
}

// A ValuesChoice reports whether values or innovations were learned from, and why.
type ValuesChoice struct {
	Innovations            bool     `json:"innovations" doc:"whether innovations were: what is new in each observation"`
	AgreementOfValues      *float64 `json:"agreement_of_values" doc:"correlation of the partial correlations of values in one half of the recording with those in the other"`
	AgreementOfInnovations *float64 `json:"agreement_of_innovations" doc:"the same of innovations"`
	Independent            *float64 `json:"independent" doc:"number of independent signals that the values count as"`
}

// NewValuesChoice describes a choice, nil if there was none.
func NewValuesChoice(c *prepare.ValuesChoice) *ValuesChoice {
	if c == nil {
		return nil
	}
	return &ValuesChoice{
		Innovations: c.Innovations, AgreementOfValues: Finite(c.AgreementOfValues), AgreementOfInnovations: Finite(c.AgreementOfInnovations), Independent: Finite(c.Independent),
	}
}
