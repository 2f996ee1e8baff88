// Package fields learns graphs from fields whose graph is known: simulated ones of every
// kernel, power grids and water networks, and measured sets. It keeps what came of it for
// docs/fields.md.
package fields

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/synth"
)

// A Setting is what the simulated fields of some seeds have in common.
type Setting struct {
	Graph  string  `json:"graph,omitempty"`  // one of Graphs
	Kernel string  `json:"kernel,omitempty"` // one of Kernels, or of Spectra
	Size   int     `json:"size,omitempty"`   // vertices; a grid has the nearest square number
	Times  int     `json:"times,omitempty"`  // signals for each vertex
	Noise  float64 `json:"noise,omitempty"`  // standard deviation, over that of all values
}

// What settings are made of. The weights of edges are uniform in [0.5, 1.5); the precision
// matrix is a power of L + κ²I with κ² = ridge, or e^(2L), where L is the combinatorial
// Laplacian.
var (
	Kernels = []string{"matern:1", "matern:2", "matern:4", heat}
	Sizes   = []int{30, 100, 300}
	Times   = []int{3, 10, 30}
	Noises  = []float64{0, 0.01, 0.1}
)

const (
	heat  = "heat"
	ridge = 0.1
)

// trueKernels are the kernels as the method takes and draws them.
var trueKernels = map[string]baseline.Field{
	"matern:1": {Order: 1}, "matern:2": {Order: 2}, "matern:4": {Order: 4}, heat: {Heat: true},
}

// Settings returns all settings.
func Settings() (all []Setting) {
	for _, size := range Sizes {
		for _, times := range Times {
			for _, noise := range Noises {
				for _, kernel := range Kernels {
					for _, g := range Graphs {
						all = append(all, Setting{g, kernel, size, times, noise})
					}
				}
			}
		}
	}
	for _, noise := range spectraNoises {
		for _, spectrum := range Spectra {
			for _, g := range Graphs {
				all = append(all, Setting{g, spectrum, spectraSize, spectraTimes, noise})
			}
		}
	}
	return all
}

// words describe a setting; see [Measurement.Only].
func (s Setting) words() []string {
	return []string{s.Graph, s.Kernel, fmt.Sprintf("N=%d", s.Size), fmt.Sprintf("M=%dN", s.Times), fmt.Sprintf("noise=%g%%", 100*s.Noise)}
}

// Graphs are the names of the graphs.
var Graphs = []string{simulate.Grid, simulate.Sensors, simulate.Tree, simulate.SmallWorld}

// draw draws the graph and the signals of a seed. The vertices are in random order.
func (s Setting) draw(seed uint64) (*synth.FieldTruth, error) {
	g, err := s.graph(seed)
	if err != nil {
		return nil, err
	}
	var truth *synth.FieldTruth
	if slices.Contains(Spectra, s.Kernel) {
		var spectrum *spectrum
		if spectrum, err = spectrumOf(s.Kernel, g); err == nil {
			truth = spectrum.draw(g, s.Times*g.Vertices(), seed)
		}
	} else {
		truth, err = s.drawKernel(g, seed)
	}
	if err != nil {
		return nil, err
	}
	addNoise(truth.Signals, s.Noise, rng.Stream(seed, "noise of a field"))
	return truth, nil
}

// drawKernel draws signals of one of Kernels.
func (s Setting) drawKernel(g *graph.Graph, seed uint64) (*synth.FieldTruth, error) {
	mean := 0.0
	for _, d := range g.Degrees() {
		mean += d / float64(g.Vertices())
	}
	// synth divides the Laplacian by the mean degree; a constant factor of the field does
	// not matter.
	kernel := trueKernels[s.Kernel]
	spec := synth.FieldSpec{Count: s.Times * g.Vertices(), Ridge: ridge / mean, Order: kernel.Order, Tau: mean, Seed: seed}
	if kernel.Heat {
		spec.Law = synth.DiffusionField
	}
	return synth.Field(g, spec)
}

func (s Setting) graph(seed uint64) (*graph.Graph, error) {
	return simulate.FieldGraph(s.Graph, s.Size, 0, seed)
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
