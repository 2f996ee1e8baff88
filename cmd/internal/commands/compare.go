package commands

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/signals"
)

func newCompare(c views.Console, stdin io.Reader) *cobra.Command {
	f := &arguments.Compare{}
	cmd := &cobra.Command{
		Use:   "compare SIGNALS [flags]",
		Short: "Compare several methods on the same signals",
		Long: `Run several methods on the same signals, print one table and recommend a method.

The table shows the running time of each method and the number of edges it
found. With --truth it also shows the precision, recall and F1 of the edges,
both with the method's own number of edges and with the true number. Without
--truth it shows how far the methods agree: the F1 between each pair of graphs.

` + views.Paragraph(fmt.Sprintf(`In both cases methods are ranked by held-out signals, without using the ground
truth. The signals are split into folds of consecutive signals. Each method
learns from all folds but one, and a Gaussian model that has only the edges it
found is fitted to the same signals. With very many vertices and signals methods
learn from the first half only, and the second is held out. The held-out gain is
the increase in log-likelihood of the remaining fold over a model without edges,
in nats per signal. It depends only on the edges and is computed in the same way
for all methods, so it is comparable across methods. The recommended method is
sparse if its result is exact. Otherwise it is sparse or field if its own model,
codes or a kernel, gives a higher held-out likelihood than the edges of any
graph. Otherwise it is field or ggl, if its edges keep half of the best gain:
edges between vertices two steps apart raise the gain, too, and other methods
keep them. Without these, the recommended graph is the sparsest that keeps
%.0f%% of the best gain, because denser graphs nearly always predict a little
better.`, 100*assess.Adequate)) + `

Methods run side by side, one on each core. With many vertices and signals each
method has 90 s, or more for very large signals, its folds included. One that
takes longer is cut off; it may take half as long again to finish. Its row has
the graph so far, it is not ranked, and the recommendation says so, and whether
only its folds are missing. --time-limit sets another limit, or none. With more
than 1000 vertices gains are those of the pseudo-likelihood: of each vertex
given its neighbours, and models of their own, codes or a kernel, do not count.
With more than 2000 vertices methods that go through all pairs again and again
are left out unless --methods names them.

If a method cannot handle the signals, its row gives the reason. Missing values
(empty cells, NaN, NA, null) are drawn from what the other vertices suggest,
except for sparse, which leaves them out.

` + aboutPreparation + `

` + aboutModel() + `

These choices are made once, from all signals, and kept for the folds.

Methods:
` + aboutMethods(nervure.Methods()),
		Example: `  nervure compare signals.csv
  nervure compare signals.csv --truth truth.csv --out comparison.json
  nervure compare signals.csv --methods sparse,correlation --edges 60`,
		Args:              arguments.OneArgument("the signals file (or - for standard input)"),
		ValidArgsFunction: arguments.SignalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, err := f.Document(cmd.Flags(), args[0])
			if err != nil {
				return err
			}
			return perform(cmd.Context(), c, stdin, &f.Session, &doc, arguments.Terms{})
		},
	}
	f.Define(cmd)
	return cmd
}

// A compareRun is a run that compares methods, at work.
type compareRun struct {
	*arguments.Session

	doc     *document.Run
	source  signalFile
	options nervure.CompareOptions
}

// newCompareRun understands a document that asks for a comparison, or finds the fault in it.
func newCompareRun(doc *document.Run, how *arguments.Session, in arguments.Terms, stdin io.Reader) (*compareRun, error) {
	r := &compareRun{doc: doc, Session: how, source: signalFile{RunRead: doc.Read, stdin: stdin, Terms: in}}
	var err error
	if r.options, err = nervure.CompareOptionsOf(doc); err != nil {
		return nil, in.Explain(err)
	}
	return r, nil
}

