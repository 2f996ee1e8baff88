package kernel

import (
	"strconv"
	"strings"
)

// Names lists the names of kernels.
func Names(kernels []Kernel) []string {
	var names []string
	for _, k := range kernels {
		names = append(names, k.Name)
	}
	return names
}

// ShortName is the name of a kernel for people: numbers in four digits, and no
// more than the beginning of a long polynomial.
func ShortName(name string) string {
	family, argument, _ := strings.Cut(name, ":")
	numbers := strings.Split(argument, ",")
	for k, n := range numbers {
		if v, err := strconv.ParseFloat(n, 64); err == nil {
			numbers[k] = strconv.FormatFloat(v, 'g', 4, 64)
		}
	}
	if len(numbers) > 3 {
		numbers = append(numbers[:3], "…")
	}
	return family + ":" + strings.Join(numbers, ",")
}
