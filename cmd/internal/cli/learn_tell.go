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

// tell says to people how far to trust the graph, what was learned, and what to do
// next if somebody is watching.
func (r *learnRun) tell(c console, a *nervure.Analysis, written []string) {
	say := func(sentence string) { fmt.Fprintln(c.err, wrapped(sentence)) }
	by, coded := "", a.Verdict.Explanation != nil
	if !coded {
		by = " by " + a.Result.Method.Name()
	}
	say(a.Verdict.String())
	say(fmt.Sprintf("learned %s between %s from %s in %s%s", plural(a.Graph.EdgeCount(), a.Graph.Word()),
		plural(a.Graph.Vertices(), "vertex"), plural(a.Signals(), "signal"), inWords(a.Duration.Seconds()), by))
	for _, sentence := range slices.Concat(a.Verdict.Reasons()[1:], a.Findings()) {
		if !r.choiceTold || sentence != a.Choice.String() {
			say(sentence)
		}
	}
	if coded && a.Result.Status == method.MaxRounds {
		say("more rounds may help (--rounds)")
	}
	if files := slices.DeleteFunc(slices.Clone(written), func(p string) bool { return p == "-" }); len(files) > 0 {
		fmt.Fprintln(c.err, "wrote", strings.Join(files, ", "))
	}
	out := r.doc.Write.Graph
	format, _ := dataio.FormatOf(out)
	if out == "-" {
		format = dataio.CSV
	}
	if slices.Contains(written, out) && (dataio.GraphFile{Graph: a.Graph}).LosesDirection(format) {
		say(fmt.Sprintf("note: a .%s graph does not say that its edges are arrows: read it with --directed", format))
	}
	for _, w := range a.LearningWarnings { // those about the signals were said before
		say("warning: " + w)
	}
	if watched(c.err) {
		fmt.Fprintln(c.err, r.next())
	}
}

// tellChoice says which method was chosen, why, and how to force the other.
func tellChoice(c console, choice *nervure.MethodChoice) {
	fmt.Fprintln(c.err, wrapped(fmt.Sprintf("%s (--method %s forces the other)", choice, choice.Other())))
}

// next is what somebody who has just seen a graph may want to type: commands that
// work as they stand, to score it where the truth lies beside the signals, to
// draw it, and to learn it again with a page to explore.
func (r *learnRun) next() string {
	again, out := program()+strings.TrimPrefix(commandLine(*r.doc), "nervure"), r.doc.Write.Graph
	if r.toStdout() {
		if r.doc.Write.Report == "" {
			again += " --report graph.html"
		}
		return "next:\n  " + again + " --out graph.csv"
	}
	lines := []string{"next:"}
	add := func(format string, words ...any) { lines = append(lines, fmt.Sprintf("  "+format, words...)) }
	if truth := r.source.truth(); truth != "" {
		add("%s evaluate --truth %s %s", program(), quoted(truth), quoted(out))
	}
	ending := filepath.Ext(out)
	base := strings.TrimSuffix(out, ending)
	if r.graphFormat().Can(dataio.ReadsGraphs) {
		places := ""
		if r.doc.Read.Vertices != "" {
			places = " --vertices " + quoted(r.doc.Read.Vertices)
		}
		add("%s plot %s%s --out %s", program(), quoted(out), places, quoted(base+".svg"))
	}
	if r.doc.Write.Report == "" {
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
		fmt.Fprintln(c.err, wrapped("preprocessing: "+done))
	}
	if p.Values != nil {
		fmt.Fprintln(c.err, wrapped(p.Values.String()))
	}
	for _, w := range p.Warnings {
		sentence := w.Sentence()
		if flag := warningFlags[w.Kind]; flag != "" {
			sentence += " (" + flag + ")"
		}
		fmt.Fprintln(c.err, wrapped("warning: "+sentence))
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
		fmt.Fprintln(c.err, wrapped(fmt.Sprintf("- %s, %s, %s: %s", f.Vertex, f.Kind, when, f.Evidence)))
	}
}
