// Package checks is for tests: slow and literal ways to an answer that the
// library finds faster, and measures of how far the two are apart.
package checks

import "math"

// GradientError compares grad with central differences of f at x and returns
//
//	‖grad − differences‖₂ / ‖differences‖₂
//
// using step h in every coordinate. x is restored before it returns.
func GradientError(f func(x []float64) float64, x, grad []float64, h float64) float64 {
	var diff, norm float64
	for i, xi := range x {
		x[i] = xi + h
		up := f(x)
		x[i] = xi - h
		down := f(x)
		x[i] = xi
		d := (up - down) / (2 * h)
		diff += (grad[i] - d) * (grad[i] - d)
		norm += d * d
	}
	return math.Sqrt(diff / norm)
}
