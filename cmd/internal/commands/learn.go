package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/study"
)

// aboutTables are paragraphs of the help: what tables may be, and what the verdict means.
const aboutTables = `A column of dates or times, such as timestamp, gives the time of each row.
Several files are joined by time: files with the same vertices are concatenated,
files with different vertices, such as one per sensor, are put side by side. If
the times are uneven, --resample 1h averages over each hour.

With --window 7d --step 1d --windows DIR, a graph is learned for each week, one
day apart, or with --window 200 --step 50 for each 200 observations. An edge
appears or disappears only where the windows together support it, so that the
graphs do not differ by chance. DIR receives window-001.csv and so on, index.csv
and index.json about all windows, edges.csv with the weight of each edge in each
window and when it changed, evidence.csv with which pairs change more than by
chance (permutations of blocks of time), the figure changes.svg, the graph of
the whole series whole.csv with its summary whole.json, and the page index.html.

The defaults need no tuning: the number of edges is chosen from the signals. A
vertex that never varies gets no edges, and a warning says so. Empty cells, NaN,
NA and null are missing values.

The verdict rates how far to trust the graph. Exact: a few atoms on its edges
explain the signals to rounding error, and no other weights would. Supported:
held-out signals confirm that there is a graph; its edges are estimates. Weak:
other graphs may explain the signals as well, or the graph explains little of
them. No structure: the signals show no graph that the model can detect. Not
checked: no test was run, so nothing is known; the message says why.`

// aboutRunning are paragraphs of the help: how runs are kept, ended, shared, told what is known, and doubted.
const aboutRunning = `With --checkpoint, a run is saved to a folder every few seconds. If its process
dies, the same command with --resume continues where it stopped and writes the
same files as an uninterrupted run. The folder is deleted at the end. It is tied
to the signals, the options, the seed and the build of nervure: --resume refuses
the folder of any other run. The method sparse is saved round by round, field,
ggl, ddgl and cgl fold by fold, and other methods as a whole, once they have
learned their graph; held-out tests and confidence part by part.

Ctrl-C stops a run: the best graph so far is pruned quickly, which takes a
second or two, and written; a second Ctrl-C ends the process at once. With
--time-limit, a run stops by itself and also writes a graph. Tests and
confidence use the time left after learning, and a warning lists what was
skipped.

With --cluster, the learning from half-samples behind the confidence, and fields
of 5000 or more vertices by blocks of vertices, are distributed to nervure
worker, on this machine and on others. The result does not depend on it.

If you have few signals, supply what you know: pairs that may have an edge
(--allow) or must not have one (--forbid), a graph to start from (--init), and a
prior graph that is likely to be similar (--prior) with the number of signals it
counts as (--prior-weight). Vertices are matched by name. To update a graph when
new signals arrive, give the old graph as --init and as --prior, with the number
of signals it was learned from as its weight.

The confidence of an edge estimates how likely it is to be a true edge: on
simulated signals of many kinds, nine in ten of the edges at 0.9 or higher are.
It is computed by learning again from halves of the signals. For the method
sparse that takes about ten times as long as learning the graph, for others at
most about as long as ggl; --confidence no skips it. For methods other than
sparse it says whether two vertices depend on each other directly, and that
bounds the confidence of sparse, too, unless held-out signals clearly are sums
of few patterns.

Unless signals clearly are sums of few patterns, each edge also gets its partial
correlation, a 90 % interval and a q-value: the false discovery rate at which it
exceeds a floor (--floor). No edge that may be below the floor, or that a path
past a third vertex explains, has a confidence above 0.8. --fdr 0.1 keeps only
edges with a q-value of at most 0.1.

Methods other than sparse take up to 5000 vertices, diffusion 2000; correlation,
field, gaussian-kernel, glasso, knn, partial, smooth-log, tree and trees take up
to 200,000. From 2000 vertices on, those that look at all pairs keep only the
best of each vertex, at least 32, for --edges and --threshold to choose from.`

