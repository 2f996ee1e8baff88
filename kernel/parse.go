package kernel

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a kernel specification:
//
//	heat:TAU          e^(−τλ)
//	highpass:TAU      1 − e^(−τλ)
//	wavelet:SCALE     band-pass spectral graph wavelet
//	poly:a0,a1,…      a0 + a1·λ + …
//
// degree and by apply to the first three; a wavelet is always interpolated.
func Parse(spec string, degree int, by Approximation) (Kernel, error) {
	family, argument, _ := strings.Cut(spec, ":")
	var numbers []float64
	for field := range strings.SplitSeq(argument, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return Kernel{}, fmt.Errorf("kernel %q: %q is not a number (write heat:2, highpass:1, wavelet:1.5 or poly:1,-0.5)", spec, field)
		}
		numbers = append(numbers, v)
	}
	if family != "poly" && len(numbers) > 1 {
		return Kernel{}, fmt.Errorf("kernel %q: %s takes one number", spec, family)
	}
	switch family {
	case "heat":
		return Heat(numbers[0], degree, by)
	case "highpass":
		return HighPass(numbers[0], degree, by)
	case "wavelet":
		return Wavelet(numbers[0], degree)
	case "poly":
		return Polynomial(spec, numbers)
	}
	return Kernel{}, fmt.Errorf("kernel %q: unknown family %q (heat, highpass, wavelet or poly)", spec, family)
}
