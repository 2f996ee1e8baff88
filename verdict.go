package nervure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
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
	// Weak: the signals do not determine the graph, and others may explain them as well; or
	// the graph explains little of them.
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
	Method  string // that learned the graph
	Edges   int    // of the graph
	Signals int    // it was learned from
	// Withheld is how many edges were learned that the graph does not have, because the signals
	// show no structure; Result.Graph of the [Analysis] has them. [Options.KeepEdges] keeps them in
	// the graph.
	Withheld int

	Explanation *method.Explanation // of the signals by codes; nil for methods without codes
	Structure   *StructureTest      // by held-out signals, or nil
	Rest        *RestCheck          // of signals that were not learned from; nil if all were
	// Independent is how many independent signals those learned from count as, if they are
	// too few to tell a graph from chance; else 0.
	Independent float64
	outweighed  bool // because some of them are far larger than all others

	scored    bool // tests are of normal scores, not of values
	failing   int  // edges that were tested with the others and left out, because they did not pass
	uncut     int  // edges before the cut, if the codes are on those; else 0
	requested bool // the cut was given, not found
	assessed  bool // the edges have a confidence
	unchecked uncheckedReason
	exhausted int // rounds or iterations, if all that were allowed were used up
}

// An uncheckedReason says why there is no structure test.
type uncheckedReason int

const (
	wasChecked uncheckedReason = iota
	switchedOff
	isDirected
	hasNoEdges
	tooFewSignals
	wasInterrupted
	wasOutOfTime
	testFailed
)

// judge draws the conclusion of all that is known.
func (a *Analysis) judge() {
	v := Verdict{
		Method: a.Result.Method.Name(), Edges: a.Graph.EdgeCount(), Withheld: a.Result.Graph.EdgeCount() - a.Graph.EdgeCount(), Signals: a.Signals(), Rest: a.Rest,
		Explanation: a.explanation(), Structure: a.Structure, unchecked: a.unchecked, assessed: a.Confidence != nil,
		requested: a.hasRequestedCut(), scored: a.Preparation.Scores != nil,
	}
	if a.Result.Status == method.MaxRounds {
		v.exhausted = a.Result.Rounds
	}
	if about := v.Explanation; about != nil && about.CodedOn != nil && about.CodedOn.EdgeCount() != v.learned() {
		v.uncut = about.CodedOn.EdgeCount()
	}
	v.Grade = v.grade()
	if count := a.independent(); v.Grade == Supported && count < fewIndependent {
		v.Grade, v.Independent, v.outweighed = Weak, count, intake.IsOutweighed(a.Preparation)
	}
	a.Verdict = v
}

// LeftOut says which edges the graph does not have because the signals show no structure. It is one
// of the reasons if there are any.
func (v Verdict) LeftOut() string {
	return fmt.Sprintf("the graph is left without the %s learned", words.Plural(v.Withheld, "edge"))
}

// learned returns how many edges were learned.
func (v Verdict) learned() int { return v.Edges + v.Withheld + v.failing }

// grade is what the evidence comes to.
func (v Verdict) grade() Grade {
	switch test, about := v.Structure, v.Explanation; {
	case about != nil && about.Certified:
		return Exact
	case test != nil && !test.Structure, v.unchecked == hasNoEdges && !v.requested:
		return NoStructure
	case v.isExplained(), test != nil && (v.Edges == 0 || !test.Clear() || test.Explained() < littleExplained):
		return Weak
	case test != nil:
		return Supported
	}
	return NotChecked
}

// littleExplained is the share that a graph must explain to be supported, however sure it is that
// this is more than chance: enough signals make any trace of a graph significant.
const littleExplained = 0.1

// isExplained reports whether codes explain all signals to rounding error.
func (v Verdict) isExplained() bool { return v.Explanation != nil && v.Explanation.Unexplained == 0 }

// String returns the grade and the first reason, such as "exact: 13 edges explain
// all 80 signals to rounding error".
func (v Verdict) String() string { return string(v.Grade) + ": " + v.Reasons()[0] }

// Meaning says in a sentence what the grade means for whoever looks at the edges; empty if the graph
// has none.
func (v Verdict) Meaning() string {
	if v.Edges == 0 {
		return ""
	}
	switch v.Grade {
	case Exact:
		return "a wrong graph could not do that: take it as it is"
	case Supported:
		return "the graph as a whole is more than chance, and each edge is an estimate"
	case Weak:
		return "take the edges as hints: other graphs may be as good"
	case NoStructure:
		return "the edges may be chance: do not use them"
	}
	return "nothing is known about how far to trust the edges"
}

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

