package assess

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/kernel"
)

// A FieldGaussian is a Gaussian model of signals as a field on a graph: vertices less their
// mean, over their scale, have the covariance Size²·ĝ(ℒ)² + Noise²·I with ℒ the normalised
// Laplacian. A vertex without edges is on its own, with variance 1.
type FieldGaussian struct {
	Mean, Scale []float64     // of each vertex in the signals it was fitted to
	Kernel      kernel.Kernel // ĝ
	Size, Noise float64
}

// MostFieldVertices is for how many vertices a field is described by a kernel.
const MostFieldVertices = 1000

// What is tried: scales of the kernel, κ or τ, and the variance of noise over that of the
// kernel at frequency zero, at first as far apart as gridSteps of them are.
const (
	leastKappa, mostKappa = 0.02, 8.0
	leastTau, mostTau     = 0.02, 50.0
	leastFloor, mostFloor = 1e-12, 1e2
	gridSteps             = 28
	halvings              = 16
)

// scaleDigits is how many digits a scale is told in: more are noise, and make long names.
const scaleDigits = 4

// noiseEvidence is the likelihood ratio, as twice its logarithm, that noise has to be worth: it
// is that of two standard errors.
const noiseEvidence = 4

// FitField returns the likeliest field on g with the kernel k for the columns of y, by their
// energy at each frequency of the graph. The scale of the kernel, κ or τ, is fitted with the
// rest unless it is fixed.
func FitField(y *mat.Dense, g *graph.Graph, k kernel.Kernel, fixed bool, threads int) (*FieldGaussian, error) {
	n, signals := y.Dims()
	switch {
	case g.Vertices() != n:
		return nil, input.Errorf("assess.FitField", "vertices of the graph", "got %d, want %d", g.Vertices(), n)
	case n > MostFieldVertices:
		return nil, fmt.Errorf("assess.FitField: got %d vertices, want at most %d", n, MostFieldVertices)
	case g.EdgeCount() == 0:
		return nil, errors.New("assess.FitField: the graph has no edges")
	}
	m := NewField(y, k, 0, 0)
	frequencies, energy, err := m.Spectrum(y, g, threads)
	if err != nil {
		return nil, err
	}
	fit := fieldFit{frequencies: frequencies, energy: energy}
	return m, fit.solve(m, fixed, signals)
}

// NewField returns a field that was fitted to the columns of y before: their means and scales are
// all that is looked at.
func NewField(y *mat.Dense, k kernel.Kernel, size, noise float64) *FieldGaussian {
	units := unitsOf(y)
	return &FieldGaussian{Mean: units.mean, Scale: units.scale, Kernel: k, Size: size, Noise: noise}
}

// Spectrum returns the frequencies of the graph in ascending order, without those of vertices
// that have no edges, and the mean energy of signals at each, in the units of the model.
func (m *FieldGaussian) Spectrum(y *mat.Dense, g *graph.Graph, threads int) (frequencies, energy []float64, err error) {
	connected, kept := g.WithoutIsolated()
	_, signals := y.Dims()
	z := mat.NewDense(len(kept), signals, nil)
	all := m.standardised(y)
	for row, i := range kept {
		z.SetRow(row, linalg.Row(all, i))
	}
	l, err := gsp.New(connected, gsp.Normalized)
	if err != nil {
		return nil, nil, err
	}
	l.Threads = threads
	s, err := l.Spectrum()
	if err != nil {
		return nil, nil, err
	}
	energy, err = s.Energy(z)
	return s.Values, energy, err
}

// standardised returns y in the units of the model, zero where it is missing.
func (m *FieldGaussian) standardised(y *mat.Dense) linalg.Dense {
	z := (&Gaussian{mean: m.Mean, scale: m.Scale}).standardised(y)
	for k, v := range z.Data {
		if math.IsNaN(v) {
			z.Data[k] = 0
		}
	}
	return z
}

// Prior returns what the model expects of signals in its units, less what it says of vertices
// that are not among those of l, the normalised Laplacian.
func (m *FieldGaussian) Prior(l *gsp.Laplacian) *gsp.Prior {
	return &gsp.Prior{L: l, Response: func(e float64) float64 { return m.Size * m.Kernel.Value(e) }, Noise: m.Noise}
}

// Variance returns Size²·g(λ)² + Noise².
func (m *FieldGaussian) Variance(lambda float64) float64 {
	g := m.Size * m.Kernel.Value(lambda)
	return float64(g*g) + float64(m.Noise*m.Noise)
}

