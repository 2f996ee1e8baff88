package sensors

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
)

const (
	// mostSlip is the most observations that clocks are off by.
	mostSlip = 30
	// leastSlip is how much better a sensor must agree with the others at another time, in
	// sums of products of values in standard deviations, and leastSlipped the fewest
	// observations of which that is so.
	leastSlip, leastSlipped = 40, 30
)

// A slip is how a sensor agrees best with the others at another time.
type slip struct {
	gain  float64
	by    int // observations late
	where stretch
}

// findSlips finds stretches in which a sensor agrees with what the others predict for
// another time, and not with what they predict for its own. A clock that is off makes
// the clocks of neighbours seem off the other way: which are at fault shows by
// predictions from the sensors whose clocks are right beyond doubt.
func (p *peers) findSlips(ctx context.Context) []prepare.Fault {
	n := p.z.Rows
	slips, gains := make([]slip, n), make([]float64, n)
	for a := range run.While(ctx, n) {
		slips[a] = p.bestSlip(a, p.predicted)
		gains[a] = slips[a].gain
	}
	bound := max(usual(gains, tails), leastSlip)
	suspect := make([]bool, n)
	var suspects []int
	for a, s := range slips {
		if suspect[a] = s.gain > bound && s.where.length() >= leastSlipped; suspect[a] {
			suspects = append(suspects, a)
		}
	}
	if len(suspects) == 0 || ctx.Err() != nil {
		return nil
	}
	others := p.without(ctx, suspect)
	for k := range run.While(ctx, len(suspects)) {
		gains[suspects[k]] = p.bestSlip(suspects[k], others).gain
	}
	slices.SortStableFunc(suspects, func(a, b int) int { return cmp.Compare(gains[b], gains[a]) })
	// The worst one first; those that are right once it is left out are not at fault.
	var faults []prepare.Fault
	left := make([]bool, n)
	for k := range run.While(ctx, len(suspects)) {
		a := suspects[k]
		s := p.bestSlip(a, p.without(ctx, left))
		if s.gain <= bound || s.where.length() < leastSlipped {
			continue
		}
		left[a] = true
		late, by := "late", s.by
		if by < 0 {
			late, by = "early", -by
		}
		faults = append(faults, prepare.Fault{
			Vertex: p.rows[a], Kind: prepare.ClockSlip, Places: matrix.Span(s.where.from, s.where.to),
			Sentence: fmt.Sprintf("it agrees with the other sensors %s %s", words.Plural(by, "observation"), late),
		})
	}
	return faults
}

// bestSlip returns how row a agrees best with predictions for another time.
func (p *peers) bestSlip(a int, predicted linalg.Dense) (best slip) {
	z := whitened(linalg.Row(p.z, a), memory(linalg.Row(p.z, a)))
	expected := whitened(linalg.Row(predicted, a), memory(linalg.Row(p.z, a)))
	most := min(mostSlip, len(z)/10)
	for by := -most; by <= most; by++ {
		if by == 0 {
			continue
		}
		if gain, at := slipGain(z, expected, by); gain > best.gain {
			best = slip{gain, by, at}
		}
	}
	return best
}

// memory returns the correlation of values, clipped, with the ones before.
func memory(x []float64) float64 {
	var products, squares float64
	for k, v := range x[1:] {
		if before := x[k]; !isMissing(v) && !isMissing(before) {
			v, before = min(max(v, -clip), clip), min(max(before, -clip), clip)
			products += v * before
			squares += (v*v + before*before) / 2
		}
	}
	if squares == 0 {
		return 0
	}
	return max(products/squares, 0)
}

// whitened returns what is new in each value, clipped, after the one before: only that
// tells times apart.
func whitened(x []float64, memory float64) []float64 {
	z := make([]float64, len(x))
	scale := math.Sqrt(max(1-memory*memory, 0.01))
	before := 0.0
	for k, v := range x {
		if isMissing(v) {
			z[k], before = missing, 0
			continue
		}
		v = min(max(v, -clip), clip)
		z[k] = (v - memory*before) / scale
		before = v
	}
	return z
}

// slipGain returns the stretch in which values agree best with predictions that many
// observations earlier, compared with those for their own time, and by how much.
func slipGain(z, predicted []float64, by int) (best float64, at stretch) {
	sum, from := 0.0, 0
	for k, v := range z {
		if k-by < 0 || k-by >= len(z) || isMissing(v) {
			continue
		}
		if sum <= 0 {
			sum, from = 0, k
		}
		sum += v * (predicted[k-by] - predicted[k])
		if sum > best {
			best, at = sum, stretch{from, k + 1}
		}
	}
	return best, at
}

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
		places := matrix.Where(row(a), func(_ int, v float64) bool { return !isMissing(v) && math.Abs(v) > bound*scale[a] })
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
