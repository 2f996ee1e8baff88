package kernel

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a kernel specification: the name of one of the [Families], a colon
// and its argument, such as "heat:2" or "poly:1,-0.5". degree and by apply to
// families with a scale; one without a Taylor series is always interpolated.
func Parse(spec string, degree int, by Approximation) (Kernel, error) {
	name, argument, _ := strings.Cut(spec, ":")
	var numbers []float64
	for field := range strings.SplitSeq(argument, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return Kernel{}, fmt.Errorf("kernel %q: %q is not a number (write %s)", spec, field, either(func(f *Family) string { return f.Example }))
		}
		numbers = append(numbers, v)
	}
	family := find(name)
	switch {
	case family == nil:
		return Kernel{}, fmt.Errorf("kernel %q: unknown family %q (%s)", spec, name, either(func(f *Family) string { return f.Name }))
	case family.shape == nil:
		return family.fromNumbers(spec, numbers)
	case len(numbers) > 1:
		return Kernel{}, fmt.Errorf("kernel %q: %s takes one number", spec, name)
	}
	return family.withScale(numbers[0], degree, by)
}
