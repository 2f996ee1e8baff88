package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/solver"
)

// cutMeanings say what a rule does.
var cutMeanings = map[graph.CutRule]string{
	graph.CutAuto:      "chosen automatically: at the gap in the weights or, if there is none, where removing further edges starts to hurt the held-out fit",
	graph.CutEdges:     "the heaviest, as many as asked for",
	graph.CutThreshold: "those above the given threshold",
	method.OwnCut:      "by the method's own rule",
}

var statusMeanings = map[solver.Status]string{
	solver.Converged:   "nothing changed any more",
	solver.MaxRounds:   "the limit on rounds was reached",
	solver.Stalled:     "no step improved the fit any further",
	solver.Interrupted: "the run was stopped early",
}

// A table is filled with numbers, in their order on the page.
type table []number

func (t *table) add(label, value, meaning string) {
	*t = append(*t, number{Label: label, Value: value, Meaning: meaning})
}

// addKey adds a number that stands at the top of the page, too.
func (t *table) addKey(label, value, meaning string) {
	*t = append(*t, number{Label: label, Value: value, Meaning: meaning, Key: true})
}

// numbers is the summary of an analysis as a table for people.
func numbers(a *nervure.Analysis) []number {
	var t table
	_, components := a.Graph.Components()
	t.addKey("Vertices", strconv.Itoa(a.Graph.Vertices()), "")
	t.addKey("Edges", strconv.Itoa(a.Graph.EdgeCount()), cutMeanings[a.Result.Cut])
	t.addKey("Signals", strconv.Itoa(a.Signals()), "observations of all vertices")
	if s := a.Sparse; s != nil {
		residual := words.Percent(s.Residual)
		if s.Unexplained == 0 {
			residual = "none" // but rounding errors
		}
		t.addKey("Residual", residual, "share of the signals' energy that the graph does not explain: ‖Y − DX‖²/‖Y‖²")
	}
	if a.Confidence != nil {
		label := "Sure edges"
		if a.Sparse == nil {
			label = "Stable edges"
		}
		t.addKey(label, strconv.Itoa(a.Confidence.AtLeast(nervure.SureLevel)), fmt.Sprintf("with a confidence of %g or more", nervure.SureLevel))
	}
	t.add("Components", strconv.Itoa(components), "parts with no edge between them, isolated vertices included")
	t.add("Vertices without an edge", strconv.Itoa(len(a.Graph.Isolated())), "")
	t.add("Lightest edge", fourDigits(a.Summary().Threshold.Value), "the smallest weight kept")
	missing := "left out of the fit"
	if a.Result.Filled > 0 {
		missing = "replaced by the mean of their vertex"
	}
	t.add("Missing values", strconv.Itoa(a.Preparation.Report.Missing), missing)
	t.add("Method", a.Result.Method.Name(), "")
	if a.Sparse != nil {
		t.addSparse(a.Sparse)
	} else {
		for _, v := range method.Values(a.Result.Method) {
			t.add("Parameter "+v.Name, fourDigits(v.Value), "")
		}
	}
	t.add("How it ended", strings.ReplaceAll(string(a.Status), "_", " "), statusMeanings[a.Status])
	t.add("Seed", strconv.FormatUint(a.Options.Seed, 10), "of every random draw")
	return t
}

// addSparse adds what only the sparse method reports.
func (t *table) addSparse(s *learn.Result) {
	t.add("Recipe", string(s.Options.Recipe), "")
	for k, used := range s.Model.Kernels {
		t.add(fmt.Sprintf("Kernel %d", k+1), kernel.ShortName(used.Name),
			fmt.Sprintf("polynomial of degree %d, approximation error at most %.2g", used.Degree(), used.ApproximationError))
	}
	t.add("Atoms per signal", strconv.Itoa(s.Model.Sparsity), "the most patterns that a signal is a sum of")
	if s.Weights.EdgeCount() > s.Graph.EdgeCount() {
		t.add("Gap", fourDigits(s.Threshold.Gap), "smallest weight kept over the largest removed, both normalised; above 2 is clear")
	} else {
		t.add("Gap", "none removed", "all edges of positive weight were kept")
	}
	if s.Noise > 0 {
		t.add("Noise", words.Percent(s.Noise), "of the signals' amplitude, if the residual is all noise")
	}
	t.add("Unexplained signals", strconv.Itoa(s.Unexplained), "with a residual above rounding error")
	t.add("Objective", fourDigits(s.Objective), "final value of what the recipe minimises")
	t.add("Starts", strconv.Itoa(s.Starts), "")
	t.add("Rounds", strconv.Itoa(s.Rounds), "of coding and graph update, in the start that was kept")
	t.add("Gradients", strconv.Itoa(s.Gradients), "computed in all starts")
	if s.Allowed > 0 {
		t.add("Allowed pairs", strconv.Itoa(s.Allowed), "candidates for an edge")
	}
	if s.Options.Prior != nil {
		t.add("Prior weight", fourDigits(s.Options.PriorWeight), "in signals")
	}
}

func fourDigits(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
