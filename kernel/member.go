package kernel

import (
	"fmt"
	"math"
)

// A member is the numbers by which a kernel is told from others of its family.
type member struct {
	scale float64
	order float64 // of families that have one; else zero
}

// A shape is the function g(λ) of the members of a family.
type shape struct {
	value, slope func(m member, lambda float64) float64 // g and ∂g/∂scale
	taylor       func(scale float64, k int) float64     // coefficients of g at 0; nil if it has no series there
	order        *orderRange                            // of families with an order before the scale; else nil
}

// An orderRange is which orders a family has, and the scale of a member that was named by its
// order alone.
type orderRange struct{ least, most, scale float64 }

// name is how a member is written.
func (f *Family) name(m member) string {
	if f.shape.order == nil {
		return fmt.Sprintf("%s:%v", f.Name, m.scale)
	}
	return fmt.Sprintf("%s:%v,%v", f.Name, m.order, m.scale)
}

// parsed returns the member that numbers of a specification stand for.
func (f *Family) parsed(spec string, numbers []float64) (member, error) {
	order := f.shape.order
	switch {
	case order == nil && len(numbers) > 1:
		return member{}, fmt.Errorf("kernel %q: %s takes one number", spec, f.Name)
	case order == nil:
		return member{scale: numbers[0]}, nil
	case len(numbers) > 2:
		return member{}, fmt.Errorf("kernel %q: %s takes one or two numbers", spec, f.Name)
	case len(numbers) == 1:
		return member{order: numbers[0], scale: order.scale}, nil
	}
	return member{order: numbers[0], scale: numbers[1]}, nil
}

// with returns a member of a family.
func (f *Family) with(m member, degree int, by Approximation) (Kernel, error) {
	name, h := f.name(m), f.shape
	switch order := h.order; {
	case order != nil && !(m.order >= order.least && m.order <= order.most):
		return Kernel{}, fmt.Errorf("kernel %s: the order must be a number from %v to %v", name, order.least, order.most)
	case !(m.scale > 0) || math.IsInf(m.scale, 0):
		return Kernel{}, fmt.Errorf("kernel %s: the scale must be a positive number", name)
	case degree < 1:
		return Kernel{}, fmt.Errorf("kernel %s: degree %d is below 1", name, degree)
	case degree > MaxDegree:
		return Kernel{}, fmt.Errorf("kernel %s: degree %d is above %d", name, degree, MaxDegree)
	}
	if h.taylor == nil {
		by = Chebyshev
	}
	g := func(l float64) float64 { return h.value(m, l) }
	var k Kernel
	var err error
	switch by {
	case Chebyshev:
		if k, err = build(name, interpolate(g, degree), g); err != nil {
			return k, err
		}
		// Interpolation is linear: the derivative of p is p of the derivative.
		k.slope = interpolate(func(l float64) float64 { return h.slope(m, l) }, degree)
	case Taylor:
		coef := make([]float64, degree+1)
		for i := range coef {
			coef[i] = h.taylor(m.scale, i)
		}
		if k, err = fromCoef(name, coef, g); err != nil {
			return k, err
		}
		// α_k grows like scale^k, hence ∂p/∂scale = λ·p′(λ)/scale.
		k.slope = interpolate(func(l float64) float64 { return l * k.DividedDifference(l, l) / m.scale }, degree)
	default:
		return Kernel{}, fmt.Errorf("kernel %s: unknown approximation %q (taylor or chebyshev)", name, by)
	}
	k.family, k.member, k.by = f, m, by
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

// Scale returns the scale of the kernel within its family, τ for heat kernels and κ for
// those of Matérn fields; zero if it has none.
func (k Kernel) Scale() float64 { return k.member.scale }

// Order returns the order α of the kernel of a Matérn field; zero for other kernels.
func (k Kernel) Order() float64 { return k.member.order }

// Value returns g(λ), the function that the kernel stands for, at any λ ≥ 0: the
// spectrum of a Laplacian that is not normalised goes beyond [0, 2]. A kernel
// without a scale has its polynomial.
func (k Kernel) Value(lambda float64) float64 {
	if k.family == nil {
		return k.Eval(lambda)
	}
	return k.family.shape.value(k.member, lambda)
}

// WithScale returns the member of the kernel's family with another scale, of
// the same degree and by the same approximation.
func (k Kernel) WithScale(scale float64) (Kernel, error) {
	if k.family == nil {
		return Kernel{}, fmt.Errorf("kernel %s: it has no scale to change", k.Name)
	}
	return k.family.with(member{scale: scale, order: k.member.order}, k.Degree(), k.by)
}

// ScaleDerivative returns ∂p(λ)/∂scale of the polynomial, not of the function
// it stands for; zero for a kernel without scale.
func (k Kernel) ScaleDerivative(lambda float64) float64 {
	if k.family == nil {
		return 0
	}
	return clenshaw(k.slope, lambda)
}
