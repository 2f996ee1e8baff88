package cli

import (
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/prepare"
)

// useFlags are the flags that filter and fill share: what makes signals from a
// graph and signals.
type useFlags struct {
	read      document.RunRead
	laplacian string // "" if not given
	center    string
	threads   int
	out       string
	quiet     bool
}

func (f *useFlags) defineLaplacian(s *pflag.FlagSet, byDefault, auto string) {
	f.center = string(prepare.Auto)
	s.Var(boundTo(&f.laplacian, gsp.Variants()...), "laplacian", "Laplacian of the graph: combinatorial (D − W, keeps the mean of a signal) or normalised (frequencies from 0 to 2) (default "+byDefault+")")
	s.Var(boundTo(&f.center, prepare.Auto, prepare.Yes, prepare.No), "center", "remove the mean of each vertex before and add it back after: auto ("+auto+"), yes or no")
}

func (f *useFlags) defineOut(s *pflag.FlagSet) {
	s.Var(boundFile(&f.out), "out", "write the signals to `FILE`: "+extensions(dataio.WritesSignals, "or")+" (default: CSV on standard output)")
	s.BoolVar(&f.quiet, "quiet", false, "print only results and errors")
}

// centers reports whether means are to be removed, with what auto means.
func (f *useFlags) centers(auto bool) bool {
	return f.center == string(prepare.Yes) || auto && f.center == string(prepare.Auto)
}

// variant is the Laplacian asked for.
func (f *useFlags) variant(byDefault gsp.Variant) gsp.Variant {
	if f.laplacian != "" {
		return gsp.Variant(f.laplacian)
	}
	return byDefault
}

// filterFlags are the flags of filter.
type filterFlags struct {
	useFlags
	set      *pflag.FlagSet
	spec     string
	tau      float64 // 0 to choose it
	spectrum string
}

func (f *filterFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) { defineRead(s, &f.read) })
	addFlags(cmd, "Filter", func(s *pflag.FlagSet) {
		withDefault(s, orAuto(positive(&f.tau), func(bool) { f.tau = 0 }), "denoise", auto, "remove noise with this `TAU`, or auto to choose it")
		s.StringVar(&f.spec, "kernel", "", "filter by a kernel instead, given by its `SPEC`: "+kernelSpecs())
		f.defineLaplacian(s, "combinatorial, or normalised with --kernel", "yes with --denoise and several signals")
		defineThreads(s, &f.threads, "the result")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		f.defineOut(s)
		s.Var(boundFile(&f.spectrum), "spectrum", "write the energy of the signals by graph frequency, before and after, to `FILE.csv` (up to "+strconv.Itoa(gsp.MaxExact)+" vertices)")
	})
	f.set = cmd.Flags()
	completeKernels(cmd)
	completeWords(cmd, "denoise", auto)
}

// kernel returns the kernel to filter by, nil to remove noise.
func (f *filterFlags) kernel() (*kernel.Kernel, error) {
	switch {
	case !f.set.Changed("kernel"):
		return nil, nil
	case f.spec == "":
		return nil, misuse("--kernel needs a value")
	case f.set.Changed("denoise"):
		return nil, misuse("--kernel and --denoise cannot be used together")
	}
	// Its function is used, not the polynomial that stands for it on [0, 2].
	parsed, err := (&kernelFlags{specs: []string{f.spec}, degree: 15, approx: string(kernel.Chebyshev)}).kernels()
	if err != nil {
		return nil, err
	}
	return &parsed[0], nil
}

// fillFlags are the flags of fill.
type fillFlags struct {
	useFlags
	options gsp.FillOptions
}

func (f *fillFlags) define(cmd *cobra.Command) {
	f.options.Choose = true
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) { defineRead(s, &f.read) })
	addFlags(cmd, "Filling", func(s *pflag.FlagSet) {
		tau := orAuto(notNegative(&f.options.Tau), func(yes bool) { f.options.Choose = yes })
		withDefault(s, tau, "tau", auto, "smoothness `X` of the estimates, 0 for the limit that passes through the known values, or auto to choose it")
		f.defineLaplacian(s, "combinatorial", "yes with several signals")
		s.Uint64Var(&f.options.Seed, "seed", 1, "random seed `S` of which values are hidden to choose tau; 0 is the same as 1")
		defineThreads(s, &f.threads, "the result")
	})
	addFlags(cmd, "Output", f.defineOut)
	completeWords(cmd, "tau", auto, "0")
}

// encodeFlags are the flags of encode.
type encodeFlags struct {
	read       document.RunRead
	model      string
	threads    int
	codes, out string
	json       bool
	quiet      bool
}

func (f *encodeFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Model", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.model), "model", "use the model in `FILE.json`, as nervure learn --model writes it")
		defineThreads(s, &f.threads, "the result")
	})
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) { defineRead(s, &f.read) })
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.codes), "codes", "write the codes to `FILE` ("+matrixFormats+"), one row per atom and one column per signal")
		s.Var(boundFile(&f.out), "out", "write the denoised signals to `FILE`: "+extensions(dataio.WritesSignals, "or"))
		s.BoolVar(&f.json, "json", false, "print JSON instead of a table")
		s.BoolVar(&f.quiet, "quiet", false, "print only results and errors")
	})
}

// combineFlags are the flags of combine.
type combineFlags struct {
	read    document.RunRead
	signals string
	labels  string
	column  string
	options gsp.CombineOptions // gamma 0 to choose it
	threads int
	out     string
	predict string
	quiet   bool
}

func (f *combineFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Labels", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.labels), "labels", "table `FILE` of the vertices with a column of labels, empty where they are not known: "+vertexFormats)
		s.StringVar(&f.column, "column", "", "`NAME` of the column of labels, numbers or classes (default: the first)")
	})
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.signals), "signals", "signals `FILE`, known at all vertices: "+extensions(dataio.ReadsSignals, "or"))
		defineRead(s, &f.read)
	})
	addFlags(cmd, "Weights", func(s *pflag.FlagSet) {
		withDefault(s, orAuto(positive(&f.options.Gamma), func(bool) { f.options.Gamma = 0 }), "gamma", auto, "noise `X` of the labels, or auto to choose it by hiding labels")
		s.Uint64Var(&f.options.Seed, "seed", 1, "random seed `S` of which labels are hidden; 0 is the same as 1")
		defineThreads(s, &f.threads, "the result")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.out), "out", "write the weighted sum of the graphs to `FILE`: "+writableGraphs)
		s.Var(boundFile(&f.predict), "predict", "with --labels: write the predicted labels of all vertices to `FILE.csv`")
		s.BoolVar(&f.quiet, "quiet", false, "print only results and errors")
	})
	mustComplete(cmd, "labels", vertexFiles)
	mustComplete(cmd, "signals", signalFiles)
	completeWords(cmd, "gamma", auto)
}

// check finds the faults in the flags.
func (f *combineFlags) check() error {
	switch {
	case f.labels == "" && f.signals == "":
		return misuse("--labels or --signals is missing: give what the graphs are to explain")
	case f.labels != "" && f.signals != "":
		return misuse("--labels and --signals cannot be used together")
	case f.labels == "" && f.column != "":
		return misuse("--column applies only to --labels")
	case f.labels == "" && f.predict != "":
		return misuse("--predict applies only to --labels: signals are known at all vertices")
	}
	return nil
}