// ownEvidence returns what the method and the tests of its graph have to say.
func (v Verdict) ownEvidence() []string {
	var reasons []string
	say := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	switch {
	case v.Grade == Exact, v.Grade == Weak && v.learned() > 0 && v.isExplained():
		return []string{v.explained()}
	case v.Grade == NotChecked:
		say("%s", v.whyUnchecked())
	case v.Structure == nil: // no structure
		say("the method found no edges")
	case v.Grade == NoStructure:
		say("%s", noStructure(v.Structure))
	case v.learned() == 0 && v.Structure.Pair > 0:
		say("the graph has no edges, although %s", pairBeyondChance(v.Structure))
	case v.learned() == 0:
		say("the graph has no edges, although held-out signals show structure")
	case v.Structure.Pair > 0 && v.Structure.HeldOut == 0:
		say("%s", pairBeyondChance(v.Structure))
		say(tooFewHeldOut)
	case v.Structure.Pair > 0:
		say("%s", pairBeyondChance(v.Structure))
		say("%s", noStructure(v.Structure))
	default:
		reasons = v.tested()
	}
	return append(reasons, v.limits()...)
}

// tested returns what held-out signals say of a graph that they show.
func (v Verdict) tested() []string {
	t := v.Structure
	little := t.Explained() < littleExplained
	predicted := "the other vertices predict " + words.Percent(t.Prediction) + " of the variation of a vertex"
	left, shuffled := words.Percent(t.CodeError), words.Percent(t.Shuffled)
	switch {
	case !t.Coded:
		predict := "predict"
		if little {
			predict = "predict only"
		}
		hidden := "values"
		if v.scored { // the choice of a method speaks of values, and of another share of them
			hidden = "normal scores"
		}
		reasons := []string{fmt.Sprintf("edges learned from half of the signals %s %s of hidden %s in the other half", predict,
			words.Percent(max(t.Prediction, 0)), hidden)}
		if !t.Clear() {
			reasons = append(reasons, fmt.Sprintf("held-out signals are likelier with edges than without, but not clearly (%.3g ± %.2g nats per signal)", t.Gain.Mean, t.Gain.StdErr))
		}
		return reasons
	case !t.FitsBetter():
		return []string{predicted, fmt.Sprintf("held-out signals fit the graph no better than shuffled ones (residual %s and %s)",
			left, shuffled)}
	case little:
		return []string{fmt.Sprintf("held-out signals have a residual of %s, only slightly below the %s after shuffling their values", left, shuffled)}
	}
	reasons := []string{fmt.Sprintf("held-out signals have a residual of %s, compared with %s after shuffling their values", left,
		shuffled)}
	if t.PredictionScore > minPredictionZ {
		reasons = append(reasons, predicted)
	}
	return reasons
}

// explained says that the graph explains the signals to rounding error, and whether another
// one might.
func (v Verdict) explained() string {
	sentence := words.Plural(v.learned(), "edge") + " explain"
	if v.learned() == 1 {
		sentence += "s"
	}
	if left := v.Explanation.Unexplained; left > 0 {
		sentence += fmt.Sprintf(" all but %d of %d signals to rounding error", left, v.Signals)
	} else {
		sentence += fmt.Sprintf(" all %d signals to rounding error", v.Signals)
	}
	switch {
	case v.Grade == Weak:
		sentence += ", but other graphs may do so too"
	case v.Explanation.Restricted:
		sentence += "; only the allowed pairs were considered"
	}
	return sentence
}

// limits returns what the grade does not say.
func (v Verdict) limits() []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if v.Withheld > 0 {
		say("%s", v.LeftOut())
	}
	if about := v.Explanation; about != nil {
		edges, leave := words.Plural(v.learned(), "edge"), "leave"
		switch {
		case v.uncut > 0: // the residual is of these
			edges = words.Plural(v.uncut, "edge") + " before the cut"
		case v.learned() == 1:
			leave = "leaves"
		}
		say("%s %s %s of the signals' energy unexplained", edges, leave, words.Percent(about.Residual))
	}
	if v.requested && v.Structure != nil && v.Structure.Coded {
		say("the number of edges was given, and the test says nothing about it")
	}
	if about := v.Explanation; about != nil && about.Truncated > 0 {
		say("with %d or more vertices atoms are truncated, so no result is reported as exact", about.Truncated)
	}
	if v.exhausted > 0 {
		say("the method stopped at its limit of %s before it converged", words.Plural(v.exhausted, v.roundWord()))
	}
	return list
}

