package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/solver"
)

// tell says to people what was learned and how far to trust it, and what to do
// next if somebody is watching.
func (r *learnRun) tell(c console, result *learn.Result, seconds float64, written []string) {
	_, signals := result.Codes.Dims()
	fmt.Fprintf(c.err, "learned %s between %s from %s in %s\n", plural(result.Graph.EdgeCount(), "edge"),
		plural(result.Graph.Vertices(), "vertex"), plural(signals, "signal"), inWords(seconds))
	fmt.Fprintln(c.err, verdict(result, signals))
	if files := slices.DeleteFunc(slices.Clone(written), func(p string) bool { return p == "-" }); len(files) > 0 {
		fmt.Fprintln(c.err, "wrote", strings.Join(files, ", "))
	}
	for _, w := range result.Warnings {
		fmt.Fprintln(c.err, wrapped("warning: "+w))
	}
	if watched(c.err) {
		fmt.Fprintln(c.err, r.next())
	}
}

// verdict says in plain words whether the answer certifies itself.
func verdict(result *learn.Result, signals int) string {
	edges, explain, leave := plural(result.Graph.EdgeCount(), "edge"), "explain", "leave"
	if result.Graph.EdgeCount() == 1 {
		explain, leave = "explains", "leaves"
	}
	switch {
	case result.Certified && result.Unexplained == 0:
		return fmt.Sprintf("exact: %s %s all %d signals to rounding error", edges, explain, signals)
	case result.Certified:
		return fmt.Sprintf("exact: %s %s all but %d of %d signals to rounding error", edges, explain, result.Unexplained, signals)
	}
	words := fmt.Sprintf("approximate: %s %s %s of the signals' energy unexplained", edges, leave, percent(result.Residual))
	if result.Status == solver.MaxRounds {
		words += "\nthe rounds allowed were used up; more may help (--rounds)"
	}
	return words
}

// next is what somebody who has just seen a graph may want to type.
func (r *learnRun) next() string {
	if r.toStdout() {
		return fmt.Sprintf("next: %s learn %s --out graph.graphml  (or .csv, .json, .gexf, .dot …)", program(), quoted(r.signals))
	}
	truth := filepath.Join(filepath.Dir(r.signals), "truth.csv")
	if _, err := os.Stat(truth); err == nil && r.signals != "-" {
		return fmt.Sprintf("next: %s evaluate --truth %s %s", program(), quoted(truth), quoted(r.out))
	}
	return fmt.Sprintf("next: --summary FILE and --codes FILE save the rest; see %s learn --help", program())
}
