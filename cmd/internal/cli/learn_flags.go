package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
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
	step      stepLength
	beta      *number
	edges     count
	threshold string
	seed      uint64
	threads   count
	sample    count

	confidence *choice
	block      count
	limit      timeSpan

	out, codes, laplacian, summary, report string
	model                                  string
	vertices                               string
	windows                                windowFlags
	quiet, untilEOF                        bool
	progress                               *choice
	checkpoint                             checkpointFlags
	cluster                                clusterFlags
}

func (f *learnFlags) define(cmd *cobra.Command) {
	f.defineLearning(cmd)
	f.defineOutput(cmd)
}

// defineLearning defines the flags that say how to learn.
func (f *learnFlags) defineLearning(cmd *cobra.Command) {
	f.recipe = newChoice("", defaultRecipe, paperMethod)
	f.coder = newChoice("", sparse.Methods()...)
	f.rounds, f.edges, f.threads = count{least: 1}, count{least: 1}, count{least: 0, most: maxThreads}
	f.sample = count{least: 0}
	f.beta = notNegative()
	f.confidence, f.block = newChoice(nervure.Auto, nervure.Auto, nervure.Yes, nervure.No), count{least: 1}

	addFlags(cmd, "Signals", f.signals.define)
	addFlags(cmd, "Preprocessing", f.prepare.define)
	addFlags(cmd, "Model", func(s *pflag.FlagSet) {
		f.kernels.defineChoice(s)
		defineSparsity(s, &f.sparsity)
	})
	addFlags(cmd, "Prior knowledge", f.known.define)
	addFlags(cmd, "Learning", func(s *pflag.FlagSet) {
		s.StringVar(&f.method, "method", autoMethod, "learning method `NAME`, one of those listed above; kernels and the flags of sparse imply sparse")
		s.StringArrayVar(&f.params, "param", nil, "parameter `KEY=VALUE` of a method other than sparse (repeatable)")
		s.Var(f.recipe, "recipe", "the former name of --method sparse (default) and --method maretic2017 (maretic2017); it will go")
		s.Var(f.coder, "coder", fmt.Sprintf("sparse coder for fewer than %d vertices: %s (default: the method's own)", learn.DefaultLargeFrom, either(f.coder.allowed)))
		s.Var(&f.rounds, "rounds", "maximum number of rounds of coding and graph update (default: the method's own)")
		s.Var(&f.step, "step", "with --window, from the begin of one window to that of the next (default: the window); with --method maretic2017, initial step size (default: tuned)")
		s.Var(f.beta, "beta", "edge penalty of --method maretic2017, 0 for none (default: tuned)")
		s.Var(&f.edges, "edges", "keep only the N heaviest edges")
		s.StringVar(&f.threshold, "threshold", "", "keep edges of weight `X` or more, on the scale of the method (sparse: mean degree 1); auto cuts at the gap in the weights (default: auto for sparse, otherwise the method's own cut)")
		s.Uint64Var(&f.seed, "seed", 1, "random seed `S`; 0 is the same as 1")
		s.Var(&f.threads, "threads", "number of cores, 0 for all; does not affect the result (default 0)")
		s.Var(&f.limit, "time-limit", "end after this time, such as 30s or 2m, with the best graph so far, pruned quickly; searches for faults and cycles, tests and confidence are left out if there is no time for them (default none)")
		s.Var(&f.sample, "sample", fmt.Sprintf("of very many signals learn from N and hold the others against the graph; 0 learns from all (default %s, or all with --codes)", words.Thousands(nervure.SampleSignals)))
	})
	addFlags(cmd, "Confidence", func(s *pflag.FlagSet) {
		s.Var(f.confidence, "confidence", fmt.Sprintf("estimate the confidence of each edge, in [0, 1], by learning again from halves of the signals: yes, no or auto (method sparse with up to %d vertices and %s values, method ggl with up to %d and %s, if a file that is written shows it)",
			nervure.ConfidenceVertices, words.Thousands(nervure.ConfidenceValues), nervure.FieldConfidenceVertices, words.Thousands(nervure.FieldConfidenceValues)))
		s.Var(&f.block, "block", "for time series: keep blocks of N consecutive signals together when splitting into halves (default: estimated from the signals)")
	})
	f.set = cmd.Flags()
	f.kernels.complete(cmd, kernelsAuto, kernelsFree)
	completeSparsity(cmd)
	f.known.complete(cmd)
	mustComplete(cmd, "method", cobra.FixedCompletions(namesOf(learnMethods()), cobra.ShellCompDirectiveNoFileComp))
	mustComplete(cmd, "threshold", cobra.FixedCompletions([]cobra.Completion{"auto"}, cobra.ShellCompDirectiveNoFileComp))
}

