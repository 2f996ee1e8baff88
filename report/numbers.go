package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// cutMeanings say what a rule does.
var cutMeanings = map[graph.CutRule]string{
	graph.CutAuto:      "chosen automatically: at the gap in the weights or, if there is none, where removing further edges starts to hurt the held-out fit",
	graph.CutEdges:     "the heaviest, as many as requested",
	graph.CutThreshold: "those with the given weight or more",
	method.OwnCut:      "by the method's own rule",
}

var statusMeanings = map[method.Status]string{
	method.Converged:   "the result no longer changed",
	method.MaxRounds:   "the limit on rounds was reached",
	method.Stalled:     "no step improved the fit",
	method.Interrupted: "the run was stopped early",
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
	t.addSize(a.Graph, cutMeanings[a.Result.Cut])
	t.addKey("Signals", strconv.Itoa(a.Signals()), "observations, each of all vertices")
	sparse := learn.ResultOf(a.Result)
	if s := sparse; s != nil {
		residual := words.Percent(s.Residual)
		if s.Unexplained == 0 {
			residual = "rounding error"
		}
		t.addKey("Residual", residual, "share of the signals' energy that the model does not explain: ‖Y − DX‖²/‖Y‖²")
	}
	if a.Confidence != nil {
		t.addSure(a.Confidence.AtLeast(nervure.SureLevel))
	}
	t.addParts(a.Graph)
	t.add("Lightest edge", fourDigits(a.Summary().Threshold.Value), "smallest weight kept")
	missing := "excluded from the fit"
	if a.Result.Filled > 0 {
		missing = "drawn from what the other vertices suggest"
	}
	t.add("Missing values", strconv.Itoa(a.Preparation.Report.Missing), missing)
	t.add("Method", a.Result.Method.Name(), "")
	if sparse != nil {
		t.addSparse(sparse)
	}
	for _, v := range method.Values(a.Result.Method) {
		t.add("Parameter "+v.Name, fourDigits(v.Value), "")
	}
	t.add("Status", strings.ReplaceAll(string(a.Status), "_", " "), statusMeanings[a.Status])
	t.add("Seed", strconv.FormatUint(a.Options.Seed, 10), "random seed")
	return t
}

// graphNumbers are those of a graph of which no more is known.
func graphNumbers(g *graph.Graph) []number {
	var t table
	t.addSize(g, "")
	if negative := g.Negative(); negative > 0 {
		t.addKey("Negative edges", strconv.Itoa(negative), "between vertices that move against each other")
	}
	if sure := g.Confidence(); sure != nil {
		count := len(slices.DeleteFunc(slices.Clone(sure), func(c float64) bool { return !(c >= nervure.SureLevel) }))
		t.addSure(count)
	}
	t.addParts(g)
	return t
}

// addSize adds how many vertices and edges a graph has; meaning says which edges those are.
func (t *table) addSize(g *graph.Graph, meaning string) {
	t.addKey("Vertices", strconv.Itoa(g.Vertices()), "")
	edges := "Edges"
	if g.Directed() {
		edges = "Directed edges"
	}
	t.addKey(edges, strconv.Itoa(g.EdgeCount()), meaning)
}

func (t *table) addSure(count int) {
	t.addKey("High-confidence edges", strconv.Itoa(count), fmt.Sprintf("with confidence %g or higher", nervure.SureLevel))
}

// addParts adds how a graph hangs together.
func (t *table) addParts(g *graph.Graph) {
	_, components := g.Components()
	if g.Directed() {
		t.add("One-way edges", strconv.Itoa(g.OneWay()), "without one in the other direction")
	}
	t.add("Components", strconv.Itoa(components), "connected components, including isolated vertices")
	t.add("Isolated vertices", strconv.Itoa(len(g.Isolated())), "")
}

// addSparse adds what only the sparse method reports.
func (t *table) addSparse(s *learn.Result) {
	for k, used := range s.Model.Kernels {
		t.add(fmt.Sprintf("Kernel %d", k+1), kernel.ShortName(used.Name),
			fmt.Sprintf("polynomial of degree %d, approximation error at most %.2g", used.Degree(), used.ApproximationError))
	}
	t.add("Atoms per signal", strconv.Itoa(s.Model.Sparsity), "maximum number of atoms that make up a signal")
	if s.Weights.EdgeCount() > s.Graph.EdgeCount() {
		t.add(
			"Gap",
			fourDigits(s.Threshold.Gap),
			"ratio of the smallest weight kept to the largest weight cut, both normalised; above 2 is clear",
		)
	} else {
		t.add("Gap", "none cut", "all edges of positive weight were kept")
	}
	if s.Noise > 0 {
		t.add("Noise", words.Percent(s.Noise), "of the signals' amplitude, if the residual is all noise")
	}
	t.add("Unexplained signals", strconv.Itoa(s.Unexplained), "with a residual above rounding error")
	if size := math.Abs(s.Objective); size <= math.MaxFloat64 { // a huge penalty makes it no number
		t.add("Objective", fourDigits(s.Objective), "final value of what the method minimises")
	}
	t.add("Starts", strconv.Itoa(s.Starts), "number of starting points tried")
	t.add("Rounds", strconv.Itoa(s.Rounds), "rounds of coding and graph update in the best start")
	t.add("Gradients", strconv.Itoa(s.Gradients), "gradient evaluations in all starts")
	if s.AllowedPairs > 0 {
		t.add("Allowed pairs", strconv.Itoa(s.AllowedPairs), "pairs that were allowed to have an edge")
	}
	if s.Options.Prior != nil {
		t.add("Prior weight", fourDigits(s.Options.PriorWeight), "number of signals the prior counts as")
	}
}

func fourDigits(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// contentOf words an analysis for the page.
func contentOf(a *nervure.Analysis, o Options) content {
	reasons := a.Verdict.Reasons()
	c := content{
		Title: o.Title, Command: o.Command, Version: nervure.Version(), Method: a.Result.Method.Name(),
		Verdict: sentence(a.Verdict.String()), Grade: a.Verdict.Grade,
		Notes:    sentences(slices.Concat(reasons[1:], a.Notes, preprocessing(a), a.Findings())),
		Warnings: sentences(a.Warnings()), Numbers: numbers(a),
		Interrupted: a.Status == method.Interrupted,
		Graph:       a.Graph, Weights: a.Weights, Signals: a.Preparation.Y, Field: a.Field(), Sparse: learn.ResultOf(a.Result), Vertices: o.Vertices,
		Faults: a.Preparation.Faults, Times: a.Preparation.Options.Times,
	}
	if c.Title == "" {
		c.Title = "The graph behind the signals"
	}
	if c.Interrupted {
		c.Warnings = append([]string{"The run was interrupted: this is the best graph so far."}, c.Warnings...)
	}
	if c.Sparse != nil {
		for _, name := range kernel.Names(c.Sparse.Model.Kernels) {
			c.Kernels = append(c.Kernels, kernel.ShortName(name))
		}
	}
	return c
}

// preprocessing says what was done to the signals, if anything.
func preprocessing(a *nervure.Analysis) []string {
	if done := a.Preparation.Report.Sentence(); done != "" {
		return []string{"preprocessing: " + done}
	}
	return nil
}

func sentences(list []string) []string {
	var whole []string
	for _, words := range list {
		whole = append(whole, sentence(words))
	}
	return whole
}

// sentence begins with a capital and ends with a full stop.
func sentence(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	if size == 0 {
		return words
	}
	words = string(unicode.ToUpper(first)) + words[size:]
	if strings.HasSuffix(words, ".") || strings.HasSuffix(words, "…") {
		return words
	}
	return words + "."
}