// do runs the methods and prints what came of them.
func (r *compareRun) do(ctx context.Context, c views.Console) error {
	if err := checkOutputs(r.outputs(nil), append(r.source.inputs(), r.doc.Compare.Truth)...); err != nil {
		return err
	}
	set, err := await(ctx, func() (*signals.Set, error) { return r.read(c) })
	if err != nil {
		return err
	}
	c.Case.Signals = set
	r.source.note(c, r.Quiet, set)
	r.noteTruth(c)

	working, leave, err := shared(ctx, c, r.Session, r.doc)
	if err != nil {
		return err
	}
	comparison, err := r.compare(working, c, set)
	elsewhere := leave()
	switch {
	case comparison == nil && ctx.Err() == nil:
		return errors.Join(r.source.explain(err, nil), elsewhere)
	case comparison == nil || comparison.Interrupted && len(comparison.Methods) == 0:
		return views.Interrupted("no method had finished; nothing was written")
	}
	record := comparison.Document()
	record.Run, record.Command = r.doc, arguments.CommandLine(*r.doc)
	failure, outputs, left := r.allFailed(comparison), r.outputs(record), ""
	switch {
	case failure != nil:
		outputs = nil
	case record.Interrupted && isFile(r.doc.Write.Comparison): // which may be of a run that ended
		outputs, left = nil, fmt.Sprintf("; %s is unchanged", r.doc.Write.Comparison)
	}
	written, err := writeOutputs(ctx, outputs)
	for _, row := range comparison.Methods {
		faults, _ := guard.Split(row.Err)
		for _, f := range faults {
			err = errors.Join(err, f)
		}
	}
	err = errors.Join(err, elsewhere)
	if r.doc.Write.JSON {
		err = errors.Join(err, document.Write(c.Out, record))
	} else {
		err = errors.Join(err, views.PrintComparison(c.Out, record))
	}
	if !r.Quiet {
		views.TellComparison(c, comparison)
		c.Wrote(written)
	}
	switch {
	case record.Interrupted:
		outcome := fmt.Sprintf("%d of %s finished and shown%s", len(record.Methods), views.Plural(len(r.options.Methods), "method"), left)
		return errors.Join(views.Interrupted(outcome), err)
	case err != nil:
		return err
	}
	return failure
}

// read reads the signals and the truth, if that is known.
func (r *compareRun) read(c views.Console) (*signals.Set, error) {
	set, err := r.source.read(c, r.Quiet)
	if err != nil || r.doc.Compare.Truth == "" {
		return set, err
	}
	r.options.Truth, err = readGraph(r.doc.Compare.Truth, set.Names)
	return set, err
}

// compare runs the methods until all are done or ctx ends, and shows progress.
func (r *compareRun) compare(ctx context.Context, c views.Console, set *signals.Set) (*nervure.Comparison, error) {
	threads, restore := useThreads(r.Threads)
	defer restore()
	r.options.Threads = threads
	bar := views.NewProgress(c.Err, r.Mode())
	defer bar.Clear()
	for step, err := range nervure.CompareSteps(ctx, set, r.options) {
		switch {
		case step.Comparison != nil || err != nil:
			return step.Comparison, err
		case step.Preparation != nil:
			if !r.Quiet {
				views.TellPreparation(c, step.Preparation)
			}
		default:
			bar.Compare(step)
		}
	}
	panic("nervure.CompareSteps ended without a last step")
}

// noteTruth says that the truth is about few of the vertices, as when it belongs to
// other signals.
func (r *compareRun) noteTruth(c views.Console) {
	truth := r.options.Truth
	if truth == nil || r.Quiet {
		return
	}
	if covers := metrics.Covers(truth); covers.Low() {
		c.Note("%s connects only %d of %s; edges found between the others count as false",
			r.doc.Compare.Truth, covers.Joined, views.Plural(covers.Vertices, "vertex"))
	}
}

// allFailed is an error if no method learned a graph.
func (r *compareRun) allFailed(c *nervure.Comparison) error {
	err := c.AllFailed()
	if e := input.Find(err); e != nil {
		e.File = r.source.name()
	}
	return err
}

// outputs lists the file to write, if any. It is checked without a record.
func (r *compareRun) outputs(record *document.Comparison) []output {
	check := func(path string) error {
		if !isTable(path) {
			return r.source.Misuse(fmt.Sprintf("`write.comparison` %s: want a name that ends in .json or .csv", path))
		}
		return nil
	}
	return []output{{r.source.Word("write.comparison"), r.doc.Write.Comparison, check, asTable(record)}}
}
