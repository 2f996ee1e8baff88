package synth

import (
	"math/rand/v2"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// Weighting says which weights the edges of a random graph have.
type Weighting string

// The weightings.
const (
	OwnWeights     Weighting = ""        // as the family gives them: Gaussian for RBF, 1 for all others
	BinaryWeights  Weighting = "binary"  // 1
	UniformWeights Weighting = "uniform" // independent, uniform in [0.5, 1.5): mean 1 and never negligible
)

// Weightings returns all weightings.
func Weightings() []Weighting { return []Weighting{OwnWeights, BinaryWeights, UniformWeights} }

// reweight returns the graph with the same edges and other weights. r is used
// by [UniformWeights] only, one draw per edge in the order of the edges.
func reweight(g *graph.Graph, w Weighting, r *rand.Rand) (*graph.Graph, error) {
	edges := g.Edges()
	switch w {
	case OwnWeights:
		return g, nil
	case BinaryWeights:
		for k := range edges {
			edges[k].Weight = 1
		}
	case UniformWeights:
		for k := range edges {
			edges[k].Weight = 0.5 + r.Float64()
		}
	default:
		return nil, input.Errorf("synth.Reweight", "weights", "got %q, want one of %q", w, Weightings())
	}
	return graph.New(g.Names(), edges)
}
