package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/solver"
)

// tell says to people what was learned and how far to trust it, and what to do
// next if somebody is watching.
func (r *learnRun) tell(c console, result *learned, written []string) {
	by := ""
	if result.sparse == nil {
		by = " by " + result.method
	}
	fmt.Fprintln(c.err, wrapped(fmt.Sprintf("learned %s between %s from %s in %s%s", plural(result.graph.EdgeCount(), "edge"),
		plural(result.graph.Vertices(), "vertex"), plural(result.signals, "signal"), inWords(result.seconds), by)))
	if words := result.trust(); words != "" {
		fmt.Fprintln(c.err, words)
	}
	if result.sparse != nil {
		for _, words := range []string{chosenWords(r.learner, result.sparse), noiseWords(result.sparse)} {
			if words != "" {
				fmt.Fprintln(c.err, words)
			}
		}
	}
	if result.fit != nil && result.fit.Structure {
		fmt.Fprintln(c.err, wrapped(result.fitWords()))
	}
	if result.confidence != nil {
		fmt.Fprintln(c.err, result.confidenceWords())
	}
	if files := slices.DeleteFunc(slices.Clone(written), func(p string) bool { return p == "-" }); len(files) > 0 {
		fmt.Fprintln(c.err, "wrote", strings.Join(files, ", "))
	}
	for _, w := range result.warnings {
		fmt.Fprintln(c.err, wrapped("warning: "+w))
	}
	if watched(c.err) {
		fmt.Fprintln(c.err, r.next())
	}
}

// trust says how the graph came about and how far to trust it, as far as its
// method can tell.
func (l *learned) trust() string {
	if l.sparse != nil {
		return verdict(l.sparse, l.signals)
	}
	var lines []string
	if len(l.params) > 0 {
		var words []string
		for _, p := range l.params {
			words = append(words, fmt.Sprintf("%s %.4g", p.Name, p.Value))
		}
		lines = append(lines, wrapped("with "+strings.Join(words, ", ")))
	}
	if l.status == solver.MaxRounds {
		lines = append(lines, fmt.Sprintf("the method stopped at its limit of %s, before it converged", plural(l.rounds, "iteration")))
	}
	return strings.Join(lines, "\n")
}

// verdict says in plain words whether the answer certifies itself.
func verdict(result *learn.Result, signals int) string {
	edges, explain, leave := plural(result.Graph.EdgeCount(), "edge"), "explain", "leave"
	if result.Graph.EdgeCount() == 1 {
		explain, leave = "explains", "leaves"
	}
	exact := "exact"
	if result.Allowed > 0 {
		exact = "exact within the pairs allowed"
	}
	switch {
	case result.Certified && result.Unexplained == 0:
		return wrapped(fmt.Sprintf("%s: %s %s all %d signals to rounding error", exact, edges, explain, signals))
	case result.Certified:
		return wrapped(fmt.Sprintf("%s: %s %s all but %d of %d signals to rounding error", exact, edges, explain, result.Unexplained, signals))
	}
	if result.Unexplained == 0 {
		return fmt.Sprintf("not determined: %s %s all %d signals to rounding error, but others may too", edges, explain, signals)
	}
	words := fmt.Sprintf("approximate: %s %s %s of the signals' energy unexplained", edges, leave, percent(result.Residual))
	if result.Large {
		words += fmt.Sprintf("\nfrom %d vertices on atoms are cut off where small: no answer is called exact", result.Options.LargeFrom)
	}
	if result.Status == solver.MaxRounds {
		words += "\nthe rounds allowed were used up; more may help (--rounds)"
	}
	return words
}
