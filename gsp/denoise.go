package gsp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// denoiseOp is who refuses signals.
const denoiseOp = "gsp.Denoise"

// An End says at which end of the values that were tried the best one is; empty if
// it is between others.
type End string

// The ends. A best value at one of them may not be the best of all.
const (
	AtLeast End = "least"
	AtMost  End = "most"
)

// endOf is that of index k among count values.
func endOf(k, count int) End {
	switch k {
	case 0:
		return AtLeast
	case count - 1:
		return AtMost
	}
	return ""
}

// DenoiseOptions say how to remove noise. The zero value chooses τ and takes the
// signals as they are.
type DenoiseOptions struct {
	Tau float64 // τ; zero means chosen by generalised cross-validation
	// Center removes the mean of each vertex before and adds it back after, which is
	// right where vertices have levels of their own.
	Center bool
	// Prior, if not nil, takes the place of τ: x is what it expects the signals to be without
	// their noise.
	Prior *Prior
}

// A Denoised is signals without noise.
type Denoised struct {
	Y   *mat.Dense
	Tau float64 // as given or chosen; zero by a prior
	// End is set if the chosen Tau is the least or largest that was tried.
	End End
	// Removed is the share of the signals' energy that was taken away, about the means
	// if those were removed.
	Removed float64
	// Before and After are the mean frequencies of the signals, xᵀLx/xᵀx over all of
	// them, about the means likewise; NaN where there is no energy.
	Before, After float64
}

// Denoise smooths signals along the edges (Tikhonov regularisation): it minimises
//
//	‖x − y‖² + τ·xᵀLx,   so   x = (I + τL)⁻¹y,
//
// a filter with response 1/(1 + τe). Without a Tau, that of the least
//
//	GCV(τ) = mean_lm ((1 − h_l)·ŷ_lm)² / (1 − mean_l h_l)²,   h_l = 1/(1 + τe_l)
//
// is taken ([golub1979]), among 60 values with τ·mean(e) from 10⁻² to 10². Where the
// graph is too large for its spectrum, GCV is estimated from up to 50 signals and 30
// random vectors, always the same, by Gauss quadrature ([golub2009]). If
// ctx ends, Denoise returns its cause.
func (l *Laplacian) Denoise(ctx context.Context, y *mat.Dense, o DenoiseOptions) (*Denoised, error) {
	if err := l.check(denoiseOp, y); err != nil {
		return nil, err
	}
	switch {
	case !(o.Tau >= 0) || math.IsInf(o.Tau, 0):
		return nil, input.Errorf(denoiseOp, fieldTau, "got %g, want a positive number, or 0 to choose it", o.Tau)
	case len(l.others.Val) == 0:
		return nil, noEdges(denoiseOp)
	case o.Prior != nil && o.Tau > 0:
		return nil, input.Errorf(denoiseOp, fieldTau, "got %g and a prior, want one of them", o.Tau)
	}
	if o.Prior != nil {
		if err := o.Prior.check(denoiseOp, l); err != nil {
			return nil, err
		}
	}
	rest, means := y, make([]float64, l.Vertices())
	if o.Center {
		rest, means = Center(y)
	}
	d := &Denoised{Tau: o.Tau}
	var err error
	if o.Prior != nil {
		d.Y, err = o.Prior.interpolate(ctx, rest)
	} else {
		if o.Tau == 0 {
			if d.Tau, d.End, err = l.chooseTau(ctx, rest); err != nil {
				return nil, err
			}
		}
		d.Y, err = l.smooth(ctx, rest, d.Tau)
	}
	if err != nil {
		return nil, err
	}
	d.measure(l, rest)
	addToRows(d.Y, 1, means)
	return d, nil
}

// fieldTau is what the parameter is called in errors.
const fieldTau input.Field = "tau"

func noEdges(op string) error {
	return input.Completef(op, input.Graph, "the graph has no edges, so it says nothing about the signals")
}

