package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/build"
)

// reproduceFlags are the flags of reproduce as they were typed.
type reproduceFlags struct {
	instances count
	threads   count
	out       string
	progress  *choice
	cluster   clusterFlags
}

// figureFile is where an experiment is drawn, in its directory.
const figureFile = "figure.svg"

// allExperiments is the name for all of them.
const allExperiments = "all"

func newReproduce(c console) *cobra.Command {
	f := &reproduceFlags{}
	names := append(experiment.Names(), allExperiments)
	var list strings.Builder
	for _, name := range experiment.Names() {
		fmt.Fprintf(&list, "  %-12s %s\n", name, experiment.About(name))
	}
	cmd := &cobra.Command{
		Use:   "reproduce [EXPERIMENT] [flags]",
		Short: "Reproduce the paper's tables and figures",
		Long: `Rerun the experiments behind the paper's tables and figures and print the
results next to the published ones, or measure what confidence is worth
(calibration). EXPERIMENT is one of
` + list.String() + `  all         all of these (the default); under two hours on two cores

Each experiment writes its settings to DIR/EXPERIMENT/manifest.json and one line
per result to DIR/EXPERIMENT/results.jsonl. Figures of the paper are drawn in
DIR/EXPERIMENT/figure.svg. You can stop the command at any time; running it
again resumes where it stopped. With --cluster the work is done by nervure
worker, on this machine and on others.`,
		Example: `  nervure reproduce table1 --instances 5
  nervure reproduce all --out evidence`,
		Args:              atMostOneOf(names),
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.resolve(args)
			if err != nil {
				return err
			}
			return r.do(cmd.Context(), c)
		},
	}
	f.define(cmd)
	return cmd
}

func atMostOneOf(names []string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return misuse("too many arguments: want one experiment or %s, also got %q", allExperiments, args[1])
		case len(args) == 1 && !slices.Contains(names, args[0]):
			return misuse("unknown experiment %q; want %s", args[0], either(names))
		}
		return nil
	}
}

func (f *reproduceFlags) define(cmd *cobra.Command) {
	f.instances, f.threads = count{least: 1}, count{least: 0, most: maxThreads}
	f.progress = newChoice(progressAuto, progressAuto, progressPlain, progressNone)
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.Var(&f.instances, "instances", "use at most N graphs per result, for a quick look (default: all)")
		s.StringVar(&f.out, "out", "reproduction", "write to subdirectories of `DIR`")
		s.Var(&f.threads, "threads", "number of cores, 0 for all; does not affect the results (default 0)")
		s.Var(f.progress, "progress", "progress output: auto (one line on a terminal), plain (one line per result) or none")
	})
	f.cluster.defineCoordinator(cmd)
	mustComplete(cmd, "out", directories)
}

// A reproduction is a reproduce command with its flags understood.
type reproduction struct {
	experiments []*experiment.Experiment
	out         string
	threads     int
	progress    progressMode
	cluster     *clusterFlags
}

func (f *reproduceFlags) resolve(args []string) (*reproduction, error) {
	if f.out == "" {
		return nil, misuse("--out needs a directory name")
	}
	names := experiment.Names()
	if len(args) > 0 && args[0] != allExperiments {
		names = args
	}
	r := &reproduction{out: f.out, threads: f.threads.value, progress: progressMode(f.progress.value), cluster: &f.cluster}
	for _, name := range names {
		e, err := experiment.Declare(name, f.instances.value)
		if err != nil {
			return nil, err
		}
		r.experiments = append(r.experiments, e)
	}
	return r, nil
}

// do runs the experiments one after the other and prints each when it is done.
func (r *reproduction) do(ctx context.Context, c console) error {
	threads := r.threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	} else {
		// So that the garbage collector keeps to them as well.
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	}
	for _, e := range r.experiments {
		dir := filepath.Join(r.out, e.Name)
		if err := experiment.Check(e, dir); err != nil {
			return r.explain(ctx, err, e, dir, 0)
		}
	}
	runner, leave, err := r.cluster.runner(ctx, c, r.out)
	if err != nil {
		return err
	}
	defer leave()
	thisBuild := build.This()
	for k, e := range r.experiments {
		dir := filepath.Join(r.out, e.Name)
		bar := newRunProgress(c.err, r.progress, e.Name, k+1, len(r.experiments))
		warn := alteredWarning(c, filepath.Join(dir, "results.jsonl"), "measured")
		report := func(p experiment.Progress) { warn(p.Altered); bar.show(p) }
		records, err := experiment.Run(ctx, e, experiment.RunOptions{Dir: dir, Runner: runner, Threads: threads, Build: thisBuild, Report: report})
		bar.clear()
		if err != nil {
			return r.explain(ctx, err, e, dir, len(records))
		}
		if k > 0 {
			fmt.Fprintln(c.out)
		}
		if err := printTables(c.out, e.Tables(records)); err != nil {
			return err
		}
		drawn, err := draw(e, records, dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.err, "%s of %s in %s%s\n", plural(len(records), "result"), e.Name, dir, drawn)
	}
	return nil
}

// draw writes the figure of an experiment, if it has one, and returns the words
// that say so.
func draw(e *experiment.Experiment, records []experiment.Record, dir string) (words string, err error) {
	if e.Figure == nil {
		return "", nil
	}
	path := filepath.Join(dir, figureFile)
	err = dataio.WriteFile(path, func(w io.Writer) error { return e.Figure(w, records) })
	return ", drawn in " + path, err
}

// explain says what there is to show for a run that did not end well.
func (r *reproduction) explain(ctx context.Context, err error, e *experiment.Experiment, dir string, done int) error {
	if mismatch, ok := errors.AsType[*experiment.MismatchError](err); ok {
		return &input.Error{File: mismatch.Dir, Msg: fmt.Sprintf(
			"the directory holds results of another run (%s): choose another directory with --out, or delete this one", mismatch.What)}
	}
	if ctx.Err() != nil {
		return &interruption{fmt.Sprintf("%d of %s of %s are saved in %s; run the same command to resume",
			done, plural(e.Size(), "result"), e.Name, dir)}
	}
	return err
}
