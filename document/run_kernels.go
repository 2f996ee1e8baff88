package document

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
)

// Kernels returns the kernels, and what is to be learned of them: given, scales, free, which is
// of count polynomials unless that is 0, or auto; "" and no kernels if nothing is said.
func (k RunKernels) Kernels() (kernels []kernel.Kernel, learned string, count int, err error) {
	if len(k.Given) == 0 && k.Degree == 0 && k.Approximation == "" {
		return nil, "", 0, nil
	}
	isAuto := func(spec string) bool { return spec == "auto" }
	specs := slices.DeleteFunc(slices.Clone(k.Given), isAuto)
	switch auto := slices.ContainsFunc(k.Given, isAuto); {
	case len(specs) == 0:
		specs, learned = kernel.PaperSpecs(), "auto"
	case auto:
		learned = "scales"
	default:
		learned = "given"
	}
	for _, spec := range specs {
		if word, number, counted := strings.Cut(spec, ":"); word == "free" {
			count, err = k.polynomials(number, counted)
			return nil, word, count, err
		}
	}
	for _, spec := range specs {
		family, _, _ := strings.Cut(spec, ":")
		if !slices.ContainsFunc(kernel.Families(), func(f kernel.Family) bool { return f.Name == family }) {
			var usages []string
			for _, f := range kernel.Families() {
				usages = append(usages, f.Usage())
			}
			return nil, "", 0, faultf("`kernels.given` %q: unknown kernel; want %s", spec, words.List(usages, "or"))
		}
		parsed, err := kernel.Parse(spec, cmp.Or(k.Degree, defaultDegree), cmp.Or(kernel.Approximation(k.Approximation), kernel.Taylor))
		if err != nil {
			return nil, "", 0, faultf("`kernels.given`: %s", err)
		}
		kernels = append(kernels, parsed)
	}
	return kernels, learned, 0, nil
}

// defaultDegree is that of kernels of known families.
const defaultDegree = 15

// polynomials understands free and free:S.
func (k RunKernels) polynomials(number string, counted bool) (count int, err error) {
	switch {
	case len(k.Given) > 1:
		return 0, faultf("`kernels.given` free cannot be combined with other kernels; to learn the scales of given kernels, add `kernels.given` auto")
	case k.Approximation != "":
		return 0, faultf("`kernels.approximation` applies only to kernels of known families: free polynomials approximate nothing")
	case counted:
		if count, err = strconv.Atoi(number); err != nil || count < 1 {
			return 0, faultf("`kernels.given` free:%s: want an integer of at least 1", number)
		}
	}
	return count, nil
}

// SetKernels says of kernels what [RunKernels.Kernels] returns. Kernels that are not what their names
// say are others then.
func (k *RunKernels) SetKernels(kernels []kernel.Kernel, learned string, count int) {
	switch learned {
	case "auto", "scales":
		k.Given = []string{"auto"}
	case "free":
		k.Given = []string{"free"}
		if count > 0 {
			k.Given[0] = fmt.Sprintf("free:%d", count)
		}
		return
	}
	for _, given := range kernels {
		k.Given = append(k.Given, given.Name)
		if given.Family() != "" && given.Degree() != defaultDegree {
			k.Degree = given.Degree()
		}
		if given.Order() > 0 {
			continue // it has no other approximation
		}
		if same, err := kernel.Parse(given.Name, given.Degree(), kernel.Chebyshev); err == nil && given.Family() != "" && reflect.DeepEqual(given, same) {
			k.Approximation = string(kernel.Chebyshev)
		}
	}
}
