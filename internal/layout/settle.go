package layout

import "math"

// Settle makes places from elsewhere fit to be drawn: vertices without one, NaN, go
// in a row below the others, and numbers too large to compute with are scaled down.
// x and y are changed in place.
func Settle(x, y []float64) {
	avoidOverflow(x, y)
	left, right, low, high := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	var homeless []int
	for i := range x {
		if math.IsNaN(x[i]) || math.IsNaN(y[i]) {
			homeless = append(homeless, i)
			continue
		}
		left, right = min(left, x[i]), max(right, x[i])
		low, high = min(low, y[i]), max(high, y[i])
	}
	if len(homeless) == len(x) {
		left, right, low, high = 0, 0, 0, 0
	}
	size := max(right-left, high-low)
	if size == 0 {
		size = 1
	}
	for k, i := range homeless {
		x[i] = (left+right)/2 + size*(float64(k+1)/float64(len(homeless)+1)-0.5)
		y[i] = low - size/12
	}
}

// avoidOverflow scales places whose squares would not be numbers.
func avoidOverflow(x, y []float64) {
	most := 0.0
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			most = max(most, math.Abs(x[i]), math.Abs(y[i]))
		}
	}
	if most < 1e100 {
		return
	}
	for i := range x {
		x[i], y[i] = x[i]/most, y[i]/most
	}
}
