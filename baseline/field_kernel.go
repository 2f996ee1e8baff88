package baseline

import (
	"math"
	"strings"

	"github.com/nervure/nervure/baseline/internal/field"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
)

// The families of kernels that fields have.
const (
	maternFamily = "matern"
	heatFamily   = "heat"
)

// WithKernels returns the method for fields with a given kernel: matern:ALPHA fixes the
// order, matern:ALPHA,KAPPA and heat:TAU what the kernel is over the frequencies of the
// learned graph as well. The graph does not depend on KAPPA and TAU: its weights have a scale of
// their own, which is learned. Kernels that no field has are an [*input.Error].
func (f Field) WithKernels(kernels []kernel.Kernel) (method.Method, error) {
	if len(kernels) != 1 {
		return nil, input.Errorf(f.Name(), input.Kernels, "a field has one kernel, and %d were given", len(kernels))
	}
	k := kernels[0]
	if f.Order != 0 || f.Heat || f.Scale != 0 {
		return nil, input.Errorf(f.Name(), input.Kernels, "the kernel %s and parameters for it cannot be used together", k.Name)
	}
	switch k.Family() {
	case maternFamily:
		f.Order = k.Order()
		if strings.Contains(k.Name, ",") { // else κ was left open
			f.Scale = k.Scale()
		}
	case heatFamily:
		f.Heat, f.Scale = true, k.Scale()
	default:
		return nil, input.Errorf(f.Name(), input.Kernels, "%s is no kernel of a field: give matern:ALPHA or heat:TAU",
			kernel.ShortName(k.Name))
	}
	return f, nil
}

// FieldKernel returns the kernel of fields of the order that was given or chosen, and reports
// if its scale is fixed; else it is to be fitted to the graph.
func (f Field) FieldKernel() (k kernel.Kernel, fixed bool) {
	const degree = 15
	scale, fixed := f.Scale, f.Scale > 0
	if !fixed {
		scale = 1
	}
	var err error
	if f.Heat {
		k, err = kernel.Heat(scale, degree, kernel.Chebyshev)
	} else {
		k, err = kernel.Matern(f.Order, scale, degree)
	}
	if err != nil {
		panic(err) // Learn has checked the numbers
	}
	return k, fixed
}

// check refuses options that make no sense.
func (f Field) check() error {
	switch {
	case f.Order != 0 && (f.Heat || !field.Kernel{Order: f.Order}.OrderInRange()):
		return input.Errorf(f.Name(), "order", "got %g, want 0.5 to 16, and none with heat", f.Order)
	case f.Signed > int(positiveOnly):
		return input.Errorf(f.Name(), "signed", "got %d, want 0, 1 or 2", f.Signed)
	case f.Engine > int(denseEngine):
		return input.Errorf(f.Name(), "engine", "got %d, want 0, 1 or 2", f.Engine)
	case !(f.Scale >= 0) || math.IsInf(f.Scale, 0) || f.Scale > 0 && f.Order == 0 && !f.Heat:
		return input.Errorf(f.Name(), "scale", "got %g, want a positive number, and only with order or heat", f.Scale)
	}
	return nil
}