const learnExamples = `  nervure learn signals.csv > graph.csv
  nervure learn sample:leaf --out leaf.graphml
  nervure learn signals.csv --out graph.graphml --summary summary.json
  nervure learn signals.csv --vertices stations.csv --out graph.gexf
  nervure learn recording.mat --variable Y --transpose --out graph.mat
  nervure learn signals.csv --out graph.csv --report report.html
  nervure learn signals.csv --out graph.csv --model model.json
  nervure learn signals.npy --transpose --kernel heat:2 --kernel heat:1
  nervure learn signals.csv --kernel auto --kernel heat:1 --kernel highpass:2
  nervure learn signals.csv --kernel free:2 --sparsity 3
  nervure learn new.csv --init old.csv --prior old.csv --prior-weight 200
  nervure learn signals.csv --forbid impossible.csv
  nervure learn signals.csv --method correlation --edges 60
  nervure learn flows.csv --log --kernel heat:1
  nervure learn signals.csv --out graph.csv --time-limit 2m
  nervure learn january.csv february.csv --resample 1h
  nervure learn january.csv --window 1d --windows days
  nervure learn signals.csv --window 20 --step 10 --windows parts
  nervure learn signals.csv --out graph.csv --checkpoint run --resume
  gzip -dc signals.csv.gz | nervure learn - --edges 60`

func newLearn(c views.Console, stdin io.Reader) *cobra.Command {
	f := &arguments.Learn{}
	cmd := &cobra.Command{
		Use:   "learn SIGNALS… [flags]",
		Short: "Learn a graph from a file of signals",
		Long: views.Paragraph(`Learn a graph from a file of signals. Rows are observations and columns are
vertices; an optional header row names the vertices. SIGNALS is a `+arguments.SignalFormats()+`
file, - for CSV on standard input, or one of the built-in samples sample:leaf and
sample:molene. The edges are written to standard output as source,target,weight
and, if computed, confidence, unless --out names a file.`) + `

` + views.Paragraph(`Coordinates such as lat and lon, and other attributes of the vertices, can be
given in a table with one row per vertex (--vertices). They are written to
`+arguments.Extensions(dataio.KeepsAttributes, "and")+` graphs, which NetworkX, Gephi,
Cytoscape and Graphviz read.`) + `

` + aboutTables + "\n\n" + aboutPreparation + `

` + aboutModel() + `

` + aboutRunning + `

Methods (--method):
` + aboutMethods(arguments.LearnMethods()) + `

Parameters of the methods (--param KEY=VALUE); the default is the method's own:
` + aboutParams(),
		Example:           learnExamples,
		Args:              arguments.SomeArguments("the signals file (or - for standard input)"),
		ValidArgsFunction: arguments.SignalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, err := f.Document(args...)
			if err != nil {
				return err
			}
			f.Note = f.RecipeNote()
			return perform(cmd.Context(), c, stdin, &f.Session, &doc, arguments.Terms{})
		},
	}
	f.Define(cmd)
	return cmd
}

// A learnRun is a run that learns a graph, at work.
type learnRun struct {
	*arguments.Session

	doc     *document.Run
	source  signalFile
	options nervure.Options
	windows study.WindowOptions
	folder  *study.WindowFolder // of windows; nil if there are none

	about      *dataio.VertexTable // what is known about vertices, or nil
	prepared   bool                // the signals were
	choiceTold bool                // which method was chosen, and why
}

// newLearnRun understands a document that asks for a graph, or finds the fault in it.
func newLearnRun(doc *document.Run, how *arguments.Session, in arguments.Terms, stdin io.Reader) (*learnRun, error) {
	r := &learnRun{doc: doc, Session: how, source: signalFile{RunRead: doc.Read, stdin: stdin, Terms: in}}
	var err error
	if r.options, err = nervure.OptionsOf(doc); err != nil {
		return nil, in.Explain(err)
	}
	if r.options.Confidence != nervure.Yes && !r.showsConfidence() {
		r.options.Confidence = nervure.No
	}
	r.source.options.Labels = groupingOf(doc.Groups).Columns()
	if r.readsSample() {
		r.source.options.Sample, r.source.options.SampleEnough = doc.Sample, true
	}
	return r, r.planWindows()
}

