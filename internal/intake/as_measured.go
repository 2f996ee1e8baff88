package intake

import (
	"slices"

	"github.com/nervure/nervure/internal/matrix"

	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// AsMeasured words what a method set aside by the signals as they were given: it has
// seen them after preprocessing, where a sensor that reads 12.5 all the time is 0 and
// one that is at fault may have no values left. r is a result of signals with the
// vertices of s.
func AsMeasured(r *method.Result, s *signals.Set) {
	if n, _ := s.Y.Dims(); n != r.Graph.Vertices() {
		return
	}
	r.Aside, r.Warnings = slices.Clone(r.Aside), slices.Clone(r.Warnings)
	for k := range r.Aside {
		a := &r.Aside[k]
		said, row := a.Sentence(), matrix.Describe(s.Y.RawRowView(a.Vertex))
		switch {
		case a.Reason == signals.TooFewValues && row.Observed > a.Observed+1: // differences take one away
			a.Reason = signals.TooFewLeft
		case a.Reason == signals.Constant && row.Varies:
			a.Reason, a.Value = signals.ConstantPrepared, 0
		case a.Reason == signals.Constant:
			a.Value = row.High
		}
		if at := slices.Index(r.Warnings, said); at >= 0 {
			r.Warnings[at] = a.Sentence()
		}
	}
}
