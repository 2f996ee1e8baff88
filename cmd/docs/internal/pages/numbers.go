package pages

import "fmt"

// unmeasured stands where there is no number.
const unmeasured = "–"

func whole(n int) string { return fmt.Sprint(n) }

// digits writes a positive number with three digits, or all before the point.
func digits(v float64) string {
	switch {
	case v == 0:
		return unmeasured
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func hundredths(v float64) string { return fmt.Sprintf("%.2f", v) }

func tenThousandths(v float64) string { return fmt.Sprintf("%.4f", v) }

func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return unmeasured
	}
	return digits(a / b)
}

// share is a part in percent.
func share(part, of float64) string {
	if part == 0 || of == 0 {
		return unmeasured
	}
	return fmt.Sprintf("%.0f %%", 100*part/of)
}
