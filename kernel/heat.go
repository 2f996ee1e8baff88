package kernel

import "github.com/nervure/nervure/internal/portable"

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
