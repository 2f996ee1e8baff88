// Package kernel holds the spectral kernels g(λ) that generate a dictionary,
// as polynomials on the spectrum [0, 2] of a normalised Laplacian: heat kernels
// and their high-pass twins ([maretic2017], section 4), spectral graph wavelets
// ([hammond2011]), and coefficients given or learned beforehand ([thanou2014]).
//
// Whatever it was made from, a Kernel keeps its polynomial in the Chebyshev
// basis of [0, 2], where evaluation and recurrences are stable at any degree.
package kernel

import (
	"fmt"
	"math"
	"slices"
)

// A Kernel is a polynomial p(λ) on [0, 2], standing for some function g(λ).
type Kernel struct {
	// Name is the specification it came from, such as "heat:2".
	Name string
	// ApproximationError is max |p(λ) − g(λ)| over [0, 2], measured on a fine
	// grid; zero if the polynomial was given.
	ApproximationError float64

	series []float64 // c_k: p(λ) = Σ c_k T_k(λ − 1)
	coef   []float64 // α_k where the kernel was made from them, else nil
	peak   float64   // max |g| on [0, 2]
}

// Approximation says how a function becomes a polynomial.
type Approximation string

const (
	// Taylor is the series at λ = 0, as in [maretic2017]. On [0, 2] it needs a
	// degree well above 2eτ for a heat kernel of scale τ.
	Taylor Approximation = "taylor"
	// Chebyshev interpolates at Chebyshev points: near the best possible for the degree.
	Chebyshev Approximation = "chebyshev"
)

// PoorFit is the approximation error, relative to the kernel's peak, above
// which Warning speaks.
const PoorFit = 0.01

// largest bounds the size of kernels, so that squares of atoms neither overflow nor vanish.
const largest = 1e100

// gridPoints is how finely [0, 2] is sampled to measure errors.
const gridPoints = 2001

// Heat returns e^(−τλ), low-pass for τ > 0.
func Heat(tau float64, degree int, by Approximation) (Kernel, error) {
	alpha := func(k int) float64 { return heatTaylor(tau, k) }
	return scaled("heat", tau, degree, by, alpha, func(l float64) float64 { return math.Exp(-tau * l) })
}

// HighPass returns 1 − e^(−τλ), zero at λ = 0 and high-pass for τ > 0.
func HighPass(tau float64, degree int, by Approximation) (Kernel, error) {
	alpha := func(k int) float64 {
		if k == 0 {
			return 0
		}
		return -heatTaylor(tau, k)
	}
	return scaled("highpass", tau, degree, by, alpha, func(l float64) float64 { return -math.Expm1(-tau * l) })
}

// heatTaylor returns (−τ)^k/k!.
func heatTaylor(tau float64, k int) float64 {
	a := 1.0
	for i := 1; i <= k; i++ {
		a *= -tau / float64(i)
	}
	return a
}

// Wavelet returns the band-pass spectral graph wavelet kernel g(scale·λ) of
// [hammond2011], section 8.1, with α = β = 2, x₁ = 1 and x₂ = 2. It is always
// approximated by Chebyshev interpolation: its Taylor series at 0 is just λ².
func Wavelet(scale float64, degree int) (Kernel, error) {
	return scaled("wavelet", scale, degree, Chebyshev, nil, func(l float64) float64 {
		switch x := scale * l; {
		case x < 1:
			return x * x
		case x <= 2:
			return -5 + x*(11+x*(-6+x))
		default:
			return 4 / (x * x)
		}
	})
}

// Polynomial returns the kernel with the given coefficients: p(λ) = Σ coef[k] λ^k.
func Polynomial(name string, coef []float64) (Kernel, error) {
	if len(coef) == 0 {
		return Kernel{}, fmt.Errorf("kernel %s: no coefficients", name)
	}
	k, err := fromCoef(name, coef, func(l float64) float64 { return horner(coef, l) })
	k.ApproximationError = 0 // what was measured is rounding
	return k, err
}

func scaled(family string, scale float64, degree int, by Approximation, alpha func(k int) float64, g func(float64) float64) (Kernel, error) {
	name := fmt.Sprintf("%s:%v", family, scale)
	if !(scale > 0) || math.IsInf(scale, 0) {
		return Kernel{}, fmt.Errorf("kernel %s: the scale must be a positive number", name)
	}
	if degree < 1 {
		return Kernel{}, fmt.Errorf("kernel %s: degree %d is below 1", name, degree)
	}
	switch by {
	case Chebyshev:
		return build(name, interpolate(g, degree), g)
	case Taylor:
		coef := make([]float64, degree+1)
		for k := range coef {
			coef[k] = alpha(k)
		}
		return fromCoef(name, coef, g)
	}
	return Kernel{}, fmt.Errorf("kernel %s: unknown approximation %q (taylor or chebyshev)", name, by)
}

