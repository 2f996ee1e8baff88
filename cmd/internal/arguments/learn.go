package arguments

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// defineRead defines the flags that say how a file of signals is to be read.
func defineRead(s *pflag.FlagSet, r *document.RunRead) {
	format := boundTo(&r.Format, dataio.Formats(dataio.ReadsSignals)...)
	s.Var(format, "format", "format of the signals, overriding the file extension: "+either(format.allowed))
	s.Var(boundString(&r.Variable), "variable", "`NAME` of the array or sheet to read from a file that holds several ("+Extensions(dataio.HoldsVariables, "or")+"; default: the only matrix, or the one called signals, Y, X or data)")
	boundBool(s, &r.Transpose, "transpose", "vertices are in rows, observations in columns")
	s.Var(boundChecked(&r.Delimiter, "CHARACTER", dataio.CheckDelimiter), "delimiter", "what separates the cells of a table of text: a character, or comma, semicolon, tab, pipe or blank, which is runs of blanks (default: found out)")
	s.Var(&boundCount{to: &r.SkipRows}, "skip-rows", "number N of lines before the table (default: found out where that is certain)")
	s.Var(boundColumns(&r.Columns), "columns", "read only these columns of a table, besides times: names, numbers from 1, and ranges such as 3-10, 3- or a:d, with commas between them (repeatable)")
	s.Var(boundChecked(&r.Encoding, "NAME", dataio.CheckEncoding), "encoding", "encoding of a table of text: "+either(dataio.Encodings())+" (default: utf-8, or what the text clearly is)")
	s.Var(boundString(&r.Sheet), "sheet", "`NAME` of the sheet of a workbook (default: the only one with a table of numbers)")
	s.Var(boundFile(&r.Names), "names", "read the names of the vertices from `FILE`, one per line, for signals that have none, such as .npy")
	s.Var(boundFile(&r.Times), "times", "read the times of the observations from `FILE`, one per line, for signals that have none, such as .npy")
	s.Var(boundSpan(&r.Resample), "resample", "average the observations over spans of `TIME`, such as 15m, 1h or 7d, by the times in the file; missing where nothing was measured")
}

// definePrepare defines the flags that say what is done to signals before learning.
func definePrepare(s *pflag.FlagSet, p *document.RunPrepare) {
	choice := func(to *string, name, usage string) *pflag.Flag {
		return withDefault(s, boundTo(to, prepare.Auto, prepare.Yes, prepare.No), name, string(prepare.Auto), usage)
	}
	boundBool(s, &p.Log, "log", "take the natural logarithm of all values")
	s.Var(boundOffset(p), "log-offset", "add X to all values, then take logarithms")
	withDefault(s, boundTo(&p.BadSensors, prepare.FaultRules()...), "bad-sensors", string(prepare.MaskFaults), "how to treat readings that look like sensor faults: report lists them, mask makes them missing, drop makes all values of the sensor missing")
	withDefault(s, boundTo(&p.Rows, prepare.RowsAuto, prepare.RowsTime, prepare.RowsIndependent), "rows", string(prepare.RowsAuto), "what the rows are to each other: time, moments in their order, or independent, so that their order says nothing (auto: time if they have times or neighbours are alike beyond chance, and not only because rows are sorted)")
	withDefault(s, boundSeason(p), "season", string(prepare.Auto), "remove cycles of N observations, such as 24, or 24,168 for two; auto: those that are clear; no: none")
	choice(&p.Detrend, "detrend", "remove a smooth trend of each vertex: auto, yes or no (auto: if it is clear and the observations follow one another in time)").NoOptDefVal = string(prepare.Yes)
	choice(&p.Difference, "difference", "take differences between consecutive observations: auto, yes or no (auto: learn removes an autoregression, of which values and differences are the two ends, from rows in time if the halves of the recording then agree better; no: values are kept)").NoOptDefVal = string(prepare.Yes)
	choice(&p.Center, "center", "remove the mean of each vertex: auto, yes or no")
	choice(&p.Scale, "scale", "divide each vertex by its standard deviation: auto, yes or no")
	withDefault(s, boundTo(&p.CommonMode, "auto", "remove", "keep"), "common-mode", "auto", "remove from each signal its mean over the vertices: auto, remove or keep (auto: learn removes it for low-pass kernels, otherwise it is kept)")
	choice(&p.Scores, "scores", "learn fields from normal scores instead of values: auto, yes or no (auto: if values are clearly not normal, such as counts, survey answers or heavy tails)").NoOptDefVal = string(prepare.Yes)
}

