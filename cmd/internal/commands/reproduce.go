package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/study"
)

// figureFile is where an experiment is drawn, in its directory.
const figureFile = "figure.svg"

// allExperiments is the name for all of them.
const allExperiments = "all"

func newReproduce(c views.Console) *cobra.Command {
	f := &arguments.Reproduce{}
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
` + list.String() + `  all         all of these (the default); hours on two cores

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
			r, err := newReproduction(f, args)
			if err != nil {
				return err
			}
			return r.do(cmd.Context(), c)
		},
	}
	f.Define(cmd)
	return cmd
}

func atMostOneOf(names []string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return arguments.Misuse("too many arguments: want one experiment or %s, also got %q", allExperiments, args[1])
		case len(args) == 1 && !slices.Contains(names, args[0]):
			return arguments.Misuse("unknown experiment %q; want %s", args[0], words.List(names, "or"))
		}
		return nil
	}
}

// A reproduction is a reproduce command.
type reproduction struct {
	*arguments.Reproduce
	experiments []*experiment.Experiment
}

func newReproduction(f *arguments.Reproduce, args []string) (*reproduction, error) {
	if f.Out == "" {
		return nil, arguments.Misuse("--out needs a directory name")
	}
	names := experiment.Names()
	if len(args) > 0 && args[0] != allExperiments {
		names = args
	}
	r := &reproduction{Reproduce: f}
	for _, name := range names {
		e, err := experiment.Declare(name, f.Instances)
		if err != nil {
			return nil, err
		}
		r.experiments = append(r.experiments, e)
	}
	return r, nil
}

// do runs the experiments one after the other and prints each when it is done.
func (r *reproduction) do(ctx context.Context, c views.Console) error {
	threads, restore := useThreads(r.Threads)
	defer restore()
	for _, e := range r.experiments {
		dir := filepath.Join(r.Out, e.Name)
		if err := experiment.Check(e, dir); err != nil {
			return r.explain(ctx, err, e, dir, 0)
		}
	}
	runner, leave, err := taskRunner(ctx, c, &r.Cluster, r.Out, "")
	if err != nil {
		return err
	}
	defer leave()
	thisBuild := build.This()
	for k, e := range r.experiments {
		dir := filepath.Join(r.Out, e.Name)
		bar := views.NewExperimentProgress(c.Err, r.Mode(), e.Name, k+1, len(r.experiments))
		warn := views.AlteredWarning(c, filepath.Join(dir, "results.jsonl"), "measured")
		report := func(p experiment.Progress) {
			warn(p.Altered)
			bar.Show(study.Progress{Done: p.Done, Fresh: p.Fresh, Total: p.Total, Elapsed: p.Elapsed})
		}
		records, err := experiment.Run(ctx, e, experiment.RunOptions{Dir: dir, Runner: runner, Threads: threads, Build: thisBuild, Report: report})
		bar.Clear()
		if err != nil {
			return r.explain(ctx, err, e, dir, len(records))
		}
		if k > 0 {
			fmt.Fprintln(c.Out)
		}
		if err := views.PrintTables(c.Out, e.Tables(records)); err != nil {
			return err
		}
		drawn, err := draw(e, records, dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.Err, "%s of %s in %s%s\n", views.Plural(len(records), "result"), e.Name, dir, drawn)
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
		return views.Interrupted(fmt.Sprintf("%d of %s of %s are saved in %s; run the same command to resume",
			done, views.Plural(e.Size(), "result"), e.Name, dir))
	}
	return err
}