// fromCoef stands p(λ) = Σ coef[k] λ^k for g.
func fromCoef(name string, coef []float64, g func(float64) float64) (Kernel, error) {
	series := interpolate(func(l float64) float64 { return horner(coef, l) }, len(coef)-1)
	k, err := build(name, series, g)
	k.coef = slices.Clone(coef)
	return k, err
}

// build measures how well the series stands for g and refuses what cannot
// generate atoms.
func build(name string, series []float64, g func(float64) float64) (Kernel, error) {
	k := Kernel{Name: name, series: series}
	var peak float64
	for i := range gridPoints {
		l := 2 * float64(i) / (gridPoints - 1)
		p, want := k.Eval(l), g(l)
		if math.IsNaN(p) || math.IsInf(p, 0) {
			return Kernel{}, fmt.Errorf("kernel %s: not finite at λ = %g", name, l)
		}
		peak = max(peak, math.Abs(p))
		k.peak = max(k.peak, math.Abs(want))
		k.ApproximationError = max(k.ApproximationError, math.Abs(p-want))
	}
	switch {
	case peak == 0:
		return Kernel{}, fmt.Errorf("kernel %s: zero on all of [0, 2], so it generates no atoms", name)
	case peak > largest || peak < 1/largest:
		return Kernel{}, fmt.Errorf("kernel %s: its largest value on [0, 2] is %.2g, want one between %.0g and %.0g", name, peak, 1/largest, largest)
	}
	return k, nil
}

// Degree returns the degree K of the polynomial.
func (k Kernel) Degree() int { return len(k.series) - 1 }

// Series returns a copy of the Chebyshev coefficients c_k, with
// p(λ) = Σ c_k T_k(λ − 1).
func (k Kernel) Series() []float64 { return slices.Clone(k.series) }

// Eval returns p(λ).
func (k Kernel) Eval(lambda float64) float64 {
	x := lambda - 1
	var b1, b2 float64 // Clenshaw
	for i := len(k.series) - 1; i > 0; i-- {
		b1, b2 = k.series[i]+2*x*b1-b2, b1
	}
	return k.series[0] + x*b1 - b2
}

// DividedDifference returns (p(a) − p(b))/(a − b), and p′(a) if a = b, without
// cancellation however near the two are.
func (k Kernel) DividedDifference(a, b float64) float64 {
	x, y := a-1, b-1
	// T_{k+1}[x,y] = 2(x T_k[x,y] + T_k(y)) − T_{k−1}[x,y]
	var sum, d0, d1 float64 = 0, 0, 1
	t0, t1 := 1.0, y
	for i := 1; i < len(k.series); i++ {
		sum += k.series[i] * d1
		d0, d1 = d1, 2*(x*d1+t1)-d0
		t0, t1 = t1, 2*y*t1-t0
	}
	return sum
}

// Coef returns the coefficients α_k of p(λ) = Σ α_k λ^k: those the kernel was
// made from, or else a change of basis from Series, which loses about two bits
// a degree. Computations should use Series.
func (k Kernel) Coef() []float64 {
	if k.coef != nil {
		return slices.Clone(k.coef)
	}
	n := len(k.series)
	alpha := make([]float64, n)
	prev, cur := make([]float64, n), make([]float64, n) // T_{i−1}, T_i of λ − 1 in powers of λ
	cur[0] = 1
	for i, c := range k.series {
		next := make([]float64, n)
		for j, t := range cur {
			alpha[j] += c * t
			// T_1 = x·T_0, then T_{i+1} = 2x·T_i − T_{i−1}, with x = λ − 1.
			twice := 2 * t
			if i == 0 {
				twice = t
			}
			next[j] -= twice + prev[j]
			if j+1 < n {
				next[j+1] += twice
			}
		}
		prev, cur = cur, next
	}
	return alpha
}

// Warning returns a sentence if the polynomial is a poor stand-in for its
// function, and "" otherwise.
func (k Kernel) Warning() string {
	if k.ApproximationError <= PoorFit*k.peak {
		return ""
	}
	mend := "a higher degree"
	if k.coef != nil {
		mend = "the chebyshev approximation or " + mend
	}
	return fmt.Sprintf("kernel %s: its polynomial of degree %d is off by up to %.2g on [0, 2]; use %s",
		k.Name, k.Degree(), k.ApproximationError, mend)
}

// interpolate returns the Chebyshev coefficients of the polynomial of the given
// degree that agrees with f at the Chebyshev points of [0, 2]. A polynomial of
// that degree or less is reproduced.
func interpolate(f func(float64) float64, degree int) []float64 {
	n := degree + 1
	series := make([]float64, n)
	for j := range n {
		theta := math.Pi * (float64(j) + 0.5) / float64(n)
		v := f(1+math.Cos(theta)) * 2 / float64(n)
		for k := range series {
			series[k] += v * math.Cos(float64(k)*theta)
		}
	}
	series[0] /= 2
	return series
}

func horner(coef []float64, l float64) float64 {
	var p float64
	for i := len(coef) - 1; i >= 0; i-- {
		p = p*l + coef[i]
	}
	return p
}
