package kernel

import (
	"math"

	"github.com/nervure/nervure/internal/portable"
)

var matern = register(Family{
	Name: "matern", Argument: "ALPHA[,KAPPA]", Example: "matern:2,0.5",
	Formula: "(1 + λ/κ²)^(−α/2)", About: "low-pass: a Matérn field of order α, 2 like voltages or pressures in " +
		"equilibrium; κ is 0.5 if not given; always approximated by chebyshev",
	shape: &shape{
		value: func(m member, l float64) float64 {
			return portable.Exp(-m.order / 2 * math.Log(1+l/m.scale/m.scale))
		},
		slope: func(m member, l float64) float64 {
			x := l / m.scale / m.scale
			return m.order / m.scale * x / (1 + x) * portable.Exp(-m.order/2*math.Log(1+x))
		},
		order: &orderRange{least: 0.5, most: 16, scale: 0.5},
	},
})

// Matern returns (1 + λ/κ²)^(−α/2), the kernel of a Matérn field of order alpha ([lindgren2011],
// [borovitskiy2021]), 1 at λ = 0. It is always approximated by Chebyshev interpolation: its
// Taylor series at 0 has radius κ². The smaller kappa, the higher the degree it takes: the
// error shrinks by a factor of 1 + κ² + κ√(2 + κ²) with each.
func Matern(alpha, kappa float64, degree int) (Kernel, error) {
	return matern.with(member{scale: kappa, order: alpha}, degree, Chebyshev)
}
