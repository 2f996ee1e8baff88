package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/report"
	"github.com/nervure/nervure/solver"
)

// checkReportName refuses a name that no browser would open as a page.
func checkReportName(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html", ".htm":
		return nil
	}
	return &input.Error{File: path, Msg: "a report is a page; give it a name that ends in .html"}
}

// writeReport writes the page about a result.
func (r *learnRun) writeReport(path string, result *learned) error {
	return dataio.WriteFile(path, func(w io.Writer) error { return report.Write(w, r.report(result)) })
}

// report is what the page says. It has no times in it: the same seed gives the same
// bytes.
func (r *learnRun) report(result *learned) report.Run {
	trust, verdict := result.verdict()
	run := report.Run{
		Title: r.reportTitle(), Command: r.command, Version: version(), Method: result.method,
		Verdict: verdict[0], Trust: trust, Notes: append(verdict[1:], r.reportNotes(result)...),
		Warnings: slices.Concat(r.prepared.warnings, result.warnings), Numbers: r.reportNumbers(result),
		Graph: result.graph, Weights: result.weights, Signals: r.prepared.y, Sparse: result.sparse, Vertices: r.about,
	}
	if run.Interrupted = result.ended() == solver.Interrupted; run.Interrupted {
		run.Warnings = append([]string{"the run was interrupted: this is what it had come to"}, run.Warnings...)
	}
	for k := range run.Warnings {
		run.Warnings[k] = sentenceOf(run.Warnings[k])
	}
	if result.sparse != nil {
		for _, name := range kernelNamesOf(result.sparse.Model.Kernels) {
			run.Kernels = append(run.Kernels, shortNames([]string{name}))
		}
	}
	return run
}

func (r *learnRun) reportTitle() string {
	if r.source.path == "-" {
		return "The graph behind the signals"
	}
	return "The graph behind " + filepath.Base(r.source.path)
}

// verdict says in whole sentences how far to trust a result, the verdict itself first.
func (l *learned) verdict() (report.Trust, []string) {
	sentences := unwrapped(l.trust())
	switch {
	case l.sparse == nil:
		trust := "which does not say how far its edges can be trusted"
		if l.confidence != nil {
			trust = "whose confidence says how stable an edge is, not how far it can be trusted"
		}
		return "", append([]string{fmt.Sprintf("Learned by the method %s, %s.", l.method, trust)}, sentences...)
	case l.fit != nil && !l.fit.Structure:
		return report.NoStructure, append([]string{"No structure: these signals show no graph that this model can see. The edges below are what it made of chance."}, sentences...)
	case l.sparse.Certified:
		return report.Exact, sentences
	}
	return report.Approximate, sentences
}

// reportNotes are what was done and found besides.
func (r *learnRun) reportNotes(result *learned) []string {
	notes := slices.Clone(r.notes)
	if words := r.prepared.report.Sentence(); words != "" {
		notes = append(notes, "prepared: "+words)
	}
	if result.sparse != nil {
		notes = append(notes, chosenWords(r.learner, result.sparse), noiseWords(result.sparse))
	}
	if result.fit != nil && result.fit.Structure {
		notes = append(notes, result.fitWords())
	}
	return unwrapped(strings.Join(notes, "\n"))
}

// unwrapped makes whole sentences of lines for a terminal, where those that begin
// with a blank go on with the one before.
func unwrapped(lines string) []string {
	var sentences []string
	for line := range strings.SplitSeq(lines, "\n") {
		switch {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, " ") && len(sentences) > 0:
			sentences[len(sentences)-1] += " " + strings.TrimSpace(line)
		default:
			sentences = append(sentences, strings.TrimSpace(line))
		}
	}
	for k := range sentences {
		sentences[k] = sentenceOf(sentences[k])
	}
	return sentences
}

// sentenceOf begins with a capital and ends with a full stop.
func sentenceOf(words string) string {
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