// pairBeyondChance says which correlation speaks for a graph.
func pairBeyondChance(t *StructureTest) string {
	return fmt.Sprintf("two vertices have a correlation of %.2f, which is beyond chance", t.Pair)
}

// tooFewHeldOut says why pairs of vertices are all that was looked at.
const tooFewHeldOut = "there are too few signals for held-out tests"

// noStructure says what held-out signals do not show.
func noStructure(t *StructureTest) string {
	switch {
	case t.HeldOut == 0:
		return tooFewHeldOut + ", and no two vertices have a correlation beyond chance"
	case t.SharedOnly:
		return "all vertices move together, and apart from that no two of them have a correlation beyond chance"
	}
	if !t.Coded {
		return fmt.Sprintf("edges learned from half of the signals do not make the other half significantly likelier (%.3g ± %.2g nats per signal)", t.Gain.Mean, t.Gain.StdErr)
	}
	predicted := ", and the vertices do not significantly predict each other"
	if math.IsNaN(t.Prediction) {
		predicted = "; with this many vertices, how well they predict each other is not tested"
	}
	return fmt.Sprintf("%s are not coded significantly better than the same signals with shuffled values (residual %s and %s)%s",
		words.Plural(t.HeldOut, "held-out signal"), words.Percent(t.CodeError), words.Percent(t.Shuffled), predicted)
}

// minPredictionZ is how many standard errors a prediction must be above zero to
// be worth a sentence.
const minPredictionZ = 2

func (v Verdict) roundWord() string {
	if v.Explanation == nil {
		return "iteration"
	}
	return "round"
}

// whyUnchecked says why nothing is known.
func (v Verdict) whyUnchecked() string {
	switch v.unchecked {
	case isDirected:
		return fmt.Sprintf("there is no structure test for directed graphs such as those of the method %s", v.Method)
	case hasNoEdges:
		return "the graph has no edges that could be tested"
	case switchedOff:
		return "the structure test was switched off"
	case tooFewSignals:
		return tooFewHeldOut
	case wasInterrupted:
		return "the run was interrupted before the graph could be tested"
	case wasOutOfTime:
		return "the time limit left no time to test the graph"
	}
	return "the structure test failed"
}

// Findings says what was chosen and found besides the verdict, as sentences
// without capitals and full stops: the method, its parameters, normal scores, what it has to say itself,
// confidence.
func (a *Analysis) Findings() []string {
	list := []string{a.chosenMethod(), a.chosenParams(), a.Preparation.Report.Scores.Sentence}
	if reporter, ok := a.Result.Own.(method.Reporter); ok {
		list = append(list, reporter.Findings(a.Result)...)
	}
	list = append(list, a.fieldWords(), a.confidence(), a.evidenceWords())
	return slices.DeleteFunc(list, func(sentence string) bool { return sentence == "" })
}

// chosenMethod says which method [AutoMethod] took.
func (a *Analysis) chosenMethod() string {
	if a.Choice == nil {
		return ""
	}
	return a.Choice.String()
}

// chosenParams says with which parameters another method was run.
func (a *Analysis) chosenParams() string {
	var list []string
	for _, v := range method.Values(a.Result.Method) {
		list = append(list, fmt.Sprintf("%s %.4g", v.Name, v.Value))
	}
	if len(list) == 0 {
		return ""
	}
	return "parameters: " + strings.Join(list, ", ")
}

// confidence says how many edges have a high confidence.
func (a *Analysis) confidence() string {
	switch {
	case a.Confidence == nil, a.Graph.EdgeCount() == 0 && a.Verdict.failing > 0: // it is of no edge any more
		return ""
	case a.Verdict.Grade == NoStructure:
		return "confidence: 0 for all edges, because the signals show no structure"
	}
	sentence := fmt.Sprintf("confidence: %d of %s at %g or higher", a.Confidence.AtLeast(SureLevel),
		words.Plural(a.Graph.EdgeCount(), "edge"), SureLevel)
	if c := a.doubt; c != nil {
		sentence += fmt.Sprintf("; capped at the Gaussian model's confidence: the sparse model's held-out gain (%.3g ± %.2g nats per signal) is not clearly more than twice that of edges (%.3g)",
			c.Codes.Mean, c.Codes.StdErr, max(c.Edges.Mean, 0))
	}
	return sentence
}
