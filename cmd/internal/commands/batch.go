package commands

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/study"
)

func newBatch(c views.Console, stdin io.Reader) *cobra.Command {
	f := &arguments.Batch{}
	cmd := &cobra.Command{
		Use:   "batch FILES… --out DIR [flags]",
		Short: "Learn the graphs of many files of signals",
		Long: views.Paragraph(`Learn a graph from each of many files, such as the recordings of the subjects of a
study. FILES are files of signals (`+arguments.SignalFormats()+`), patterns such as
'recordings/*.csv', or directories, whose files of signals are taken; --list reads their names from a file.`) + `

DIR receives NAME.csv (the graph) and NAME.json (the summary) for each file, and
for all of them
  index.csv, index.json  verdict, edges, noise, seconds and warnings of each
  edges.csv              every edge, and how many graphs have it
  mean.csv               the mean graph; confidence is the share of the graphs
  distances.csv          how different each two graphs are, from 0 to 1
With --report there is a page for each graph and one for all, index.html.

All graphs are learned by one model, so that they differ because subjects do:
what you leave open, such as method, kernels and preprocessing, is chosen once
from the signals of all files, with the vertices that all have, by name.
all.csv and all.json have the graph of all signals, and the index says what was
chosen. Broken sensors, penalties and the number of edges are each file's own.
--each makes all choices for each file by itself.

If nothing can be learned from a file, the reason is printed and in the index;
the others are learned anyway, and the exit status is 1. You can stop the command at any time and in any
way: run it again to resume. Files and flags that have changed since are
noticed, and only what depends on them is learned again.

With --groups TABLE, the graphs of groups are compared: of patients and controls,
of the same subjects before and after, or by a number such as age. A column of
TABLE names the files, with or without folders and extensions; --by names the
column of the groups. --paired names the column that says whose a file is, and
files are then compared within subjects; --covariate names a number that groups
are adjusted for or, without --by, that graphs are compared by. Differences of the
whole graph, its strength, each vertex and each edge are tested by permutations
of the files. DIR then has, besides,
  groups.html            the answer as a page, with figures
  groups.json            the answer, and the pairs and vertices that differ
  differences.csv        every pair: means, difference, interval, p and q
  vertices.csv           the same of every vertex, by all of its pairs
  group-NAME.csv         the graph of each group, and group.csv that of all
  NAME.pooled.csv        the graph of a file with what it borrows from its group
  units.csv, values.csv  who stands out; the clearest pairs in each file
Files that are not in TABLE or have no graph are named and left out.

--shared-prior pulls the graph of each file towards that of all signals, as
--prior does (--prior-weight). It is written to prior.csv.

With --cluster the graphs are learned by nervure worker, on this machine and on
others. The files written do not depend on it.

Flags for signals, preprocessing, model and learning are those of nervure learn.`,
		Example: `  nervure batch recordings/*.csv --out graphs
  nervure batch recordings --out graphs --report
  nervure batch --list files.txt --out graphs --method ggl
  nervure batch 'recordings/*.csv' --out graphs --shared-prior
  nervure batch recordings --out graphs --each
  nervure batch subjects --out study --groups people.csv --by diagnosis`,
		ValidArgsFunction: arguments.SignalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			batch, err := batchOf(stdin, f, args)
			if err != nil {
				return err
			}
			if note := f.Learn.RecipeNote(); note != "" && !f.Quiet {
				fmt.Fprintln(c.Err, note)
			}
			return runBatch(cmd.Context(), c, f, batch)
		},
	}
	f.Define(cmd)
	return cmd
}

// usualPriorWeight is as many signals a prior counts as if nothing is said.
const usualPriorWeight = 5

// batchOf makes a batch of the flags, or finds the fault in them.
func batchOf(stdin io.Reader, f *arguments.Batch, args []string) (*study.Batch, error) {
	if f.Out == "" {
		return nil, arguments.Misuse("--out DIR is missing: where to write the graphs")
	}
	files, err := batchFiles(stdin, args, f.List)
	if err != nil {
		return nil, err
	}
	learn, err := f.Learn.Document(files[0])
	if err != nil {
		return nil, err
	}
	batch := &study.Batch{Each: f.Each, Files: files, Dir: f.Out, Report: f.Report, Command: arguments.CommandLine, Build: build.This().String() + " " + linalg.Arithmetic()}
	if f.SharedPrior {
		switch name := learn.Method.Name; {
		case learn.Known.Prior != "":
			return nil, arguments.Misuse("--shared-prior and --prior cannot be used together")
		case name != "" && name != arguments.AutoMethod && name != arguments.SparseMethod:
			return nil, arguments.Misuse("--shared-prior applies only to --method %s", arguments.SparseMethod)
		}
		batch.SharedPrior = cmp.Or(learn.Known.PriorWeight, usualPriorWeight)
		learn.Known.PriorWeight, learn.Method.Name = 0, arguments.SparseMethod
	}
	batch.Learn, batch.Spare = learn, learn.Besides()
	if err := addGroups(stdin, batch, f); err != nil {
		return nil, err
	}
	if f.List != "" && f.List != "-" {
		batch.Spare = append(batch.Spare, f.List)
	}
	// What is wrong with the flags is wrong for all files.
	_, err = nervure.OptionsOf(&learn)
	return batch, arguments.Terms{}.Explain(err)
}

