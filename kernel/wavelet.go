package kernel

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
