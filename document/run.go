package document

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
)

// RunVersion is the version of [Run] that this program writes and reads.
const RunVersion = 1

// A Run says everything about a run of nervure learn or, with Compare, of nervure
// compare: what is read and how, what is done with it, and what is written. It is what
// nervure run takes and what a summary repeats, so that every result says how to get it
// again; the command line, batches, workers and the page all hand it over.
//
// A key that is absent, null, zero or empty means the default, and true and false stand for
// yes and no. Files are named by paths,
// relative to the directory of the process that runs the document. What does not change
// the result, such as the number of threads, is not part of it.
//
// docs/run.schema.json is its JSON Schema. [ParseRun] reads one.
type Run struct {
	Version int        `json:"version" group:"-" compare:"-" doc:"version of this document: 1"`
	Read    RunRead    `json:"read,omitzero" group:"Signals" compare:"Signals" plan:"Signals" doc:"the signals and how to read them"`
	Prepare RunPrepare `json:"prepare,omitzero" group:"Preprocessing" compare:"Preprocessing" plan:"Preprocessing" doc:"preprocessing"`
	Method  RunMethod  `json:"method,omitzero" group:"Learning" doc:"the method and its options"`
	Kernels RunKernels `json:"kernels,omitzero" group:"Model" compare:"Learning" doc:"kernels, for the methods that use them"`
	Known   RunKnown   `json:"known,omitzero" group:"Prior knowledge" doc:"what is known of the graph before the signals are seen, for the method sparse"`
	Cut     RunCut     `json:"cut,omitzero" group:"Learning" doc:"which edges to keep; by default the method's own cut"`
	Seed    uint64     `json:"seed,omitempty" group:"Learning" compare:"Learning" plan:"Learning" placeholder:"uint64" default:"1" doc:"random seed; default 1"`

	Sample     int    `json:"sample,omitempty" group:"Learning" after:"time_limit" zero:"all_signals" doc:"learn from a sample of this many signals and check the others against the graph; default 20,000"`
	AllSignals bool   `json:"all_signals,omitempty" flag:"sample" group:"-" doc:"learn from all signals, however many there are"`
	TimeLimit  string `json:"time_limit,omitempty" group:"Learning" compare:"Learning" want:"limit" zero:"none" placeholder:"TIME" doc:"end the run after this time, such as 30s or 2m, or none; for a comparison it is the limit of each method, by default 90s for many vertices and signals"`

	Check   RunCheck    `json:"check,omitzero" group:"Confidence" doc:"how the graph is checked"`
	Windows RunWindows  `json:"windows,omitzero" group:"Windows" doc:"a graph for each window of a series"`
	Groups  RunGroups   `json:"groups,omitzero" group:"Groups" word:"--by" doc:"a graph for each group of rows, and whether the graphs differ"`
	Compare *RunCompare `json:"compare,omitempty" group:"-" compare:"Learning" word:"nervure compare" doc:"compare methods instead of learning one graph; {} compares all of them"`
	Write   RunWrite    `json:"write,omitzero" group:"Output" doc:"what is written"`
}

// RunRead says what signals a run reads, and how.
type RunRead struct {
	Files     []string `json:"files,omitempty" group:"-" compare:"-" plan:"-" word:"SIGNALS" doc:"files of signals, - for standard input, or one of the built-in samples; several files of one study are united by time"`
	Format    string   `json:"format,omitempty" words:"formats" doc:"format of the signals, such as csv; default by extension"`
	Variable  string   `json:"variable,omitempty" doc:"name of the array or sheet to read from a file that holds several"`
	Transpose bool     `json:"transpose,omitempty" doc:"vertices are in rows, observations in columns"`
	Delimiter string   `json:"delimiter,omitempty" want:"delimiter" placeholder:"CHARACTER" doc:"what separates the cells of a table of text: a character, or comma, semicolon, tab, pipe or blank (runs of blanks); default found out"`
	SkipRows  int      `json:"skip_rows,omitempty" doc:"number of lines before the table; default found out where that is certain"`
	Columns   []string `json:"columns,omitempty" list:"commas" placeholder:"COLUMNS" doc:"columns of the table to read, besides times: names, numbers from 1, and ranges such as 3-10, 3- or a:d; default all"`
	Encoding  string   `json:"encoding,omitempty" want:"encoding" placeholder:"NAME" doc:"encoding of a table of text, such as latin-1 or utf-16; default found out"`
	Sheet     string   `json:"sheet,omitempty" doc:"sheet of a workbook; default the only one with a table of numbers"`
	Names     string   `json:"names,omitempty" want:"input" doc:"file with the names of the vertices, one per line"`
	Times     string   `json:"times,omitempty" want:"input" doc:"file with the times of the observations, one per line"`
	Resample  string   `json:"resample,omitempty" want:"span" placeholder:"TIME" doc:"average the observations over spans of this length, such as 15m, 1h or 7d"`
	Vertices  string   `json:"vertices,omitempty" group:"Output" compare:"-" plan:"-" after:"write.graph" want:"input" complete:"vertices" doc:"file with attributes of the vertices, such as coordinates"`
}

