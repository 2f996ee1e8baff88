package kernel

import (
	"fmt"
	"math"
)

// Heat returns e^(−τλ), low-pass for τ > 0.
func Heat(tau float64, degree int, by Approximation) (Kernel, error) {
	return scaled("heat", tau, degree, by)
}

// HighPass returns 1 − e^(−τλ), zero at λ = 0 and high-pass for τ > 0.
func HighPass(tau float64, degree int, by Approximation) (Kernel, error) {
	return scaled("highpass", tau, degree, by)
}

// Wavelet returns the band-pass spectral graph wavelet kernel g(scale·λ) of
// [hammond2011], section 8.1, with α = β = 2, x₁ = 1 and x₂ = 2. It is always
// approximated by Chebyshev interpolation: its Taylor series at 0 is just λ².
func Wavelet(scale float64, degree int) (Kernel, error) {
	return scaled("wavelet", scale, degree, Chebyshev)
}

// A shape is a function h(x); its family of kernels is g(λ) = h(scale·λ).
type shape struct {
	value, slope func(x float64) float64            // h and h′
	taylor       func(scale float64, k int) float64 // coefficients of g at 0
}

var shapes = map[string]shape{
	"heat": {
		func(x float64) float64 { return math.Exp(-x) },
		func(x float64) float64 { return -math.Exp(-x) },
		heatTaylor,
	},
	"highpass": {
		func(x float64) float64 { return -math.Expm1(-x) },
		func(x float64) float64 { return math.Exp(-x) },
		func(tau float64, k int) float64 {
			if k == 0 {
				return 0
			}
			return -heatTaylor(tau, k)
		},
	},
	"wavelet": {value: waveletValue, slope: waveletSlope},
}

// heatTaylor returns (−τ)^k/k!.
func heatTaylor(tau float64, k int) float64 {
	a := 1.0
	for i := 1; i <= k; i++ {
		a *= -tau / float64(i)
	}
	return a
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

func scaled(family string, scale float64, degree int, by Approximation) (Kernel, error) {
	name := fmt.Sprintf("%s:%v", family, scale)
	if !(scale > 0) || math.IsInf(scale, 0) {
		return Kernel{}, fmt.Errorf("kernel %s: the scale must be a positive number", name)
	}
	if degree < 1 {
		return Kernel{}, fmt.Errorf("kernel %s: degree %d is below 1", name, degree)
	}
	h := shapes[family]
	g := func(l float64) float64 { return h.value(scale * l) }
	var k Kernel
	var err error
	switch by {
	case Chebyshev:
		if k, err = build(name, interpolate(g, degree), g); err != nil {
			return k, err
		}
		// Interpolation is linear: the derivative of p is p of the derivative.
		k.slope = interpolate(func(l float64) float64 { return l * h.slope(scale*l) }, degree)
	case Taylor:
		coef := make([]float64, degree+1)
		for i := range coef {
			coef[i] = h.taylor(scale, i)
		}
		if k, err = fromCoef(name, coef, g); err != nil {
			return k, err
		}
		// α_k grows like scale^k, hence ∂p/∂scale = λ·p′(λ)/scale.
		k.slope = interpolate(func(l float64) float64 { return l * k.DividedDifference(l, l) / scale }, degree)
	default:
		return Kernel{}, fmt.Errorf("kernel %s: unknown approximation %q (taylor or chebyshev)", name, by)
	}
	k.family, k.scale, k.by = family, scale, by
	return k, nil
}

// Family returns the family that the kernel is a member of (heat, highpass or
// wavelet), or "" if it has no scale.
func (k Kernel) Family() string { return k.family }

// Scale returns the scale of the kernel within its family, τ for heat kernels;
// zero if it has none.
func (k Kernel) Scale() float64 { return k.scale }

// WithScale returns the member of the kernel's family with another scale, of
// the same degree and by the same approximation.
func (k Kernel) WithScale(scale float64) (Kernel, error) {
	if k.family == "" {
		return Kernel{}, fmt.Errorf("kernel %s: it has no scale to change", k.Name)
	}
	return scaled(k.family, scale, k.Degree(), k.by)
}

// ScaleDerivative returns ∂p(λ)/∂scale of the polynomial, not of the function
// it stands for; zero for a kernel without scale.
func (k Kernel) ScaleDerivative(lambda float64) float64 {
	if k.family == "" {
		return 0
	}
	return clenshaw(k.slope, lambda)
}
