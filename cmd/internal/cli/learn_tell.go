package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// tellLearned says to people how far to trust the graph, what was learned and written, but
// not why its method was chosen if that was told before.
func tellLearned(c console, doc *document.Run, a *nervure.Analysis, choiceTold bool, written []string) {
	by, coded := "", a.Verdict.Explanation != nil
	if !coded {
		by = " by " + a.Result.Method.Name()
	}
	c.say(a.Verdict.String())
	c.say(fmt.Sprintf("learned %s between %s from %s in %s%s", plural(a.Graph.EdgeCount(), a.Graph.Word()),
		plural(a.Graph.Vertices(), "vertex"), plural(a.Signals(), "signal"), inWords(a.Duration.Seconds()), by))
	for _, sentence := range slices.Concat(a.Verdict.Reasons()[1:], a.Findings()) {
		if !choiceTold || sentence != a.Choice.String() {
			c.say(sentence)
		}
	}
	if coded && a.Result.Status == method.MaxRounds {
		c.say("more rounds may help (--rounds)")
	}
	c.wrote(slices.DeleteFunc(slices.Clone(written), func(p string) bool { return p == "-" }))
	out := doc.Write.Graph
	format, _ := dataio.FormatOf(out)
	if out == "-" {
		format = dataio.CSV
	}
	if slices.Contains(written, out) && slices.Contains(dataio.GraphFile{Graph: a.Graph}.Lost(format), dataio.LostDirection) {
		c.note("a .%s graph does not say that its edges are arrows: read it with --directed", format)
	}
	for _, w := range a.LearningWarnings { // those about the signals were said before
		c.warn("%s", w)
	}
}

// tellChoice says which method was chosen, why, and how to force the other.
func tellChoice(c console, choice *nervure.MethodChoice) {
	c.say(fmt.Sprintf("%s (--method %s forces the other)", choice, choice.Other()))
}

// nextSteps is what somebody who has just seen a graph may want to type: commands that
// work as they stand, to score it where the truth lies beside the signals, to
// draw it, and to learn it again with a page to explore.
func nextSteps(doc *document.Run, truth string) string {
	again, out := program()+strings.TrimPrefix(commandLine(*doc), "nervure"), doc.Write.Graph
	if out == "" || out == "-" {
		if doc.Write.Report == "" {
			again += " --report graph.html"
		}
		return "next:\n  " + again + " --out graph.csv"
	}
	lines := []string{"next:"}
	add := func(format string, words ...any) { lines = append(lines, fmt.Sprintf("  "+format, words...)) }
	if truth != "" {
		add("%s evaluate --truth %s %s", program(), quoted(truth), quoted(out))
	}
	base := strings.TrimSuffix(out, filepath.Ext(out))
	if format, _ := dataio.FormatOf(out); format.Can(dataio.ReadsGraphs) {
		places := ""
		if doc.Read.Vertices != "" {
			places = " --vertices " + quoted(doc.Read.Vertices)
		}
		add("%s plot %s%s --out %s", program(), quoted(out), places, quoted(base+".svg"))
	}
	if doc.Write.Report == "" {
		add("%s --report %s", again, quoted(base+".html"))
	}
	if len(lines) == 1 {
		add("%s serve", program())
	}
	return strings.Join(lines, "\n")
}

// warningFlags are the flags by which to follow the advice of a warning.
var warningFlags = map[prepare.WarningKind]string{
	prepare.Skewed: "--log", prepare.SkewedFromZero: "--log-offset", prepare.Autocorrelated: "--difference",
	prepare.BadSensors: "--bad-sensors report keeps them", prepare.BadSensorsKept: "--bad-sensors mask sets the values aside",
	prepare.OutOfScale: "--bad-sensors report keeps such signals", prepare.OutOfScaleKept: "--bad-sensors mask sets them aside",
	prepare.CommonModeKept: "--common-mode remove", prepare.CommonModeKeptForHighPass: "--kernel heat:1",
}

// tellPreparation says what was done to signals, and what there is to doubt,
// before learning starts.
func tellPreparation(c console, p *prepare.Prepared) {
	if done := p.Report.Sentence(); done != "" {
		c.say("preprocessing: " + done)
	}
	if p.Values != nil {
		c.say(p.Values.String())
	}
	for _, w := range p.Warnings {
		sentence := w.Sentence()
		if flag := warningFlags[w.Kind]; flag != "" {
			sentence += " (" + flag + ")"
		}
		c.warn("%s", sentence)
		if w.Kind == prepare.BadSensors || w.Kind == prepare.BadSensorsKept || w.Kind == prepare.BadSensorsInTime {
			tellFaults(c, p)
		}
	}
}

// mostFaults is how many faults are told; the summary and the report have all.
const mostFaults = 12

// tellFaults lists what is wrong with sensors, each on a line.
func tellFaults(c console, p *prepare.Prepared) {
	names := p.Options.Names
	if names == nil {
		names = graph.DefaultNames(p.Y.RawMatrix().Rows)
	}
	for k, f := range document.NewSensorFaults(p.Faults, names, p.Options.Times) {
		if k == mostFaults {
			fmt.Fprintf(c.err, "- and %d more: see --summary or --report\n", len(p.Faults)-mostFaults)
			return
		}
		when, until := fmt.Sprintf("observation %d", f.From), fmt.Sprint(f.To)
		if f.Begun != "" {
			when, until = f.Begun, f.Ended
		}
		if f.To > f.From {
			when += " to " + until
		}
		c.say(fmt.Sprintf("- %s, %s, %s: %s", f.Vertex, f.Kind, when, f.Evidence))
	}
}
