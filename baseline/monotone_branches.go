package baseline

import "github.com/nervure/nervure/kernel"

// A branch is an interval of [0, 2] on which h(λ) = Σ p_s(λ)² is strictly monotone.
type branch struct {
	h            func(lambda float64) float64
	low, high    float64 // λ
	hLow, hHigh  float64 // h there
	least, great float64 // the same in order
}

// branchPoints is how finely [0, 2] is sampled to find where h turns.
const branchPoints = 4001

// branchesOf splits [0, 2] where h turns; flat stretches belong to no branch.
func branchesOf(kernels []kernel.Kernel) []branch {
	h := func(l float64) float64 {
		var sum float64
		for _, k := range kernels {
			p := k.Eval(l)
			sum += p * p
		}
		return sum
	}
	at := func(i int) float64 { return 2 * float64(i) / (branchPoints - 1) }
	values := make([]float64, branchPoints)
	var peak float64
	for i := range values {
		values[i] = h(at(i))
		peak = max(peak, values[i])
	}
	direction := func(i int) int {
		switch step := values[i+1] - values[i]; {
		case step > 1e-13*peak:
			return 1
		case step < -1e-13*peak:
			return -1
		}
		return 0
	}
	var branches []branch
	for i := 0; i < branchPoints-1; {
		d, first := direction(i), i
		for i < branchPoints-1 && direction(i) == d {
			i++
		}
		if d != 0 {
			a, b := values[first], values[i]
			branches = append(branches, branch{h, at(first), at(i), a, b, min(a, b), max(a, b)})
		}
	}
	return branches
}

// inverse returns the λ of the branch with h(λ) = v, or its nearer end.
func (b branch) inverse(v float64) float64 {
	rising := b.hHigh > b.hLow
	before := func(x, y float64) bool { return x <= y == rising } // in the order of h along the branch
	low, high := b.low, b.high
	switch {
	case v == b.hLow || before(v, b.hLow):
		return low
	case v == b.hHigh || !before(v, b.hHigh):
		return high
	}
	for range 60 {
		if middle := (low + high) / 2; before(b.h(middle), v) {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
