package dense

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn/internal/fitting"
)

const (
	// noNoise is the residual up to which there is no noise to speak of.
	noNoise = 1e-9
	// noiseMargin is how many standard deviations above its mean the energy of noise
	// alone is still taken for noise.
	noiseMargin = 2
)

// stopAtNoise codes all signals once more on g, each with no more atoms than it
// takes until the residual may be noise, and returns the residuals and the energy from
// which on they are more than that.
func stopAtNoise(f *fitting.DenseFit, g *graph.Graph) (residuals fitting.Residuals, floor float64, err error) {
	v, w := f.OnEdges(g)
	if err := v.Place(w); err != nil {
		return nil, 0, err
	}
	entries := float64(f.SpareEntries() + f.Sparsity)
	spare := float64(f.M)*entries - float64(f.Code.NonZeros()+g.EdgeCount())
	variance := f.Engine.Refit(f.Code) / max(spare, 1)
	floor = variance * entries * (1 + noiseMargin*math.Sqrt(2/entries))
	f.Engine.EncodeWith(f.Engine.NoiseCoder(f.Sparsity, floor), f.Code, nil)
	return f.Refit(), floor, nil
}
