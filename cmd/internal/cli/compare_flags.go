package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

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
	limit    timeSpan

	json     bool
	out      string
	quiet    bool
	untilEOF bool
	progress *choice
	cluster  clusterFlags
}

func (f *compareFlags) define(cmd *cobra.Command) {
	f.edges, f.folds, f.threads = count{least: 1}, count{least: 0}, count{least: 0, most: maxThreads}
	f.progress = newProgressFlag()
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		f.signals.define(s)
		s.StringVar(&f.truth, "truth", "", "ground-truth graph `FILE`: "+readableGraphs)
	})
	addFlags(cmd, "Preprocessing", f.prepare.define)
	addFlags(cmd, "Learning", func(s *pflag.FlagSet) {
		s.StringSliceVar(&f.methods, "methods", nil, "comma-separated `NAMES` of the methods to run (default: all but "+paperMethod+")")
		f.kernels.defineChoice(s)
		defineSparsity(s, &f.sparsity)
		s.Var(&f.edges, "edges", "keep only the N heaviest edges (default: each method's own cut)")
		s.Var(&f.folds, "folds", "rank methods by N-fold cross-validation, 1 for learning from the first half of the signals and ranking by the second, 0 for no ranking (default 5, 2 for many vertices and signals, 1 for very many)")
		s.Uint64Var(&f.seed, "seed", 1, "random seed `S`; 0 is the same as 1")
		s.Var(&f.threads, "threads", "number of cores, 0 for all; does not affect the graphs (default 0)")
		s.Var(&f.limit, "time-limit", "cut off each method after this time, such as 90s or 5m; 0 for no limit (default none, or 90s for many vertices and signals)")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.BoolVar(&f.json, "json", false, "print JSON instead of a table")
		s.StringVar(&f.out, "out", "", "also write the comparison to `FILE`: .json for everything, .csv for one line per method")
		s.BoolVar(&f.quiet, "quiet", false, "print only results and errors")
		s.Var(f.progress, "progress", "progress output: auto (one line on a terminal), plain (one line per method), json (one JSON object per line, with drawings of the graphs), steps (the same without drawings, which is faster) or none")
		defineUntilEOF(s, &f.untilEOF)
	})
	f.cluster.defineCoordinator(cmd)
	f.set = cmd.Flags()
	f.kernels.complete(cmd, kernelsAuto, kernelsFree)
	completeSparsity(cmd)
	mustComplete(cmd, "truth", graphFiles)
	mustComplete(cmd, "methods", cobra.FixedCompletions(methodNames(), cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// resolve turns flags into what they mean, or finds the fault in them.
func (f *compareFlags) resolve(signals string) (*compareRun, error) {
	r := &compareRun{
		source: f.signals.file(signals), truth: f.truth,
		options: nervure.CompareOptions{Prepare: f.prepare.options(), BadSensors: f.prepare.sensorRule(), Seed: f.seed},
		cluster: f.cluster, flags: flagWords(f.set, notOfParts),
		threads: f.threads.value, json: f.json, out: f.out, quiet: f.quiet, progress: progressMode(f.progress.value),
	}
	if f.quiet {
		r.progress = progressNone
	}
	if err := checkUntilEOF(f.untilEOF, signals); err != nil {
		return nil, err
	}
	if f.edges.given {
		r.options.Cut = graph.Cut{Rule: graph.CutEdges, Edges: f.edges.value}
	}
	if f.folds.given {
		if r.options.Folds = f.folds.value; f.folds.value == 0 {
			r.options.Folds = -1 // none; zero would mean the default
		}
	}
	if f.limit.given {
		if r.options.TimeLimit = f.limit.value; f.limit.value == 0 {
			r.options.TimeLimit = -1 // none; zero would mean the default
		}
	}
	for _, flag := range []string{"truth", "out"} {
		if f.set.Changed(flag) && f.set.Lookup(flag).Value.String() == "" {
			return nil, misuse("--%s needs a file name", flag)
		}
	}
	return r, f.readMethods(r)
}

// readMethods makes the methods, with their options, out of the flags.
func (f *compareFlags) readMethods(r *compareRun) error {
	names, err := f.methodNames()
	if err != nil {
		return err
	}
	choice, err := f.kernels.choice()
	if err != nil {
		return err
	}
	var sparse learn.Sparse
	choice.set(&sparse)
	if sparse.Model.Sparsity, err = readSparsity(f.sparsity); err != nil {
		return err
	}
	r.options.Kernels = choice.kernels
	for _, name := range names {
		entry, _ := nervure.MethodByName(name)
		m := entry.Default
		switch {
		case name == sparseMethod:
			m = sparse
		case entry.Has(method.UsesKernels) && choice.learned():
			m = withoutKernels{m}
		case name == paperMethod:
			m = learn.Maretic2017{Model: learn.Model{Sparsity: sparse.Model.Sparsity}}
		}
		r.options.Methods = append(r.options.Methods, m)
	}
	return nil
}

// methodNames lists the methods asked for.
func (f *compareFlags) methodNames() ([]string, error) {
	names := comparedNames()
	if f.set.Changed("methods") {
		names = nil
		for _, name := range f.methods {
			name = strings.TrimSpace(name)
			switch {
			case !slices.Contains(methodNames(), name):
				return nil, noSuchMethod("--methods", name, methodNames())
			case slices.Contains(names, name):
				return nil, misuse("--methods: %s is given twice", name)
			}
			names = append(names, name)
		}
		if len(names) == 0 {
			return nil, misuse("--methods needs at least one of %s", strings.Join(methodNames(), ", "))
		}
	}
	useless := func(flags, users []string) error {
		for _, flag := range flags {
			if f.set.Changed(flag) && !slices.ContainsFunc(users, func(m string) bool { return slices.Contains(names, m) }) {
				return misuse("--%s applies only to %s, which --methods does not include", flag, either(users))
			}
		}
		return nil
	}
	return names, errors.Join(useless([]string{"sparsity"}, []string{sparseMethod, paperMethod}), useless(kernelNames, kernelMethods()))
}

// withoutKernels is a method that needs kernels where they are only to be learned:
// a row of the comparison that says so.
type withoutKernels struct{ method.Method }

func (m withoutKernels) Learn(context.Context, method.Problem) (*method.Result, error) {
	return nil, input.Errorf(m.Name(), input.Kernels, "%s", needsKernels(m.Name()))
}
