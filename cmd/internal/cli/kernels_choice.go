package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
)

// What --kernel takes besides specifications where a graph is learned.
const (
	kernelsAuto = "auto"
	kernelsFree = "free" // or free:S
)

// aboutModel is the part of a help that says what is chosen of the model.
func aboutModel() string {
	return paragraph(fmt.Sprintf(`Kernels and the number of atoms per signal are chosen automatically unless you
give them. Nervure tries heat:2 and highpass:1 first, then learns their scales,
and then compares low-pass kernels with them by how well vertices are predicted
from the others in held-out signals. To learn only the scales of given kernels,
add --kernel auto; --kernel free learns polynomials. With %d or more
vertices, scales are learned where heat:2 and highpass:1 do not explain the
signals, of these or of two low-pass kernels, and there are %d atoms per signal
unless you say otherwise. For --method %s nothing is chosen: the
kernels are heat:2 and highpass:1, with as many atoms.`, learn.DefaultLargeFrom, learn.PaperModel().Sparsity, paperMethod))
}

// defineChoice defines the flags for commands that learn kernels with a graph.
func (k *kernelFlags) defineChoice(flags *pflag.FlagSet) {
	k.define(flags)
	flags.Lookup("kernel").Usage = "kernel `SPEC` (repeatable): " + kernelSpecs() +
		"; add auto to learn the scales of the others; free learns free polynomials, free:S exactly S of them (default auto: chosen from the signals)"
	flags.Lookup("degree").Usage = "degree of the kernel polynomials (default 15, or 6 for free polynomials)"
	flags.Lookup("degree").DefValue = ""
}

// A kernelChoice is kernels and what is to be learned of them.
type kernelChoice struct {
	kernels  []kernel.Kernel // given, or to begin with; none for free ones
	learning learn.KernelLearning
	count    int // of free ones, 0 if it is to be found
	degree   int // of free ones, 0 if it was not given
}

// choice returns what the flags ask for.
func (k *kernelFlags) choice() (c kernelChoice, err error) {
	for _, spec := range k.specs {
		if word, count, counted := strings.Cut(spec, ":"); word == kernelsFree {
			return k.free(count, counted)
		}
	}
	isAuto := func(spec string) bool { return spec == kernelsAuto }
	specs := slices.DeleteFunc(slices.Clone(k.specs), isAuto)
	switch auto := slices.ContainsFunc(k.specs, isAuto); {
	case len(specs) == 0:
		specs, c.learning = kernel.PaperSpecs(), learn.KernelsAuto
	case auto:
		c.learning = learn.KernelsScaled
	default:
		c.learning = learn.KernelsGiven
	}
	c.kernels, err = k.parse(specs)
	return c, err
}

// free understands --kernel free and free:S.
func (k *kernelFlags) free(number string, counted bool) (kernelChoice, error) {
	c, s := kernelChoice{learning: learn.KernelsFree}, count{least: 1}
	switch {
	case len(k.specs) > 1:
		return c, misuse("--kernel free cannot be combined with other kernels; to learn the scales of given kernels, add --kernel auto")
	case k.approx.given:
		return c, misuse("--approx applies only to kernels of known families: free polynomials approximate nothing")
	case counted:
		if err := s.Set(number); err != nil {
			return c, misuse("--kernel free:%s: %s", number, err)
		}
	}
	c.count = s.value
	if k.degree.given {
		c.degree = k.degree.value
	}
	return c, nil
}

// learned says whether the kernels are to be learned, and only by sparse.
func (c kernelChoice) learned() bool {
	return c.learning == learn.KernelsScaled || c.learning == learn.KernelsFree
}

func needsKernels(name string) string {
	return name + " does not learn kernels: give them, such as heat:2"
}

// set puts the choice into what the sparse method is asked for.
func (c kernelChoice) set(s *learn.Sparse) {
	s.Model.Kernels = c.kernels
	s.Options.Kernels, s.Options.KernelCount, s.Options.KernelDegree = c.learning, c.count, c.degree
}
