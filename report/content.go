package report

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// contentOf words an analysis for the page.
func contentOf(a *nervure.Analysis, o Options) content {
	reasons := a.Verdict.Reasons()
	c := content{
		Title: o.Title, Command: o.Command, Version: nervure.Version(), Method: a.Result.Method.Name(),
		Verdict: sentence(a.Verdict.String()), Grade: a.Verdict.Grade,
		Notes:    sentences(slices.Concat(reasons[1:], a.Notes, preprocessing(a), a.Findings())),
		Warnings: sentences(a.Warnings()), Numbers: numbers(a),
		Interrupted: a.Status == method.Interrupted,
		Graph:       a.Graph, Weights: a.Weights, Signals: a.Preparation.Y, Sparse: learn.ResultOf(a.Result), Vertices: o.Vertices,
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
