package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/sparse"
)

// learnFlags are the flags of learn as they were typed.
type learnFlags struct {
	set *pflag.FlagSet

	format    *choice
	transpose bool

	kernels  kernelFlags
	sparsity string

	method    string
	recipe    *choice
	coder     *choice
	rounds    count
	step      *number
	beta      *number
	edges     count
	threshold string
	seed      uint64
	threads   count

	out, codes, laplacian, summary string
	quiet                          bool
	progress                       *choice
}

func (f *learnFlags) define(cmd *cobra.Command) {
	f.format = newChoice("", dataio.CSV, dataio.TSV, dataio.NPY, dataio.NPZ)
	f.recipe = newChoice(learn.Default, learn.Recipes()...)
	f.coder = newChoice("", sparse.Methods()...)
	f.rounds, f.edges, f.threads = count{least: 1}, count{least: 1}, count{least: 0, most: maxThreads}
	f.step, f.beta = positive(), notNegative()
	f.progress = newChoice(progressAuto, progressAuto, progressPlain, progressNone)

	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		s.Var(f.format, "format", "format of the signals, if the name of the file does not say: csv, tsv, npy or npz")
		s.BoolVar(&f.transpose, "transpose", false, "vertices are in rows, observations in columns")
	})
	addFlags(cmd, "Model", func(s *pflag.FlagSet) {
		f.kernels.define(s)
		s.StringVar(&f.sparsity, "sparsity", "", "at most `N` atoms a signal (default 4, or half the vertices if that is less)")
	})
	addFlags(cmd, "Learning", func(s *pflag.FlagSet) {
		s.StringVar(&f.method, "method", "sparse", "learning method `NAME`; this version has sparse only")
		s.Var(f.recipe, "recipe", "algorithm: default, or maretic2017 (the paper's, literally)")
		s.Lookup("recipe").DefValue = "" // "default default" helps nobody
		s.Var(f.coder, "coder", "sparse coder: omp, ols, beam, mp or l1 (default: the recipe's own)")
		s.Var(&f.rounds, "rounds", "most rounds of coding and graph update (default: the recipe's own)")
		s.Var(f.step, "step", "first step of recipe maretic2017 (default: tuned)")
		s.Var(f.beta, "beta", "edge penalty of recipe maretic2017 (default: tuned)")
		s.Var(&f.edges, "edges", "keep only so many edges, the heaviest")
		s.StringVar(&f.threshold, "threshold", "", "keep edges of weight `X` or more, where the mean degree is 1; auto cuts at the gap in the weights (default auto)")
		s.Uint64Var(&f.seed, "seed", 1, "seed `S` of every random draw")
		s.Var(&f.threads, "threads", "cores to use, 0 for all; the result does not depend on it (default 0)")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.StringVar(&f.out, "out", "", "write the graph to `FILE`: .csv, .tsv, .json, .graphml, .gexf, .dot, .mtx or .npy")
		s.StringVar(&f.codes, "codes", "", "write the codes to `FILE` (.npy, .npz, .csv or .tsv), a row for each atom, a column for each signal")
		s.StringVar(&f.laplacian, "laplacian", "", "write the normalised Laplacian to `FILE` (.npy, .npz, .csv or .tsv)")
		s.StringVar(&f.summary, "summary", "", "write what was done, as JSON, to `FILE`; - for standard output if --out is given")
		s.BoolVar(&f.quiet, "quiet", false, "say nothing but errors")
		s.Var(f.progress, "progress", "how to show progress: auto (a line on a terminal), plain (a line for each round) or none")
	})
	f.set = cmd.Flags()
	f.kernels.complete(cmd)
	mustComplete(cmd, "method", cobra.FixedCompletions([]cobra.Completion{"sparse"}, cobra.ShellCompDirectiveNoFileComp))
	mustComplete(cmd, "threshold", cobra.FixedCompletions([]cobra.Completion{"auto"}, cobra.ShellCompDirectiveNoFileComp))
}

// resolve turns flags into what they mean, or finds the fault in them.
func (f *learnFlags) resolve(signals string) (*learnRun, error) {
	r := &learnRun{
		signals: signals,
		read:    dataio.ReadOptions{Format: dataio.Format(f.format.value), Transpose: f.transpose},
		method:  f.method,
		options: learn.Options{
			Recipe: learn.Recipe(f.recipe.value), Coder: sparse.Method(f.coder.value), Rounds: f.rounds.value, Seed: f.seed,
			StepSize: f.step.value, EdgePenalty: f.beta.value,
		},
		threads: f.threads.value,
		out:     f.out, codes: f.codes, laplacian: f.laplacian, summary: f.summary,
		quiet: f.quiet, progress: progressMode(f.progress.value),
	}
	if f.quiet {
		r.progress = progressNone
	}
	if f.beta.given && f.beta.value == 0 {
		r.options.EdgePenalty = -1 // none; zero would mean the default
	}
	for _, check := range []func(*learnRun) error{f.checkMethod, f.checkRecipe, f.readModel, f.readCut, f.checkOutput} {
		if err := check(r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (f *learnFlags) checkMethod(*learnRun) error {
	switch {
	case slices.Contains(unavailable, f.method):
		return misuse("--method %s is not available in this version; sparse is", f.method)
	case f.method != "sparse":
		return misuse("--method %q: there is no such method; want sparse", f.method)
	}
	return nil
}

func (f *learnFlags) checkRecipe(r *learnRun) error {
	for _, flag := range []string{"step", "beta"} {
		if f.set.Changed(flag) && r.options.Recipe != learn.Maretic2017 {
			return misuse("--%s is for --recipe %s only", flag, learn.Maretic2017)
		}
	}
	return nil
}

func (f *learnFlags) readModel(r *learnRun) error {
	kernels, err := f.kernels.kernels()
	if err != nil {
		return err
	}
	r.model.Kernels = kernels
	switch {
	case f.sparsity == "auto":
		return misuse("--sparsity auto is not available in this version; give a number such as 4")
	case f.set.Changed("sparsity"):
		c := count{least: 1}
		if err := c.Set(f.sparsity); err != nil {
			return misuse("--sparsity %q: %s", f.sparsity, err)
		}
		r.model.Sparsity = c.value
	}
	return nil
}

func (f *learnFlags) readCut(r *learnRun) error {
	switch {
	case f.edges.given && f.set.Changed("threshold"):
		return misuse("--edges and --threshold exclude each other; give one of them")
	case f.edges.given:
		r.options.Cut = graph.Cut{Rule: graph.CutEdges, Edges: f.edges.value}
	case f.set.Changed("threshold") && f.threshold != "auto":
		n := notNegative()
		if err := n.Set(f.threshold); err != nil {
			return misuse("--threshold %q: %s, or auto", f.threshold, err)
		}
		r.options.Cut = graph.Cut{Rule: graph.CutThreshold, Threshold: n.value}
	}
	return nil
}

func (f *learnFlags) checkOutput(r *learnRun) error {
	for _, flag := range []string{"out", "codes", "laplacian", "summary"} {
		if f.set.Changed(flag) && f.set.Lookup(flag).Value.String() == "" {
			return misuse("--%s wants the name of a file", flag)
		}
	}
	if r.summary == "-" && r.toStdout() {
		return misuse("--summary - needs --out FILE, because the graph goes to standard output already")
	}
	return nil
}