// addGroups adds what groups are compared by.
func addGroups(stdin io.Reader, batch *study.Batch, f *arguments.Batch) error {
	g := groupingOf(f.Grouping())
	switch {
	case f.Groups == "" && g == study.Grouping{}:
		return nil
	case f.Groups == "":
		return arguments.Misuse("--groups FILE is missing: the table that says which group each file is in")
	case f.Groups == "-" && f.List == "-":
		return arguments.Misuse("--groups and --list cannot both be read from standard input")
	case g.By == "" && g.Covariate == "":
		return arguments.Misuse("--by COLUMN is missing: the column of %s with the groups, or --covariate to compare by a number", f.Groups)
	}
	var table *dataio.TextTable
	var err error
	if f.Groups == "-" {
		table, err = dataio.DecodeTextTable(stdin, arguments.StandardInput)
	} else {
		table, err = dataio.ReadTextTable(f.Groups)
		batch.Spare = append(batch.Spare, f.Groups)
	}
	if err != nil {
		return err
	}
	batch.Groups = &study.Members{Grouping: g, Table: table, File: arguments.InputName(f.Groups), Argument: f.Groups}
	return nil
}

// runBatch learns the graphs and says what came of it.
func runBatch(ctx context.Context, c views.Console, f *arguments.Batch, batch *study.Batch) error {
	threads, restore := useThreads(f.Learn.Threads)
	defer restore()
	batch.Threads = threads
	bar := views.NewTasksProgress(c.Err, f.Mode(), "file")
	batch.Progress = bar.Show
	if !f.Quiet {
		warn := views.AlteredWarning(c, filepath.Join(batch.Dir, "journal.jsonl"), "learned")
		batch.Progress = func(p study.Progress) { warn(p.Altered); bar.Show(p) }
	}
	runner, leave, err := taskRunner(ctx, c, &f.Cluster, batch.Dir, "")
	if err != nil {
		return err
	}
	batch.Runner, c.Case.Run = runner, &batch.Learn
	index, err := batch.Run(ctx)
	leave()
	bar.Clear()
	switch {
	case index == nil && ctx.Err() != nil:
		return views.Interrupted(fmt.Sprintf("%d of %s done; run the same command again to go on", bar.Last.Done+bar.Last.Failed, views.Plural(len(batch.Files), "file")))
	case index == nil:
		return err
	}
	if faults, _ := guard.Split(err); index.Learned == 0 && len(faults) == 0 {
		return &input.Error{Msg: "no graph was learned: " + index.Rows[0].Error}
	}
	if !f.Quiet {
		views.TellBatch(c, batch.Dir, batch.Report, index)
	}
	if index.Unanswered != "" {
		err = errors.Join(err, errors.New("groups were not compared: "+index.Unanswered))
	}
	if index.Failed > 0 {
		views.TellFailed(c, batch.Dir, index)
		err = errors.Join(err, fmt.Errorf("%d of %s without a graph; all others are written", index.Failed, views.Plural(index.Files, "file")))
	}
	return err // or that of a page
}

// batchFiles returns the files of signals that arguments and a list name: files,
// directories and patterns. A file that is named but not there is left for the index to tell.
func batchFiles(stdin io.Reader, args []string, list string) ([]string, error) {
	names := slices.Clone(args)
	if list != "" {
		listed, err := readList(stdin, list)
		if err != nil {
			return nil, err
		}
		names = append(names, listed...)
	}
	var files []string
	for _, name := range names {
		found, err := filesOf(name)
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			if file = filepath.Clean(file); !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	if len(files) == 0 {
		return nil, arguments.Misuse("files of signals are missing: name files, directories, patterns or a --list")
	}
	return files, nil
}

// readList reads names of files, one per line.
func readList(in io.Reader, path string) ([]string, error) {
	if path != "-" {
		file, err := durable.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	var names []string
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if name := strings.TrimSpace(lines.Text()); name != "" {
			names = append(names, name)
		}
	}
	return names, lines.Err()
}

// filesOf returns the files that a name stands for, in order.
func filesOf(name string) ([]string, error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return filesIn(name)
	case err == nil || !strings.ContainsAny(name, "*?["):
		return []string{name}, nil
	}
	found, err := filepath.Glob(name)
	switch {
	case err != nil:
		return nil, arguments.Misuse("%s is not a valid pattern", name)
	case len(found) == 0:
		return nil, arguments.Misuse("no file matches %s", name)
	}
	return found, nil
}

// filesIn returns the files of signals in a directory.
func filesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !strings.HasPrefix(e.Name(), ".") && isFile(path) && dataio.WritesSignals.Check(path) == nil {
			files = append(files, path)
		}
	}
	if len(files) == 0 {
		return nil, arguments.Misuse("%s has no files of signals (%s)", dir, arguments.SignalFormats())
	}
	return files, nil
}