// A fieldFit is energies at frequencies, to which a kernel is fitted.
type fieldFit struct {
	frequencies, energy []float64
	squares             []float64 // g(λ)² of the kernel that is tried
}

// solve fits what of the model is left open. For a scale of the kernel and a share of noise
// the size has a closed form: the two are looked for on a grid, and then around the best of it
// in steps that are halved again and again.
func (f *fieldFit) solve(m *FieldGaussian, fixed bool, signals int) error {
	shape, err := kernel.Parse(m.Kernel.Name, 1, kernel.Chebyshev) // whose polynomial is not used
	if err != nil {
		return err
	}
	least, most := math.Log(leastKappa), math.Log(mostKappa)
	if shape.Order() == 0 {
		least, most = math.Log(leastTau), math.Log(mostTau)
	}
	if fixed {
		least, most = math.Log(shape.Scale()), math.Log(shape.Scale())
	}
	lowest, highest := math.Log(leastFloor), math.Log(mostFloor)
	best, deviance := [2]float64{least, lowest}, math.Inf(1)
	tryAround := func(centre, step [2]float64, count int) error {
		for a := -count; a <= count; a++ {
			scale := min(max(centre[0]+float64(step[0]*float64(a)), least), most)
			if a > -count && step[0] == 0 {
				break // it is fixed
			}
			if err := f.take(shape, portable.Exp(scale)); err != nil {
				return err
			}
			for b := -count; b <= count; b++ {
				noise := min(max(centre[1]+float64(step[1]*float64(b)), lowest), highest)
				if d, _ := f.deviance(portable.Exp(noise)); d < deviance {
					best, deviance = [2]float64{scale, noise}, d
				}
			}
		}
		return nil
	}
	step := [2]float64{(most - least) / gridSteps, (highest - lowest) / gridSteps}
	if err := tryAround([2]float64{(least + most) / 2, (lowest + highest) / 2}, step, gridSteps/2); err != nil {
		return err
	}
	for range halvings {
		step[0], step[1] = step[0]/2, step[1]/2
		if err := tryAround(best, step, 2); err != nil {
			return err
		}
	}
	if math.IsInf(deviance, 1) {
		return errors.New("assess.FitField: the signals do not vary along the edges")
	}
	scale, err := strconv.ParseFloat(strconv.FormatFloat(portable.Exp(best[0]), 'g', scaleDigits, 64), 64)
	if fixed {
		scale = shape.Scale()
	}
	if err != nil {
		return err
	}
	if err := f.take(shape, scale); err != nil {
		return err
	}
	noise := portable.Exp(best[1])
	if without, _ := f.deviance(0); float64(signals)*(without-deviance) < noiseEvidence {
		noise = 0
	}
	_, size := f.deviance(noise)
	m.Size, m.Noise = math.Sqrt(size), math.Sqrt(noise*size)
	m.Kernel, err = fineKernel(shape, scale)
	return err
}

// take sets the squares to those of a kernel with another scale.
func (f *fieldFit) take(shape kernel.Kernel, scale float64) error {
	k, err := shape.WithScale(scale)
	if err != nil {
		return err
	}
	f.squares = f.squares[:0]
	for _, l := range f.frequencies {
		g := k.Value(l)
		f.squares = append(f.squares, g*g)
	}
	return nil
}

// deviance returns −2/M times the log-likelihood of the M signals but for a constant, and the
// likeliest Size², for a variance of the noise over that.
func (f *fieldFit) deviance(noise float64) (deviance, size float64) {
	n := float64(len(f.energy))
	for a, e := range f.energy {
		h := f.squares[a] + noise
		deviance += math.Log(h)
		size += e / h / n
	}
	if !(size > 0) || math.IsInf(size, 0) || math.IsNaN(deviance) {
		return math.Inf(1), 0
	}
	return deviance + float64(n*math.Log(size)) + n, size
}

// fineDegrees are what is tried until the polynomial of a kernel is no poor stand-in for it.
var fineDegrees = []int{15, 30, 60, 120}

// fineKernel returns the kernel of a field with the given scale.
func fineKernel(shape kernel.Kernel, scale float64) (kernel.Kernel, error) {
	k, err := shape.WithScale(scale)
	for _, degree := range fineDegrees {
		if err != nil {
			return k, err
		}
		if k, err = kernel.Parse(k.Name, degree, kernel.Chebyshev); err == nil && k.Warning() == "" {
			break
		}
	}
	return k, err
}