// defineOutput defines the flags that say what to write and show.
func (f *learnFlags) defineOutput(cmd *cobra.Command) {
	f.progress = newProgressFlag()
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.StringVar(&f.out, "out", "", "write the graph to `FILE`: "+writableGraphs)
		s.StringVar(&f.vertices, "vertices", "", "read vertex attributes such as coordinates from `FILE` ("+vertexFormats+"), matched by name; show them in the report and write them to "+extensions(dataio.KeepsAttributes, "or")+" graphs")
		s.StringVar(&f.codes, "codes", "", "write the codes to `FILE` ("+matrixFormats+"), one row per atom and one column per signal; with --method auto only if it chooses sparse")
		s.StringVar(&f.laplacian, "laplacian", "", "write the normalised Laplacian to `FILE` ("+matrixFormats+")")
		s.StringVar(&f.summary, "summary", "", "write a JSON summary of the run to `FILE`, or - for standard output if --out is given")
		s.StringVar(&f.report, "report", "", "write a self-contained report to `FILE.html`: interactive graph, learning curves, what fits badly")
		s.StringVar(&f.model, "model", "", "write all that nervure encode needs to code, denoise and score new signals to `FILE.json`")
		s.BoolVar(&f.quiet, "quiet", false, "print only errors")
		s.Var(f.progress, "progress", "progress output: auto (one line on a terminal), plain (one line per round), json (one JSON object per line, with drawings of the graph), steps (the same without drawings, which is faster) or none")
		defineUntilEOF(s, &f.untilEOF)
	})
	addFlags(cmd, "Windows", f.windows.define)
	addFlags(cmd, "Long runs", f.checkpoint.define)
	f.cluster.defineCoordinator(cmd)
	mustComplete(cmd, "vertices", vertexFiles)
}

