package cli

import (
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// defineDirected defines the flag that makes arrows of the edges of an edge list.
func defineDirected(s *pflag.FlagSet, directed *bool) {
	s.BoolVar(directed, "directed", false, "edges of an edge list are arrows from source to target")
}

// demoFlags are the flags of demo.
type demoFlags struct{ out string }

func (f *demoFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.StringVar(&f.out, "out", "", "write the sample, the learned graph and a drawing of it to `DIR`")
	})
	mustComplete(cmd, "out", directories)
}

// convertFlags are the flags of convert.
type convertFlags struct {
	out      string
	directed bool
}

func (f *convertFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Input", func(s *pflag.FlagSet) { defineDirected(s, &f.directed) })
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.StringVar(&f.out, "out", "", "write the graph to `FILE`: "+writableGraphs+"; - for an edge list on standard output")
	})
}

// evaluateFlags are the flags of evaluate.
type evaluateFlags struct {
	truth                  string
	codesTruth, codesFound string
	directed               bool // edge lists are of arrows
	json                   bool
}

func (f *evaluateFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.StringVar(&f.truth, "truth", "", "ground-truth graph `FILE`: "+readableGraphs)
		s.StringVar(&f.codesTruth, "codes-truth", "", "ground-truth codes `FILE` ("+matrixFormats+")")
		s.StringVar(&f.codesFound, "codes", "", "learned codes `FILE`")
		defineDirected(s, &f.directed)
		s.BoolVar(&f.json, "json", false, "print JSON instead of a table")
	})
	mustComplete(cmd, "truth", graphFiles)
	mustComplete(cmd, "codes-truth", signalFiles)
	mustComplete(cmd, "codes", signalFiles)
}

// check finds the faults in the flags.
func (f *evaluateFlags) check() error {
	switch {
	case f.truth == "":
		return misuse("--truth is missing: give the ground-truth graph")
	case (f.codesTruth == "") != (f.codesFound == ""):
		return misuse("--codes and --codes-truth must be used together")
	}
	return nil
}

// The kinds of figure.
const (
	plotGraph       = "graph"
	plotWeights     = "weights"
	plotHeatmap     = "heatmap"
	plotAtoms       = "atoms"
	plotKernels     = "kernels"
	plotConvergence = "convergence"
)

// Which kinds can be drawn of which input, the usual one first.
var (
	graphKinds   = []string{plotGraph, plotWeights, plotHeatmap, plotAtoms}
	summaryKinds = []string{plotConvergence, plotWeights, plotKernels}
)

// plotFlags are the flags of plot.
type plotFlags struct {
	out      string
	vertices string
	color    string
	kernels  kernelFlags
	summary  string
	at       []string
	width    float64
	directed bool
	title    string

	kind string // "" for the usual one of the input
	set  *pflag.FlagSet
}

func (f *plotFlags) define(cmd *cobra.Command) {
	f.set, f.width = cmd.Flags(), 180
	kind := boundTo(&f.kind, plotGraph, plotWeights, plotHeatmap, plotAtoms, plotKernels, plotConvergence)
	width := &boundNumber{&f.width, "a number from 20 to 500", func(v float64) bool { return v >= 20 && v <= 500 }}
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.StringVar(&f.out, "out", "", "write the figure to `FILE`: .svg, .png or .pdf")
		s.Var(kind, "kind", "what to draw: "+either(kind.allowed))
		defineDirected(s, &f.directed)
		s.Var(width, "width", "width of the figure in mm")
		s.StringVar(&f.title, "title", "", "title `TEXT` above the figure")
	})
	addFlags(cmd, "Vertices", func(s *pflag.FlagSet) {
		s.StringVar(&f.vertices, "vertices", "", "table of vertex attributes `FILE` ("+vertexFormats+"), matched by name")
		s.StringVar(&f.color, "color", "", "colour vertices by a `COLUMN` of that table or by component")
	})
	addFlags(cmd, "Atoms", func(s *pflag.FlagSet) {
		f.kernels.define(s)
		s.StringVar(&f.summary, "summary", "", "use the kernels of the summary `FILE` written by learn")
		s.StringArrayVar(&f.at, "vertex", nil, "draw the atoms of vertex `NAME` (repeatable; default: the three vertices with most edges)")
	})
	mustComplete(cmd, "out", cobra.FixedCompletions([]cobra.Completion{"svg", "png", "pdf"}, cobra.ShellCompDirectiveFilterFileExt))
	mustComplete(cmd, "vertices", vertexFiles)
	completeKernels(cmd)
}

