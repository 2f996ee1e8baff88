package fitting

import (
	"iter"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Signals that were written with nine digits, or stored as float32, cannot be
// explained better than to that precision. What the values themselves show of
// it is taken into account when an answer is to prove itself.

// roundingEnergy returns, for each prepared signal, a bound on the energy of
// the errors that rounding put into it, zero if the values have full precision.
func roundingEnergy(y *mat.Dense, p Signals) []float64 {
	quantum, relative := resolution(func(yield func(float64) bool) {
		rows, _ := y.Dims()
		for i := range rows {
			for _, v := range y.RawRowView(i) {
				if !math.IsNaN(v) && !yield(v) {
					return
				}
			}
		}
	})
	energy, room := make([]float64, p.Count()), make([]float64, 0, len(p.Vertices))
	for s := range energy {
		for _, v := range p.observed(room, s) {
			energy[s] += math.Pow(max(quantum/p.Unit, relative*math.Abs(v)), 2)
		}
	}
	return energy
}

// resolution returns what the values show of the rounding they went through:
// half a unit of the last decimal, if all have only that many, and half a unit of
// the last digit relative to the value, if all have only that many digits or are
// float32 numbers. Zero means that nothing of the kind shows. Values that were
// rounded in one way show something, but less, of the other, so the larger of
// the two errors is the one to believe.
func resolution(values iter.Seq[float64]) (quantum, relative float64) {
	var largest float64
	single := true
	for v := range values {
		largest = max(largest, math.Abs(v))
		single = single && float64(float32(v)) == v
	}
	for decimals := range 16 {
		unit := math.Pow10(decimals)
		// Beyond this, every number is close to a multiple of the unit.
		if largest*unit > 1e12 {
			break
		}
		if all(values, func(v float64) bool { return whole(v * unit) }) {
			quantum = 0.5 / unit
			break
		}
	}
	for digits := 4; digits <= 12; digits++ {
		if all(values, func(v float64) bool {
			return v == 0 || whole(v*math.Pow10(digits-1-int(math.Floor(math.Log10(math.Abs(v))))))
		}) {
			relative = 5 * math.Pow10(-digits)
			break
		}
	}
	if single {
		relative = max(relative, 0x1p-24)
	}
	return quantum, relative
}

// whole reports whether x is an integer but for what decimal to binary conversion
// and one product leave.
func whole(x float64) bool { return math.Abs(x-math.Round(x)) <= 0x1p-50*math.Abs(x) }

func all(values iter.Seq[float64], holds func(float64) bool) bool {
	for v := range values {
		if !holds(v) {
			return false
		}
	}
	return true
}
