package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/kernel"
)

// maxDegree is far above what any kernel on [0, 2] needs, and a slip of the
// finger above it would take hours.
const maxDegree = 1000

// defaultKernels are those of [maretic2017], section 4.
var defaultKernels = []string{"heat:2", "highpass:1"}

// How kernels are written.
const kernelSpecs = "heat:TAU, highpass:TAU, wavelet:SCALE or poly:a0,a1,…"

var kernelFamilies = []string{"heat", "highpass", "wavelet", "poly"}

// kernelFlags are the flags that say which kernels generate the dictionary.
type kernelFlags struct {
	specs  []string
	degree count
	approx *choice
}

func (k *kernelFlags) define(flags *pflag.FlagSet) {
	k.degree = count{value: 15, least: 1, most: maxDegree}
	k.approx = newChoice(kernel.Taylor, kernel.Taylor, kernel.Chebyshev)
	flags.StringArrayVar(&k.specs, "kernel", nil,
		"a kernel, `SPEC`, repeatable: "+kernelSpecs+" (default heat:2 and highpass:1)")
	flags.Var(&k.degree, "degree", "degree of the kernels' polynomials")
	flags.Var(k.approx, "approx", "how kernels become polynomials: taylor or chebyshev")
}

// kernels returns the kernels asked for, each with its scale.
func (k *kernelFlags) kernels() ([]kernel.Kernel, error) {
	if len(k.specs) == 0 {
		return k.parse(defaultKernels)
	}
	return k.parse(k.specs)
}

func (k *kernelFlags) parse(specs []string) ([]kernel.Kernel, error) {
	kernels := make([]kernel.Kernel, len(specs))
	for i, spec := range specs {
		switch family, _, _ := strings.Cut(spec, ":"); {
		case family == kernelsAuto || family == kernelsFree:
			return nil, misuse("--kernel %s is for learning a graph only; want %s", spec, kernelSpecs)
		case !slices.Contains(kernelFamilies, family):
			return nil, misuse("--kernel %q: there is no such kernel; want %s", spec, kernelSpecs)
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
	mustComplete(cmd, "kernel", cobra.FixedCompletions(
		append(words, "heat:2", "highpass:1", "wavelet:1.5", "poly:1,-0.5"),
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}
