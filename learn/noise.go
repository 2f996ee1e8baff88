package learn

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/sparse"
)

// noise estimates the amplitude of the noise, as a share of the signals': the
// residual is noise in as many dimensions as neither codes nor weights take up.
func (a *answer) noise() float64 {
	_, m := a.codes.Dims()
	if a.unexplained == 0 || a.residual <= 0 || 50*a.unexplained <= m-a.unexplained {
		return 0 // what is left are a few signals that no code explains
	}
	entries := float64(m * a.entries)
	spare := entries - float64(a.codes.NonZeros()+a.graph.EdgeCount())
	return math.Sqrt(min(a.residual*entries/max(spare, 1), 1))
}

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

// noiseCoder takes no more atoms for a signal when the energy of its residual is at the
// floor.
func (d *denseEngine) noiseCoder(atoms int, floor float64) *sparse.Coder {
	return d.newCoder(sparse.Options{Method: sparse.Beam, Sparsity: atoms, Width: polishWidths[0], Floor: floor})
}
