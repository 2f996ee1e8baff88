package cli

import (
	"github.com/nervure/nervure/model"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/learn"
)

// kernelsFlags are the flags of kernels as they were typed.
type kernelsFlags struct {
	set *pflag.FlagSet

	signals  signalFlags
	prepare  document.RunPrepare
	graph    string
	count    string
	free     bool
	kernels  kernelFlags
	sparsity count
	seed     uint64
	threads  count

	json     bool
	out      string
	quiet    bool
	progress *choice
}

func (f *kernelsFlags) define(cmd *cobra.Command) {
	f.sparsity, f.threads = count{least: 1}, count{least: 0, most: maxThreads}
	f.progress = newChoice(progressAuto, progressAuto, progressPlain, progressNone)
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		f.signals.define(s)
		s.StringVar(&f.graph, "graph", "", "graph `FILE`: "+readableGraphs)
	})
	addFlags(cmd, "Preprocessing", func(s *pflag.FlagSet) { definePrepare(s, &f.prepare) })
	addFlags(cmd, "Model", func(s *pflag.FlagSet) {
		s.BoolVar(&f.free, "free", false, "learn free polynomials (the default without --kernel)")
		s.StringVar(&f.count, "kernels", "", "learn `S` free polynomials, or auto to choose 1 to 3 from the signals (default auto)")
		f.kernels.define(s)
		s.Lookup("kernel").Usage = "learn the scale of a kernel, starting from `SPEC` (repeatable): " + kernelSpecs() + "; a kernel without a scale is kept fixed"
		s.Lookup("degree").Usage = "degree of the kernel polynomials (default 6, or 15 with --kernel)"
		s.Lookup("degree").DefValue = ""
		s.Lookup("approx").Usage = "with --kernel: polynomial approximation, taylor or chebyshev"
		s.Var(&f.sparsity, "sparsity", "maximum number of atoms per signal (default 4, or half the number of vertices if that is less)")
	})
	addFlags(cmd, "Learning", func(s *pflag.FlagSet) {
		s.Uint64Var(&f.seed, "seed", 1, "random seed `S`; 0 is the same as 1")
		s.Var(&f.threads, "threads", "number of cores, 0 for all; does not affect the result (default 0)")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.StringVar(&f.out, "out", "", "also write the kernels to `FILE`: .json for everything, .csv for a table of values")
		s.BoolVar(&f.json, "json", false, "print JSON instead of flags")
		s.BoolVar(&f.quiet, "quiet", false, "print only results and errors")
		s.Var(f.progress, "progress", "progress output: auto (one line on a terminal), plain (one line per round) or none")
	})
	f.set = cmd.Flags()
	f.kernels.complete(cmd)
	mustComplete(cmd, "graph", graphFiles)
	mustComplete(cmd, "kernels", cobra.FixedCompletions([]cobra.Completion{"auto", "1", "2", "3"}, cobra.ShellCompDirectiveNoFileComp))
}

// resolve turns flags into what they mean, or finds the fault in them.
func (f *kernelsFlags) resolve(signals string) (*kernelsRun, error) {
	source := f.signals.file(signals)
	asked, err := nervure.OptionsOf(&document.Run{Version: document.RunVersion, Read: source.RunRead, Prepare: f.prepare})
	if err != nil {
		return nil, terms{}.explain(err)
	}
	r := &kernelsRun{
		source: source, graph: f.graph,
		options: model.KernelOptions{Prepare: asked.Prepare, BadSensors: asked.BadSensors, Learn: learn.KernelOptions{Seed: f.seed}},
		threads: f.threads.value, json: f.json, out: f.out, quiet: f.quiet, progress: progressMode(f.progress.value),
	}
	if f.quiet {
		r.progress = progressNone
	}
	switch {
	case f.graph == "":
		return nil, misuse("--graph is missing: give the graph of the signals")
	case f.set.Changed("out") && f.out == "":
		return nil, misuse("--out needs a file name")
	}
	for _, check := range []func(*kernelsRun) error{f.readKernels, f.readCount} {
		if err := check(r); err != nil {
			return nil, err
		}
	}
	r.options.Learn.Sparsity = f.sparsity.value
	return r, nil
}

// readKernels reads which kernels to begin with, if any.
func (f *kernelsFlags) readKernels(r *kernelsRun) (err error) {
	given := f.set.Changed("kernel")
	switch {
	case given && f.free:
		return misuse("--kernel and --free cannot be used together")
	case given && f.set.Changed("kernels"):
		return misuse("--kernels applies only to free polynomials; with --kernel, there are as many kernels as flags")
	case !given && f.set.Changed("approx"):
		return misuse("--approx applies only to --kernel: free polynomials approximate nothing")
	case given:
		r.options.Learn.Kernels, err = f.kernels.kernels()
	case f.kernels.degree.given:
		r.options.Learn.Degree = f.kernels.degree.value
	}
	return err
}

// readCount reads how many free polynomials to learn.
func (f *kernelsFlags) readCount(r *kernelsRun) error {
	c := count{least: 1}
	if !f.set.Changed("kernels") || f.count == "auto" {
		return nil
	}
	if err := c.Set(f.count); err != nil {
		return misuse("--kernels %q: %s, or auto", f.count, err)
	}
	r.options.Learn.Count = c.value
	return nil
}
