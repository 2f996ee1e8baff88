package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/report"
	"github.com/nervure/nervure/solver"
)

// cutMeanings say what a rule does.
var cutMeanings = map[graph.CutRule]string{
	graph.CutAuto:      "found without being told: at the gap in the weights or, where there is none, where taking more away begins to cost",
	graph.CutEdges:     "the heaviest, as many as asked for",
	graph.CutThreshold: "as asked for",
	method.OwnCut:      "the method's own",
}

var statusMeanings = map[solver.Status]string{
	solver.Converged:   "nothing changed any more",
	solver.MaxRounds:   "the rounds allowed were used up",
	solver.Stalled:     "no step brought anything any more",
	solver.Interrupted: "somebody stopped it",
}

// reportNumbers is the summary as a table for people.
func (r *learnRun) reportNumbers(result *learned) []report.Number {
	var list []report.Number
	add := func(key bool, label, value, meaning string) {
		if value != "" {
			list = append(list, report.Number{Label: label, Value: value, Meaning: meaning, Key: key})
		}
	}
	g := result.graph
	_, components := g.Components()
	add(true, "Vertices", strconv.Itoa(g.Vertices()), "")
	add(true, "Edges", strconv.Itoa(g.EdgeCount()), cutMeanings[result.rule])
	add(true, "Signals", strconv.Itoa(result.signals), "observations of all vertices")
	if s := result.sparse; s != nil {
		left := percent(s.Residual)
		if s.Unexplained == 0 {
			left = "nothing" // but rounding errors
		}
		add(true, "Left over", left, "share of the signals' energy that the graph does not explain: ‖Y − DX‖²/‖Y‖²")
	}
	if result.confidence != nil {
		label := "Sure edges"
		if result.sparse == nil {
			label = "Stable edges"
		}
		add(true, label, strconv.Itoa(result.confidence.AtLeast(sureLevel)), fmt.Sprintf("of confidence %g or more", sureLevel))
	}
	add(false, "Components", strconv.Itoa(components), "parts with no edge between them, single vertices included")
	add(false, "Vertices without an edge", strconv.Itoa(len(g.Isolated())), "")
	add(false, "Lightest edge", fourDigits(result.lightest()), "weight of the last edge kept")
	missing := "left out of the fit"
	if result.sparse == nil {
		missing = "replaced by the mean of their vertex"
	}
	add(false, "Missing values", strconv.Itoa(r.prepared.report.Missing), missing)
	add(false, "Method", result.method, "")
	for _, p := range result.params {
		add(false, "Parameter "+p.Name, fourDigits(p.Value), "")
	}
	if result.sparse != nil {
		addSparse(add, result.sparse)
	}
	add(false, "How it ended", strings.ReplaceAll(string(result.ended()), "_", " "), statusMeanings[result.ended()])
	add(false, "Seed", strconv.FormatUint(r.learner.options.Seed, 10), "of every random draw")
	return list
}

// addSparse adds what only the method sparse has to say.
func addSparse(add func(key bool, label, value, meaning string), s *learn.Result) {
	add(false, "Recipe", string(s.Options.Recipe), "")
	for k, kernel := range kernelNamesOf(s.Model.Kernels) {
		add(false, fmt.Sprintf("Kernel %d", k+1), shortNames([]string{kernel}),
			fmt.Sprintf("polynomial of degree %d, off by %.2g at most", s.Model.Kernels[k].Degree(), s.Model.Kernels[k].ApproximationError))
	}
	add(false, "Atoms a signal", strconv.Itoa(s.Model.Sparsity), "patterns that a signal is a sum of, at most")
	if s.Weights.EdgeCount() > s.Graph.EdgeCount() {
		add(false, "Gap", fourDigits(s.Threshold.Gap), "lightest edge kept over the heaviest dropped, both normalised; above 2 is clear")
	} else {
		add(false, "Gap", "none dropped", "all edges of positive weight were kept")
	}
	if s.Noise > 0 {
		add(false, "Noise", percent(s.Noise), "of the signals' amplitude, if what is left over is noise")
	}
	add(false, "Signals not explained", strconv.Itoa(s.Unexplained), "with more left over than rounding")
	add(false, "Objective", fourDigits(s.Objective), "what the recipe minimises, at the end")
	add(false, "Starts", strconv.Itoa(s.Starts), "that were tried")
	add(false, "Rounds", strconv.Itoa(s.Rounds), "of coding and graph update, in the start that was taken")
	add(false, "Gradients", strconv.Itoa(s.Gradients), "computed in all starts")
	if s.Allowed > 0 {
		add(false, "Pairs allowed", strconv.Itoa(s.Allowed), "that might have had an edge")
	}
	if s.Options.Prior != nil {
		add(false, "Weight of the prior", fourDigits(s.Options.PriorWeight), "in signals")
	}
}

func fourDigits(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
