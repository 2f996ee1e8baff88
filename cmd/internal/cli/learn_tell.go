package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/solver"
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
	if coded && a.Result.Status == solver.MaxRounds {
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
	if slices.Contains(written, out) && slices.Contains(dataio.GraphFile{Graph: a.Graph}.Lost(format), dataio.LostDirection) {
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