// kindOf returns what to draw of a graph, or of a summary. It refuses a kind that the input
// has no data for, and flags that the kind has no use for.
func (f *plotFlags) kindOf(in string, isSummary bool) (string, error) {
	kinds, what := graphKinds, "a graph"
	if isSummary {
		kinds, what = summaryKinds, "a learn summary"
	}
	kind := f.kind
	if kind == "" {
		kind = kinds[0]
	}
	if !slices.Contains(kinds, kind) {
		other := "a graph file"
		if slices.Contains(summaryKinds, kind) {
			other = "a file written by learn --summary"
		}
		return "", misuse("--kind %s: %s is %s, which can be drawn as %s; %s needs %s", kind, in, what, either(kinds), kind, other)
	}
	for _, flag := range []struct {
		name string
		uses []string
	}{
		{"vertices", []string{plotGraph, plotAtoms}},
		{"color", []string{plotGraph}},
		{"kernel", []string{plotAtoms}},
		{"degree", []string{plotAtoms}},
		{"approx", []string{plotAtoms}},
		{"summary", []string{plotAtoms}},
		{"vertex", []string{plotAtoms}},
	} {
		if f.set.Changed(flag.name) && !slices.Contains(flag.uses, kind) {
			return "", misuse("--%s applies to --kind %s, not to --kind %s", flag.name, either(flag.uses), kind)
		}
	}
	if f.summary != "" && f.set.Changed("kernel") {
		return "", misuse("--kernel and --summary cannot be used together: both specify the kernels")
	}
	return kind, nil
}

// reproduceFlags are the flags of reproduce.
type reproduceFlags struct {
	display
	instances int
	threads   int
	out       string
	cluster   clusterFlags
}

func (f *reproduceFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.Var(&boundCount{to: &f.instances, least: 1}, "instances", "use at most N graphs per result, for a quick look (default: all)")
		s.StringVar(&f.out, "out", "reproduction", "write to subdirectories of `DIR`")
		defineThreads(s, &f.threads, "the results")
		f.display.define(s, "", "result")
	})
	f.cluster.defineCoordinator(cmd)
	mustComplete(cmd, "out", directories)
}

// serveFlags are the flags of serve.
type serveFlags struct {
	host      string
	port      int // set if it was asked for
	open      bool
	maxUpload int64
	maxMemory int64
	maxTime   time.Duration
	jobs      int
	jobsDir   string

	export   string
	wasm     string
	wasmExec string

	set *pflag.FlagSet
}

func (f *serveFlags) define(cmd *cobra.Command) {
	f.set = cmd.Flags()
	addFlags(cmd, "Address", func(s *pflag.FlagSet) {
		s.StringVar(&f.host, "host", "127.0.0.1", "listen on address `ADDR` of this machine; 0.0.0.0 for all")
		s.Var(&boundCount{&f.port, 0, 65535}, "port", "listen on port N, 0 for any (default 8737, or the next free port)")
		s.BoolVar(&f.open, "open", false, "open the page in the browser")
	})
	addFlags(cmd, "Limits", func(s *pflag.FlagSet) {
		s.Var(boundSize(&f.maxUpload), "max-upload", "maximum size of an uploaded file (default 256MB)")
		s.Var(boundSize(&f.maxMemory), "max-memory", "maximum memory per job (default 4GB, or half of the memory that machine, control group, address space limit and GOMEMLIMIT allow)")
		s.DurationVar(&f.maxTime, "max-time", time.Hour, "stop a job after `TIME` and keep its best graph")
		s.Var(&boundCount{&f.jobs, 1, 64}, "jobs", "run up to N jobs at a time (default 1)")
		s.StringVar(&f.jobsDir, "jobs-dir", "", "keep jobs in directory `DIR`, so that they survive a restart of the server")
	})
	addFlags(cmd, "Static site", func(s *pflag.FlagSet) {
		s.StringVar(&f.export, "export", "", "write the page as a static site to `DIR`; learning runs in the browser")
		s.StringVar(&f.wasm, "wasm", "", "use the WebAssembly build `FILE` instead of building one")
		s.StringVar(&f.wasmExec, "wasm-exec", "", "wasm_exec.js `FILE` of the Go version that built it")
	})
}

// check finds the faults in the flags.
func (f *serveFlags) check() error {
	for _, name := range []string{"wasm", "wasm-exec"} {
		if f.export == "" && f.set.Changed(name) {
			return misuse("--%s applies only to --export", name)
		}
	}
	switch {
	case f.export == "" && f.maxTime <= 0:
		return misuse("--max-time: want a positive duration, such as 30m")
	case f.export == "" && f.host == "": // would be every address
		return misuse("--host is empty: give an address of this machine, or 0.0.0.0 for all addresses")
	case f.export != "" && (f.wasm == "") != (f.wasmExec == ""):
		return misuse("--wasm and --wasm-exec must be used together")
	}
	return nil
}

// choosesPort reports whether any free port will do.
func (f *serveFlags) choosesPort() bool { return !f.set.Changed("port") }