// RunPrepare says what is done to the signals before learning.
type RunPrepare struct {
	BadSensors string    `json:"bad_sensors,omitempty" enum:"report,mask,drop" after:"prepare.log_offset" default:"mask" doc:"how to treat readings that look like sensor faults: report lists them, mask (the default) makes them missing, drop makes all values of the sensor missing"`
	Log        bool      `json:"log,omitempty" doc:"take the natural logarithm of all values"`
	LogOffset  float64   `json:"log_offset,omitempty" sets:"prepare.log" doc:"add this to all values, then take logarithms"`
	Rows       string    `json:"rows,omitempty" enum:"auto,time,independent" doc:"what the rows are to each other: moments in time, or independent of each other, so that their order says nothing; auto finds out"`
	Season     string    `json:"season,omitempty" enum:"auto,yes,no" placeholder:"N" doc:"remove cycles: those in periods or, without, those that are clear"`
	Periods    []float64 `json:"periods,omitempty" flag:"season" group:"-" compare:"-" plan:"-" want:"period" list:"commas" doc:"periods of the cycles to remove, in observations, such as 24"`
	Detrend    string    `json:"detrend,omitempty" enum:"auto,yes,no" alone:"yes" doc:"remove a smooth trend of each vertex"`
	Difference string    `json:"difference,omitempty" enum:"auto,yes,no" alone:"yes" doc:"take differences between consecutive observations"`
	Center     string    `json:"center,omitempty" enum:"auto,yes,no" doc:"remove the mean of each vertex"`
	Scale      string    `json:"scale,omitempty" enum:"auto,yes,no" doc:"divide each vertex by its standard deviation"`
	CommonMode string    `json:"common_mode,omitempty" enum:"auto,remove,keep" doc:"remove from each signal its mean over the vertices"`
	Scores     string    `json:"scores,omitempty" enum:"auto,yes,no" alone:"yes" doc:"learn fields from normal scores instead of values"`
}

// RunMethod says which method learns the graph, and with which options.
type RunMethod struct {
	Name     string `json:"name,omitempty" flag:"method" plan:"Learning" default:"auto" complete:"methods" doc:"the method; default auto, or sparse if kernels, what is known, codes or another option of sparse is given, or field if that is a matern kernel alone"`
	Params   Params `json:"params,omitempty" flag:"param" plan:"Learning" placeholder:"stringArray" doc:"parameters of the method by name, see nervure learn --help"`
	Sparsity int    `json:"sparsity,omitempty" group:"Model" compare:"Learning" after:"kernels.approximation" want:"count" or:"auto" default:"auto" complete:"auto,4" doc:"sparse: maximum number of atoms per signal; default chosen from the signals"`
	Coder    string `json:"coder,omitempty" words:"coders" doc:"sparse: the sparse coder"`
	Rounds   int    `json:"rounds,omitempty" want:"count" doc:"sparse: maximum number of rounds of coding and graph update"`
}

// RunKernels says which kernels are used.
type RunKernels struct {
	Given         []string `json:"given,omitempty" flag:"kernel" placeholder:"SPEC" complete:"kernels" doc:"kernels in the syntax of --kernel, such as heat:2; auto among them learns the scales of the others; free learns free polynomials, free:S exactly S of them"`
	Degree        int      `json:"degree,omitempty" want:"degree" doc:"degree of the kernel polynomials; default 15, or 6 for free polynomials"`
	Approximation string   `json:"approximation,omitempty" enum:"taylor,chebyshev" flag:"approx" default:"taylor" doc:"polynomial approximation of the kernels; default taylor"`
}

