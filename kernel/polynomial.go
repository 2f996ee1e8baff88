package kernel

import (
	"fmt"
	"strconv"
)

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
