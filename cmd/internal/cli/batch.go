package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/study"
)

// batchFlags are the flags of batch as they were typed.
type batchFlags struct {
	learn       learnFlags
	list        string
	out         string
	report      bool
	sharedPrior bool
	quiet       bool
	progress    *choice
	cluster     clusterFlags
}

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
			c := c.reading(cmd)
			batch, err := f.resolve(c, args)
			if err != nil {
				return err
			}
			if note := f.learn.recipeNote(); note != "" && !f.quiet {
				fmt.Fprintln(c.err, note)
			}
			return f.do(cmd.Context(), c, batch)
		},
	}
	f.define(cmd)
	return cmd
}

func (f *batchFlags) define(cmd *cobra.Command) {
	f.progress = newChoice(progressAuto, progressAuto, progressPlain, progressNone)
	addFlags(cmd, "Files", func(s *pflag.FlagSet) {
		s.StringVar(&f.list, "list", "", "read more names of files from `FILE`, one per line, or - for standard input")
		s.StringVar(&f.out, "out", "", "write to `DIR`")
		s.BoolVar(&f.report, "report", false, "write a page about each graph, and index.html about all")
		s.BoolVar(&f.sharedPrior, "shared-prior", false, "learn a graph of all signals first and pull each towards it")
		s.BoolVar(&f.quiet, "quiet", false, "print only errors")
		s.Var(f.progress, "progress", "progress output: auto (one line on a terminal), plain (one line per file) or none")
	})
	f.learn.defineLearning(cmd)
	f.cluster.defineCoordinator(cmd)
	mustComplete(cmd, "out", directories)
}

// usualPriorWeight is as many signals a prior counts as if nothing is said.
const usualPriorWeight = 5

// resolve makes a batch of the flags, or finds the fault in them.
func (f *batchFlags) resolve(c console, args []string) (*study.Batch, error) {
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
	batch := &study.Batch{Files: files, Dir: f.out, Report: f.report, Command: commandLine, Build: build.This().String() + " " + linalg.Arithmetic()}
	if f.sharedPrior {
		switch name := learn.Method.Name; {
		case learn.Known.Prior != "":
			return nil, misuse("--shared-prior and --prior cannot be used together")
		case name != "" && name != autoMethod && name != sparseMethod:
			return nil, misuse("--shared-prior applies only to --method %s", sparseMethod)
		}
		batch.SharedPrior = cmp.Or(learn.Known.PriorWeight, usualPriorWeight)
		learn.Known.PriorWeight, learn.Method.Name = 0, sparseMethod
	}
	batch.Learn, batch.Spare = learn, learn.Besides()
	if f.list != "" && f.list != "-" {
		batch.Spare = append(batch.Spare, f.list)
	}
	// What is wrong with the flags is wrong for all files.
	_, err = nervure.OptionsOf(&learn)
	return batch, terms{}.explain(err)
}

// do learns the graphs and says what came of it.
func (f *batchFlags) do(ctx context.Context, c console, batch *study.Batch) error {
	threads, restore := useThreads(f.learn.threads.value)
	defer restore()
	batch.Threads = threads
	mode := progressMode(f.progress.value)
	if f.quiet {
		mode = progressNone
	}
	bar := &tasksProgress{progress: *newProgress(c.err, mode), noun: "file"}
	batch.Progress = bar.show
	if !f.quiet {
		warn := alteredWarning(c, filepath.Join(batch.Dir, "journal.jsonl"), "learned")
		batch.Progress = func(p study.Progress) { warn(p.Altered); bar.show(p) }
	}
	runner, leave, err := f.cluster.runner(ctx, c, batch.Dir)
	if err != nil {
		return err
	}
	batch.Runner = runner
	index, err := batch.Run(ctx)
	leave()
	bar.clear()
	switch {
	case index == nil && ctx.Err() != nil:
		return &interruption{fmt.Sprintf("%d of %s done; run the same command again to go on", bar.last.Done+bar.last.Failed, plural(len(batch.Files), "file"))}
	case index == nil:
		return err
	}
	if index.Learned == 0 {
		return &input.Error{Msg: "no graph was learned: " + index.Rows[0].Error}
	}
	if !f.quiet {
		tellBatch(c, batch, index)
	}
	return err // of a page
}

// tellBatch says what was learned, what failed, and where to look.
func tellBatch(c console, batch *study.Batch, index *document.Index) {
	verdicts := map[string]int{}
	for _, row := range index.Rows {
		verdicts[row.Verdict]++
	}
	line := fmt.Sprintf("learned %s from %s", plural(index.Learned, "graph"), plural(index.Files, "file"))
	for _, grade := range []string{"exact", "supported", "weak", "no structure", "not checked"} {
		if verdicts[grade] > 0 {
			line += fmt.Sprintf(", %d %s", verdicts[grade], grade)
		}
	}
	fmt.Fprintln(c.err, wrapped(line))
	told := 0
	for _, row := range index.Rows {
		if row.Error == "" {
			continue
		}
		if told++; told > mostFaultsTold {
			fmt.Fprintf(c.err, "… and %d more without a graph: see %s\n", index.Failed-mostFaultsTold, batch.Dir+"/index.csv")
			break
		}
		fmt.Fprintln(c.err, wrapped("no graph: "+row.Error))
	}
	next := batch.Dir + "/index.csv has them all"
	if batch.Report {
		next = "open " + batch.Dir + "/index.html"
	}
	fmt.Fprintln(c.err, next)
}

// mostFaultsTold is of how many files the fault is told at the end.
const mostFaultsTold = 5