// RunKnown says what is known of the graph. Each is a file of a graph or, in a document that
// [nervure.Options.Run] made of a graph in memory, sha256: and the hash of its edges.
type RunKnown struct {
	Allow       string  `json:"allow,omitempty" want:"input" complete:"graphs" doc:"graph file: only its pairs may have an edge"`
	Forbid      string  `json:"forbid,omitempty" want:"input" complete:"graphs" doc:"graph file: its pairs may not have an edge"`
	Init        string  `json:"init,omitempty" want:"input" complete:"graphs" doc:"graph file: where learning starts"`
	Prior       string  `json:"prior,omitempty" want:"input" complete:"graphs" doc:"graph file: the weights are pulled towards its own"`
	PriorWeight float64 `json:"prior_weight,omitempty" want:"positive" doc:"number of signals that the prior counts as; default 5"`
}

// RunCut says which edges are kept.
type RunCut struct {
	Rule      graph.CutRule `json:"rule,omitempty" enum:"auto,edges,threshold" flag:"threshold" group:"-" doc:"auto (at the gap in the weights), edges or threshold; edges and threshold imply it"`
	Edges     int           `json:"edges,omitempty" compare:"Learning" want:"count" doc:"keep only this many edges, the heaviest"`
	Threshold float64       `json:"threshold,omitempty" doc:"keep edges of this weight or more, on the scale of the method"`
	FDR       float64       `json:"fdr,omitempty" group:"Confidence" after:"check.confidence" want:"share" doc:"keep only edges whose partial correlation exceeds the floor at this false discovery rate, such as 0.1"`
}

// RunCheck says how the graph is checked.
type RunCheck struct {
	Structure  string  `json:"structure,omitempty" enum:"auto,yes,no" group:"-" doc:"test the graph on held-out signals"`
	Confidence string  `json:"confidence,omitempty" enum:"auto,yes,no" doc:"estimate the confidence of each edge"`
	KeepEdges  bool    `json:"keep_edges,omitempty" after:"check.structure" doc:"keep the edges even if the signals show no structure"`
	Floor      float64 `json:"floor,omitempty" want:"share" or:"auto" doc:"size of the partial correlation that edges are tested for exceeding; default 0.4 over the mean degree of the graph"`
	Block      int     `json:"block,omitempty" want:"count" doc:"number of consecutive signals that stay together when signals are split into halves; default estimated from the signals"`
}

// RunWindows says which windows of a series a graph is learned for.
type RunWindows struct {
	Window string `json:"window,omitempty" number:"or" want:"length" placeholder:"LENGTH" doc:"length of a window: a number of observations or a span of time such as 7d"`
	Step   string `json:"step,omitempty" number:"or" flag:"step" group:"-" want:"length" doc:"distance between the starts of consecutive windows; default the window"`
	Dir    string `json:"dir,omitempty" flag:"windows" want:"file" doc:"folder to write the graphs, what changes between them, and a page to"`
}

// LeastPermutations is the fewest by which groups are tested: with fewer, no p-value is as small as 0.05.
const LeastPermutations = 19

// RunGroups says by which columns of a table its rows are grouped and compared.
type RunGroups struct {
	By           string `json:"by,omitempty" doc:"column of the groups; a graph is learned for each"`
	Paired       string `json:"paired,omitempty" doc:"column that says whose a row is, if a subject has several: they are compared within subjects"`
	Covariate    string `json:"covariate,omitempty" doc:"column of numbers that groups are adjusted for or, without groups, that graphs are compared by"`
	Permutations int    `json:"permutations,omitempty" want:"permutations" doc:"number of permutations, at least 19; default 999"`
}

// RunCompare says which methods are compared, and how.
type RunCompare struct {
	Methods  []string `json:"methods,omitempty" after:"prepare.scores" list:"joined" placeholder:"strings" complete:"method list" doc:"names of the methods; default all"`
	Folds    int      `json:"folds,omitempty" after:"cut.edges" zero:"compare.unranked" doc:"rank methods by cross-validation with this many folds; default 5, fewer for many vertices and signals"`
	Unranked bool     `json:"unranked,omitempty" flag:"folds" compare:"-" doc:"do not rank methods"`
	Truth    string   `json:"truth,omitempty" compare:"Signals" after:"read.resample" want:"input" complete:"graphs" doc:"graph file: the true graph, to score methods by"`
}

