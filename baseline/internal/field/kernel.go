// Package field fits Gaussian fields on a graph. Signals are y = ĝ(Θ)·z + noise with white
// z, where Θ is a Laplacian plus a diagonal: Σ = ĝ(Θ)² + σ²I. The kernel says how a field
// lives on its graph: ĝ(λ)² = λ^(−α) for a field of order α, e^(−2λ) for one that has
// diffused. Order one is the Gaussian model whose precision matrix is the Laplacian.
package field

import (
	"math"
	"strconv"

	"github.com/nervure/nervure/internal/portable"
)

// A Kernel is the shape of the spectrum of a field over the frequencies of its graph.
type Kernel struct {
	Order float64 // α: the variance at frequency λ is λ^(−α); zero means Heat
}

// Heat is the kernel of diffusion: the variance at frequency λ is e^(−2λ).
var Heat = Kernel{}

// String names the kernel as --kernel does.
func (k Kernel) String() string {
	if k == Heat {
		return "heat"
	}
	return "matern:" + strconv.FormatFloat(k.Order, 'g', -1, 64)
}

// variance returns the variance at a frequency, without noise.
func (k Kernel) variance(lambda float64) float64 {
	switch k.Order {
	case 0:
		return portable.Exp(-2 * lambda)
	case 1:
		return 1 / lambda
	case 2:
		return 1 / (lambda * lambda)
	case 4:
		square := lambda * lambda
		return 1 / (square * square)
	}
	return portable.Exp(-k.Order * math.Log(lambda))
}

// frequency is the inverse of variance.
func (k Kernel) frequency(variance float64) float64 {
	switch k.Order {
	case 0:
		return -math.Log(variance) / 2
	case 1:
		return 1 / variance
	case 2:
		return 1 / math.Sqrt(variance)
	case 4:
		return 1 / math.Sqrt(math.Sqrt(variance))
	}
	return portable.Exp(-math.Log(variance) / k.Order)
}

// slope returns the derivative of the variance, which is v, by the frequency.
func (k Kernel) slope(lambda, v float64) float64 {
	if k == Heat {
		return -2 * v
	}
	return -k.Order * v / lambda
}

// frequencySlope returns the derivative of the frequency, which is f, by the variance.
func (k Kernel) frequencySlope(variance, f float64) float64 {
	if k == Heat {
		return -1 / (2 * variance)
	}
	return -f / (k.Order * variance)
}

// valid reports whether a matrix with this smallest eigenvalue has the kernel.
func (k Kernel) valid(least, most float64) bool {
	return k == Heat && most < maxExponent && least > -maxExponent || k != Heat && least > leastShare*most
}

const (
	// maxExponent bounds frequencies of diffusion, beyond which variances are zero.
	maxExponent = 300
	// leastShare bounds the condition of a field.
	leastShare = 1e-12
)

// OrderInRange reports whether fields of the order can be fitted.
func (k Kernel) OrderInRange() bool {
	return k == Heat || k.Order >= 0.5 && k.Order <= 16
}

// differences puts (f(x_a) − f(x_b))/(x_a − x_b) into each row, with values f and slopes g
// at x, which ascends. Near neighbours take the mean of their slopes.
func differences(row, x, f, g []float64, a int) {
	for b := range row {
		d := x[a] - x[b]
		if math.Abs(d) <= 1e-6*(math.Abs(x[a])+math.Abs(x[b])) {
			row[b] = (g[a] + g[b]) / 2
			continue
		}
		row[b] = (f[a] - f[b]) / d
	}
}

// exp is the exponential with the same bits on every processor.
func exp(x float64) float64 { return portable.Exp(x) }
