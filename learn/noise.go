package learn

import (
	"math"

	"github.com/nervure/nervure/graph"
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
func stopAtNoise(f *denseFit, g *graph.Graph) (residuals residualEnergies, floor float64, err error) {
	v, w := f.onEdges(g)
	if err := v.place(w); err != nil {
		return nil, 0, err
	}
	entries := float64(f.spareEntries() + f.sparsity)
	spare := float64(f.m)*entries - float64(f.code.NonZeros()+g.EdgeCount())
	variance := f.engine.Refit(f.code) / max(spare, 1)
	floor = variance * entries * (1 + noiseMargin*math.Sqrt(2/entries))
	f.engine.encode(f.engine.noiseCoder(f.sparsity, floor), f.code, nil)
	return f.refit(), floor, nil
}
