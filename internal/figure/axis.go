package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// An axis maps numbers to places along one direction of the drawing.
type axis struct {
	low, high   float64 // the numbers at its ends, or their logarithms
	first, last float64 // the places of its ends
	log         bool
	ticks       []float64
}

// linearAxis has ticks at round numbers.
func linearAxis(low, high, first, last float64) axis {
	return axis{low: low, high: high, first: first, last: last, ticks: ticks(low, high)}
}

// logAxis has ticks at the values themselves, which are positive: those of a
// grid say more than powers of ten.
func logAxis(values []float64, first, last float64) axis {
	at := slices.Compact(slices.Sorted(slices.Values(values)))
	logs := make([]float64, len(at))
	for k, v := range at {
		logs[k] = math.Log(v)
	}
	low, high := span(logs)
	if high-low < 1e-12 { // less than rounding of the values, however small the logarithms
		low, high = low-0.5, high+0.5
	}
	return axis{low: low, high: high, first: first, last: last, log: true, ticks: at}
}

// decadeAxis is logarithmic, with ticks at powers of ten, not too many of them;
// where these are few, at twice and five times as much, too, and at round numbers
// if the largest is less than ten times the smallest.
func decadeAxis(values []float64, first, last float64) axis {
	a := logAxis(values, first, last)
	low, high := a.low/math.Ln10, a.high/math.Ln10
	beyond := func(t float64) bool { return !(t > 0) || math.IsInf(t, 1) } // as the ends may be
	if high-low < 1 {
		a.ticks = slices.DeleteFunc(ticks(math.Exp(a.low), math.Exp(a.high)), beyond)
		return a
	}
	a.ticks = nil
	from, to := int(math.Ceil(low-1e-9)), int(math.Floor(high+1e-9))
	steps := []float64{1}
	if to-from < 2 {
		steps, from = []float64{1, 2, 5}, from-1
	}
	every := max((to-from+5)/6, 1)
	for k := from; k <= to; k += every {
		for _, s := range steps {
			if at := float64(k) + math.Log10(s); at >= low-1e-9 && at <= high+1e-9 {
				a.ticks = append(a.ticks, s*math.Pow(10, float64(k)))
			}
		}
	}
	a.ticks = slices.DeleteFunc(a.ticks, beyond)
	return a
}

// place holds numbers beyond the ends at the ends.
func (a axis) place(v float64) float64 {
	if a.log {
		v = math.Log(v)
	}
	v = max(min(v, a.high), a.low)
	// Halves, for the whole may be larger than any number.
	return a.first + (a.last-a.first)*((v/2-a.low/2)/(a.high/2-a.low/2))
}

// narrow is a span so small that parts of it are no longer exact numbers.
const narrow = 1e-300

// span returns the ends of an axis that holds the values: low < high by more than
// rounding, even around a single value and without any.
func span(values []float64) (low, high float64) {
	if len(values) > 0 {
		low, high = slices.Min(values), slices.Max(values)
	}
	if size := max(math.Abs(low), math.Abs(high)); high-low <= max(1e-12*size, narrow) {
		around := max(0.5, 1e-6*size)
		low, high = max(low-around, -math.MaxFloat64), min(high+around, math.MaxFloat64)
	}
	return low, high
}

// namedAxis has places for n names, from 1 on.
func namedAxis(n int, first, last float64) axis {
	a := axis{low: 0.5, high: float64(n) + 0.5, first: first, last: last}
	for k := range n {
		a.ticks = append(a.ticks, float64(k+1))
	}
	return a
}

// wholeTicks leaves out ticks between whole numbers, where all values are whole:
// there is no half edge, and no half round.
func (a axis) wholeTicks(values []float64) axis {
	part := func(v float64) bool { return v != math.Round(v) }
	if !slices.ContainsFunc(values, part) {
		if whole := slices.DeleteFunc(slices.Clone(a.ticks), part); len(whole) > 0 {
			a.ticks = whole
		}
	}
	return a
}

// ticks returns round numbers between low and high, about five of them.
func ticks(low, high float64) []float64 {
	if math.IsInf(high-low, 0) {
		return []float64{low, 0, high}
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, factor := range []float64{1, 2, 2.5, 5, 10} {
		if (high-low)/(step*factor) <= 6 {
			step *= factor
			break
		}
	}
	var all []float64
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step && k+1 != k; k++ { // numbers so large have no next
		all = append(all, k*step)
	}
	return all
}

// tickLabel is without the digits that rounding leaves, and without a minus
// before zero. Very small and very large numbers have a power of ten.
func tickLabel(v float64) string {
	if size := math.Abs(v); v == 0 || size >= 1e-3 && size < 1e6 {
		return strconv.FormatFloat(math.Round(v*1e6)/1e6+0, 'g', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 3, 64), "e")
	k, _ := strconv.Atoi(exponent) // which FormatFloat wrote
	return strings.TrimSuffix(strings.TrimRight(mantissa, "0"), ".") + "e" + strconv.Itoa(k)
}
