package kernel

import (
	"fmt"
	"math"
	"strconv"

	"github.com/nervure/nervure/internal/portable"
)

var heat = register(Family{
	Name: "heat", Argument: "TAU", Example: "heat:2",
	Formula: "e^(−τλ)", About: "low-pass: heat diffused for a time τ",
	shape: &shape{
		value:  func(x float64) float64 { return portable.Exp(-x) },
		slope:  func(x float64) float64 { return -portable.Exp(-x) },
		taylor: heatTaylor,
	},
})

// Heat returns e^(−τλ), low-pass for τ > 0.
func Heat(tau float64, degree int, by Approximation) (Kernel, error) {
	return heat.withScale(tau, degree, by)
}

// heatTaylor returns (−τ)^k/k!.
func heatTaylor(tau float64, k int) float64 {
	a := 1.0
	for i := 1; i <= k; i++ {
		a *= -tau / float64(i)
	}
	return a
}

var highPass = register(Family{
	Name: "highpass", Argument: "TAU", Example: "highpass:1",
	Formula: "1 − e^(−τλ)", About: "high-pass: what heat:TAU removes",
	shape: &shape{
		value: func(x float64) float64 { return -math.Expm1(-x) },
		slope: func(x float64) float64 { return portable.Exp(-x) },
		taylor: func(tau float64, k int) float64 {
			if k == 0 {
				return 0
			}
			return -heatTaylor(tau, k)
		},
	},
})

// HighPass returns 1 − e^(−τλ), zero at λ = 0 and high-pass for τ > 0.
func HighPass(tau float64, degree int, by Approximation) (Kernel, error) {
	return highPass.withScale(tau, degree, by)
}

var _ = register(Family{
	Name: "poly", Argument: "a0,a1,…", Example: "poly:1,-0.5",
	Formula: "a0 + a1·λ + …", About: "any polynomial, by its coefficients",
	fromNumbers: Polynomial,
})

// Polynomial returns the kernel with the given coefficients: p(λ) = Σ coef[k] λ^k. Its
// degree is [MaxDegree] at most.
func Polynomial(name string, coef []float64) (Kernel, error) {
	if len(coef) == 0 {
		return Kernel{}, fmt.Errorf("kernel %s: no coefficients", name)
	}
	if len(coef) > MaxDegree+1 {
		return Kernel{}, fmt.Errorf("kernel %s: there are %d coefficients, but at most %d can be used: give a polynomial of degree up to %d",
			ShortName(name), len(coef), MaxDegree+1, MaxDegree)
	}
	k, err := fromCoef(name, coef, func(l float64) float64 { return horner(coef, l) })
	k.ApproximationError = 0 // what was measured is rounding
	return k, err
}

// InPowers returns the same kernel made from its coefficients in powers of λ,
// under a name that [Parse] reads back to the last bit: poly:a0,a1,….
func (k Kernel) InPowers() (Kernel, error) {
	coef := k.Coef()
	name := "poly:"
	for i, a := range coef {
		if i > 0 {
			name += ","
		}
		name += strconv.FormatFloat(a, 'g', -1, 64)
	}
	return Polynomial(name, coef)
}

var wavelet = register(Family{
	Name: "wavelet", Argument: "SCALE", Example: "wavelet:1.5",
	Formula: "x² for x < 1, 4/x² for x > 2, a cubic between; x = SCALE·λ", About: "band-pass: a spectral graph wavelet, always approximated by chebyshev",
	shape: &shape{value: waveletValue, slope: waveletSlope},
})

// Wavelet returns the band-pass spectral graph wavelet kernel g(scale·λ) of
// [hammond2011], section 8.1, with α = β = 2, x₁ = 1 and x₂ = 2. It is always
// approximated by Chebyshev interpolation: its Taylor series at 0 is just λ².
func Wavelet(scale float64, degree int) (Kernel, error) {
	return wavelet.withScale(scale, degree, Chebyshev)
}

func waveletValue(x float64) float64 {
	switch {
	case x < 1:
		return x * x
	case x <= 2:
		return -5 + x*(11+x*(-6+x))
	default:
		return 4 / (x * x)
	}
}

func waveletSlope(x float64) float64 {
	switch {
	case x < 1:
		return 2 * x
	case x <= 2:
		return 11 + x*(-12+3*x)
	default:
		return -8 / (x * x * x)
	}
}