// What --kernel takes besides specifications where a graph is learned.
const (
	kernelsAuto = string(learn.KernelsAuto)
	kernelsFree = string(learn.KernelsFree) // or free:S
)

// defineModel defines the flags of the model, for commands that learn it with a graph.
func defineModel(s *pflag.FlagSet, r *document.Run) {
	s.Var(boundSpecs(&r.Kernels), "kernel", "kernel `SPEC` (repeatable): "+kernelSpecs()+
		"; add auto to learn the scales of the others; free learns free polynomials, free:S exactly S of them (default auto: chosen from the signals)")
	s.Var(&boundCount{&r.Kernels.Degree, 1, kernel.MaxDegree}, "degree", "degree of the kernel polynomials (default 15, or 6 for free polynomials)")
	withDefault(s, boundTo(&r.Kernels.Approximation, kernel.Taylor, kernel.Chebyshev), "approx", string(kernel.Taylor), "polynomial approximation of the kernels: taylor or chebyshev")
	withDefault(s, boundSparsity(&r.Method), "sparsity", auto, "sparse: maximum number `N` of atoms per signal, or auto to choose it from the signals")
}

func completeModel(cmd *cobra.Command) {
	completeKernels(cmd, kernelsAuto, kernelsFree)
	completeWords(cmd, "sparsity", auto, "4")
}

func defineSeed(s *pflag.FlagSet, r *document.Run) {
	withDefault(s, boundSeed(&r.Seed), "seed", "1", "random seed `S`; 0 is the same as 1")
}

// Learn are the flags of learn: the run that they say, and how it is carried out.
type Learn struct {
	run document.Run
	Session

	recipe string // "" if not given
	step   string
	beta   *float64
}

// Define adds the flags to a command.
func (f *Learn) Define(cmd *cobra.Command) {
	f.defineLearning(cmd)
	f.defineOutput(cmd)
}

