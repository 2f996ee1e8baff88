// Package portable has functions of the standard library whose last bit there depends
// on the processor.
package portable

import "math"

// Exp returns eˣ within two units in the last place. On processors that fuse products
// with sums, math.Exp rounds differently from others; math.Expm1 rounds alike on all
// processors of an architecture.
func Exp(x float64) float64 {
	if x < 0 {
		return 1 / (1 + math.Expm1(-x)) // near 0, where 1 + (eˣ − 1) would cancel
	}
	return 1 + math.Expm1(x)
}
