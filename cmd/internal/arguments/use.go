package arguments

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

// Use are the flags that filter and fill share: what makes signals from a
// graph and signals.
type Use struct {
	Asked     document.Run // what is read, and how to treat what looks like faults of sensors
	laplacian string       // "" if not given
	center    string
	Summary   string // of a field; "" if not given
	Threads   int
	Out       string
	Quiet     bool
}

func (f *Use) defineLaplacian(s *pflag.FlagSet, byDefault, auto string) {
	f.center = string(prepare.Auto)
	s.Var(boundTo(&f.laplacian, gsp.Variants()...), "laplacian", "Laplacian of the graph: combinatorial (D − W, keeps the mean of a signal) or normalised (frequencies from 0 to 2) (default "+byDefault+")")
	s.Var(boundTo(&f.center, prepare.Auto, prepare.Yes, prepare.No), "center", "remove the mean of each vertex before and add it back after: auto ("+auto+"), yes or no")
}

func (f *Use) defineSignals(cmd *cobra.Command) {
	defineOptions(cmd, "filter", "Signals", &f.Asked, map[string]func(*pflag.FlagSet){
		"": func(s *pflag.FlagSet) {
			faults, _ := document.OptionAt("prepare.bad_sensors")
			defineOption(s, "filter", faults, &f.Asked)
		},
	})
}

func (f *Use) defineSummary(s *pflag.FlagSet, what string) {
	s.Var(boundFile(&f.Summary), "summary", what+" the field in the summary `FILE` written by learn with method field: its kernel and noise")
}

func (f *Use) defineOut(s *pflag.FlagSet) {
	s.Var(boundFile(&f.Out), "out", "write the signals to `FILE`: "+Extensions(dataio.WritesSignals, "or")+" (default: CSV on standard output)")
	s.BoolVar(&f.Quiet, "quiet", false, "print only results and errors")
}

// Centers reports whether means are to be removed, with what auto means.
func (f *Use) Centers(auto bool) bool {
	return f.center == string(prepare.Yes) || auto && f.center == string(prepare.Auto)
}

// Variant is the Laplacian asked for.
func (f *Use) Variant(byDefault gsp.Variant) gsp.Variant {
	if f.laplacian != "" {
		return gsp.Variant(f.laplacian)
	}
	return byDefault
}

// Filter are the flags of filter.
type Filter struct {
	Use
	set      *pflag.FlagSet
	spec     string
	Tau      float64 // 0 to choose it
	Spectrum string
}

// Define adds the flags to a command.
func (f *Filter) Define(cmd *cobra.Command) {
	f.defineSignals(cmd)
	addFlags(cmd, "Filter", func(s *pflag.FlagSet) {
		withDefault(s, orAuto(positive(&f.Tau), func(bool) { f.Tau = 0 }), "denoise", auto, "remove noise with this `TAU`, or auto to choose it")
		s.StringVar(&f.spec, "kernel", "", "filter by a kernel instead, given by its `SPEC`: "+kernelSpecs())
		f.defineSummary(s, "remove noise as expected of")
		f.defineLaplacian(s, "combinatorial, or normalised with --kernel", "yes with --denoise and several signals")
		defineThreads(s, &f.Threads, "the result")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		f.defineOut(s)
		s.Var(boundFile(&f.Spectrum), "spectrum", "write the energy of the signals by graph frequency, before and after, to `FILE.csv` (up to "+strconv.Itoa(gsp.MaxExact)+" vertices)")
	})
	f.set = cmd.Flags()
	completeKernels(cmd)
	completeWords(cmd, "denoise", auto)
}

// Kernel returns the kernel to filter by, nil to remove noise.
func (f *Filter) Kernel() (*kernel.Kernel, error) {
	switch {
	case f.Summary != "" && f.set.Changed("kernel"):
		return nil, Misuse("--kernel and --summary cannot be used together: both specify the kernel")
	case f.Summary != "" && f.set.Changed("denoise"):
		return nil, Misuse("--denoise and --summary cannot be used together: the noise is that of the summary")
	case f.Summary != "" && f.laplacian != "":
		return nil, f.refuseLaplacian()
	case !f.set.Changed("kernel"):
		return nil, nil
	case f.spec == "":
		return nil, Misuse("--kernel needs a value")
	case f.set.Changed("denoise"):
		return nil, Misuse("--kernel and --denoise cannot be used together")
	}
	// Its function is used, not the polynomial that stands for it on [0, 2].
	parsed, err := KernelsOf(document.RunKernels{Given: []string{f.spec}, Degree: 15, Approximation: string(kernel.Chebyshev)})
	if err != nil {
		return nil, err
	}
	return &parsed[0], nil
}

// refuseLaplacian says that a field leaves no choice of the Laplacian.
func (f *Use) refuseLaplacian() error {
	return Misuse("--laplacian and --summary cannot be used together: the kernel of a field is over normalised frequencies")
}

// Fill are the flags of fill.
type Fill struct {
	Use
	Options gsp.FillOptions
	set     *pflag.FlagSet
}