// defineLearning defines the flags that say how to learn.
func (f *Learn) defineLearning(cmd *cobra.Command) {
	r := &f.run
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) { defineRead(s, &r.Read) })
	addFlags(cmd, "Preprocessing", func(s *pflag.FlagSet) { definePrepare(s, &r.Prepare) })
	addFlags(cmd, "Model", func(s *pflag.FlagSet) { defineModel(s, r) })
	addFlags(cmd, "Prior knowledge", func(s *pflag.FlagSet) {
		s.Var(boundFile(&r.Known.Allow), "allow", "allow only the edges in `FILE`, any graph file; weights are ignored")
		s.Var(boundFile(&r.Known.Forbid), "forbid", "forbid the edges in `FILE`, even if they are allowed")
		s.Var(boundFile(&r.Known.Init), "init", "start from the graph in `FILE`")
		s.Var(boundFile(&r.Known.Prior), "prior", "pull the weights towards those of the graph in `FILE`")
		s.Var(positive(&r.Known.PriorWeight), "prior-weight", "count the prior as `X` signals (default 5)")
	})
	addFlags(cmd, "Learning", func(s *pflag.FlagSet) {
		withDefault(s, boundString(&r.Method.Name), "method", AutoMethod, "learning method `NAME`, one of those listed above; kernels and the flags of sparse imply sparse, matern kernels alone field")
		s.Var(boundParams(&r.Method), "param", "parameter `KEY=VALUE` of a method other than sparse (repeatable)")
		s.Var(boundTo(&f.recipe, defaultRecipe, PaperMethod), "recipe", "deprecated: use --method sparse (for default) or --method maretic2017 (for maretic2017)")
		coder := boundTo(&r.Method.Coder, sparse.Methods()...)
		s.Var(coder, "coder", fmt.Sprintf("sparse coder for fewer than %d vertices: %s (default: the method's own)", learn.DefaultLargeFrom, either(coder.allowed)))
		s.Var(&boundCount{to: &r.Method.Rounds, least: 1}, "rounds", "maximum number of rounds of coding and graph update (default: the method's own)")
		f.step = r.Windows.Step
		s.Var(boundStep(&f.step), "step", "with --window, distance between the starts of consecutive windows (default: the window); with --method maretic2017, initial step size (default: tuned)")
		s.Var(boundFunc{"X", func() string { return "" }, func(text string) error {
			f.beta = new(float64)
			return notNegative(f.beta).Set(text)
		}}, "beta", "edge penalty of --method maretic2017 (default: tuned)")
		s.Var(&boundCount{to: &r.Cut.Edges, least: 1}, "edges", "keep only the N heaviest edges")
		s.Var(boundThreshold(&r.Cut), "threshold", "keep edges of weight `X` or more, on the scale of the method (sparse: mean degree 1); auto cuts at the gap in the weights (default: auto for sparse, otherwise the method's own cut)")
		defineSeed(s, r)
		defineThreads(s, &f.Threads, "the result")
		s.Var(boundLimit(&r.TimeLimit), "time-limit", "end after this time, such as 30s or 2m, with the best graph so far, pruned quickly; searches for faults and cycles, tests and confidence are left out if there is no time for them (default none)")
		s.Var(boundCountOrNone(&r.Sample, &r.AllSignals), "sample", fmt.Sprintf("learn from a sample of N signals and check the rest against the graph; 0 learns from all (default %s, fewer with more than %s vertices, or all with --codes)", words.Thousands(signals.SampleSize(1)), words.Thousands(signals.SampledAll)))
	})
	addFlags(cmd, "Confidence", func(s *pflag.FlagSet) {
		s.BoolVar(&r.Check.KeepEdges, "keep-edges", r.Check.KeepEdges, "keep the edges even if the verdict is \"no structure\"; without this, --edges, --threshold X or a --method other than sparse and field, the graph then has none")
		withDefault(s, boundTo(&r.Check.Confidence, nervure.Auto, nervure.Yes, nervure.No), "confidence", string(nervure.Auto), fmt.Sprintf("estimate the confidence of each edge, in [0, 1], by learning again from halves of the signals: yes, no or auto (method sparse with up to %d vertices and %s values, other methods with up to %d and %s, above that with up to %s and %s, if a file that is written shows it)",
			nervure.ConfidenceVertices, words.Thousands(nervure.ConfidenceValues), assess.MostDensePairs, words.Thousands(nervure.FieldConfidenceValues),
			words.Thousands(nervure.FieldConfidenceVertices), words.Thousands(nervure.LargeConfidenceValues)))
		s.Var(boundRate(&r.Cut.FDR), "fdr", "keep only edges whose partial correlation exceeds the floor at this false discovery rate, such as 0.1 (default: keep all)")
		s.Var(boundFloor(&r.Check.Floor), "floor", "size of the partial correlation that edges are tested for exceeding; auto takes 0.4 over the mean degree of the graph, at most 0.2 (default auto)")
		s.Var(&boundCount{to: &r.Check.Block, least: 1}, "block", "for time series: keep blocks of N consecutive signals together when splitting into halves (default: estimated from the signals)")
	})
	completeModel(cmd)
	for _, flag := range []string{"allow", "forbid", "init", "prior"} {
		mustComplete(cmd, flag, GraphFiles)
	}
	mustComplete(cmd, "method", cobra.FixedCompletions(namesOf(LearnMethods()), cobra.ShellCompDirectiveNoFileComp))
	completeWords(cmd, "threshold", "auto")
}

