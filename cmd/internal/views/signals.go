package views

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/sample"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// WroteWords says which files were written, after a sentence.
func WroteWords(written []string) string {
	if len(written) == 0 {
		return ""
	}
	return "; wrote " + strings.Join(written, ", ")
}

// TellFilling says what was filled, how well, and what was not.
func TellFilling(c Console, given *signals.Set, names []string, f *gsp.Filling, o gsp.FillOptions, empty, written []string) {
	if measured, _ := given.Y.Dims(); measured < len(names) {
		c.Note("the signals do not have %s of the graph: %s", Plural(len(names)-measured, "vertex"), words.List(firstFew(names[measured:]), "and"))
	}
	var unmeasured []string
	for i, row := range matrix.DescribeRows(given.Y) {
		if row.Observed == 0 && !slices.Contains(empty, names[i]) {
			unmeasured = append(unmeasured, names[i])
		}
	}
	if len(unmeasured) > 0 {
		c.Note("%s without any value, estimated from the others throughout: %s", Plural(len(unmeasured), "vertex"), words.List(firstFew(unmeasured), "and"))
	}
	var unreached []string
	for _, i := range f.Unreached {
		if !slices.Contains(empty, names[i]) {
			unreached = append(unreached, names[i])
		}
	}
	const why = "no vertex of their component has a known value"
	if len(unreached) > 0 {
		c.Note("some values at %s stay missing, because %s in those signals: %s", Plural(len(unreached), "vertex"), why, words.List(firstFew(unreached), "and"))
	}
	if len(empty) > 0 {
		c.Note("%s left out, because %s: %s", Plural(len(empty), "vertex"), why, words.List(firstFew(empty), "and"))
	}
	switch {
	case f.HiddenError > 0.9: // not if it is NaN
		c.Note("hidden values are predicted hardly better than by the mean of their vertex, or by 0 with --center no: this graph says little about the values of these signals")
	case f.End == gsp.AtLeast:
		c.Note("the chosen tau is the least but 0 that was tried")
	case f.End == gsp.AtMost:
		c.Note("the chosen tau is the largest that was tried")
	}
	how := fmt.Sprintf("tau %.3g", f.Tau)
	if f.ByPrior {
		how = "as expected of the field in the summary"
	}
	if o.Choose {
		unit := "mean square"
		if o.Center {
			unit = "variance"
		}
		how += fmt.Sprintf(" (chosen), hidden values predicted with %s of their %s as error", percent(f.HiddenError), unit)
	}
	if f.Missing == 0 {
		how = "nothing was missing"
	}
	c.Say(fmt.Sprintf("filled %d of %s: %s%s", f.Filled, Plural(f.Missing, "missing value"), how, WroteWords(written)))
}

// firstFew returns at most five names, and says how many there are besides.
func firstFew(names []string) []string {
	const few = 5
	if len(names) <= few {
		return names
	}
	return append(slices.Clone(names[:few]), fmt.Sprintf("%d more", len(names)-few))
}

// PrintWeights prints a line for each graph.
func PrintWeights(w io.Writer, graphs []string, result *gsp.Combination) error {
	lines := "weight  graph\n"
	for k, path := range graphs {
		lines += fmt.Sprintf("%6.4f  %s\n", result.Weights[k], path)
	}
	_, err := io.WriteString(w, lines)
	return err
}

// TellCombination says what the weights of graphs rest on.
func TellCombination(c Console, graphs []string, given string, chosen bool, result *gsp.Combination, written []string) {
	for _, k := range result.Joined {
		c.Note("%s is not connected: a weak edge was added between all pairs of its vertices to compute its kernel", graphs[k])
	}
	if result.AtEnd {
		c.Note("the chosen gamma is at an end of the values that were tried, %g to %g", 0.01, 10.0)
	}
	if result.Status == method.Stalled || result.Status == method.MaxRounds {
		c.Note("the weights are not optimal to the last digits: the gap is %.2g of the objective", result.Gap/result.Objective)
	}
	how := "given"
	if chosen {
		how = "chosen by hiding labels, which are predicted with " + percent(result.HiddenError) + " of their variance as error"
	}
	c.Say(fmt.Sprintf("weighed %s on %s by %s: gamma %.3g (%s), gap %.1g%s",
		Plural(len(graphs), "graph"), Plural(result.Graph.Vertices(), "vertex"), given, result.Gamma, how, result.Gap, WroteWords(written)))
}

// TellDenoised says what was done to signals, and what there is to doubt.
func TellDenoised(c Console, signals, vertices int, chosen bool, d *gsp.Denoised, written []string) {
	how := "given"
	if chosen {
		how = "chosen by cross-validation"
	}
	switch d.End {
	case gsp.AtLeast:
		c.Note("the chosen tau is the least that was tried: the signals are smooth on this graph as they are, or have no noise")
	case gsp.AtMost:
		c.Note("the chosen tau is the largest that was tried: the signals are not smooth on this graph, which may not be theirs")
	}
	c.Say(fmt.Sprintf("denoised %s on %s: tau %.3g (%s), %s of the variance removed, mean frequency %.3g before, %.3g after%s",
		Plural(signals, "signal"), Plural(vertices, "vertex"), d.Tau, how, percent(d.Removed), d.Before, d.After, WroteWords(written)))
}

