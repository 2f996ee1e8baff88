package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
)

// kernelSpecs says how kernels are written: "heat:TAU, …".
func kernelSpecs() string {
	var usages []string
	for _, f := range kernel.Families() {
		usages = append(usages, f.Usage())
	}
	return either(usages)
}

// kernelFlags are the flags that say which kernels generate the dictionary.
type kernelFlags struct {
	specs  []string
	degree count
	approx *choice
}

func (k *kernelFlags) define(flags *pflag.FlagSet) {
	k.degree = count{value: 15, least: 1, most: kernel.MaxDegree}
	k.approx = newChoice(kernel.Taylor, kernel.Taylor, kernel.Chebyshev)
	flags.StringArrayVar(&k.specs, "kernel", nil,
		"kernel `SPEC` (repeatable): "+kernelSpecs()+" (default "+words.List(kernel.PaperSpecs(), "and")+")")
	flags.Var(&k.degree, "degree", "degree of the kernel polynomials")
	flags.Var(k.approx, "approx", "polynomial approximation of the kernels: taylor or chebyshev")
}

// kernels returns the kernels asked for, each with its scale.
func (k *kernelFlags) kernels() ([]kernel.Kernel, error) {
	if len(k.specs) == 0 {
		return k.parse(kernel.PaperSpecs())
	}
	return k.parse(k.specs)
}

func (k *kernelFlags) parse(specs []string) ([]kernel.Kernel, error) {
	kernels := make([]kernel.Kernel, len(specs))
	for i, spec := range specs {
		switch family, _, _ := strings.Cut(spec, ":"); {
		case family == kernelsAuto || family == kernelsFree:
			return nil, misuse("--kernel %s applies only to learning a graph; want %s", spec, kernelSpecs())
		case !slices.ContainsFunc(kernel.Families(), func(f kernel.Family) bool { return f.Name == family }):
			return nil, misuse("--kernel %q: unknown kernel; want %s", spec, kernelSpecs())
		}
		parsed, err := kernel.Parse(spec, k.degree.value, kernel.Approximation(k.approx.value))
		if err != nil {
			return nil, misuse("--kernel: %s", err)
		}
		kernels[i] = parsed
	}
	return kernels, nil
}

// complete suggests how kernels are written; a number is still to follow some.
func (k *kernelFlags) complete(cmd *cobra.Command, words ...cobra.Completion) {
	for _, f := range kernel.Families() {
		words = append(words, f.Example)
	}
	mustComplete(cmd, "kernel", cobra.FixedCompletions(words,
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}
