package fitting

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// What resolution sees must be at least what rounding did, and not much more.
func TestResolutionBoundsTheRoundingErrors(t *testing.T) {
	printed := func(format byte, digits int) func(float64) float64 {
		return func(v float64) float64 {
			back := must(strconv.ParseFloat(strconv.FormatFloat(v, format, digits, 64), 64))
			return back
		}
	}
	for name, round := range map[string]func(float64) float64{
		"full precision":   func(v float64) float64 { return v },
		"seventeen digits": printed('g', 17),
		"integers":         math.Round,
		"three decimals":   printed('f', 3),
		"six decimals":     printed('f', 6),
		"five digits":      printed('e', 4),
		"nine digits":      printed('e', 8),
		"float32":          func(v float64) float64 { return float64(float32(v)) },
	} {
		r := rand.New(rand.NewPCG(3, 4))
		values, errors := make([]float64, 300), 0.0
		for k := range values {
			v := 100 * r.NormFloat64() * math.Exp(r.NormFloat64())
			values[k] = round(v)
			errors += (values[k] - v) * (values[k] - v)
		}
		quantum, relative := resolution(slices.Values(values))
		var bound float64
		for _, v := range values {
			bound += math.Pow(max(quantum, relative*math.Abs(v)), 2)
		}
		if bound < errors || bound > 200*errors {
			t.Errorf("%s: errors of energy %.2g, bounded by %.2g", name, errors, bound)
		}
	}
}
