package measure

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/synth"
)

// draw draws the graph and the signals of a seed. The vertices are in random order.
func (f field) draw(seed uint64) (*synth.FieldTruth, error) {
	g, err := simulate.FieldGraph(f.graph, f.size, 0, seed)
	if err != nil {
		return nil, err
	}
	drawn := f.drawKernel
	if slices.Contains(Spectra, f.kernel) {
		drawn = f.drawSpectrum
	}
	truth, err := drawn(g, seed)
	if err != nil {
		return nil, err
	}
	addNoise(truth.Signals, f.noise, rng.Stream(seed, "noise of a field"))
	return truth, nil
}

// drawKernel draws signals of one of Kernels.
func (f field) drawKernel(g *graph.Graph, seed uint64) (*synth.FieldTruth, error) {
	mean := 0.0
	for _, d := range g.Degrees() {
		mean += d / float64(g.Vertices())
	}
	// synth divides the Laplacian by the mean degree; a constant factor of the field does
	// not matter.
	kernel := trueKernels[f.kernel]
	spec := synth.FieldSpec{Count: f.times * g.Vertices(), Ridge: ridge / mean, Order: kernel.Order, Tau: mean, Seed: seed}
	if kernel.Heat {
		spec.Law = synth.DiffusionField
	}
	return synth.Field(g, spec)
}

// addNoise adds white noise of a share of the amplitude of all values.
func addNoise(y *mat.Dense, share float64, r *rand.Rand) {
	if share == 0 {
		return
	}
	n, m := y.Dims()
	amplitude := share * mat.Norm(y, 2) / math.Sqrt(float64(n*m))
	y.Apply(func(_, _ int, v float64) float64 { return v + amplitude*r.NormFloat64() }, y)
}
