package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/sparse"
)

// learnFlags are the flags of learn as they were typed.
type learnFlags struct {
	set *pflag.FlagSet

	signals  signalFlags
	prepare  prepareFlags
	kernels  kernelFlags
	sparsity string
	known    knownFlags

	method    string
	params    []string
	recipe    *choice
	coder     *choice
	rounds    count
	step      *number
	beta      *number
	edges     count
	threshold string
	seed      uint64
	threads   count

	confidence *choice
	block      count

	out, codes, laplacian, summary, report string
	vertices                               string
	quiet, untilEOF                        bool
	progress                               *choice
}

func (f *learnFlags) define(cmd *cobra.Command) {
	f.recipe = newChoice(learn.Default, learn.Recipes()...)
	f.coder = newChoice("", sparse.Methods()...)
	f.rounds, f.edges, f.threads = count{least: 1}, count{least: 1}, count{least: 0, most: maxThreads}
	f.step, f.beta = positive(), notNegative()
	f.confidence, f.block = newChoice(nervure.Auto, nervure.Auto, nervure.Yes, nervure.No), count{least: 1}
	f.progress = newProgressFlag()

	addFlags(cmd, "Signals", f.signals.define)
	addFlags(cmd, "Preparation", f.prepare.define)
	addFlags(cmd, "Model", func(s *pflag.FlagSet) {
		f.kernels.defineChoice(s)
		defineSparsity(s, &f.sparsity)
	})
	addFlags(cmd, "Known beforehand", f.known.define)
	addFlags(cmd, "Learning", func(s *pflag.FlagSet) {
		s.StringVar(&f.method, "method", sparseMethod, "learning method `NAME`, one of those above")
		s.StringArrayVar(&f.params, "param", nil, "a parameter of a method other than sparse, `KEY=VALUE`, repeatable")
		s.Var(f.recipe, "recipe", "algorithm: default, or maretic2017 (the paper's, literally)")
		s.Lookup("recipe").DefValue = "" // "default default" helps nobody
		s.Var(f.coder, "coder", "sparse coder for up to 400 vertices: "+either(f.coder.allowed)+" (default: the recipe's own)")
		s.Var(&f.rounds, "rounds", "most rounds of coding and graph update (default: the recipe's own)")
		s.Var(f.step, "step", "first step of recipe maretic2017 (default: tuned)")
		s.Var(f.beta, "beta", "edge penalty of recipe maretic2017 (default: tuned)")
		s.Var(&f.edges, "edges", "keep only so many edges, the heaviest")
		s.StringVar(&f.threshold, "threshold", "", "keep edges of weight `X` or more, in the scale of the method (sparse: the mean degree is 1); auto cuts at the gap in the weights (default auto, other methods than sparse: their own cut)")
		s.Uint64Var(&f.seed, "seed", 1, "seed `S` of every random draw")
		s.Var(&f.threads, "threads", "cores to use, 0 for all; the result does not depend on it (default 0)")
	})
	addFlags(cmd, "Confidence", func(s *pflag.FlagSet) {
		s.Var(f.confidence, "confidence", "learn again from halves of the signals and write a confidence in [0, 1] for each edge: yes, no, or auto (method sparse with up to 150 vertices)")
		s.Var(&f.block, "block", "keep so many signals together in halves, if they follow one another in time (default: as many as count for one)")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.StringVar(&f.out, "out", "", "write the graph to `FILE`: "+writableGraphs)
		s.StringVar(&f.vertices, "vertices", "", "show what `FILE` ("+vertexFormats+") knows about vertices, by name, in the report, and write it into graphs as "+extensions(dataio.KeepsAttributes, "or"))
		s.StringVar(&f.codes, "codes", "", "write the codes to `FILE` ("+matrixFormats+"), a row for each atom, a column for each signal")
		s.StringVar(&f.laplacian, "laplacian", "", "write the normalised Laplacian to `FILE` ("+matrixFormats+")")
		s.StringVar(&f.summary, "summary", "", "write what was done, as JSON, to `FILE`; - for standard output if --out is given")
		s.StringVar(&f.report, "report", "", "write a page about the result to `FILE.html`: the graph to explore, how it came about, what fits badly")
		s.BoolVar(&f.quiet, "quiet", false, "say nothing but errors")
		s.Var(f.progress, "progress", "how to show progress: auto (a line on a terminal), plain (a line for each round), json (an object a line, for programs) or none")
		defineUntilEOF(s, &f.untilEOF)
	})
	f.set = cmd.Flags()
	f.kernels.complete(cmd, kernelsAuto, kernelsFree)
	completeSparsity(cmd)
	f.known.complete(cmd)
	mustComplete(cmd, "vertices", vertexFiles)
	mustComplete(cmd, "method", cobra.FixedCompletions(methodNames(), cobra.ShellCompDirectiveNoFileComp))
	mustComplete(cmd, "threshold", cobra.FixedCompletions([]cobra.Completion{"auto"}, cobra.ShellCompDirectiveNoFileComp))
}

