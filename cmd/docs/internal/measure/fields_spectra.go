package measure

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/synth"
)

// Spectra are those of simulated fields beside Kernels: an order between, sums of two kernels, and
// a polynomial. Both kernels of a sum have half of the energy (+), or the same variance at the
// median frequency (=), so that the spectrum changes from one to the other in its middle.
var Spectra = []string{
	"matern:3", "matern:1+matern:4", "matern:2+heat", "matern:1+heat:3", "lowpass:4",
	"matern:1=matern:4", "matern:1=heat:3",
}

// A spectrum is the variance of a field over the frequencies of a graph.
type spectrum struct {
	frequencies []float64 // of the graph, ascending
	modes       mat.Dense
	variance    func(frequency float64) float64
}

// spectrumOf returns one of Spectra on a graph.
func spectrumOf(name string, g *graph.Graph) (*spectrum, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(g.CombinatorialLaplacian(), true) {
		return nil, errors.New("the eigenvalues of a Laplacian were not found")
	}
	s := &spectrum{frequencies: eigen.Values(nil)}
	eigen.VectorsTo(&s.modes)
	matern := func(order float64) func(float64) float64 {
		return func(f float64) float64 { return portable.Exp(-order * math.Log(f+ridge)) }
	}
	diffusion := func(tau float64) func(float64) float64 {
		return func(f float64) float64 { return portable.Exp(-2 * tau * f) }
	}
	s.variance = map[string]func(float64) float64{
		"matern:3":          matern(3),
		"matern:1+matern:4": s.halves(matern(1), matern(4)),
		"matern:2+heat":     s.halves(matern(2), diffusion(1)),
		"matern:1+heat:3":   s.halves(matern(1), diffusion(3)),
		"matern:1=matern:4": s.equal(matern(1), matern(4)),
		"matern:1=heat:3":   s.equal(matern(1), diffusion(3)),
		"lowpass:4": func(f float64) float64 { // ĝ = (1 − λ/λ_max)⁴ + 0.01
			pass := max(1-f/s.frequencies[len(s.frequencies)-1], 0)
			size := float64(pass*pass*pass*pass) + 0.01
			return size * size
		},
	}[name]
	return s, nil
}

// halves is the sum of two spectra with the same energy.
func (s *spectrum) halves(a, b func(float64) float64) func(float64) float64 {
	ofA, ofB := 0.0, 0.0
	for _, f := range s.frequencies {
		ofA += a(f)
		ofB += b(f)
	}
	return func(f float64) float64 { return a(f)/ofA + b(f)/ofB }
}

// equal is the sum of two spectra with the same variance at the median frequency.
func (s *spectrum) equal(a, b func(float64) float64) func(float64) float64 {
	median := s.frequencies[len(s.frequencies)/2]
	return func(f float64) float64 { return a(f)/a(median) + b(f)/b(median) }
}

// drawSpectrum draws signals of one of Spectra.
func (f field) drawSpectrum(g *graph.Graph, seed uint64) (*synth.FieldTruth, error) {
	s, err := spectrumOf(f.kernel, g)
	if err != nil {
		return nil, err
	}
	count := f.times * g.Vertices()
	modes := mat.NewDense(g.Vertices(), count, nil)
	for k, frequency := range s.frequencies {
		r, size := rng.Stream(seed, "field of a spectrum", k), math.Sqrt(s.variance(frequency))
		for t := range count {
			modes.Set(k, t, size*r.NormFloat64())
		}
	}
	var y mat.Dense
	y.Mul(&s.modes, modes)
	return &synth.FieldTruth{Signals: &y, Graph: g}, nil
}

// rooted turns signals into those of order one, by the true spectrum.
func (f field) rooted(s *nervure.Signals, g *graph.Graph) (*nervure.Signals, error) {
	spectrum, err := spectrumOf(f.kernel, g)
	if err != nil {
		return nil, err
	}
	y, err := spectrum.rooted(s.Y, f.noise)
	return &nervure.Signals{Y: y, Names: s.Names}, err
}

// rooted turns signals with some noise into those of order one, by the frequency at which the
// spectrum has each eigenvalue of their covariance.
func (s *spectrum) rooted(y *mat.Dense, noise float64) (*mat.Dense, error) {
	n, m := y.Dims()
	var eigen mat.EigenSym
	var moments mat.SymDense
	moments.SymOuterK(1/float64(m), y)
	if !eigen.Factorize(&moments, true) {
		return nil, errors.New("the eigenvalues of a covariance were not found")
	}
	values := eigen.Values(nil)
	mean := 0.0 // variance of a value without noise
	for _, f := range s.frequencies {
		mean += s.variance(f) / float64(n)
	}
	for k, v := range values {
		low, high := 0.0, 1.5*s.frequencies[n-1]
		for range 60 {
			if middle := (low + high) / 2; s.variance(middle)+float64(noise*noise*mean) > v {
				low = middle
			} else {
				high = middle
			}
		}
		values[k] = 1 / math.Sqrt((low+ridge)*v)
	}
	var v, rooted mat.Dense
	eigen.VectorsTo(&v)
	rooted.Mul(v.T(), y)
	rooted.Mul(mat.NewDiagDense(n, values), &rooted)
	rooted.Mul(&v, mat.DenseCopyOf(&rooted))
	return &rooted, nil
}
