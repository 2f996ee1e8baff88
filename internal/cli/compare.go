package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/solver"
)

func newCompare(c console) *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare SIGNALS [flags]",
		Short: "Run several methods on the same signals, side by side",
		Long: `Run several methods on the same signals, print one table and recommend a method.

The table has the time each took and the edges it found. With --truth it has the
precision, recall and F1 of the edges, as the method cut them and as many as are
true. Without the truth it shows how far the methods agree: the F1 between each
two of their graphs.

Either way methods are ranked by signals held out, and the truth has no part in
it. Signals are cut into folds of consecutive ones; each method learns from all
folds but one, and a Gaussian model with only the edges it found is fitted to
the same signals. How much likelier this makes the signals of the fold left out
than a model without edges is the held-out gain, in nats a signal. It is made
from edges alone and in the same way for all, so that it can be compared.
Recommended is the sparsest graph that keeps 90% of the best gain, because
denser ones nearly always predict a little better. Before that comes sparse if
its graph proves itself, or if the model of its codes makes the signals likelier
than the edges of any graph do.

A method that cannot work with the signals is a row that says why. What is
missing (empty cells, NaN, NA, null) is filled with means, but not for sparse.

` + aboutPreparation + `

` + aboutModel + `
What is chosen from all signals is kept in the folds.

Methods:
` + aboutMethods(),
		Example: `  nervure compare signals.csv
  nervure compare signals.csv --truth truth.csv --out comparison.json
  nervure compare signals.csv --methods sparse,correlation --edges 60`,
		Args:              oneArgument("the file of signals (or - for standard input)"),
		ValidArgsFunction: signalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.resolve(args[0])
			if err != nil {
				return err
			}
			ctx, cancel := untilEOF(cmd.Context(), c, f.untilEOF)
			defer cancel()
			return r.do(ctx, c)
		},
	}
	f.define(cmd)
	return cmd
}

// compareFlags are the flags of compare as they were typed.
type compareFlags struct {
	set *pflag.FlagSet

	signals  signalFlags
	prepare  prepareFlags
	truth    string
	methods  []string
	kernels  kernelFlags
	sparsity string
	edges    count
	folds    count
	seed     uint64
	threads  count

	json     bool
	out      string
	quiet    bool
	untilEOF bool
	progress *choice
}