// smooth returns (I + τL)⁻¹y.
func (l *Laplacian) smooth(ctx context.Context, y *mat.Dense, tau float64) (*mat.Dense, error) {
	if !l.IsExact() {
		return equations{l: l, tau: tau}.solve(ctx, y.RawMatrix(), y.RawMatrix(), solved)
	}
	s, err := l.Spectrum()
	if err != nil {
		return nil, err
	}
	smooth, err := s.Filter(y, func(e float64) float64 { return 1 / (1 + tau*e) })
	if err != nil {
		return nil, err
	}
	return smooth, context.Cause(ctx)
}

// measure compares the signals before and after.
func (d *Denoised) measure(l *Laplacian, before *mat.Dense) {
	var gone mat.Dense
	gone.Sub(before, d.Y)
	d.Removed = ratio(total(&gone, &gone), total(before, before))
	frequency := func(y *mat.Dense) float64 {
		product, _ := l.Mul(y) // whose shape and values are checked
		return total(y, product) / total(y, y)
	}
	d.Before, d.After = frequency(before), frequency(d.Y)
}

// total returns the sum of the products of all entries.
func total(a, b *mat.Dense) float64 {
	var sum float64
	for _, v := range dots(a.RawMatrix(), b.RawMatrix()) {
		sum += v
	}
	return sum
}

// The values of τ that are tried, in units of 1/mean(e).
const (
	tauLeast, tauMost = 1e-2, 1e2
	tauCount          = 60
)

// grid returns count values from least to most, evenly spread on a logarithmic scale.
func grid(least, most float64, count int) []float64 {
	values := make([]float64, count)
	for k := range values {
		share := float64(k) / float64(count-1)
		values[k] = math.Pow(least, 1-share) * math.Pow(most, share)
	}
	return values
}

// chooseTau returns the τ of least GCV.
func (l *Laplacian) chooseTau(ctx context.Context, y *mat.Dense) (float64, End, error) {
	gcv := l.exactGCV
	if !l.IsExact() {
		gcv = l.estimatedGCV
	}
	taus := grid(tauLeast/l.MeanFrequency(), tauMost/l.MeanFrequency(), tauCount)
	scores, err := gcv(ctx, y, taus)
	if err != nil {
		return 0, "", err
	}
	best := 0
	for k, score := range scores {
		if score < scores[best] {
			best = k
		}
	}
	return taus[best], endOf(best, len(taus)), nil
}

// exactGCV returns GCV at each τ from the spectrum.
func (l *Laplacian) exactGCV(ctx context.Context, y *mat.Dense, taus []float64) ([]float64, error) {
	s, err := l.Spectrum()
	if err != nil {
		return nil, err
	}
	energy, err := s.Energy(y)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(taus))
	for k, tau := range taus {
		var residual, freedom float64
		for i, e := range s.Values {
			gone := tau * e / (1 + tau*e)
			residual += gone * gone * energy[i]
			freedom += gone
		}
		n := float64(len(s.Values))
		scores[k] = residual / n / (freedom / n * freedom / n)
	}
	return scores, context.Cause(ctx)
}

// What GCV is estimated from.
const (
	gcvSignals = 50
	gcvProbes  = 30
)

// estimatedGCV returns GCV at each τ from some signals, and from random signs v, of
// which the mean of vᵀ(I − (I + τL)⁻¹)v is the trace.
func (l *Laplacian) estimatedGCV(ctx context.Context, y *mat.Dense, taus []float64) ([]float64, error) {
	n, m := y.Dims()
	some := matrix.Columns(y, evenly(m, gcvSignals))
	probes := mat.NewDense(n, gcvProbes, nil)
	draw := rng.Stream(1, "generalised cross-validation")
	probes.Apply(func(_, _ int, _ float64) float64 { return float64(2*draw.IntN(2) - 1) }, probes)
	measured, traced := l.measuresOf(ctx, some), l.measuresOf(ctx, probes)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	scores := make([]float64, len(taus))
	for k, tau := range taus {
		gone := func(e float64) float64 { return tau * e / (1 + tau*e) }
		residual := mean(measured, func(e float64) float64 { return gone(e) * gone(e) }) / float64(n)
		freedom := mean(traced, gone) / float64(n)
		scores[k] = residual / (freedom * freedom)
	}
	return scores, nil
}
