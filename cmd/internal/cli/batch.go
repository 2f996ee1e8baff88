package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/batch"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/linalg"
)

func newBatch(c console) *cobra.Command {
	f := &batchFlags{}
	cmd := &cobra.Command{
		Use:   "batch FILES… --out DIR [flags]",
		Short: "Learn the graphs of many files of signals",
		Long: paragraph(`Learn a graph from each of many files, such as the recordings of the subjects of a
study. FILES are files of signals (`+signalFormats()+`), patterns such as
'recordings/*.csv', or directories, whose files of signals are taken; --list reads their names from a file.`) + `

Into DIR go NAME.csv (the graph) and NAME.json (the summary) for each file, and
about all of them
  index.csv, index.json  verdict, edges, noise, seconds and warnings of each
  edges.csv              every edge, and how many graphs have it
  mean.csv               the mean graph; confidence is the share of the graphs
  distances.csv          how different each two graphs are, from 0 to 1
With --report there is a page for each graph and one for all, index.html.

A file that nothing can be learned from is a row of the index that says why; the
others are learned all the same. The command can be stopped in any way, at any
time: run it again, and it goes on. Files and flags that have changed since are
noticed, and only what depends on them is learned again.

--shared-prior first learns one graph from the signals of all files, which must
have the same vertices, and pulls the graph of each towards it, as --prior does
(--prior-weight). It is written to prior.csv.

With --cluster the graphs are learned by nervure worker, on this machine and on
others; the files do not depend on it.

Flags for signals, preprocessing, model and learning are those of nervure learn.`,
		Example: `  nervure batch recordings/*.csv --out graphs
  nervure batch recordings --out graphs --report
  nervure batch --list files.txt --out graphs --method ggl
  nervure batch 'recordings/*.csv' --out graphs --shared-prior`,
		ValidArgsFunction: signalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			study, err := studyOf(c, f, args)
			if err != nil {
				return err
			}
			if note := f.learn.recipeNote(); note != "" && !f.quiet {
				fmt.Fprintln(c.err, note)
			}
			return runBatch(cmd.Context(), c, f, study)
		},
	}
	f.define(cmd)
	return cmd
}

// usualPriorWeight is as many signals a prior counts as if nothing is said.
const usualPriorWeight = 5

// studyOf makes a study of the flags, or finds the fault in them.
func studyOf(c console, f *batchFlags, args []string) (*batch.Study, error) {
	if f.out == "" {
		return nil, misuse("--out DIR is missing: where to write the graphs")
	}
	files, err := batchFiles(c, args, f.list)
	if err != nil {
		return nil, err
	}
	learn, err := f.learn.document(files[0])
	if err != nil {
		return nil, err
	}
	study := &batch.Study{Files: files, Dir: f.out, Report: f.report, Command: commandLine, Build: build.This().String() + " " + linalg.Arithmetic()}
	if f.sharedPrior {
		switch name := learn.Method.Name; {
		case learn.Known.Prior != "":
			return nil, misuse("--shared-prior and --prior cannot be used together")
		case name != "" && name != autoMethod && name != sparseMethod:
			return nil, misuse("--shared-prior applies only to --method %s", sparseMethod)
		}
		study.SharedPrior = cmp.Or(learn.Known.PriorWeight, usualPriorWeight)
		learn.Known.PriorWeight, learn.Method.Name = 0, sparseMethod
	}
	study.Learn, study.Spare = learn, learn.Besides()
	if f.list != "" && f.list != "-" {
		study.Spare = append(study.Spare, f.list)
	}
	// What is wrong with the flags is wrong for all files.
	_, err = nervure.OptionsOf(&learn)
	return study, terms{}.explain(err)
}

// runBatch learns the graphs and says what came of it.
func runBatch(ctx context.Context, c console, f *batchFlags, study *batch.Study) error {
	threads, restore := useThreads(f.learn.threads)
	defer restore()
	study.Threads = threads
	bar := newTasksProgress(c.err, f.mode(), "file")
	study.Progress = bar.show
	if !f.quiet {
		warn := alteredWarning(c, filepath.Join(study.Dir, "journal.jsonl"), "learned")
		study.Progress = func(p batch.Progress) { warn(p.Altered); bar.show(p) }
	}
	runner, leave, err := taskRunner(ctx, c, &f.cluster, study.Dir)
	if err != nil {
		return err
	}
	study.Runner = runner
	index, err := study.Run(ctx)
	leave()
	bar.clear()
	switch {
	case index == nil && ctx.Err() != nil:
		return &interruption{fmt.Sprintf("%d of %s done; run the same command again to go on", bar.last.Done+bar.last.Failed, plural(len(study.Files), "file"))}
	case index == nil:
		return err
	}
	if index.Learned == 0 {
		return &input.Error{Msg: "no graph was learned: " + index.Rows[0].Error}
	}
	if !f.quiet {
		tellBatch(c, study.Dir, study.Report, index)
	}
	return err // of a page
}
