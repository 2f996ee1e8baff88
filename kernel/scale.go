package kernel

import (
	"fmt"
	"math"
)

// A shape is a function h(x); its family of kernels is g(λ) = h(scale·λ).
type shape struct {
	value, slope func(x float64) float64            // h and h′
	taylor       func(scale float64, k int) float64 // coefficients of g at 0; nil if it has no series there
}

// withScale returns the member of a family with the given scale.
func (f *Family) withScale(scale float64, degree int, by Approximation) (Kernel, error) {
	name := fmt.Sprintf("%s:%v", f.Name, scale)
	if !(scale > 0) || math.IsInf(scale, 0) {
		return Kernel{}, fmt.Errorf("kernel %s: the scale must be a positive number", name)
	}
	if degree < 1 {
		return Kernel{}, fmt.Errorf("kernel %s: degree %d is below 1", name, degree)
	}
	if degree > MaxDegree {
		return Kernel{}, fmt.Errorf("kernel %s: degree %d is above %d", name, degree, MaxDegree)
	}
	h := f.shape
	if h.taylor == nil {
		by = Chebyshev
	}
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
	k.family, k.scale, k.by = f, scale, by
	return k, nil
}

// Family returns the name of the family that the kernel is a member of by its
// scale, such as "heat", or "" if it has no scale.
func (k Kernel) Family() string {
	if k.family == nil {
		return ""
	}
	return k.family.Name
}

// Scale returns the scale of the kernel within its family, τ for heat kernels;
// zero if it has none.
func (k Kernel) Scale() float64 { return k.scale }

// Value returns g(λ), the function that the kernel stands for, at any λ ≥ 0: the
// spectrum of a Laplacian that is not normalised goes beyond [0, 2]. A kernel
// without a scale has its polynomial.
func (k Kernel) Value(lambda float64) float64 {
	if k.family == nil {
		return k.Eval(lambda)
	}
	return k.family.shape.value(k.scale * lambda)
}

// WithScale returns the member of the kernel's family with another scale, of
// the same degree and by the same approximation.
func (k Kernel) WithScale(scale float64) (Kernel, error) {
	if k.family == nil {
		return Kernel{}, fmt.Errorf("kernel %s: it has no scale to change", k.Name)
	}
	return k.family.withScale(scale, k.Degree(), k.by)
}

// ScaleDerivative returns ∂p(λ)/∂scale of the polynomial, not of the function
// it stands for; zero for a kernel without scale.
func (k Kernel) ScaleDerivative(lambda float64) float64 {
	if k.family == nil {
		return 0
	}
	return clenshaw(k.slope, lambda)
}