// TellExpected says how much was removed from signals that are a field with noise.
func TellExpected(c Console, signals, vertices int, f *document.FieldSpectrum, d *gsp.Denoised, written []string) {
	if f.Noise == 0 {
		c.Note("the summary says that there is no noise: the signals are as they were")
	}
	c.Say(fmt.Sprintf("denoised %s on %s: %s, %s of the variance removed, mean frequency %.3g before, %.3g after%s",
		Plural(signals, "signal"), Plural(vertices, "vertex"), fieldWords(f), percent(d.Removed), d.Before, d.After, WroteWords(written)))
}

// fieldWords names a field.
func fieldWords(f *document.FieldSpectrum) string {
	return fmt.Sprintf("a field of kernel %s with noise %s", kernel.ShortName(f.Kernel), percent(f.Noise))
}

// TellFiltered says how much of the signals a filter has kept.
func TellFiltered(c Console, signals, vertices int, kernel string, kept, fault float64, written []string) {
	if fault > 1e-6 {
		c.Note("the filter is a polynomial on so large a graph, with an error of up to %.2g of each signal", fault)
	}
	c.Say(fmt.Sprintf("filtered %s on %s by %s: energy %s of before%s", Plural(signals, "signal"), Plural(vertices, "vertex"), kernel, percent(kept), WroteWords(written)))
}

// PrintEncoded prints a line for each number about coded signals.
func PrintEncoded(w io.Writer, e document.Encoded) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "signals\t%d\n", e.Signals)
	if e.Score != nil {
		fmt.Fprintf(t, "score\t%.4g nats per signal\n", *e.Score)
	}
	if e.Explained != nil {
		fmt.Fprintf(t, "explained\t%s\n", percent(*e.Explained))
	}
	if len(e.Deviation) > 0 {
		mean := 0.0
		for _, v := range e.Deviation {
			mean += v / float64(len(e.Deviation))
		}
		fmt.Fprintf(t, "deviation\t%.3g on average, where 1 is usual\n", mean)
		fmt.Fprintf(t, "unusual\t%s\n", Plural(len(e.Unusual), "signal"))
	}
	return t.Flush()
}

// TellUnjudged notes which vertices the deviation and the residuals of signals leave out.
func TellUnjudged(c Console, names []string) {
	if len(names) > 0 {
		c.Note("%s not judged, because there was nothing to learn from: %s", Plural(len(names), "vertex"), words.List(firstFew(names), "and"))
	}
}

// PrintScores prints an evaluation as a table.
func PrintScores(w io.Writer, s *document.Evaluation) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(what string, r *document.Score) {
		if r != nil {
			fmt.Fprintf(t, "%-14s\t%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t\n", what, r.True, r.Found, r.Correct, r.Precision, r.Recall, r.F1)
		}
	}
	fmt.Fprint(t, "\ttrue\tfound\tcorrect\tprecision\trecall\tF1\t\n")
	edges := "edges"
	if s.Directed {
		edges = "arrows"
	}
	row(edges, s.Edges())
	row("heaviest "+edges, s.AtTrueCount)
	row("either way", s.Undirected)
	row("code entries", s.Codes)
	if err := t.Flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "\nweight error (scales matched)  %.4g\nmutual information (NMI)       %.4f\n", s.WeightError, s.NMI); err != nil || s.WrongSigns == nil {
		return err
	}
	_, err := fmt.Fprintf(w, "correct edges of wrong sign    %d of %d\n", *s.WrongSigns, s.Correct)
	return err
}

// TellUnmentioned notes which vertices an edge list may have, but does not mention.
func TellUnmentioned(c Console, file string, names []string) {
	if len(names) > 0 {
		c.Note("%s is an edge list and does not mention all vertices of the other graph; these count as vertices without edges: %s",
			file, words.List(firstFew(names), "and"))
	}
}

// TellSample says what there is now, and what to do with it.
func TellSample(c Console, out string, count int, truth *graph.Graph) {
	signals, found := filepath.Join(out, sample.SignalsFile), filepath.Join(out, "graph.csv")
	fmt.Fprintf(c.Err, `wrote %s on a graph with %s and %s to %s
next:
  %s learn %s --out %s
  %[5]s evaluate --truth %[8]s %[7]s
`, Plural(count, "signal"), Plural(truth.Vertices(), "vertex"), Plural(truth.EdgeCount(), "edge"), out,
		Program(), arguments.Quoted(signals), arguments.Quoted(found), arguments.Quoted(filepath.Join(out, sample.TruthFile)))
}
