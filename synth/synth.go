// Package synth draws graphs, and signals that are sparse on them, with the
// truth known: the graph, the kernels and the codes ([maretic2017], section 4). It
// also draws fields, which are not sums of few patterns, the voltages of power
// grids, and recordings with all that goes wrong in them.
//
// Every graph comes without isolated vertices, which are stripped; those left
// are renamed v0, v1, … in their old order. All randomness comes from the
// generator or the seed given.
package synth

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// A Sample is a random graph, and what is known about its vertices.
type Sample struct {
	Graph       *graph.Graph
	Coordinates [][2]float64 // of each vertex, in the unit square; nil where the family has none
	Blocks      []int        // of each vertex, from 0; nil where the family has none
}

// Family is a kind of random graph.
type Family string

// The families.
const (
	FamilyER   Family = "er"   // [erdosRenyi]
	FamilyRBF  Family = "rbf"  // [rbf]
	FamilyBA   Family = "ba"   // [barabasiAlbert]
	FamilySBM  Family = "sbm"  // [stochasticBlock]
	FamilyGrid Family = "grid" // [grid]
	FamilyRing Family = "ring" // [ring]
)

// Families returns all families.
func Families() []Family {
	return []Family{FamilyER, FamilyRBF, FamilyBA, FamilySBM, FamilyGrid, FamilyRing}
}

// A GraphSpec says which graph to draw.
type GraphSpec struct {
	Family   Family
	Vertices int // before isolated ones are stripped; at least 2

	// EdgeFactor is the number of edges per vertex, at most (N − 1)/2; zero means
	// 3, as in [maretic2017], or the most that the vertices allow if that is less.
	// Families meet it in expectation (er, rbf, sbm) or as nearly as possible (ba,
	// ring). A grid ignores it.
	EdgeFactor float64

	Probability float64   // er: of each edge, overriding EdgeFactor; zero means what makes EdgeFactor
	Width       float64   // rbf: σ as a fraction of the cut-off κ; zero means [defaultWidth]
	Blocks      int       // sbm: how many, nearly equal in size; zero means 2 to 4, as 10 or more vertices each allow
	Weights     Weighting // zero means the family's own
	Seed        uint64    // the graph's streams are "graph" and "weights"
}

// defaultFactor is the number of edges per vertex in [maretic2017].
const defaultFactor = 3

// Resolve returns the specification with its defaults filled in, as [Graph]
// uses it, or all its faults. Fields of other families are set to zero.
func (s GraphSpec) Resolve() (GraphSpec, error) {
	var faults []error
	fault := func(field input.Field, format string, args ...any) {
		faults = append(faults, input.Errorf("synth.GraphSpec", field, format, args...))
	}
	if !slices.Contains(Families(), s.Family) {
		fault("family", "got %q, want one of %v", s.Family, Families())
	}
	if s.Vertices < 2 {
		fault(input.Vertices, "got %d, want at least 2", s.Vertices)
	}
	if !slices.Contains(Weightings(), s.Weights) {
		fault("weights", "got %q, want one of %q", s.Weights, Weightings())
	}

	most := float64(max(s.Vertices, 2)-1) / 2
	if s.Family != FamilyER {
		s.Probability = 0
	}
	switch {
	case s.Family == FamilyGrid:
		s.EdgeFactor = 0
	case s.Probability != 0:
		if !(s.Probability > 0 && s.Probability <= 1) {
			fault("probability", "got %v, want a number in (0, 1]", s.Probability)
		}
		s.EdgeFactor = s.Probability * most
	case s.EdgeFactor == 0:
		s.EdgeFactor = min(defaultFactor, most)
	case !(s.EdgeFactor > 0 && s.EdgeFactor <= most):
		fault("edge factor", "got %v, want a positive number, at most %v for %d vertices", s.EdgeFactor, most, s.Vertices)
	}
	if s.Family == FamilyER && s.Probability == 0 {
		s.Probability = edgeProbability(s.Vertices, s.EdgeFactor)
	}

	switch {
	case s.Family != FamilyRBF:
		s.Width = 0
	case s.Width == 0:
		s.Width = defaultWidth
	case !(s.Width > 0) || math.IsInf(s.Width, 0):
		fault("width", "got %v, want a positive number", s.Width)
	}

	switch {
	case s.Family != FamilySBM:
		s.Blocks = 0
	case s.Blocks == 0:
		s.Blocks = min(max(s.Vertices/10, 2), 4)
	case s.Blocks < 0 || s.Blocks > s.Vertices:
		fault("blocks", "got %d, want 1 to %d", s.Blocks, s.Vertices)
	}
	return s, errors.Join(faults...)
}

// Graph draws the graph of spec. The same specification gives the same graph;
// Weights does not change which edges there are.
func Graph(spec GraphSpec) (Sample, error) {
	spec, err := spec.Resolve()
	if err != nil {
		return Sample{}, err
	}
	s, err := spec.draw()
	if err != nil {
		return Sample{}, err
	}
	s.Graph, err = reweight(s.Graph, spec.Weights, rng.Stream(spec.Seed, "weights"))
	return s, err
}

func (s GraphSpec) draw() (Sample, error) {
	n, r := s.Vertices, rng.Stream(s.Seed, "graph")
	switch s.Family {
	case FamilyER:
		return erdosRenyi(n, s.Probability, r)
	case FamilyRBF:
		cutoff := cutoff(n, s.EdgeFactor)
		return rbf(n, cutoff, s.Width*cutoff, r)
	case FamilyBA:
		return barabasiAlbert(n, attachments(n, s.EdgeFactor), r)
	case FamilySBM:
		sizes := blockSizes(n, s.Blocks)
		inside, outside := blockProbabilities(sizes, s.EdgeFactor)
		return stochasticBlock(sizes, inside, outside, r)
	case FamilyGrid:
		return grid(n)
	default:
		return ring(n, neighbours(n, s.EdgeFactor))
	}
}

// sample strips isolated vertices and renames the others; coordinates and
// blocks may be nil.
func sample(n int, edges []graph.Edge, coordinates [][2]float64, blocks []int) (Sample, error) {
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		return Sample{}, fmt.Errorf("synth.Graph: %w", err)
	}
	g, kept := g.WithoutIsolated()
	if len(kept) == 0 {
		return Sample{}, input.Errorf("synth.Graph", "", "no vertices left: none of the %d has an edge", n)
	}
	if g, err = g.Rename(graph.DefaultNames(len(kept))); err != nil {
		return Sample{}, fmt.Errorf("synth.Graph: %w", err)
	}
	return Sample{g, matrix.Pick(coordinates, kept), matrix.Pick(blocks, kept)}, nil
}
