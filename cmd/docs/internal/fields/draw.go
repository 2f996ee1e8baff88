// Package fields learns graphs from fields whose graph is known: simulated ones of every
// kernel, power grids and water networks, and measured sets. It keeps what came of it for
// docs/fields.md.
package fields

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
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
var Graphs = []string{"grid", "sensors", "tree", "small-world"}

// pairsOf draw the pairs that have an edge, each perhaps more than once.
var pairsOf = map[string]func(n int, r *rand.Rand) [][2]int{"grid": grid, "sensors": sensors, "tree": tree, "small-world": smallWorld}

// grid joins neighbours on a square lattice.
func grid(n int, _ *rand.Rand) (pairs [][2]int) {
	side := squareSide(n)
	for v := range side * side {
		if (v+1)%side > 0 {
			pairs = append(pairs, [2]int{v, v + 1})
		}
		if v+side < side*side {
			pairs = append(pairs, [2]int{v, v + side})
		}
	}
	return pairs
}

func squareSide(n int) int { return int(math.Round(math.Sqrt(float64(n)))) }

// sensors joins each of some random points of the unit square to the four nearest.
func sensors(n int, r *rand.Rand) (pairs [][2]int) {
	const nearest = 4
	points := make([][2]float64, n)
	for i := range points {
		points[i] = [2]float64{r.Float64(), r.Float64()}
	}
	for i, p := range points {
		distance := func(j int) float64 { return math.Hypot(points[j][0]-p[0], points[j][1]-p[1]) }
		for _, j := range matrix.Sorted(n, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })[1 : nearest+1] {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// tree hangs each vertex on one of the twenty before it.
func tree(n int, r *rand.Rand) (pairs [][2]int) {
	const reach = 20
	for i := 1; i < n; i++ {
		first := max(0, i-reach)
		pairs = append(pairs, [2]int{first + r.IntN(i-first), i})
	}
	return pairs
}

// smallWorld joins each vertex of a ring to the two next ones, and then sends a tenth of
// the edges to a vertex drawn at random ([watts1998]).
func smallWorld(n int, r *rand.Rand) (pairs [][2]int) {
	const rewired = 0.1
	for i := range n {
		for _, step := range []int{1, 2} {
			to := (i + step) % n
			if r.Float64() < rewired {
				to = r.IntN(n)
			}
			pairs = append(pairs, [2]int{i, to})
		}
	}
	return pairs
}

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
	n := s.Size
	if s.Graph == "grid" {
		n = squareSide(n) * squareSide(n)
	}
	r := rng.Stream(seed, "graph of a field")
	place := r.Perm(n)
	var edges []graph.Edge
	joined := map[[2]int]bool{}
	for _, pair := range pairsOf[s.Graph](s.Size, r) {
		i, j := place[pair[0]], place[pair[1]]
		pair = [2]int{min(i, j), max(i, j)}
		if i != j && !joined[pair] {
			joined[pair] = true
			edges = append(edges, graph.Edge{I: pair[0], J: pair[1], Weight: 0.5 + r.Float64()})
		}
	}
	return graph.New(graph.DefaultNames(n), edges)
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
