package views

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/method"
)

// TellLearned says to people how far to trust the graph, what was learned and written, but
// not why its method was chosen if that was told before.
func TellLearned(c Console, doc *document.Run, a *nervure.Analysis, choiceTold bool, written []string) {
	by, coded := "", a.Verdict.Explanation != nil
	if !coded {
		by = " by " + spelled(a.Result.Method.Name(), a.Choice == nil)
	}
	printHead(c.Err, gradeColours[a.Verdict.Grade], string(a.Verdict.Grade)+":", Wrapped(a.Verdict.String()))
	if meaning := a.Verdict.Meaning(); meaning != "" {
		c.Say("meaning: " + meaning)
	}
	withheld, kept := a.Verdict.Withheld, ""
	if withheld > 0 {
		kept = ", none kept: the signals show no structure (--keep-edges keeps them)"
	}
	c.Say(fmt.Sprintf("learned %s between %s from %s in %s%s%s", Plural(a.Graph.EdgeCount()+withheld, a.Graph.Word()),
		Plural(a.Graph.Vertices(), "vertex"), Plural(a.Signals(), "signal"), InWords(a.Duration.Seconds()), by, kept))
	for _, sentence := range slices.Concat(a.Verdict.Reasons()[1:], a.Findings()) {
		said := choiceTold && sentence == a.Choice.String() || withheld > 0 && sentence == a.Verdict.LeftOut()
		if !said {
			c.Say(sentence)
		}
	}
	if coded && a.Result.Status == method.MaxRounds {
		c.Say("more rounds may help (--rounds)")
	}
	c.Wrote(slices.DeleteFunc(slices.Clone(written), func(p string) bool { return p == "-" }))
	out := doc.Write.Graph
	format, _ := dataio.FormatOf(out)
	if out == "-" {
		format = dataio.CSV
	}
	if withheld > 0 && slices.Contains(written, doc.Write.Model) {
		c.Note("the model has the %s learned, which the graph was left without", Plural(withheld, "edge"))
	}
	if slices.Contains(written, out) && (dataio.GraphFile{Graph: a.Graph}).LosesDirection(format) {
		c.Note("a .%s graph does not say that its edges are arrows: read it with --directed", format)
	}
	for _, w := range a.LearningWarnings { // those about the signals were said before
		c.Warn("%s", w)
	}
}

// TellChoice says which method was chosen, why, and how to force the other.
func TellChoice(c Console, choice *nervure.MethodChoice) {
	force := ""
	if other := choice.Other(); other != "" {
		force = fmt.Sprintf(" (--method %s forces the other)", other)
	}
	c.Say(choice.String() + force)
}

// NextSteps is what somebody who has just seen a graph may want to type: commands that
// work as they stand, to score it where the truth lies beside the signals, to
// draw it, and to learn it again with a page to explore.
func NextSteps(doc *document.Run, truth string) string {
	again, out := Program()+strings.TrimPrefix(arguments.CommandLine(*doc), "nervure"), doc.Write.Graph
	if out == "" || out == "-" {
		if doc.Write.Report == "" {
			again += " --report graph.html"
		}
		return "next:\n  " + again + " --out graph.csv"
	}
	lines := []string{"next:"}
	add := func(format string, words ...any) { lines = append(lines, fmt.Sprintf("  "+format, words...)) }
	if truth != "" {
		add("%s evaluate --truth %s %s", Program(), arguments.Quoted(truth), arguments.Quoted(out))
	}
	base := strings.TrimSuffix(out, filepath.Ext(out))
	if format, _ := dataio.FormatOf(out); format.Can(dataio.ReadsGraphs) {
		places := ""
		if doc.Read.Vertices != "" {
			places = " --vertices " + arguments.Quoted(doc.Read.Vertices)
		}
		add("%s plot %s%s --out %s", Program(), arguments.Quoted(out), places, arguments.Quoted(base+".svg"))
	}
	if doc.Write.Report == "" {
		add("%s --report %s", again, arguments.Quoted(base+".html"))
	}
	if len(lines) == 1 {
		add("%s serve", Program())
	}
	return strings.Join(lines, "\n")
}
