package cli

import (
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
const aboutModel = `Kernels and the number of atoms a signal are chosen, unless they are given.
Heat:2 and highpass:1 are tried first, then their scales are learned, and then
low-pass kernels are compared with them by how well vertices are predicted from
others in signals held out. To learn only the scales of kernels, give these
beside --kernel auto; --kernel free learns polynomials. Nothing is chosen for
recipe maretic2017 and from 400 vertices on (1000 if values are missing): the
kernels are heat:2 and highpass:1 there, with 4 atoms a signal (half the
vertices if that is less).`

// defineChoice defines the flags for commands that learn kernels with a graph.
func (k *kernelFlags) defineChoice(flags *pflag.FlagSet) {
	k.define(flags)
	flags.Lookup("kernel").Usage = "a kernel, `SPEC`, repeatable: " + kernelSpecs() +
		"; auto beside others to learn their scales; free or free:S to learn polynomials, S of them (default auto: as the signals tell)"
	flags.Lookup("degree").Usage = "degree of the kernels' polynomials (default 15, free ones 6)"
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
		specs, c.learning = defaultKernels, learn.KernelsAuto
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
		return c, misuse("--kernel free excludes other kernels; to learn the scales of given ones, give them beside --kernel auto")
	case k.approx.given:
		return c, misuse("--approx is for kernels of known families: free polynomials stand for nothing else")
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

// set puts the choice into what the sparse method is asked for.
func (c kernelChoice) set(s *learn.Sparse) {
	s.Model.Kernels = c.kernels
	s.Options.Kernels, s.Options.KernelCount, s.Options.KernelDegree = c.learning, c.count, c.degree
}
