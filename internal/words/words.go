// Package words writes numbers as people read them, the same in the terminal, in
// the report and in warnings.
package words

import (
	"fmt"
	"strconv"
	"strings"
)

// Plural returns "1 edge" or "3 edges".
func Plural(n int, noun string) string {
	switch {
	case n == 1:
	case noun == "vertex":
		noun = "vertices"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Thousands returns a number with its digits in groups of three, such as 200,000.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for k := len(digits) - 3; k > 0; k -= 3 {
		digits = digits[:k] + "," + digits[k:]
	}
	return digits
}

// Percent returns a share in two digits.
func Percent(share float64) string {
	if share > 0.1 {
		return fmt.Sprintf("%.0f%%", 100*share)
	}
	return fmt.Sprintf("%.2g%%", 100*share)
}

// List returns "a, b and c" for the word and.
func List(items []string, word string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " " + word + " " + items[last]
}