// defineOutput defines the flags that say what to write and show.
func (f *Learn) defineOutput(cmd *cobra.Command) {
	w := &f.run.Write
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.Var(boundFile(&w.Graph), "out", "write the graph to `FILE`: "+WritableGraphs+"; with --by or --covariate, a folder for the graphs, their differences and a page")
		s.Var(boundFile(&f.run.Read.Vertices), "vertices", "read vertex attributes such as coordinates from `FILE` ("+vertexFormats+"), matched by name; show them in the report and write them to "+Extensions(dataio.KeepsAttributes, "or")+" graphs")
		s.Var(boundFile(&w.Codes), "codes", "write the codes to `FILE` ("+matrixFormats+"), one row per atom and one column per signal; with --method auto only if it chooses sparse")
		s.Var(boundFile(&w.Laplacian), "laplacian", "write the normalised Laplacian to `FILE` ("+matrixFormats+")")
		s.Var(boundFile(&w.Summary), "summary", "write a JSON summary of the run to `FILE`, or - for standard output if --out is given")
		s.Var(boundFile(&w.Report), "report", "write a self-contained report to `FILE.html`: interactive graph, learning curves, what fits badly")
		s.Var(boundFile(&w.Model), "model", "write all that nervure encode needs to code, denoise and score new signals to `FILE.json`")
		f.defineShowing(s, "round", "the graph")
	})
	addFlags(cmd, "Windows", func(s *pflag.FlagSet) {
		s.Var(boundLength(&f.run.Windows.Window), "window", "learn a graph for each window of `LENGTH`: a span of time such as 7d, or a number of observations such as 200; --step is the distance between their starts")
		s.Var(boundFile(&f.run.Windows.Dir), "windows", "write the graphs of all windows, the changes between them and a page to folder `DIR`")
	})
	addFlags(cmd, "Groups", func(s *pflag.FlagSet) {
		defineGrouping(s, &f.run.Groups)
	})
	f.defineLongRuns(cmd)
	mustComplete(cmd, "vertices", vertexFiles)
}

// Document returns the run that was asked for, with what stands for others in it.
func (f *Learn) Document(files ...string) (document.Run, error) {
	r := f.run
	r.Version, r.Read.Files = document.RunVersion, files
	maretic, sparse := PaperMethod, SparseMethod
	switch {
	case f.recipe != "" && r.Method.Name != "" && r.Method.Name != sparse && r.Method.Name != maretic:
		return r, Misuse("--recipe applies only to --method %s", sparse)
	case f.recipe == maretic:
		r.Method.Name = maretic
	case f.recipe != "":
		r.Method.Name = cmp.Or(r.Method.Name, sparse)
	}
	size := f.step != "" && r.Windows.Window == "" && r.Windows.Dir == ""
	for _, flag := range []struct {
		name string
		set  bool
	}{{"step", size}, {"beta", f.beta != nil}} {
		switch {
		case !flag.set || r.Method.Name == maretic:
		case r.Method.Name == "" || r.Method.Name == sparse:
			return r, Misuse("--%s applies only to --method %s", flag.name, maretic)
		default:
			return r, Misuse("--%s applies only to --method %s", flag.name, sparse)
		}
	}
	params := document.Params{}
	if size {
		var step float64
		if positive(&step).Set(f.step) != nil {
			return r, Misuse("--step %q: want a positive number; a step between windows needs --window", f.step)
		}
		params["step"] = step
	} else if f.step != "" {
		if boundLength(new(string)).check(f.step) != nil {
			return r, Misuse("--step %q: want a number of observations or a span of time such as 1d", f.step)
		}
		r.Windows.Step = f.step
	}
	switch {
	case f.beta == nil:
	case *f.beta == 0:
		params["no-penalty"] = 1
	default:
		params["beta"] = *f.beta
	}
	for key, value := range r.Method.Params {
		if _, twice := params[key]; twice {
			return r, Misuse("--%s and --param %s cannot be used together", key, key)
		}
		params[key] = value
	}
	if len(params) > 0 {
		r.Method.Params = params
	}
	return r, nil
}

// defaultRecipe is what --recipe called the algorithm of sparse.
const defaultRecipe = "default"

