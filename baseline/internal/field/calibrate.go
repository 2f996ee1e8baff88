package field

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/portable"
)

// calibrate scales the weights of a model, and sets its diagonal to one number and its
// noise, as the moments ask for. The modes of the graph stay those of its weights, so that
// all of it is a function of the frequencies: a good start where the weights are about right
// up to a factor. It returns the deviance of the model; a model that has no spectrum is left
// alone, and its deviance is infinite.
func (e *evaluation) calibrate(m *Model) float64 {
	before := slices.Clone(m.Diagonal)
	clear(m.Diagonal)
	m.theta(e.eigen.Vectors)
	if e.eigen.Factorize() != nil || math.IsNaN(e.eigen.Values[0]) { // that of a matrix that is not finite
		copy(m.Diagonal, before)
		return math.Inf(1)
	}
	e.frequencies, e.modes = e.eigen.Values, e.eigen.Vectors
	e.scale(m)
	n := len(e.frequencies)
	for a := range e.variances {
		e.variances[a] = 1 // for the rotation alone
	}
	e.deviance()
	energy := make([]float64, n)
	for a := range energy {
		energy[a] = max(e.rotated.Data[a*n+a], 0)
	}
	most := max(e.frequencies[n-1], 1e-300)
	var frequencies []float64
	for _, lambda := range e.frequencies {
		frequencies = append(frequencies, max(lambda, 0)/most)
	}
	// What is tried: the logarithm of the scale, the diagonal (its logarithm for powers), the
	// logarithm of the noise.
	least, largest := floats.Min(energy), floats.Max(energy)
	x := []float64{math.Log(m.Kernel.frequency(max(least, 1e-12*largest))), 0, math.Log(max(least, 1e-12*largest) / 2)}
	if m.Kernel == Heat {
		x[0] = math.Log(max(m.Kernel.frequency(max(least, 1e-12*largest))-m.Kernel.frequency(largest), 0.1))
		x[1] = m.Kernel.frequency(largest)
	} else {
		x[1] = math.Log(m.Kernel.frequency(largest))
	}
	diagonal := func(x []float64) float64 {
		if m.Kernel == Heat {
			return x[1]
		}
		return exp(x[1])
	}
	deviance := func() float64 {
		sum, scale, kappa, noise := 0.0, exp(x[0]), diagonal(x), exp(x[2])
		for a, f := range frequencies {
			h := m.Kernel.variance(float64(scale*f)+kappa) + noise
			sum += math.Log(h) + energy[a]/h
		}
		return sum
	}
	for _, width := range []float64{4, 2, 2, 1, 1, 0.5, 0.5, 0.25} {
		for k := range x {
			minimiseAlong(&x[k], width, deviance)
		}
	}
	scale := exp(x[0]) / most
	for k := range m.Weights {
		m.Weights[k] *= scale
	}
	for i := range m.Diagonal {
		m.Diagonal[i] = diagonal(x)
	}
	m.setRidge(e.observations)
	// Where there is next to none its logarithm has no slope: a fit would never find any.
	m.Noise = max(exp(x[2]), least/10)
	return deviance() - e.volume
}

// take begins where another model on the same vertices is.
func (m *Model) take(near *Model, observations float64) {
	weights := map[Pair]float64{}
	for k, p := range near.Pairs {
		weights[p] = near.Weights[k]
	}
	for k, p := range m.Pairs {
		m.Weights[k] = weights[p]
	}
	copy(m.Diagonal, near.Diagonal)
	m.Noise = near.Noise
	m.setRidge(observations)
}

// setRidge sets what weights cost from their usual size.
func (m *Model) setRidge(observations float64) {
	if usual := 2 * portable.Sum(m.Weights) / float64(len(m.Diagonal)*usualDegree); usual > 0 {
		m.ridge = ridgeShare / (observations * usual * usual)
	}
}

// minimiseAlong moves a number within a distance to where a function of it is least, by
// the golden section.
func minimiseAlong(x *float64, width float64, f func() float64) {
	const ratio = 0.6180339887498949
	at := func(v float64) float64 {
		*x = v
		if y := f(); !math.IsNaN(y) {
			return y
		}
		return math.Inf(1)
	}
	begin := *x
	best, value := begin, at(begin)
	low, high := begin-width, begin+width
	a, b := high-float64(ratio*(high-low)), low+float64(ratio*(high-low))
	fa, fb := at(a), at(b)
	for range 14 {
		if fa <= fb {
			high, b, fb = b, a, fa
			a = high - float64(ratio*(high-low))
			fa = at(a)
		} else {
			low, a, fa = a, b, fb
			b = low + float64(ratio*(high-low))
			fb = at(b)
		}
	}
	for _, c := range [][2]float64{{a, fa}, {b, fb}} {
		if c[1] < value {
			best, value = c[0], c[1]
		}
	}
	*x = best
}