// resolve turns flags into what they mean, or finds the fault in them.
func (f *learnFlags) resolve(signals string) (*learnRun, error) {
	r := &learnRun{
		source:  f.signals.file(signals),
		options: nervure.Options{Prepare: f.prepare.options(), Seed: f.seed},
		known:   f.known,
		command: commandLine("learn", signals, f.set),
		threads: f.threads.value,
		out:     f.out, codes: f.codes, laplacian: f.laplacian, summary: f.summary, reportTo: f.report,
		vertices: f.vertices,
		quiet:    f.quiet, untilEOF: f.untilEOF, progress: progressMode(f.progress.value),
	}
	if f.quiet {
		r.progress = progressNone
	}
	for _, check := range []func(*learnRun) error{f.checkMethod, f.checkRecipe, f.readMethod, f.readCut, f.readConfidence, f.checkOutput} {
		if err := check(r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Flags that other methods than sparse have no use for.
var (
	sparseFlags = append([]string{"sparsity", "recipe", "coder", "rounds", "step", "beta", "codes", "prior-weight"}, knownFiles...)
	kernelNames = []string{"kernel", "degree", "approx"} // unless they need kernels
)

func (f *learnFlags) checkMethod(*learnRun) error {
	if !slices.Contains(methodNames(), f.method) {
		return noSuchMethod("--method", f.method)
	}
	if f.method == sparseMethod {
		return nil
	}
	for _, flag := range sparseFlags {
		if f.set.Changed(flag) {
			return misuse("--%s is for --method %s only", flag, sparseMethod)
		}
	}
	for _, flag := range kernelNames {
		if f.set.Changed(flag) && !slices.Contains(kernelMethods(), f.method) {
			return misuse("--%s is for --method %s only", flag, either(kernelMethods()))
		}
	}
	return nil
}

func (f *learnFlags) checkRecipe(*learnRun) error {
	recipe := learn.Recipe(f.recipe.value)
	for _, flag := range []string{"step", "beta"} {
		if f.set.Changed(flag) && recipe != learn.Maretic2017 {
			return misuse("--%s is for --recipe %s only", flag, learn.Maretic2017)
		}
	}
	return f.known.check(f.set, recipe)
}

// readMethod makes the method, with its options, out of the flags.
func (f *learnFlags) readMethod(r *learnRun) error {
	entry, _ := nervure.MethodByName(f.method)
	params, err := readParams(entry, f.params)
	if err != nil {
		return err
	}
	choice, err := f.kernels.choice()
	if err != nil {
		return err
	}
	if f.method != sparseMethod {
		if entry.Has(method.UsesKernels) && (choice.learning == learn.KernelsScaled || choice.learning == learn.KernelsFree) {
			return misuse("--kernel: %s learns none: give them, such as heat:2", f.method)
		}
		r.params, r.options.Kernels = params, choice.kernels
		if r.options.Method, err = entry.WithParams(params); err != nil {
			return r.source.explain(err, params)
		}
		return nil
	}
	sparse := learn.Sparse{Options: learn.Options{
		Recipe: learn.Recipe(f.recipe.value), Coder: sparse.Method(f.coder.value), Rounds: f.rounds.value,
		StepSize: f.step.value, EdgePenalty: f.beta.value,
	}}
	if f.beta.given && f.beta.value == 0 {
		sparse.Options.EdgePenalty = -1 // none; zero would mean the default
	}
	choice.set(&sparse)
	sparse.Model.Sparsity, err = readSparsity(f.sparsity)
	r.options.Method = sparse
	return err
}

func (f *learnFlags) readCut(r *learnRun) error {
	switch {
	case f.edges.given && f.set.Changed("threshold"):
		return misuse("--edges and --threshold exclude each other; give one of them")
	case f.edges.given:
		r.options.Cut = graph.Cut{Rule: graph.CutEdges, Edges: f.edges.value}
	case f.set.Changed("threshold") && f.threshold == "auto":
		r.options.Cut = graph.Cut{Rule: graph.CutAuto}
	case f.set.Changed("threshold"):
		n := notNegative()
		if err := n.Set(f.threshold); err != nil {
			return misuse("--threshold %q: %s, or auto", f.threshold, err)
		}
		r.options.Cut = graph.Cut{Rule: graph.CutThreshold, Threshold: n.value}
	}
	return nil
}

func (f *learnFlags) checkOutput(r *learnRun) error {
	for _, flag := range []string{"out", "codes", "laplacian", "summary", "report", "vertices"} {
		if f.set.Changed(flag) && f.set.Lookup(flag).Value.String() == "" {
			return misuse("--%s wants the name of a file", flag)
		}
	}
	if err := checkUntilEOF(r.untilEOF, r.source.path); err != nil {
		return err
	}
	if r.summary == "-" && r.toStdout() {
		return misuse("--summary - needs --out FILE, because the graph goes to standard output already")
	}
	return nil
}
