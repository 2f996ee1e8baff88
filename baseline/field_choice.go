package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/field"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
)

// notCompared says why the orders of a field cannot be compared; empty if they can.
func (r *fieldRun) notCompared(few string) string {
	n, _ := r.problem.Y.Dims()
	switch {
	case few != "":
		return few
	case sumsToZero(r.problem.Y):
		return "all signals sum to zero over the vertices, which leaves their covariance without a root"
	case n > mostFieldVertices:
		return fmt.Sprintf("orders are compared up to %d vertices", mostFieldVertices)
	}
	return ""
}

// clearGain is how many vertices it takes for a nat by which order two must be better than one to
// be clearly no order between.
const clearGain = 10

// choose finds the kernel by held-out signals: the simplest that is not clearly worse than the
// best, and the order between one and two where these are close.
func (r *fieldRun) choose(ctx context.Context) error {
	one, middle, two := field.Kernel{Order: 1}, field.Kernel{Order: 1.5}, field.Kernel{Order: 2}
	r.kernel = one
	simplest, err := r.compare(ctx, field.Orders, field.Clear)
	if err == nil {
		r.kernel = simplest.Kernel
		if gain, _ := r.gain(two); gain > 0 && gain < float64(r.y.Cols)/clearGain {
			switch r.kernel {
			case one:
				simplest, err = r.compare(ctx, []field.Kernel{one, middle}, field.Clear)
			case two:
				simplest, err = r.compare(ctx, []field.Kernel{middle, two}, field.BeyondDoubt)
			}
		}
	}
	switch {
	case err == nil && math.IsNaN(simplest.Gain):
		r.kernel, r.OnlyOrderOne = one, "the covariance of the signals has no root"
	case err == nil:
		r.kernel = simplest.Kernel
	case ctx.Err() == nil:
		return input.Errorf(Field{}.Name(), input.Signals, "%v", err)
	case r.Trials == nil:
		r.OnlyOrderOne = "there was no time to compare orders"
	}
	return nil
}

// sumsToZero reports whether the mean of the vertices was taken away from each signal.
func sumsToZero(y *mat.Dense) bool {
	n, m := y.Dims()
	sums := make([]float64, m)
	largest := max(mat.Max(y), -mat.Min(y))
	for i := range n {
		for k, v := range y.RawRowView(i) {
			sums[k] += v / largest
		}
	}
	mean := portable.Mean(sums) // which vertices have of their own
	for _, s := range sums {
		if math.Abs(s-mean) > 1e-9*float64(n) {
			return false
		}
	}
	return true
}

// compare adds the trials of some kernels, and returns that of the first, the simplest, that is
// not worse than the best by more than some standard errors.
func (r *fieldRun) compare(ctx context.Context, kernels []field.Kernel, errors float64) (field.Trial, error) {
	trials, err := field.Compare(ctx, inTrialOrder(r.y, r.observations), kernels, linalg.Threads(r.problem.Threads))
	if err != nil {
		return field.Trial{}, err
	}
	base := 0.0
	for _, t := range trials { // gains are over the first of these, which may be one of before
		if before, tried := r.gain(t.Kernel); tried {
			base = before - t.Gain
		}
	}
	for _, t := range trials {
		r.models[t.Kernel] = t.Model
		if _, tried := r.gain(t.Kernel); !tried {
			r.Trials = append(r.Trials, FieldTrial{t.Kernel.String(), base + t.Gain, t.StdErr})
		}
	}
	return field.Simplest(trials, errors), nil
}

// gain returns the gain of a kernel, and reports whether it was tried.
func (fit *FieldFit) gain(k field.Kernel) (gain float64, tried bool) {
	at := slices.IndexFunc(fit.Trials, func(t FieldTrial) bool { return t.Kernel == k.String() })
	if at < 0 {
		return 0, false
	}
	return fit.Trials[at].Gain, true
}
