package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/solver"
)

func newLearn(c console) *cobra.Command {
	f := &learnFlags{}
	cmd := &cobra.Command{
		Use:   "learn SIGNALS [flags]",
		Short: "Learn a graph from a file of signals",
		Long: `Learn a graph from a file of signals. Rows are observations and columns are
vertices; a first row of text names them. SIGNALS is a .csv, .tsv, .npy or .npz
file, or - for CSV on standard input. The edges go to standard output as
source,target,weight, unless --out names a file.

The defaults need no tuning: the number of edges is found without knowing it.
A vertex that never varies is left without edges, with a warning.`,
		Example: `  nervure learn signals.csv > graph.csv
  nervure learn signals.csv --out graph.graphml --summary summary.json
  nervure learn signals.npy --transpose --kernel heat:2 --kernel heat:1
  gzip -dc signals.csv.gz | nervure learn - --edges 60`,
		Args:              oneArgument("the file of signals (or - for standard input)"),
		ValidArgsFunction: signalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := f.resolve(args[0])
			if err != nil {
				return err
			}
			return run.do(cmd.Context(), c)
		},
	}
	f.define(cmd)
	return cmd
}

// A learnRun is a learn command with its flags understood.
type learnRun struct {
	signals string // path, or "-"
	read    dataio.ReadOptions
	method  string
	model   learn.Model
	options learn.Options
	threads int    // as asked: 0 means all cores
	hint    string // how the signals may be meant, if they look odd

	out, codes, laplacian, summary string // paths, or ""
	quiet                          bool
	progress                       progressMode
}

// do learns the graph and writes everything that was asked for.
func (r *learnRun) do(ctx context.Context, c console) error {
	if err := checkOutputs(r.outputs(nil, 0, c), r.signals); err != nil {
		return err
	}
	signals, err := await(ctx, func() (*dataio.Signals, error) { return r.readSignals(c) })
	if err != nil {
		return err
	}
	if err := r.checkNames(signals.Names); err != nil {
		return err
	}
	r.options.Names = signals.Names
	r.note(c, signals)

	begun := time.Now()
	result, err := r.learn(ctx, c, signals)
	seconds := time.Since(begun).Seconds()
	if result == nil {
		return r.explain(ctx, err)
	}

	written, err := writeOutputs(r.outputs(result, seconds, c))
	if r.toStdout() {
		fault := printGraph(c.out, result.Graph)
		if fault == nil && !c.out.left {
			written = append(written, "-")
		}
		err = errors.Join(err, fault)
	}
	if !r.quiet {
		r.tell(c, result, seconds, written)
	}
	if result.Status == solver.Interrupted {
		err = errors.Join(&interruption{r.salvage(result, written)}, err)
	}
	return err
}

// toStdout says whether the graph goes to standard output.
func (r *learnRun) toStdout() bool { return r.out == "" || r.out == "-" }

// checkNames finds out before the work that the graph's format cannot hold the
// name of a vertex.
func (r *learnRun) checkNames(names []string) error {
	format := dataio.CSV
	if !r.toStdout() && !isDevice(r.out) {
		format, _ = dataio.FormatOf(r.out)
	}
	bare, err := graph.New(names, nil)
	if err != nil {
		return err
	}
	if err := dataio.EncodeGraph(io.Discard, format, bare); err != nil {
		return &dataio.InputError{File: r.signals, Msg: fmt.Sprintf("a graph file of format %s cannot be written: %s",
			format, strings.TrimPrefix(oneLine(err), "dataio.EncodeGraph: "))}
	}
	return nil
}

func (r *learnRun) readSignals(c console) (*dataio.Signals, error) {
	if r.signals != "-" {
		return dataio.ReadSignals(r.signals, r.read)
	}
	if watched(c.in) && !r.quiet {
		fmt.Fprintln(c.err, "reading signals from the terminal; Ctrl-D ends them")
	}
	format := r.read.Format
	if format == "" {
		format = dataio.CSV
	}
	signals, err := dataio.DecodeSignals(c.in, "standard input", format, r.read)
	if e, ok := errors.AsType[*dataio.InputError](err); ok && e.Format != "" {
		e.Msg = fmt.Sprintf("this is not %s: add --format %s", format, e.Format)
	}
	return signals, err
}

// note says what there is to doubt about the signals before they are learned from.
func (r *learnRun) note(c console, signals *dataio.Signals) {
	notes := signals.Notes
	if n, m := signals.Y.Dims(); n > m && !r.read.Transpose {
		r.hint = "if vertices are in rows, add --transpose"
		if m > 1 { // else there is nothing to learn
			notes = append(notes, fmt.Sprintf("%s and %s: %s", plural(n, "vertex"), plural(m, "signal"), r.hint))
		}
	}
	if r.quiet {
		return
	}
	for _, words := range notes {
		fmt.Fprintln(c.err, wrapped("note: "+words))
	}
}

// learn runs the learner and shows its progress. If ctx ends, the result is the
// best so far.
func (r *learnRun) learn(ctx context.Context, c console, signals *dataio.Signals) (*learn.Result, error) {
	r.options.Threads = r.threads
	if r.threads == 0 {
		r.options.Threads = runtime.GOMAXPROCS(0)
	} else {
		// So that the garbage collector keeps to them as well.
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(r.threads))
	}
	bar := newProgress(c.err, r.progress)
	defer bar.clear()
	var result *learn.Result
	for step, err := range learn.Steps(ctx, signals.Y, r.model, r.options) {
		if err != nil {
			return step.Result, err
		}
		bar.show(step)
		result = step.Result
	}
	return result, nil
}

// explain words why there is no graph at all.
func (r *learnRun) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &interruption{"there was no graph yet, nothing was written"}
	}
	if e, ok := errors.AsType[*learn.InputError](err); ok {
		return r.wordFault(e)
	}
	return err
}

// faultFlags are the flags by which a user sets what learn calls otherwise.
var faultFlags = map[string]string{
	"sparsity": "--sparsity", "edges": "--edges", "threshold": "--threshold",
	"rounds": "--rounds", "step size": "--step", "edge penalty": "--beta",
}

// wordFault names the flag that is at fault, or else the file.
func (r *learnRun) wordFault(fault *learn.InputError) error {
	if flag, ok := faultFlags[fault.Field]; ok {
		return misuse("%s: %s", flag, fault.Msg)
	}
	file := r.signals
	if file == "-" {
		file = "standard input"
	}
	msg := fault.Msg
	if fault.Field != "signals" || strings.HasPrefix(msg, "got ") {
		msg = fault.Field + ": " + msg
	}
	if fault.Field == "vertices" && r.hint != "" {
		msg += "; " + r.hint
	}
	return &dataio.InputError{File: file, Msg: msg}
}

// salvage says what an interrupted run leaves behind.
func (r *learnRun) salvage(result *learn.Result, written []string) string {
	path, where := r.out, r.out
	if r.toStdout() {
		path, where = "-", "standard output"
	}
	outcome := "was written to " + where
	if !slices.Contains(written, path) {
		outcome = "could not be written"
	}
	return fmt.Sprintf("the best graph so far, with %s, %s", plural(result.Graph.EdgeCount(), "edge"), outcome)
}

// unavailable are the methods that a later version will have.
var unavailable = []string{
	"kernel-inversion", "smooth-log", "smooth-l2", "sigrep", "spectral-templates", "glasso", "correlation", "knn",
}

// maxThreads keeps a slip of the finger from starting a million workers.
const maxThreads = 1024
