package nervure

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// A fieldMethod is a method that takes signals for a Gaussian field with a kernel.
type fieldMethod interface {
	method.Method
	// WithKernels returns the method for fields with given kernels, of which there is one.
	WithKernels(kernels []kernel.Kernel) (method.Method, error)
	// FieldKernel returns the kernel of the method as it was run, and reports if its scale is
	// fixed.
	FieldKernel() (k kernel.Kernel, fixed bool)
}

// describeField fits the kernel of a field to the graph that was learned: it is told over the
// frequencies of that graph, whatever the method has learned it by. Where that is not possible,
// because there are no edges, negative ones or too many vertices, or nobody waits, there is no kernel to tell.
func (a *Analysis) describeField(ctx context.Context) {
	own, ok := a.Result.Method.(fieldMethod)
	if !ok || ctx.Err() != nil || a.Graph.Vertices() > assess.MostFieldVertices || a.Graph.EdgeCount() == 0 || a.Graph.Negative() > 0 {
		return
	}
	y, _, err := signals.FillMissing(ctx, a.signals.Learned())
	if err != nil {
		return
	}
	k, fixed := own.FieldKernel()
	f, err := assess.FitField(y, a.Graph, k, fixed, a.Options.Threads)
	if err != nil || ctx.Err() != nil {
		return
	}
	frequencies, energy, err := f.Spectrum(y, a.Graph, a.Options.Threads)
	if err == nil {
		a.field, a.spectrum = f, &document.FieldSpectrum{
			Kernel: f.Kernel.Name, Size: f.Size, Noise: f.Noise, Frequency: frequencies, Energy: energy,
		}
	}
}

// orderOne returns the signals that have the edges as their partial correlations: those that the
// method made of the ones that it was given, or these.
func (a *Analysis) orderOne(ctx context.Context) (*mat.Dense, error) {
	y := a.signals.Learned()
	rooted, ok := a.Result.Own.(method.Rooted)
	if !ok {
		return y, nil
	}
	whole, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	if one := rooted.OrderOne(whole); one != whole {
		return one, nil
	}
	return y, nil
}

// Field returns the kernel of the field that the signals are on the learned graph, its size and
// noise, and the spectrum of the signals that shows it; nil for methods that learn no field.
func (a *Analysis) Field() *document.FieldSpectrum { return a.spectrum }

// fieldWords says which kernel the field has.
func (a *Analysis) fieldWords() string {
	if a.field == nil {
		return ""
	}
	said := fmt.Sprintf("kernel %s describes the signals on the graph", a.field.Kernel.Name)
	if a.field.Noise > 0 { // part of which may be how the kernel differs from theirs
		said += fmt.Sprintf(", all but %s of their standard deviation", words.Percent(a.field.Noise))
	}
	return said
}