// Check finds the faults in the flags.
func (f *Fill) Check() error {
	if f.Summary != "" && f.set.Changed("tau") && !f.Options.Choose {
		return Misuse("--tau and --summary cannot be used together: give the one or the other")
	}
	if f.Summary != "" && f.laplacian != "" {
		return f.refuseLaplacian()
	}
	return nil
}

// Define adds the flags to a command.
func (f *Fill) Define(cmd *cobra.Command) {
	f.Options.Choose = true
	f.defineSignals(cmd)
	addFlags(cmd, "Filling", func(s *pflag.FlagSet) {
		tau := orAuto(notNegative(&f.Options.Tau), func(yes bool) { f.Options.Choose = yes })
		withDefault(s, tau, "tau", auto, "smoothness `X` of the estimates, 0 for the limit that passes through the known values, or auto to choose it")
		f.defineSummary(s, "also try to estimate values as expected of")
		f.defineLaplacian(s, "combinatorial", "yes with several signals")
		s.Uint64Var(&f.Options.Seed, "seed", 1, "random seed `S` of which values are hidden to choose tau; 0 is the same as 1")
		defineThreads(s, &f.Threads, "the result")
	})
	addFlags(cmd, "Output", f.defineOut)
	f.set = cmd.Flags()
	completeWords(cmd, "tau", auto, "0")
}

// Encode are the flags of encode.
type Encode struct {
	Asked      document.Run // what is read
	Model      string
	Threads    int
	Codes, Out string
	Residuals  string
	JSON       bool
	Quiet      bool
}

// Define adds the flags to a command.
func (f *Encode) Define(cmd *cobra.Command) {
	addFlags(cmd, "Model", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.Model), "model", "use the model in `FILE.json`, as nervure learn --model writes it")
		defineThreads(s, &f.Threads, "the result")
	})
	defineOptions(cmd, "encode", "Signals", &f.Asked, nil)
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.Codes), "codes", "write the codes to `FILE` ("+matrixFormats+"), one row per atom and one column per signal")
		s.Var(boundFile(&f.Out), "out", "write the denoised signals to `FILE`: "+Extensions(dataio.WritesSignals, "or"))
		s.Var(boundFile(&f.Residuals), "residuals", "with a model of method field: write to `FILE` how far each value is from what is expected given the other vertices, in standard deviations: "+Extensions(dataio.WritesSignals, "or"))
		s.BoolVar(&f.JSON, "json", false, "print JSON instead of a table")
		s.BoolVar(&f.Quiet, "quiet", false, "print only results and errors")
	})
}

// Combine are the flags of combine.
type Combine struct {
	Asked   document.Run // what is read
	Signals string
	Labels  string
	Column  string
	Options gsp.CombineOptions // gamma 0 to choose it
	Threads int
	Out     string
	Predict string
	Quiet   bool
}

// Define adds the flags to a command.
func (f *Combine) Define(cmd *cobra.Command) {
	addFlags(cmd, "Labels", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.Labels), "labels", "table `FILE` of the vertices with a column of labels, empty where they are not known: "+vertexFormats)
		s.StringVar(&f.Column, "column", "", "`NAME` of the column of labels, numbers or classes (default: the first)")
	})
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.Signals), "signals", "signals `FILE`, known at all vertices: "+Extensions(dataio.ReadsSignals, "or"))
	})
	defineOptions(cmd, "combine", "Signals", &f.Asked, nil)
	addFlags(cmd, "Weights", func(s *pflag.FlagSet) {
		withDefault(s, orAuto(positive(&f.Options.Gamma), func(bool) { f.Options.Gamma = 0 }), "gamma", auto, "noise `X` of the labels, or auto to choose it by hiding labels")
		s.Uint64Var(&f.Options.Seed, "seed", 1, "random seed `S` of which labels are hidden; 0 is the same as 1")
		defineThreads(s, &f.Threads, "the result")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.Out), "out", "write the weighted sum of the graphs to `FILE`: "+WritableGraphs)
		s.Var(boundFile(&f.Predict), "predict", "with --labels: write the predicted labels of all vertices to `FILE.csv`")
		s.BoolVar(&f.Quiet, "quiet", false, "print only results and errors")
	})
	mustComplete(cmd, "labels", vertexFiles)
	mustComplete(cmd, "signals", SignalFiles)
	completeWords(cmd, "gamma", auto)
}

// Check finds the faults in the flags.
func (f *Combine) Check() error {
	switch {
	case f.Labels == "" && f.Signals == "":
		return Misuse("--labels or --signals is missing: give what the graphs are to explain")
	case f.Labels != "" && f.Signals != "":
		return Misuse("--labels and --signals cannot be used together")
	case f.Labels == "" && f.Column != "":
		return Misuse("--column applies only to --labels")
	case f.Labels == "" && f.Predict != "":
		return Misuse("--predict applies only to --labels: signals are known at all vertices")
	}
	return nil
}