// RunWrite says what is written, and where.
type RunWrite struct {
	Graph      string `json:"graph,omitempty" flag:"out" want:"file" doc:"file of the graph; default an edge list on standard output; with groups, a folder of graphs; default their differences"`
	Codes      string `json:"codes,omitempty" want:"file" doc:"file of the codes"`
	Laplacian  string `json:"laplacian,omitempty" want:"file" doc:"file of the normalised Laplacian"`
	Summary    string `json:"summary,omitempty" want:"file" doc:"file of the JSON summary, or - for standard output if graph is given"`
	Report     string `json:"report,omitempty" want:"file" doc:"file of the HTML report"`
	Model      string `json:"model,omitempty" want:"file" doc:"file of the model that nervure encode takes"`
	Comparison string `json:"comparison,omitempty" flag:"out" group:"-" compare:"Output" after:"write.json" want:"file" doc:"file of a comparison, .json or .csv"`
	JSON       bool   `json:"json,omitempty" group:"-" compare:"Output" doc:"print a comparison as JSON instead of a table"`
}

// Options returns how the signals are read, without what the files in Names and Times
// hold.
func (r RunRead) Options() (dataio.ReadOptions, error) {
	o := dataio.ReadOptions{
		Format: dataio.Format(r.Format), Transpose: r.Transpose, Variable: r.Variable,
		Delimiter: r.Delimiter, SkipRows: r.SkipRows, Columns: r.Columns, Encoding: r.Encoding, Sheet: r.Sheet,
	}
	if r.Resample == "" {
		return o, nil
	}
	var err error
	if o.Resample, err = words.ParseSpan(r.Resample); err != nil {
		return o, faultf("`read.resample`: %s", err)
	}
	return o, nil
}

// noLimit is a time limit that is none.
const noLimit = "none"

// Limit returns the time limit: 0 for the default, or none if the document says that there is
// none.
func (r *Run) Limit() (limit time.Duration, none bool, err error) {
	if r.TimeLimit == "" || r.TimeLimit == noLimit {
		return 0, r.TimeLimit == noLimit, nil
	}
	limit, err = time.ParseDuration(r.TimeLimit)
	if err != nil {
		return 0, false, faultf("`time_limit`: %s", err)
	}
	return limit, false, nil
}

// Cut returns the rule of a cut with its number.
func (c RunCut) Cut() graph.Cut {
	cut := graph.Cut{Rule: c.Rule, Edges: c.Edges, Threshold: c.Threshold}
	switch {
	case c.Rule == "" && c.Edges > 0:
		cut.Rule = graph.CutEdges
	case c.Rule == "" && c.Threshold > 0:
		cut.Rule = graph.CutThreshold
	}
	return cut
}

// Besides lists the files, in a fixed order, that a run reads besides its signals.
func (r *Run) Besides() []string {
	files := []string{r.Read.Names, r.Read.Times, r.Known.Allow, r.Known.Forbid, r.Known.Init, r.Known.Prior}
	if r.Compare != nil {
		files = append(files, r.Compare.Truth)
	}
	return slices.DeleteFunc(files, func(path string) bool { return path == "" })
}

// faultf returns an error about a document. Keys in its sentence are in backquotes, so
// that a caller can put its own names for them there, such as flags.
func faultf(format string, args ...any) error {
	return input.Completef("", "run", format, args...)
}

// Validate finds what is wrong with a run before anything is read, apart from what depends on
// its method. The fault is an [*input.Error] whose sentence has keys in backquotes.
func (r *Run) Validate() error {
	return cmp.Or(r.checkOptions(), r.checkRead(), r.checkValues(), r.checkWindows(), r.checkGroups(), r.checkComparison())
}

func (r *Run) checkRead() error {
	switch {
	case r.Version != RunVersion:
		return faultf("`version`: got %d, want %d", r.Version, RunVersion)
	case len(r.Read.Files) == 0:
		return faultf("`read.files`: got none, want at least one file of signals")
	case slices.Contains(r.Read.Files, ""):
		return faultf("`read.files`: a name is empty")
	case len(r.Read.Files) > 1 && r.Read.Times != "":
		return faultf("`read.times` is for one file of signals: several are united by the times that they have")
	case len(r.Read.Files) > 1 && r.Compare != nil:
		return faultf("`compare` takes one file of signals, got %d", len(r.Read.Files))
	}
	for _, path := range r.Read.Files {
		if len(r.Read.Files) > 1 && (path == "-" || strings.HasPrefix(path, "sample:")) {
			return faultf("several files of a study are united by time: %s is not a file", strings.Replace(path, "-", "standard input", 1))
		}
	}
	return nil
}

