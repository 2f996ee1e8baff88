package gsp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
)

// A Prior is what is known of signals before they are seen: that they are a Gaussian field,
// ĝ(L)·w with white w of variance one, with white noise on top, about zero.
type Prior struct {
	L        *Laplacian                      // of the same vertices
	Response func(frequency float64) float64 // ĝ, such as the Value of a kernel.Kernel
	Noise    float64                         // standard deviation of the noise
	// Scaled brings vertices to standard deviation 1 before, and back after.
	Scaled bool
}

// leastNoise is the variance of noise over the largest variance of the field that is taken
// for none: less would leave equations that rounding makes singular.
const leastNoise = 1e-12

func (p *Prior) check(op string, l *Laplacian) error {
	n := l.Vertices()
	switch {
	case p.L == nil || p.L.Vertices() != n:
		return input.Errorf(op, "prior", "it is not of the %d vertices of the graph", n)
	case !(p.Noise >= 0) || math.IsInf(p.Noise, 0):
		return input.Errorf(op, "prior", "got noise %g, want a number of at least 0", p.Noise)
	}
	_, err := p.L.Spectrum()
	return err
}

// interpolate returns what is expected of the field, given what is known of the signals.
// With Σ = ĝ(L)² + σ²I, the values that are missing are the solution of
//
//	(Σ⁻¹)_uu z_u = −(Σ⁻¹)_um y_m,
//
// and the field is x = z − σ²·Σ⁻¹z where z is y with z_u in its gaps. A component without a
// known vertex stays without values.
func (p *Prior) interpolate(ctx context.Context, y *mat.Dense) (*mat.Dense, error) {
	s, err := p.L.Spectrum()
	if err != nil {
		return nil, err
	}
	most := 0.0
	for _, e := range s.Values {
		most = max(most, math.Abs(p.Response(e)))
	}
	noise := max(p.Noise*p.Noise, leastNoise*most*most)
	h, err := p.L.matrices(func(e float64) float64 {
		g := p.Response(e)
		return noise / (float64(g*g) + noise)
	})
	if err != nil {
		return nil, err
	}
	if !p.Scaled {
		return p.L.interpolateExactly(ctx, y, p.L.gapsOf(y), h, p.Noise == 0)
	}
	scale, scaled := spreads(y), mat.DenseCopyOf(y)
	scaled.Apply(func(i, _ int, v float64) float64 { return v / scale[i] }, scaled)
	filled, err := p.L.interpolateExactly(ctx, scaled, p.L.gapsOf(y), h, p.Noise == 0)
	if err != nil {
		return nil, err
	}
	filled.Apply(func(i, _ int, v float64) float64 { return v * scale[i] }, filled)
	return filled, nil
}

// spreads returns the standard deviation of each vertex over its known values. Vertices that
// have none, because they do not vary or are not measured, have the mean of the others; all
// have 1 if no vertex varies.
func spreads(y *mat.Dense) []float64 {
	rows := matrix.DescribeRows(y)
	sum, count := 0.0, 0.0
	for _, row := range rows {
		if row.Varies {
			sum, count = sum+row.SD, count+1
		}
	}
	list := make([]float64, len(rows))
	for i, row := range rows {
		switch {
		case row.Varies:
			list[i] = row.SD
		case count > 0:
			list[i] = sum / count
		default:
			list[i] = 1
		}
	}
	return list
}
