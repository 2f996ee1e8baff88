package nervure

import (
	"fmt"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/solver"
)

// A Grade says in a word how far to trust a graph.
type Grade string

// The grades.
const (
	// Exact: the graph is certified. On its edges a few atoms explain the signals to
	// rounding error, and no other weights would.
	Exact Grade = "exact"
	// Supported: held-out signals fit the graph clearly better than shuffled ones, or
	// show that its vertices predict each other. Edges are estimates.
	Supported Grade = "supported"
	// Weak: the signals do not determine the graph. Others may explain them as well.
	Weak Grade = "weak"
	// NoStructure: held-out signals show no graph that the model can detect.
	NoStructure Grade = "no structure"
	// NotChecked: nothing is known about how far to trust the graph.
	NotChecked Grade = "not checked"
)

// A Verdict says how far to trust a graph, and on what evidence. It is a value:
// the terminal, the page and the report each present it their own way.
type Verdict struct {
	Grade   Grade
	Edges   int // of the graph
	Signals int // it was learned from

	// Of the sparse method only:
	Residual    float64 // share of the signals' energy that the codes do not explain
	Unexplained int     // signals with a residual above rounding error
	Restricted  bool    // the answer is among the pairs that were allowed

	Rest      *RestCheck            // of signals that were not learned from; nil if all were
	Structure *assess.StructureTest // the structure test, or nil
	// Prediction is what edges said of held-out signals when ggl was chosen by
	// [AutoMethod]; else nil.
	Prediction *MethodChoice
	Method     string // that learned the graph
	// Independent is how many independent signals those learned from count as, if they are
	// too few to tell a graph from chance; else 0.
	Independent float64
	outweighed  bool // because some of them are far larger than all others

	uncoded   bool // the method has no codes
	uncut     int  // edges before the cut, if the codes are on those; else 0
	requested bool // the cut was given, not found
	assessed  bool // the edges have a confidence
	unchecked uncheckedReason
	large     int // vertices from which on atoms are truncated, if they were
	exhausted int // rounds or iterations, if all that were allowed were used up
}

// An uncheckedReason says why there is no structure test.
type uncheckedReason int

const (
	wasChecked uncheckedReason = iota
	switchedOff
	otherMethod
	tooFewSignals
	wasInterrupted
	wasOutOfTime
	testFailed
)

// judge draws the conclusion of all that is known.
func (a *Analysis) judge() {
	v := Verdict{
		Edges: a.Graph.EdgeCount(), Signals: a.Signals(), Rest: a.Rest, Structure: a.Structure,
		Method: a.Result.Method.Name(), unchecked: a.unchecked, uncoded: a.Sparse == nil, assessed: a.Confidence != nil,
	}
	if a.Result.Status == solver.MaxRounds {
		v.exhausted = a.Result.Rounds
	}
	if s := a.Sparse; s != nil {
		v.Residual, v.Unexplained, v.Restricted = s.Residual, s.Unexplained, s.AllowedPairs > 0
		v.requested = s.Threshold.Rule == graph.CutEdges || s.Threshold.Rule == graph.CutThreshold
		if s.CodedOn != nil && s.CodedOn.EdgeCount() != v.Edges {
			v.uncut = s.CodedOn.EdgeCount()
		}
		if s.Large {
			v.large = s.Options.LargeFrom
		}
	}
	if a.Sparse == nil && a.Choice != nil {
		v.Prediction = a.Choice
	}
	switch {
	case v.Prediction != nil && a.Result.Status == solver.Interrupted:
		v.Grade, v.Prediction, v.unchecked = NotChecked, nil, wasInterrupted
		if a.LimitReached {
			v.unchecked = wasOutOfTime
		}
	case v.Prediction != nil:
		v.Grade = v.Prediction.grade(v.Edges)
	case a.Sparse != nil && a.Sparse.Certified:
		v.Grade = Exact
	case a.Structure != nil && !a.Structure.Structure:
		v.Grade = NoStructure
	case a.Sparse != nil && a.Sparse.Unexplained == 0, a.Structure != nil && v.Edges == 0:
		v.Grade = Weak
	case a.Structure != nil:
		v.Grade = Supported
	default:
		v.Grade = NotChecked
	}
	if count := a.independent(); v.Grade == Supported && count < fewIndependent {
		v.Grade, v.Independent, v.outweighed = Weak, count, a.Preparation.isOutweighed()
	}
	a.Verdict = v
}

// sureErrors is by how many standard errors held-out signals must be likelier for
// edges to be no chance, as in the structure test of the sparse method.
const sureErrors = 3.2

// grade is what the choice says of a graph with so many edges.
func (c *MethodChoice) grade(edges int) Grade {
	switch {
	case edges == 0:
		return NoStructure
	case c.Edges.Mean > sureErrors*c.Edges.StdErr:
		return Supported
	}
	return Weak
}