func (r *Run) checkValues() error {
	cut := r.Cut.Cut()
	switch {
	case cut.Edges > 0 && (cut.Rule != graph.CutEdges || cut.Threshold > 0):
		return faultf("`cut.edges` and `cut.threshold` cannot be used together")
	case cut.Rule == graph.CutEdges && cut.Edges == 0:
		return faultf("`cut.edges` is missing")
	case cut.Rule == graph.CutAuto && cut.Threshold > 0:
		return faultf("`cut.threshold` has no effect with the rule auto")
	case r.Known.PriorWeight > 0 && r.Known.Prior == "":
		return faultf("`known.prior_weight` needs `known.prior` FILE")
	case r.Check.Block > 0 && r.Check.Confidence == "no":
		return faultf("`check.block` has no effect with `check.confidence` no")
	case r.Sample == 1:
		return faultf("`sample`: got 1, want 0 or at least 2")
	case r.Sample > 0 && r.AllSignals:
		return faultf("`sample` and `all_signals` cannot be used together")
	case r.Sample > 0 && r.Write.Codes != "":
		return faultf("`write.codes` needs all signals: leave `sample` out")
	case r.Write.Summary == "-" && (r.Write.Graph == "" || r.Write.Graph == "-"):
		return faultf("`write.summary` - needs `write.graph` FILE, because the graph is already written to standard output")
	}
	if len(r.Prepare.Periods) > 0 && r.Prepare.Season == "no" {
		return faultf("`prepare.periods`: want numbers of observations of at least 2, and `prepare.season` auto or yes")
	}
	return nil
}

func (r *Run) checkGroups() error {
	switch g := r.Groups; {
	case g == RunGroups{}:
		return nil
	case g.By == "" && g.Covariate == "":
		return faultf("`groups.by` is missing: the column of the groups, or `groups.covariate` to compare by a number")
	case r.Windows != RunWindows{} || r.Compare != nil || len(r.Read.Files) != 1:
		return faultf("`groups` takes one file of signals, without `windows` and `compare`")
	case r.Write != RunWrite{Graph: r.Write.Graph}:
		return faultf("`groups` writes a folder, or differences to standard output: leave out all outputs but `write.graph`")
	case dataio.WritesGraphs.Check(r.Write.Graph) == nil:
		return faultf("with `groups`, `write.graph` is a folder: %q is the name of a graph file", r.Write.Graph)
	}
	return nil
}

func (r *Run) checkWindows() error {
	switch w := r.Windows; {
	case w == RunWindows{}:
		return nil
	case w.Window == "" && w.Dir == "":
		return faultf("`windows.step` needs `windows.window` LENGTH and `windows.dir` DIR")
	case w.Window == "":
		return faultf("`windows.dir` needs `windows.window` LENGTH, such as 7d or 200")
	case w.Dir == "":
		return faultf("`windows.window` needs `windows.dir` DIR, where to write the graphs")
	case r.Compare != nil:
		return faultf("`windows.dir` and `compare` cannot be used together")
	}
	for _, other := range []struct {
		key string
		set bool
	}{
		{"write.graph", r.Write.Graph != ""},
		{"write.codes", r.Write.Codes != ""},
		{"write.laplacian", r.Write.Laplacian != ""},
		{"write.summary", r.Write.Summary != ""},
		{"write.report", r.Write.Report != ""},
		{"write.model", r.Write.Model != ""},
		{"read.vertices", r.Read.Vertices != ""},
		{"sample", r.Sample > 0 || r.AllSignals},
		{"time_limit", r.TimeLimit != ""},
	} {
		if other.set {
			return faultf("`%s` and `windows.dir` cannot be used together: all is written to the folder", other.key)
		}
	}
	return nil
}

// checkComparison refuses what one of the two kinds of run has no use for.
func (r *Run) checkComparison() error {
	if r.Compare == nil {
		if r.Write.Comparison != "" || r.Write.JSON {
			return faultf("`write.comparison` and `write.json` apply only to `compare`")
		}
		return nil
	}
	for _, o := range allOptions() {
		implied := o.Key == "cut.rule" && r.Cut.Rule == graph.CutEdges
		if o.Heading("compare") == "" && !implied && textsOf(o.value(r)) != nil {
			return faultf("`%s` does not apply to a comparison", o.Key)
		}
	}
	if r.Compare.Unranked && r.Compare.Folds > 0 {
		return faultf("`compare.folds` has no effect with `compare.unranked`")
	}
	return nil
}