// readsSample reports whether a sample of very many signals is read. All of them are where codes of
// each are wanted, or their order is learned from.
func (r *learnRun) readsSample() bool {
	var entry method.Entry
	if r.options.Method != nil {
		entry, _ = nervure.MethodByName(r.options.Method.Name())
	}
	return !r.options.AllSignals && !entry.Has(method.UsesOrder) && r.options.Prepare.Difference != prepare.Yes && r.doc.Windows.Dir == "" && r.doc.Groups == (document.RunGroups{})
}

// showsConfidence reports whether any file that is written has a place for the
// confidence of edges.
func (r *learnRun) showsConfidence() bool {
	return r.doc.Write.Summary != "" || r.doc.Write.Report != "" || r.graphFormat().Can(dataio.KeepsConfidence)
}

// do learns the graph and writes everything that was asked for.
func (r *learnRun) do(ctx context.Context, c views.Console) error {
	if err := r.checkOutputs(ctx, c); err != nil {
		return err
	}
	signals, err := await(ctx, func() (*signals.Set, error) { return r.source.read(c, r.Quiet) })
	if err != nil {
		return err
	}
	c.Case.Signals = signals
	saveMemory(signals)
	if err := r.readVertices(signals); err != nil {
		return err
	}
	if err := r.checkNames(signals.Names); err != nil {
		return err
	}
	known := r.options
	if _, err := await(ctx, func() (any, error) { return nil, inputs.AddKnown(&known, r.doc.Known, signals.Names, inputs.Open) }); err != nil {
		return err
	}
	r.options = known
	signals.Notes = r.source.note(c, r.Quiet, signals)
	if r.folder != nil {
		return r.doWindows(ctx, c, signals)
	}
	if r.doc.Groups != (document.RunGroups{}) {
		return r.doGroups(ctx, c, signals)
	}

	saved, err := r.openCheckpoint(c, func() (checkpoint.Identity, error) { return nervure.RunIdentity(signals, r.options) })
	if err != nil {
		return err
	}
	defer saved.close()
	if r.Cluster.Asked() && signals.Whole != nil {
		return arguments.Misuse("--cluster learns from signals that fit into memory: add --sample 0 to learn from all, or leave out --cluster")
	}
	working, leave, err := shared(saved.with(ctx), c, r.Session, r.doc)
	if err != nil {
		return errors.Join(err, saved.keep())
	}
	analysis, err := r.learn(working, c, signals)
	elsewhere := leave()
	if analysis == nil {
		return r.explain(ctx, errors.Join(err, elsewhere, saved.keep()), saved)
	}

	saved.warn(c)
	written, err := r.write(ctx, c, analysis)
	err = errors.Join(err, errors.Join(analysis.Faults...), elsewhere)
	if !r.Quiet {
		views.TellLearned(c, r.doc, analysis, r.choiceTold, written)
		if views.Watched(c.Err) {
			fmt.Fprintln(c.Err, views.NextSteps(r.doc, r.source.truth()))
		}
	}
	switch {
	case analysis.LimitReached:
		switch {
		case r.Quiet || saved.failed():
		case analysis.Preparation.CutShort:
			fmt.Fprintln(c.Err, "no checkpoint was kept: the time limit cut preprocessing short; repeat the command with a longer --time-limit, or none")
		default:
			fmt.Fprintln(c.Err, "to go on, repeat the command with --resume and a longer --time-limit, or none")
		}
		return errors.Join(err, saved.keep())
	case analysis.Status == method.Interrupted:
		return errors.Join(views.Interrupted(r.salvage(analysis, written)+saved.hint()), err, saved.keep())
	}
	if err == nil { // else it can be written where there is room, without learning again
		err = saved.remove()
	}
	return err
}

// learn learns the graph and shows progress. If ctx ends, the analysis is of the
// best graph so far.
func (r *learnRun) learn(ctx context.Context, c views.Console, s *signals.Set) (*nervure.Analysis, error) {
	threads, restore := useThreads(r.Threads)
	defer restore()
	r.options.Threads = threads
	bar := views.NewProgress(c.Err, r.Mode())
	defer bar.Clear()
	bar.Expect(nervure.NewEstimator(r.options), r.about)
	var chosen *nervure.MethodChoice // but not told yet
	for step, err := range nervure.Steps(ctx, s, r.options) {
		if step.Stage == nervure.Preparing {
			r.prepared = true
			if !r.Quiet {
				views.TellPreparation(c, step.Preparation)
			}
		}
		if step.Choice != nil && !r.Quiet {
			chosen = step.Choice
		} else if chosen != nil && err == nil { // and the method takes the signals and options
			bar.Clear()
			views.TellChoice(c, chosen)
			r.choiceTold, chosen = true, nil
		}
		bar.Follow(step)
		if step.Analysis != nil || err != nil {
			return step.Analysis, err
		}
	}
	panic("nervure.Steps ended without a last step")
}