// resolve turns flags into what they mean, or finds the fault in them.
func (f *learnFlags) resolve(files ...string) (*learnRun, error) {
	r := &learnRun{
		source:  f.signals.file(files[0]),
		options: nervure.Options{Prepare: f.prepare.options(), BadSensors: f.prepare.sensorRule(), Seed: f.seed, TimeLimit: f.limit.value},
		known:   f.known,
		command: commandLine("learn", files, f.set),
		threads: f.threads.value,
		out:     f.out, codes: f.codes, laplacian: f.laplacian, summary: f.summary, reportTo: f.report, model: f.model,
		vertices:   f.vertices,
		checkpoint: f.checkpoint, cluster: f.cluster, flags: flagWords(f.set, notOfParts),
		quiet: f.quiet, untilEOF: f.untilEOF, progress: progressMode(f.progress.value),
	}
	r.source.more = files[1:]
	if f.quiet {
		r.progress = progressNone
	}
	for _, check := range []func(*learnRun) error{f.readRecipe, f.checkMethod, f.checkPaper, f.readMethod, f.readCut, f.readSample, f.readConfidence, f.checkOutput, f.checkCheckpoint, f.readWindows} {
		if err := check(r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Flags that other methods than sparse and the paper's have no use for: they imply sparse.
var (
	sparseFlags = append([]string{"sparsity", "coder", "rounds", "step", "beta", "codes", "prior-weight"}, knownFiles...)
	kernelNames = []string{"kernel", "degree", "approx"} // unless they need kernels
)

// isOfMethod says whether a flag was given, for the method: a step may be that of windows.
func (f *learnFlags) isOfMethod(flag string) bool {
	return f.set.Changed(flag) && !(flag == "step" && f.windows.window.given)
}

func (f *learnFlags) checkMethod(*learnRun) error {
	if names := namesOf(learnMethods()); !slices.Contains(names, f.method) {
		return noSuchMethod("--method", f.method, names)
	}
	if !f.set.Changed("method") && f.method == autoMethod && slices.ContainsFunc(slices.Concat(sparseFlags, kernelNames), f.isOfMethod) {
		f.method = sparseMethod
	}
	if f.method == sparseMethod || f.method == paperMethod {
		return nil
	}
	for _, flag := range sparseFlags {
		if f.isOfMethod(flag) && !(flag == "codes" && f.method == autoMethod) {
			return misuse("--%s applies only to --method %s", flag, sparseMethod)
		}
	}
	for _, flag := range kernelNames {
		if f.set.Changed(flag) && !slices.Contains(kernelMethods(), f.method) {
			return misuse("--%s applies only to --method %s", flag, either(kernelMethods()))
		}
	}
	if entry, _ := nervure.MethodByName(f.method); f.laplacian != "" && entry.Has(method.DirectedEdges) {
		return misuse("--laplacian applies to undirected graphs, and --method %s learns a directed one", f.method)
	}
	return nil
}

// defaultRecipe is what --recipe called the algorithm of sparse.
const defaultRecipe = "default"

// recipeMethod returns the method that --recipe stands for, or "".
func (f *learnFlags) recipeMethod() string {
	if f.recipe.value == defaultRecipe {
		return sparseMethod
	}
	return f.recipe.value
}

// noteRecipe tells people what to write instead of --recipe.
func (f *learnFlags) noteRecipe(c console, quiet bool) {
	if m := f.recipeMethod(); m != "" && !quiet {
		fmt.Fprintf(c.err, "note: --recipe %s will be removed: use --method %s\n", f.recipe.value, m)
	}
}

// readRecipe takes --recipe for the method that it stands for.
func (f *learnFlags) readRecipe(*learnRun) error {
	m := f.recipeMethod()
	if m == "" {
		return nil
	}
	if f.set.Changed("method") && f.method != sparseMethod && f.method != m {
		return misuse("--recipe applies only to --method %s", sparseMethod)
	}
	f.method = m
	return nil
}

// checkPaper checks the flags that the sparse method and the paper's do not share.
func (f *learnFlags) checkPaper(*learnRun) error {
	for _, flag := range []string{"step", "beta"} {
		if f.isOfMethod(flag) && f.method != paperMethod {
			return misuse("--%s applies only to --method %s", flag, paperMethod)
		}
	}
	return f.known.check(f.set, f.method)
}

// paperParams adds the parameters of the paper's method that have flags of their own.
func (f *learnFlags) paperParams(params map[string]string) (map[string]string, error) {
	all := maps.Clone(params)
	if all == nil {
		all = map[string]string{}
	}
	if f.isOfMethod("step") {
		if _, err := f.step.size(); err != nil {
			return nil, err
		}
		all["step"] = f.step.text
	}
	if f.rounds.given {
		all["rounds"] = f.rounds.String()
	}
	if f.beta.given {
		all["beta"] = f.beta.String()
		if f.beta.value == 0 { // as a parameter, zero means the default
			all["no-penalty"] = "1"
		}
	}
	for key := range params {
		if key != "decay" && key != "no-penalty" && f.isOfMethod(key) {
			return nil, misuse("--%s and --param %s cannot be used together", key, key)
		}
	}
	return all, nil
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
		if entry.Has(method.UsesKernels) && choice.learned() {
			return misuse("--kernel: %s", needsKernels(f.method))
		}
		if f.method == paperMethod {
			if params, err = f.paperParams(params); err != nil {
				return err
			}
		}
		r.params = params
		if entry.Has(method.UsesKernels) {
			r.options.Kernels = choice.kernels
		}
		if r.options.Method, err = entry.WithParams(params); err != nil {
			return r.source.explain(err, params)
		}
		if paper, ok := r.options.Method.(learn.Maretic2017); ok {
			paper.Coder = learn.Coder(f.coder.value)
			paper.Model.Sparsity, err = readSparsity(f.sparsity)
			r.options.Method = paper
		}
		return err
	}
	sparse := learn.Sparse{Options: learn.Options{Coder: learn.Coder(f.coder.value), Rounds: f.rounds.value}}
	choice.set(&sparse)
	sparse.Model.Sparsity, err = readSparsity(f.sparsity)
	r.options.Method = sparse
	return err
}

func (f *learnFlags) readCut(r *learnRun) error {
	switch {
	case f.edges.given && f.set.Changed("threshold"):
		return misuse("--edges and --threshold cannot be used together")
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
	for _, flag := range []string{"out", "codes", "laplacian", "summary", "report", "model", "vertices"} {
		if f.set.Changed(flag) && f.set.Lookup(flag).Value.String() == "" {
			return misuse("--%s needs a file name", flag)
		}
	}
	if len(r.source.more) > 0 {
		for _, path := range r.source.paths() {
			if path == "-" || isSample(path) {
				return misuse("several files of a study are united by time: %s is not a file", inputName(path))
			}
		}
		if r.cluster.asked() {
			return misuse("--cluster takes one file of signals, not several")
		}
	}
	if err := checkUntilEOF(r.untilEOF, r.source.path); err != nil {
		return err
	}
	if r.summary == "-" && r.toStdout() {
		return misuse("--summary - needs --out FILE, because the graph is already written to standard output")
	}
	return nil
}