// String returns the grade and the first reason, such as "exact: 13 edges explain
// all 80 signals to rounding error".
func (v Verdict) String() string { return string(v.Grade) + ": " + v.Reasons()[0] }

// Reasons returns the evidence for the grade, as sentences without capitals and
// full stops; there is at least one.
func (v Verdict) Reasons() []string {
	reasons := v.evidence()
	if v.Rest != nil {
		reasons = append(reasons, v.Rest.String())
	}
	return reasons
}

// evidence returns the reasons, but for signals that were not learned from.
func (v Verdict) evidence() []string {
	if v.Independent == 0 {
		return v.ownEvidence()
	}
	few := fmt.Sprintf("the %d signals depend on one another and count as about %.0f independent ones, too few to tell a graph from chance", v.Signals, v.Independent)
	if v.outweighed {
		few = "signals that are out of scale outweigh all others, too few to tell a graph from chance"
	}
	tested := v
	tested.Grade, tested.Independent = Supported, 0
	return append([]string{few}, tested.ownEvidence()...)
}

func (v Verdict) ownEvidence() []string {
	edges, explain, leave := words.Plural(v.Edges, "edge"), "explain", "leave"
	if v.Edges == 1 {
		explain, leave = "explains", "leaves"
	}
	var reasons []string
	say := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	if c := v.Prediction; c != nil {
		if v.Grade == NoStructure {
			say("in held-out signals no vertex is predicted by others")
		} else {
			say("in %s, the edges of %s predict %s of the energy of hidden values", words.Plural(c.Signals, "held-out signal"), c.edgesOf(), words.Percent(c.Predicted))
		}
		if v.Grade == Weak {
			say("held-out signals are likelier with edges than without, but not clearly (%.3g ± %.2g nats per signal)", c.Edges.Mean, c.Edges.StdErr)
		}
		return reasons
	}
	switch v.Grade {
	case Exact:
		within := ""
		if v.Restricted {
			within = "; only the allowed pairs were considered"
		}
		if v.Unexplained > 0 {
			say("%s %s all but %d of %d signals to rounding error%s", edges, explain, v.Unexplained, v.Signals, within)
		} else {
			say("%s %s all %d signals to rounding error%s", edges, explain, v.Signals, within)
		}
		return reasons
	case Weak:
		if v.Edges == 0 {
			say("the graph has no edges, although held-out signals show structure")
			break
		}
		say("%s %s all %d signals to rounding error, but other graphs may do so too", edges, explain, v.Signals)
		return reasons
	case NoStructure:
		if v.Structure == nil {
			break
		}
		say("held-out signals are not coded significantly better than the same signals with shuffled values (residual %s and %s)",
			words.Percent(v.Structure.CodeError), words.Percent(v.Structure.Shuffled))
	case Supported:
		if v.Structure == nil {
			break
		}
		say("held-out signals have a residual of %s, compared with %s after shuffling their values",
			words.Percent(v.Structure.CodeError), words.Percent(v.Structure.Shuffled))
		if v.Structure.PredictionScore > clearPrediction {
			say("the other vertices predict %s of the variation of a vertex", words.Percent(v.Structure.Prediction))
		}
	case NotChecked:
		say("%s", v.whyUnchecked())
	}
	if !v.uncoded {
		if v.uncut > 0 { // the residual is of these
			edges, leave = words.Plural(v.uncut, "edge")+" before the cut", "leave"
		}
		say("%s %s %s of the signals' energy unexplained", edges, leave, words.Percent(v.Residual))
	}
	if v.requested && v.Structure != nil {
		say("the number of edges was given, and the test says nothing about it")
	}
	if v.large > 0 {
		say("with %d or more vertices atoms are truncated, so no result is reported as exact", v.large)
	}
	if v.exhausted > 0 {
		say("the method stopped at its limit of %s before it converged", words.Plural(v.exhausted, v.roundWord()))
	}
	return reasons
}

// clearPrediction is how many standard errors a prediction must be above zero to
// be worth a sentence.
const clearPrediction = 2

func (v Verdict) roundWord() string {
	if v.uncoded {
		return "iteration"
	}
	return "round"
}

// whyUnchecked says why nothing is known.
func (v Verdict) whyUnchecked() string {
	switch v.unchecked {
	case otherMethod:
		if v.assessed {
			return fmt.Sprintf("for the method %s there is no structure test, only the confidence of each edge", v.Method)
		}
		return fmt.Sprintf("the method %s gives no evidence of how far its edges can be trusted", v.Method)
	case switchedOff:
		return "the structure test was switched off"
	case tooFewSignals:
		return "there are too few signals for held-out tests"
	case wasInterrupted:
		return "the run was interrupted before the graph could be tested"
	case wasOutOfTime:
		return "the time limit left no time to test the graph"
	}
	return "the structure test failed"
}
