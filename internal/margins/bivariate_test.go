package margins

import (
	"math"
	"testing"
)

// The probability of a quadrant has a closed form, and others are integrals of the density.
func TestBivariateNormal(t *testing.T) {
	for _, r := range []float64{-0.999, -0.93, -0.3, 0, 0.7, 0.92, 0.93, 0.9999} {
		if got, want := bivariate(0, 0, r), 0.25+math.Asin(r)/(2*math.Pi); math.Abs(got-want) > 1e-14 {
			t.Errorf("ρ = %g: got %.17g, want %.17g", r, got, want)
		}
		for _, h := range []float64{-2, 0.3} {
			for _, k := range []float64{-1.5, 0.3, 0.31, 2.2} {
				// ∫ φ(x) Φ((k − ρx)/√(1 − ρ²)) dx up to h, by Simpson's rule
				const steps = 40000
				from, sum := -9.0, 0.0
				width := (h - from) / steps
				for s := range steps + 1 {
					x := from + width*float64(s)
					f := math.Exp(-x*x/2) * math.Erfc(-(k-r*x)/math.Sqrt(2*(1-r*r))) / 2
					switch {
					case s == 0 || s == steps:
					case s%2 == 1:
						f *= 4
					default:
						f *= 2
					}
					sum += f
				}
				want := sum * width / 3 / math.Sqrt(2*math.Pi)
				if got := bivariate(h, k, r); math.Abs(got-want) > 1e-10 {
					t.Errorf("h = %g, k = %g, ρ = %g: got %.12g, want %.12g", h, k, r, got, want)
				}
			}
		}
	}
}

func TestNormalDistribution(t *testing.T) {
	for x := -40.0; x < 40; x += 0.37 {
		want := math.Erfc(-x/math.Sqrt2) / 2
		if got := normal(x); math.Abs(got-want) > 1e-14+1e-9*want && x > -7 || math.Abs(got-want) > 1e-15 {
			t.Errorf("Φ(%g): got %g, want %g", x, got, want)
		}
	}
}
