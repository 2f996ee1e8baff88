package cli

import (
	"bufio"
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// useFlags are the flags that filter and fill share: what makes signals from a
// graph and signals.
type useFlags struct {
	signals   signalFlags
	laplacian *choice
	center    *choice
	threads   count
	out       string
	quiet     bool
}

func (f *useFlags) defineLaplacian(s *pflag.FlagSet, byDefault string) {
	f.laplacian = newChoice("", gsp.Variants()...)
	s.Var(f.laplacian, "laplacian", "Laplacian of the graph: combinatorial (D − W, keeps the mean of a signal) or normalised (frequencies from 0 to 2) (default "+byDefault+")")
}

func (f *useFlags) defineCenter(s *pflag.FlagSet, auto string) {
	f.center = newChoice(prepare.Auto, prepare.Auto, prepare.Yes, prepare.No)
	s.Var(f.center, "center", "remove the mean of each vertex before and add it back after: auto ("+auto+"), yes or no")
}

func (f *useFlags) defineThreads(s *pflag.FlagSet) {
	f.threads = count{least: 0, most: maxThreads}
	s.Var(&f.threads, "threads", "number of cores, 0 for all; does not affect the result (default 0)")
}

func (f *useFlags) defineOut(s *pflag.FlagSet) {
	s.StringVar(&f.out, "out", "", "write the signals to `FILE`: "+extensions(dataio.WritesSignals, "or")+" (default: CSV on standard output)")
	s.BoolVar(&f.quiet, "quiet", false, "print only results and errors")
}

// centers reports whether means are to be removed, with what auto means.
func (f *useFlags) centers(auto bool) bool {
	switch prepare.Choice(f.center.value) {
	case prepare.Yes:
		return true
	case prepare.No:
		return false
	}
	return auto
}

// variant is the Laplacian asked for.
func (f *useFlags) variant(byDefault gsp.Variant) gsp.Variant {
	if f.laplacian.given {
		return gsp.Variant(f.laplacian.value)
	}
	return byDefault
}

// onGraph starts work with a Laplacian on the threads asked for. What it finds
// wrong is put into words about the files.
func (f *useFlags) onGraph(data *signalsOnGraph, v gsp.Variant, graphFile string, source *signalFile, work func(*gsp.Laplacian) error) error {
	threads, restore := useThreads(f.threads.value)
	defer restore()
	l, err := gsp.New(data.graph, v)
	if err != nil {
		return err
	}
	l.Threads = threads
	err = work(l)
	e := input.Find(err)
	switch {
	case e == nil || e.File != "":
		return err
	case e.Field == input.Graph:
		return &input.Error{File: inputName(graphFile), Msg: e.Msg}
	}
	return source.explain(err, nil)
}

// graphThenSignals completes a graph, then signals.
func graphThenSignals(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return graphFiles(cmd, args, toComplete)
	}
	return signalFiles(cmd, args, toComplete)
}

// graphAndSignals says in words which argument is missing.
func graphAndSignals(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return misuse("the graph file (or - for standard input) is missing")
	case 1:
		return misuse("the signals file (or - for standard input) is missing")
	case 2:
		if args[0] == "-" && args[1] == "-" {
			return misuse("the graph and the signals cannot both be standard input: give a file for one of them")
		}
		return nil
	}
	return misuse("too many arguments: want a graph and signals, also got %q", args[2])
}

// signalsOutput is the output of signals to a file, or none if they are printed.
func (f *useFlags) signalsOutput(set *signals.Set) []output {
	if f.out == "" {
		return nil
	}
	return []output{{"--out", f.out, checkSignalsName, func(path string) error { return writeSignals(path, set) }}}
}

// writeSignals writes signals by their extension, and as CSV to a device.
func writeSignals(path string, set *signals.Set) error {
	if !isDevice(path) {
		return dataio.WriteSignals(path, set)
	}
	return dataio.WriteFile(path, func(w io.Writer) error { return dataio.EncodeSignals(w, dataio.CSV, set) })
}

func checkSignalsName(path string) error {
	if isDevice(path) {
		return nil
	}
	return dataio.WritesSignals.Check(path)
}

// printSignals writes signals as CSV to standard output, unless they go to a file.
func (f *useFlags) printSignals(c console, set *signals.Set) error {
	if f.out != "" {
		return nil
	}
	b := bufio.NewWriter(c.out)
	if err := dataio.EncodeSignals(b, dataio.CSV, set); err != nil {
		return err
	}
	return b.Flush()
}

// wroteWords says which files were written, after a sentence.
func wroteWords(written []string) string {
	if len(written) == 0 {
		return ""
	}
	return "; wrote " + strings.Join(written, ", ")
}

// interrupted words the end of ctx before there was anything to show.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &interruption{"nothing was written"}
	}
	return err
}

// readOn reads signals, and the graph they are on by its file.
func readOn(c console, source *signalFile, quiet bool, graphOf func(set *signals.Set) (*graph.Graph, error)) (*signalsOnGraph, error) {
	set, err := source.read(c, quiet)
	if err != nil {
		return nil, err
	}
	g, err := graphOf(set)
	switch e := input.Find(err); {
	case err == nil:
		source.hint = "" // the names of the graph show which way round the table is
	case e != nil && source.hint != "":
		e.Msg += "; " + source.hint
	}
	return &signalsOnGraph{set, g}, err
}

// checkCSVName refuses a name for a flag that does not end in .csv.
func checkCSVName(flag string) func(path string) error {
	return func(path string) error {
		if f, zipped := dataio.FormatOf(path); !isDevice(path) && (zipped || f != dataio.CSV) {
			return misuse("%s %s: want a file that ends in .csv", flag, path)
		}
		return nil
	}
}
