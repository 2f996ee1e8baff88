package sensors

import (
	"context"
	"fmt"
	"math"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
)

// leastSpike is the fewest standard deviations of a residual that a spike has.
const leastSpike = 8

// findSpikes finds single values that are far from what the other sensors predict, and
// farther than any of theirs are.
func (p *peers) findSpikes(ctx context.Context) []prepare.Fault {
	n := p.residual.Rows
	scale, extremes := make([]float64, n), make([]float64, n)
	row := func(a int) []float64 { return linalg.Row(p.residual, a) }
	for a := range run.While(ctx, n) {
		_, scale[a] = middle(row(a))
		if scale[a] == 0 {
			scale[a] = math.Inf(1)
		}
		for _, v := range observed(row(a)) {
			extremes[a] = max(extremes[a], math.Abs(v)/scale[a])
		}
	}
	bound := max(usual(extremes, longTails), leastSpike)
	var faults []prepare.Fault
	for a := range n {
		var places []int
		for k, v := range row(a) {
			if !isMissing(v) && math.Abs(v) > bound*scale[a] {
				places = append(places, k)
			}
		}
		if places == nil {
			continue
		}
		value := words.Plural(len(places), "value")
		faults = append(faults, prepare.Fault{
			Vertex: p.rows[a], Kind: prepare.Spikes, Places: places,
			Sentence: fmt.Sprintf("%s up to %.3g standard deviations from what the other sensors predict", value, extremes[a]),
		})
	}
	return faults
}