// explain words why there is no graph at all.
func (r *learnRun) explain(ctx context.Context, err error, saved savedRun) error {
	if ctx.Err() != nil {
		where := "no graph had been learned yet"
		if !r.prepared {
			where = "the signals were still being prepared"
		}
		return views.Interrupted(where + "; nothing was written" + saved.hint())
	}
	return r.explainFault(err)
}

// explainFault words what the library finds wrong.
func (r *learnRun) explainFault(err error) error { return r.source.explain(err, r.doc.Method.Params) }

// salvage says what an interrupted run leaves behind.
func (r *learnRun) salvage(a *nervure.Analysis, written []string) string {
	path, where := r.doc.Write.Graph, r.doc.Write.Graph
	if r.toStdout() {
		path, where = "-", "standard output"
	}
	outcome := "was written to " + where
	if !slices.Contains(written, path) {
		outcome = "could not be written"
	}
	if a.Result.Status != method.Interrupted {
		return fmt.Sprintf("the graph, with %s, %s, without confidence", views.Plural(a.Graph.EdgeCount(), "edge"), outcome)
	}
	pruned := ""
	if a.PrunedEarly() {
		pruned = "pruned quickly, "
	}
	return fmt.Sprintf("the best graph so far, %swith %s, %s", pruned, views.Plural(a.Graph.EdgeCount(), "edge"), outcome)
}

// aboutMethods is the part of a help that says what methods there are.
func aboutMethods(methods []method.Entry) string {
	var lines []string
	for _, e := range methods {
		lines = append(lines, views.Wrapped(e.Name()+": "+e.About))
	}
	return strings.Join(lines, "\n")
}

// aboutParams is the part of a help that says by what methods can be tuned.
func aboutParams() string {
	var lines []string
	for _, e := range nervure.Methods() {
		for _, p := range e.Params() {
			lines = append(lines, views.Wrapped(fmt.Sprintf("%s %s: %s", e.Name(), p.Name, p.About)))
		}
	}
	return strings.Join(lines, "\n")
}

// aboutPreparation is the part of a help that says what the flags of preprocessing are for.
const aboutPreparation = `Preprocessing is applied only where the data call for it: cycles, such as days
of hourly values, and trends are removed if they are clear, means that differ
significantly from zero are removed, measurements are scaled to unit variance
per vertex, and, for low-pass kernels, a mode common to all of 30 or more
vertices is removed. Signals that fit the model are left unchanged. The output
reports what was done, and all results refer to the preprocessed signals.

Broken sensors are looked for where there are 8 or more vertices and 60 or more
observations: codes for missing values, spikes, copies of other sensors and,
only where rows are moments in time (--rows), values that are stuck, noise,
changes of unit or level, drifts and slipped clocks. Readings that look faulty
are listed and treated as missing (--bad-sensors), and so is a signal more than
a thousand times as large as the median signal. Vertices with equal values in
all observations are not called copies: they are learned as one and joined by
an edge.`

// aboutModel is the part of a help that says what is chosen of the model.
func aboutModel() string {
	return views.Paragraph(fmt.Sprintf(`Kernels and the number of atoms per signal are chosen automatically unless you
give them. Nervure tries heat:2 and highpass:1 first, then learns their scales,
and then compares low-pass kernels with them by how well vertices are predicted
from the others in held-out signals. To learn only the scales of given kernels,
add --kernel auto; --kernel free learns polynomials. With %d or more
vertices, scales are learned where heat:2 and highpass:1 do not explain the
signals, of these or of two low-pass kernels, and there are 4 atoms per signal
unless you say otherwise. For --method %s nothing is chosen: the
kernels are heat:2 and highpass:1, with the same number of atoms.`, learn.DefaultLargeFrom, arguments.PaperMethod))
}
