package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
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
		s.StringVar(&f.truth, "truth", "", "the true graph, `FILE`: "+readableGraphs)
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