// RecipeNote tells people what to write instead of --recipe, if they used it.
func (f *Learn) RecipeNote() string {
	method := f.recipe
	if method == "" {
		return ""
	}
	if method == defaultRecipe {
		method = SparseMethod
	}
	return fmt.Sprintf("note: --recipe %s will be removed: use --method %s", f.recipe, method)
}

// Compare are the flags of compare: the comparison that they say, and how it is
// carried out.
type Compare struct {
	run     document.Run
	compare document.RunCompare
	Session
}

// Define adds the flags to a command.
func (f *Compare) Define(cmd *cobra.Command) {
	r := &f.run
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		defineRead(s, &r.Read)
		s.Var(boundFile(&f.compare.Truth), "truth", "ground-truth graph `FILE`: "+readableGraphs)
	})
	addFlags(cmd, "Preprocessing", func(s *pflag.FlagSet) { definePrepare(s, &r.Prepare) })
	addFlags(cmd, "Learning", func(s *pflag.FlagSet) {
		s.Var(boundMethods(&f.compare), "methods", "comma-separated `NAMES` of the methods to run (default all)")
		defineModel(s, r)
		s.Var(&boundCount{to: &r.Cut.Edges, least: 1}, "edges", "keep only the N heaviest edges (default: each method's own cut)")
		s.Var(boundCountOrNone(&f.compare.Folds, &f.compare.Unranked), "folds", "rank methods by N-fold cross-validation, 1 for learning from the first half of the signals and ranking by the second, 0 for no ranking (default 5, 2 for many vertices and signals, 1 for very many)")
		defineSeed(s, r)
		defineThreads(s, &f.Threads, "the graphs")
		s.Var(boundLimit(&r.TimeLimit), "time-limit", "cut off each method after this time, such as 90s or 5m; 0 for no limit (default none, or 90s for many vertices and signals)")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		boundBool(s, &r.Write.JSON, "json", "print JSON instead of a table")
		s.Var(boundFile(&r.Write.Comparison), "out", "also write the comparison to `FILE`: .json for everything, .csv for one line per method")
		f.defineShowing(s, "method", "the graphs")
	})
	f.Cluster.defineCoordinator(cmd)
	completeModel(cmd)
	mustComplete(cmd, "truth", GraphFiles)
	mustComplete(cmd, "methods", cobra.FixedCompletions(methodNames(), cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// Document returns the comparison that was asked for.
func (f *Compare) Document(set *pflag.FlagSet, file string) (document.Run, error) {
	r, c := f.run, f.compare
	r.Version, r.Read.Files, r.Compare = document.RunVersion, []string{file}, &c
	if set.Changed("methods") && len(c.Methods) == 0 {
		return r, Misuse("--methods needs at least one of %s", strings.Join(methodNames(), ", "))
	}
	return r, nil
}

// SparseMethod is the method that the flags of learn are mostly about.
var SparseMethod = learn.Sparse{}.Name()

// PaperMethod is the paper's algorithm for the same model.
var PaperMethod = learn.Maretic2017{}.Name()

// methodNames lists the methods, our own first.
func methodNames() []string { return namesOf(nervure.Methods()) }

// LearnMethods lists what --method of learn takes: the choice among methods, and all
// of them.
func LearnMethods() []method.Entry {
	auto, _ := nervure.MethodByName(AutoMethod)
	return append([]method.Entry{auto}, nervure.Methods()...)
}

// AutoMethod is the name of the automatic choice.
var AutoMethod = nervure.AutoMethod{}.Name()

func namesOf(entries []method.Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// defineGrouping defines the flags that say which groups are compared.
func defineGrouping(s *pflag.FlagSet, g *document.RunGroups) {
	s.Var(boundString(&g.By), "by", "learn a graph for each group in `COLUMN`, and test whether they differ")
	s.Var(boundString(&g.Paired), "paired", "compare within the subjects in `COLUMN`, such as before and after")
	s.Var(boundString(&g.Covariate), "covariate", "adjust for the numbers in `COLUMN`, such as age; without --by, compare by them")
	s.Var(&boundCount{to: &g.Permutations, least: document.LeastPermutations}, "permutations", "test by N permutations, at least 19 (default 999)")
}
