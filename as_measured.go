package nervure

import (
	"slices"

	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// asMeasured words what a method set aside by the signals as they were given: it has
// seen them after preprocessing, where a sensor that reads 12.5 all the time is 0. r
// is a result of signals with the vertices of s.
func asMeasured(r *method.Result, s *Signals) {
	if n, _ := s.Y.Dims(); n != r.Graph.Vertices() {
		return
	}
	r.Aside, r.Warnings = slices.Clone(r.Aside), slices.Clone(r.Warnings)
	for k, a := range r.Aside {
		if a.Reason != signals.Constant {
			continue
		}
		if row := signals.Describe(s.Y.RawRowView(a.Vertex)); row.Varies {
			r.Aside[k].Reason, r.Aside[k].Value = signals.ConstantPrepared, 0
		} else {
			r.Aside[k].Value = row.High
		}
		if at := slices.Index(r.Warnings, a.Sentence()); at >= 0 {
			r.Warnings[at] = r.Aside[k].Sentence()
		}
	}
}
