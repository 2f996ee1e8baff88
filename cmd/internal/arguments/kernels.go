package arguments

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/model"
)

// kernelSpecs says how kernels are written: "heat:TAU, …".
func kernelSpecs() string {
	var usages []string
	for _, f := range kernel.Families() {
		usages = append(usages, f.Usage())
	}
	return either(usages)
}

// defineKernels defines the flags that say which kernels generate the dictionary.
func defineKernels(flags *pflag.FlagSet, k *document.RunKernels) {
	k.Degree, k.Approximation = 15, string(kernel.Taylor)
	flags.StringArrayVar(&k.Given, "kernel", nil,
		"kernel `SPEC` (repeatable): "+kernelSpecs()+" (default "+words.List(kernel.PaperSpecs(), "and")+")")
	flags.Var(&boundCount{&k.Degree, 1, kernel.MaxDegree}, "degree", "degree of the kernel polynomials")
	flags.Var(boundTo(&k.Approximation, kernel.Taylor, kernel.Chebyshev), "approx", "polynomial approximation of the kernels: taylor or chebyshev")
}

// KernelsOf returns the kernels asked for, each with its scale.
func KernelsOf(k document.RunKernels) ([]kernel.Kernel, error) {
	if len(k.Given) == 0 {
		k.Given = kernel.PaperSpecs()
	}
	kernels := make([]kernel.Kernel, len(k.Given))
	for i, spec := range k.Given {
		switch family, _, _ := strings.Cut(spec, ":"); {
		case family == kernelsAuto || family == kernelsFree:
			return nil, Misuse("--kernel %s applies only to learning a graph; want %s", spec, kernelSpecs())
		case !slices.ContainsFunc(kernel.Families(), func(f kernel.Family) bool { return f.Name == family }):
			return nil, Misuse("--kernel %q: unknown kernel; want %s", spec, kernelSpecs())
		}
		parsed, err := kernel.Parse(spec, k.Degree, kernel.Approximation(k.Approximation))
		if err != nil {
			return nil, Misuse("--kernel: %s", err)
		}
		kernels[i] = parsed
	}
	return kernels, nil
}

// completeKernels suggests how kernels are written; a number is still to follow some.
func completeKernels(cmd *cobra.Command) { mustComplete(cmd, "kernel", kernelCompletions()) }

func kernelCompletions(words ...cobra.Completion) cobra.CompletionFunc {
	for _, f := range kernel.Families() {
		words = append(words, f.Example)
	}
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
}

// Kernels are the flags of kernels.
type Kernels struct {
	display
	Asked   document.Run // what is read, and preprocessing
	Graph   string
	Threads int
	JSON    bool
	Out     string

	set     *pflag.FlagSet
	free    bool
	kernels document.RunKernels
	learn   learn.KernelOptions
}

// Define adds the flags to a command.
func (f *Kernels) Define(cmd *cobra.Command) {
	defineOptions(cmd, "kernels", "Signals", &f.Asked, nil)
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		s.StringVar(&f.Graph, "graph", "", "graph `FILE`: "+readableGraphs)
	})
	defineOptions(cmd, "kernels", "Preprocessing", &f.Asked, nil)
	addFlags(cmd, "Model", func(s *pflag.FlagSet) {
		s.BoolVar(&f.free, "free", false, "learn free polynomials (the default without --kernel)")
		s.Var(orAuto(&boundCount{to: &f.learn.Count, least: 1}, func(bool) { f.learn.Count = 0 }), "kernels", "learn `S` free polynomials, or auto to choose 1 to 3 from the signals (default auto)")
		defineKernels(s, &f.kernels)
		s.Lookup("kernel").Usage = "learn the scale of a kernel, starting from `SPEC` (repeatable): " + kernelSpecs() + "; a kernel without a scale is kept fixed"
		s.Lookup("degree").Usage = "degree of the kernel polynomials (default 6, or 15 with --kernel)"
		s.Lookup("degree").DefValue = ""
		s.Lookup("approx").Usage = "with --kernel: polynomial approximation, taylor or chebyshev"
		s.Var(&boundCount{to: &f.learn.Sparsity, least: 1}, "sparsity", "maximum number of atoms per signal (default 4, or half the number of vertices if that is less)")
	})
	addFlags(cmd, "Learning", func(s *pflag.FlagSet) {
		s.Uint64Var(&f.learn.Seed, "seed", 1, "random seed `S`; 0 is the same as 1")
		defineThreads(s, &f.Threads, "the result")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.Out), "out", "also write the kernels to `FILE`: .json for everything, .csv for a table of values")
		s.BoolVar(&f.JSON, "json", false, "print JSON instead of flags")
		f.defineDisplay(s, "print only results and errors", "round")
	})
	f.set = cmd.Flags()
	completeKernels(cmd)
	mustComplete(cmd, "graph", GraphFiles)
	completeWords(cmd, "kernels", auto, "1", "2", "3")
}

// Options turns flags into what they mean, or finds the fault in them.
func (f *Kernels) Options(signals string) (o model.KernelOptions, err error) {
	f.Asked.Version, f.Asked.Read.Files = document.RunVersion, []string{signals}
	asked, err := nervure.OptionsOf(&f.Asked)
	if err != nil {
		return o, Terms{}.Explain(err)
	}
	o = model.KernelOptions{Prepare: asked.Prepare, BadSensors: asked.BadSensors, Learn: f.learn}
	switch given := f.set.Changed("kernel"); {
	case f.Graph == "":
		return o, Misuse("--graph is missing: give the graph of the signals")
	case given && f.free:
		return o, Misuse("--kernel and --free cannot be used together")
	case given && f.set.Changed("kernels"):
		return o, Misuse("--kernels applies only to free polynomials; with --kernel, there are as many kernels as flags")
	case !given && f.set.Changed("approx"):
		return o, Misuse("--approx applies only to --kernel: free polynomials approximate nothing")
	case given:
		o.Learn.Kernels, err = KernelsOf(f.kernels)
	case f.set.Changed("degree"):
		o.Learn.Degree = f.kernels.Degree
	}
	return o, err
}