func (f *compareFlags) define(cmd *cobra.Command) {
	f.edges, f.folds, f.threads = count{least: 1}, count{least: 0}, count{least: 0, most: maxThreads}
	f.progress = newProgressFlag()
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		f.signals.define(s)
		s.StringVar(&f.truth, "truth", "", "the true graph, `FILE`: .csv, .tsv, .json, .graphml, .gexf, .mtx, .npy or .mat")
	})
	addFlags(cmd, "Preparation", f.prepare.define)
	addFlags(cmd, "Learning", func(s *pflag.FlagSet) {
		s.StringSliceVar(&f.methods, "methods", nil, "the methods, `NAMES` with commas between them (default all)")
		f.kernels.defineChoice(s)
		defineSparsity(s, &f.sparsity)
		s.Var(&f.edges, "edges", "keep only so many edges, the heaviest (default: each method's own cut)")
		s.Var(&f.folds, "folds", "rank methods by so many folds of signals held out, 0 for no ranking (default 5, or 2 where there are many vertices and signals)")
		s.Uint64Var(&f.seed, "seed", 1, "seed `S` of every random draw")
		s.Var(&f.threads, "threads", "cores to use, 0 for all; the graphs do not depend on it (default 0)")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.BoolVar(&f.json, "json", false, "print JSON instead of a table")
		s.StringVar(&f.out, "out", "", "write the comparison also to `FILE`: .json for all of it, .csv for a line for each method")
		s.BoolVar(&f.quiet, "quiet", false, "say nothing but results and errors")
		s.Var(f.progress, "progress", "how to show progress: auto (a line on a terminal), plain (a line for each method), json (an object a line, for programs) or none")
		defineUntilEOF(s, &f.untilEOF)
	})
	f.set = cmd.Flags()
	f.kernels.complete(cmd, kernelsAuto, kernelsFree)
	completeSparsity(cmd)
	mustComplete(cmd, "truth", graphFiles)
	mustComplete(cmd, "methods", cobra.FixedCompletions(methodNames(), cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// resolve turns flags into what they mean, or finds the fault in them.
func (f *compareFlags) resolve(signals string) (*compareRun, error) {
	r := &compareRun{
		source: f.signals.file(signals), truth: f.truth, methods: methodNames(),
		learner: learner{options: learn.Options{Seed: f.seed}},
		folds:   -1, threads: f.threads.value, json: f.json, out: f.out, quiet: f.quiet, progress: progressMode(f.progress.value),
	}
	if f.quiet {
		r.progress = progressNone
	}
	if err := checkUntilEOF(f.untilEOF, signals); err != nil {
		return nil, err
	}
	if f.edges.given {
		r.learner.options.Cut = graph.Cut{Rule: graph.CutEdges, Edges: f.edges.value}
	}
	if f.folds.given {
		if r.folds = f.folds.value; r.folds == 1 {
			return nil, misuse("--folds: got 1, want 0 or at least 2")
		}
	}
	for _, flag := range []string{"truth", "out"} {
		if f.set.Changed(flag) && f.set.Lookup(flag).Value.String() == "" {
			return nil, misuse("--%s wants the name of a file", flag)
		}
	}
	if err := f.readMethods(r); err != nil {
		return nil, err
	}
	choice, err := f.kernels.choice()
	if err != nil {
		return nil, err
	}
	choice.set(&r.learner)
	r.prepare = f.prepare.preparer(nil)
	r.learner.model.Sparsity, err = readSparsity(f.sparsity)
	return r, err
}

func (f *compareFlags) readMethods(r *compareRun) error {
	if f.set.Changed("methods") {
		r.methods = nil
		for _, name := range f.methods {
			name = strings.TrimSpace(name)
			switch {
			case !slices.Contains(methodNames(), name):
				return noSuchMethod("--methods", name)
			case slices.Contains(r.methods, name):
				return misuse("--methods: %s is given twice", name)
			}
			r.methods = append(r.methods, name)
		}
		if len(r.methods) == 0 {
			return misuse("--methods wants at least one of %s", strings.Join(methodNames(), ", "))
		}
	}
	useless := func(flags, users []string) error {
		for _, flag := range flags {
			if f.set.Changed(flag) && !slices.ContainsFunc(users, func(m string) bool { return slices.Contains(r.methods, m) }) {
				return misuse("--%s is for %s only, and --methods leaves out %s", flag, either(users), either(users))
			}
		}
		return nil
	}
	return errors.Join(useless([]string{"sparsity"}, []string{sparseMethod}), useless(kernelNames, kernelMethods()))
}

// A compareRun is a compare command with its flags understood.
type compareRun struct {
	source  signalFile
	prepare preparer
	truth   string // path, or ""
	methods []string
	learner learner // all but the method
	folds   int     // to hold out; -1 means by size
	threads int     // as asked: 0 means all cores

	json     bool
	out      string // path, or ""
	quiet    bool
	progress progressMode
}

// do runs the methods one after another and prints what came of them.
func (r *compareRun) do(ctx context.Context, c console) error {
	inputs := []string{r.source.path}
	if r.truth != "" {
		inputs = append(inputs, r.truth)
	}
	if err := checkOutputs(r.outputs(nil), inputs...); err != nil {
		return err
	}
	data, err := await(ctx, func() (*comparedData, error) { return r.read(c) })
	if err != nil {
		return err
	}
	if err := r.source.checkUsable(data.signals.Y); err != nil {
		return err
	}
	r.source.note(c, r.quiet, data.signals)
	if data.prepared, err = await(ctx, func() (*preparation, error) { return r.prepare.prepare(data.signals, &r.source) }); err != nil {
		return err
	}
	data.prepared.tell(c, r.quiet)
	r.noteTruth(c, data.truth)

	record, err := r.compare(ctx, c, data)
	if err != nil {
		return err
	}
	if record.Interrupted && len(record.Methods) == 0 {
		return &interruption{"no method was done yet, nothing was written"}
	}
	failure, outputs, left := r.allFailed(record), r.outputs(record), ""
	switch {
	case failure != nil:
		outputs = nil
	case record.Interrupted && isFile(r.out): // which may be of a run that ended
		outputs, left = nil, fmt.Sprintf("; %s is left as it was", r.out)
	}
	written, err := writeOutputs(outputs)
	if r.json {
		err = errors.Join(err, writeJSON(c.out, record))
	} else {
		err = errors.Join(err, record.writeTable(c.out))
	}
	if !r.quiet {
		for _, w := range record.warnings() {
			fmt.Fprintln(c.err, wrapped("warning: "+w))
		}
		if len(written) > 0 {
			fmt.Fprintln(c.err, "wrote", strings.Join(written, ", "))
		}
	}
	switch {
	case record.Interrupted:
		outcome := fmt.Sprintf("%d of %s done, and shown%s", len(record.Methods), plural(len(r.methods), "method"), left)
		return errors.Join(&interruption{outcome}, err)
	case err != nil:
		return err
	}
	return failure
}

// noteTruth says that the truth is about few of the vertices, as when it belongs to
// other signals.
func (r *compareRun) noteTruth(c console, truth *graph.Graph) {
	if truth == nil || r.quiet {
		return
	}
	joined := 0
	for _, d := range truth.Degrees() {
		if d > 0 {
			joined++
		}
	}
	if n := truth.Vertices(); 2*joined < n {
		fmt.Fprintln(c.err, wrapped(fmt.Sprintf("note: %s joins only %d of %s; edges found between the others count as wrong",
			r.truth, joined, plural(n, "vertex"))))
	}
}

// allFailed is an error if no method learned a graph.
func (r *compareRun) allFailed(record *compareRecord) error {
	misfit := true
	for _, m := range record.Methods {
		if m.Error == "" {
			return nil
		}
		misfit = misfit && m.misfit
	}
	words := fmt.Sprintf("no method learned a graph; %s: %s", record.Methods[0].Method, record.Methods[0].Error)
	if misfit {
		return &dataio.InputError{File: r.source.name(), Msg: words}
	}
	return errors.New(words)
}

// outputs lists the file to write, if any. It is checked without a record.
func (r *compareRun) outputs(record *compareRecord) []output {
	if r.out == "" {
		return nil
	}
	check := func(path string) error {
		if ext := strings.ToLower(filepath.Ext(path)); ext != ".json" && ext != ".csv" && !isDevice(path) {
			return misuse("--out %s: want a name that ends in .json or .csv", path)
		}
		return nil
	}
	return []output{{"--out", r.out, check, func(path string) error {
		return dataio.WriteFile(path, func(w io.Writer) error {
			if strings.ToLower(filepath.Ext(path)) == ".csv" {
				return record.writeCSV(w)
			}
			return writeJSON(w, record)
		})
	}}}
}

// comparedData is what all methods are given.
type comparedData struct {
	signals  *dataio.Signals
	truth    *graph.Graph // on the vertices of the signals, or nil
	prepared *preparation
}

func (r *compareRun) read(c console) (*comparedData, error) {
	signals, err := r.source.read(c, r.quiet)
	if err != nil {
		return nil, err
	}
	n, _ := signals.Y.Dims()
	if field, sentence := r.learner.options.Cut.Fault(n); sentence != "" {
		return nil, misuse("%s: %s", faultFlags[field], sentence)
	}
	data := &comparedData{signals: signals}
	if r.truth != "" {
		data.truth, err = readGraph(r.truth, signals.Names)
	}
	return data, err
}

// compare runs the methods until all are done or ctx ends. A method that ctx
// cut short is left out.
func (r *compareRun) compare(ctx context.Context, c console, data *comparedData) (*compareRecord, error) {
	threads, restore := useThreads(r.threads)
	defer restore()
	l := r.learner
	l.options.Names, l.options.Threads = data.signals.Names, threads

	y := data.prepared.y
	n, m := y.Dims()
	record := &compareRecord{
		Version: version(), Vertices: n, Signals: m, Seed: l.options.Seed, Threads: threads,
		Preparation: data.prepared.record(), Warnings: data.prepared.warnings,
	}
	if data.truth != nil {
		edges := data.truth.EdgeCount()
		record.EdgesTrue = &edges
	}
	if record.Folds = r.foldsFor(y); record.Folds == 0 && r.folds != 0 {
		few := fmt.Sprintf("methods are not ranked: %s are too few to hold some out", plural(m, "signal"))
		record.Warnings = append(slices.Clip(record.Warnings), few)
		if !r.quiet {
			fmt.Fprintln(c.err, wrapped("warning: "+few))
		}
	}
	bar := newProgress(c.err, r.progress)
	defer bar.clear()
	show := bar.show
	if bar.mode == progressPlain {
		show = func(learn.Step) {} // methods are the steps here
	}
	var graphs []*graph.Graph
	for k, method := range r.methods {
		if ctx.Err() != nil {
			break
		}
		l.method = method
		bar.begin(fmt.Sprintf("%s (%d of %d)", method, k+1, len(r.methods)))
		result, err := l.learn(ctx, y, show)
		if ctx.Err() != nil && (result == nil || result.status == solver.Interrupted) {
			break
		}
		row := newMethodRecord(method, result, err)
		if result != nil {
			graphs = append(graphs, result.graph)
			l := l.asChosen(result)
			if err := row.score(result, data.truth); err != nil {
				return nil, err
			}
			if data.truth == nil && method == sparseMethod {
				bar.begin(fmt.Sprintf("%s (%d of %d), held-out error", method, k+1, len(r.methods)))
				record.SignalsHeldOut = row.holdOut(l.heldOutError(ctx, y, show))
			}
			if record.Folds > 0 {
				bar.begin(fmt.Sprintf("%s (%d of %d), held-out signals", method, k+1, len(r.methods)))
				row.assess(l.assess(ctx, y, record.Folds, show))
			}
		}
		record.Methods = append(record.Methods, row)
		if bar.mode == progressPlain {
			fmt.Fprintln(c.err, row.sentence())
		}
	}
	record.Interrupted = ctx.Err() != nil
	record.rank()
	return record, record.agree(graphs)
}

// score compares a graph with the truth, if that is known.
func (m *methodRecord) score(result *learned, truth *graph.Graph) error {
	if truth == nil {
		return nil
	}
	own, err := metrics.Edges(result.graph, truth)
	if err != nil {
		return err
	}
	heaviest, err := metrics.EdgesAtCount(result.weights, truth)
	if err != nil {
		return err
	}
	f1, f1AtCount := own.F1(), heaviest.F1()
	m.Precision, m.Recall, m.F1, m.F1AtTrueCount = &own.Precision, &own.Recall, &f1, &f1AtCount
	return nil
}
