// Package model keeps what was learned and uses it on new signals: it codes, denoises and
// scores them, without the signals that it was learned from. [LearnKernels] completes a
// model whose graph is known.
package model

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// A Model is what was learned, with all that is needed to use it on new signals, and
// nothing of the signals that it was learned from. [Of] makes one; it can be
// written as JSON and read again, exactly.
type Model struct {
	Graph   *graph.Graph // its confidence and evidence are not written
	Method  string       // that learned it
	Signals int          // it was learned from
	Threads int          // zero means all cores; results do not depend on it

	transform        prepare.Transform
	codes            *learn.Model // nil if the method has no codes
	removeCommonMode bool         // before coding, whatever the transform does
	aside            []signals.Aside
	equal            []prepare.Equal       // vertices that were learned as one
	withheld         bool                  // the graph of the analysis has none of the edges
	gaussian         *assess.EdgeGaussian  // nil if there is none
	unscored         string                // why
	field            *assess.FieldGaussian // nil if the method learned none
	scoredByField    bool                  // and not by the Gaussian
}

// Of returns what was learned in a form that can be kept. It fits the Gaussian behind
// [Model.Score]; where that is not possible, Score says why.
func Of(a *nervure.Analysis) *Model {
	m := withoutGaussian(a)
	switch n := m.Graph.Vertices(); {
	case method.Has(a.Result.Method, method.UsesOrder):
		m.unscored = fmt.Sprintf("the graph is of the order of signals in time (method %s), and the score takes no account of that", m.Method)
		return m
	case n > assess.MostGaussianVertices:
		m.unscored = fmt.Sprintf(
			"the score takes a Gaussian of all vertices, and %d are more than the %d it is fitted for",
			n,
			assess.MostGaussianVertices,
		)
		return m
	}
	y, _, err := signals.FillMissing(context.Background(), a.Preparation.Y)
	if err == nil {
		m.gaussian, err = assess.FitEdges(y, m.distinct())
	}
	if m.gaussian != nil {
		m.onAllEdges(m.gaussian)
	}
	if err != nil {
		m.unscored = "no Gaussian could be fitted to the signals learned from: " + input.Sentence(err)
	}
	m.fitField(a, y)
	return m
}

// withoutGaussian is Of without what takes time.
func withoutGaussian(a *nervure.Analysis) *Model {
	g := a.Graph
	if a.Verdict.Withheld > 0 { // the model is of what was learned, whatever is drawn of it
		g = a.Result.Graph
	}
	m := &Model{
		Graph: g, Method: a.Result.Method.Name(), Signals: a.Signals(), Threads: a.Options.Threads,
		transform: a.Preparation.Report.Transform, aside: a.Result.Aside,
		equal: a.Preparation.Equal, withheld: a.Verdict.Withheld > 0,
	}
	if sparse := learn.ResultOf(a.Result); sparse != nil {
		m.codes, m.removeCommonMode, m.aside = &sparse.Model, sparse.Options.RemoveCommonMode, sparse.Aside
		m.aside = slices.DeleteFunc(slices.Clone(m.aside), func(a signals.Aside) bool { return m.isEqual(a.Vertex) })
	}
	return m
}

func (m *Model) threads() int { return cmp.Or(m.Threads, runtime.GOMAXPROCS(0)) }

// HasCodes reports whether [Model.Encode] can be used.
func (m *Model) HasCodes() bool { return m.codes != nil }

// Withheld reports whether the signals learned from show no structure, so that the graph was shown
// without the edges that the model has.
func (m *Model) Withheld() bool { return m.withheld }

// Fieldless says why a model of the method field has none; empty if it has one, or is of another
// method.
func (m *Model) Fieldless() string {
	switch g := m.Graph; {
	case m.field != nil || m.Method != (baseline.Field{}).Name():
		return ""
	case g.Negative() > 0:
		return "the graph has negative edges, for which there is no model of a field"
	case g.EdgeCount() == 0:
		return "the graph has no edges for a field to be on"
	case g.Vertices() > assess.MostFieldVertices:
		return fmt.Sprintf("a model of a field is made for up to %d vertices, and there are %d", assess.MostFieldVertices, g.Vertices())
	}
	return "no model of a field could be fitted to the signals learned from"
}

// Unscored says why [Model.Score] cannot be used; empty if it can.
func (m *Model) Unscored() string { return m.unscored }

// Differences reports whether the model is of differences in time: then [Model.Encode] cannot
// be used.
func (m *Model) Differences() bool { return m.transform.Record().Difference }

// Score returns how much likelier new signals of the same vertices, matched by name, are
// than without edges, in nats per signal: the log density of a Gaussian that has only
// the learned edges, or of the field that was learned if that explains the signals learned from
// better, less that of one without edges, all fitted to the signals that were learned from. This
// is what [nervure.Compare] ranks methods by, on signals that were held out. Signals are
// preprocessed as the first ones were. A missing value counts as the mean of its vertex; a field
// leaves it out. Vertices that were learned as one because their values are equal count once.
func (m *Model) Score(s *nervure.Signals) (float64, error) {
	if m.unscored != "" {
		return 0, input.Completef("nervure", "score", "%s", m.unscored)
	}
	s, err := s.OnVertices("nervure", m.Graph.Names())
	if err != nil {
		return 0, err
	}
	z, _, err := m.transform.Apply(m.merged(s.Y), s.Times)
	if err != nil {
		return 0, err
	}
	gains, err := m.gains(z)
	if err != nil {
		return 0, err
	}
	mean := 0.0
	for _, g := range gains {
		mean += g / float64(len(gains))
	}
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		return 0, input.Completef(
			"nervure",
			input.Signals,
			"the values are too far from those learned from for a score: are they in the same units?",
		)
	}
	return mean, nil
}
