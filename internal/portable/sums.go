package portable

import "unsafe"

// Sums of many numbers, each in one order that does not depend on the processor. It is
// the order of gonum's assembly for x86-64, so that all others round like it; gonum's Go
// code for them has another order. No product is fused with a sum: the conversions of
// products, which look idle, keep the compiler from it.

// sumGo is Sum in Go. Like the assembly, it takes the first number by itself if that is
// not at a multiple of 16 bytes, as in every other row of a matrix with an odd number of
// columns. Go's heap has the same places for it on all processors.
func sumGo(x []float64) float64 {
	var s [8]float64
	if uintptr(unsafe.Pointer(unsafe.SliceData(x)))%16 != 0 && len(x) > 0 {
		s[0], x = x[0], x[1:]
	}
	for ; len(x) >= 8; x = x[8:] {
		for k, v := range x[:8] {
			s[k] += v
		}
	}
	s[0], s[1], s[2], s[3] = s[0]+s[6], s[1]+s[7], s[2]+s[4], s[3]+s[5]
	if len(x) >= 4 {
		s[0], s[1], s[2], s[3] = s[0]+x[0], s[1]+x[1], s[2]+x[2], s[3]+x[3]
		x = x[4:]
	}
	s[0], s[1] = s[0]+s[2], s[1]+s[3]
	if len(x) >= 2 {
		s[0], s[1] = s[0]+x[0], s[1]+x[1]
		x = x[2:]
	}
	sum := s[0] + s[1]
	if len(x) == 1 {
		sum += x[0]
	}
	return sum
}

// Mean returns the mean of numbers, and NaN if there are none.
func Mean(x []float64) float64 { return Sum(x) / float64(len(x)) }

// MeanVariance returns the mean of numbers and their variance without bias.
func MeanVariance(x []float64) (mean, variance float64) {
	mean, squares := meanSquares(x)
	return mean, squares / float64(len(x)-1)
}

// PopMeanVariance returns the mean of numbers that are all there are, and their variance.
func PopMeanVariance(x []float64) (mean, variance float64) {
	mean, squares := meanSquares(x)
	return mean, squares / float64(len(x))
}

// meanSquares returns the mean of numbers and the sum of their squared deviations from it.
// What rounding leaves of the sum of the deviations, which would be 0, corrects it.
func meanSquares(x []float64) (mean, squares float64) {
	mean = Mean(x)
	var left float64
	for _, v := range x {
		d := v - mean
		left += d
		squares += float64(d * d)
	}
	return mean, squares - float64(left*left)/float64(len(x))
}

// dotGo is Dot in Go.
func dotGo(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += float64(v * y[i])
	}
	return (s0 + s2) + (s1 + s3)
}
