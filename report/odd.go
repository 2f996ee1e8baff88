package report

import (
	"cmp"
	"fmt"
	"slices"
)

const (
	oddTimes = 3 // that many times the median stands out
	oddMost  = 5 // that are named
)

// oddOnes finds what is far above the median, and above what floor makes of it, the
// largest first. NaN is left out.
func oddOnes(values []float64, floor func(median float64) float64) (odd []int, median float64) {
	odd = []int{} // for the page, which wants a list
	sorted := slices.Sorted(slices.Values(known(values)))
	if len(sorted) == 0 {
		return odd, 0
	}
	median = (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
	for i, v := range values {
		if v > oddTimes*median && v > floor(median) {
			odd = append(odd, i)
		}
	}
	slices.SortStableFunc(odd, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return odd, median
}

// oddWords names the first of what stands out, in a sentence each.
func oddWords(odd []int, sentence func(i int) string) []string {
	var words []string
	for _, i := range odd[:min(len(odd), oddMost)] {
		words = append(words, sentence(i))
	}
	if more := len(odd) - oddMost; more > 0 {
		words = append(words, fmt.Sprintf("And %d more.", more))
	}
	return words
}

// times says how a value compares with the median, which may be nothing at all.
func times(value, median float64) string {
	switch ratio := value / median; {
	case median == 0:
		return "far above the median of 0"
	case ratio > 1000:
		return "more than 1000 times the median"
	case ratio < 10:
		return fmt.Sprintf("%.2g times the median", ratio)
	default:
		return fmt.Sprintf("%.0f times the median", ratio)
	}
}
