package kernel

import (
	"math"

	"github.com/nervure/nervure/internal/portable"
)

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
