package sensors

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/prepare"
)

const (
	// leastSide is the share of the blocks before and after a step, at least: a shorter stretch is a shift.
	leastSide = 0.3
	// leastStep is how many standard deviations on one side the values across the step are from what that side makes of
	// them, and leastStepBack the same from the other side, where a unit may have made all deviations larger.
	leastStep, leastStepBack = 6, 3
	// leastRescaled is how many times as much a value stands for on one side if its unit is another one, and leastExplained
	// the share of the squares of the values that the others must explain to tell.
	leastRescaled, leastExplained = 1.5, 0.5
)

// findSteps finds sensors that are in another unit from one moment on, near the middle of the recording. Their usual
// deviation is the step itself, so that nothing is far from usual. Each side of the largest step is therefore held
// against the others by itself: what it makes of the values across the step is far from them if the unit changes
// there, and not if a level wanders. The shorter side is at fault: nobody knows which unit is right.
func (p *peers) findSteps(ctx context.Context) []prepare.Fault {
	bounds := p.blocks()
	levels := p.byBlock(ctx, p.z, bounds, matrix.Median)
	cuts := make([]int, len(levels))
	apart := linalg.NewDense(len(levels), p.z.Cols)
	for a, row := range levels {
		z := linalg.Row(p.z, a)
		cuts[a] = placeOf(z, row, bounds)
		for _, side := range [2]stretch{{0, cuts[a]}, {cuts[a], len(z)}} {
			median, sd := middle(z[side.from:side.to])
			for k := side.from; k < side.to; k++ {
				if v := (z[k] - median) / max(sd, 1e-9); !isMissing(v) {
					linalg.Row(apart, a)[k] = min(max(v, -clip), clip)
				}
			}
		}
	}
	expected := p.likely(apart)
	ratios, units := make([]float64, len(cuts)), make([]bool, len(cuts))
	for a := range run.While(ctx, len(cuts)) {
		ratios[a], units[a] = across(linalg.Row(p.z, a), linalg.Row(expected, a), cuts[a])
	}
	bound := max(usual(ratios, tails), leastStep)
	var faults []prepare.Fault
	for a, cut := range cuts {
		if !units[a] || ratios[a] <= bound {
			continue
		}
		places := matrix.Span(cut, p.z.Cols)
		if 2*cut < p.z.Cols {
			places = matrix.Span(0, cut)
		}
		faults = append(faults, prepare.Fault{
			Vertex: p.rows[a], Kind: prepare.UnitJump, Places: places,
			Sentence: fmt.Sprintf("its level jumps by %.2g standard deviations", ratios[a]),
		})
	}
	return faults
}

// likely returns what the others of each sensor predict of values like its own, by the regression on all observations but
// the one that is predicted, as [peers.without] does of its own values.
func (p *peers) likely(values linalg.Dense) linalg.Dense {
	n, m := p.known.Rows, p.known.Cols
	predicted := linalg.NewDense(n, m)
	_, inverse := p.moments(matrix.Span(0, n))
	if inverse == nil {
		return predicted
	}
	all := linalg.Dense{Rows: n, Cols: n, Stride: n, Data: mat.DenseCopyOf(inverse).RawMatrix().Data}
	// Without row a, the inverse A of the moments is A − A_a A_aᵀ/A_aa.
	products, pull, u := linalg.NewDense(n, n), linalg.NewDense(n, n), linalg.NewDense(n, m)
	linalg.MulTransB(products, values, p.known)
	for a := range n {
		products.Data[a*n+a] = 0
	}
	linalg.Mul(pull, products, all)
	for a := range n {
		own := pull.Data[a*n+a] / all.Data[a*n+a]
		for b := range n {
			pull.Data[a*n+b] -= own * all.Data[a*n+b]
		}
	}
	linalg.Mul(predicted, pull, p.known)
	linalg.Mul(u, all, p.known)
	q := make([]float64, m)
	for a := range n {
		for k, v := range linalg.Row(u, a) {
			q[k] += v * linalg.Row(p.known, a)[k]
		}
	}
	for a := range n {
		x, z := linalg.Row(predicted, a), linalg.Row(values, a)
		for k, v := range linalg.Row(u, a) {
			h := q[k] - v*v/all.Data[a*n+a]
			x[k] = (x[k] - h*z[k]) / (1 - h)
		}
	}
	return predicted
}

// placeOf returns the observation from which on the values are most likely of another level and scale: that between two
// blocks, moved among those next to it.
func placeOf(values, levels []float64, bounds []int) int {
	side := int(math.Ceil(leastSide * float64(len(levels))))
	block, least := len(levels)/2, math.Inf(1)
	for at := side; at <= len(levels)-side; at++ {
		before, after := observed(levels[:at]), observed(levels[at:])
		unlikely := float64(len(before))*lawOf(before).width + float64(len(after))*lawOf(after).width
		if unlikely < least {
			block, least = at, unlikely
		}
	}
	below, above := lawOf(observed(values[:bounds[block-1]])), lawOf(observed(values[bounds[block+1]:]))
	place, sum, lowest := bounds[block-1], 0.0, 0.0
	for k := bounds[block-1]; k < bounds[block+1]; k++ {
		if v := values[k]; !isMissing(v) {
			sum += below.unlikely(v) - above.unlikely(v)
		}
		if sum < lowest {
			lowest, place = sum, k+1
		}
	}
	return place
}

// A law is where values are, about a median, and the logarithm of how far they are from it on average.
type law struct{ median, width float64 }

func lawOf(values []float64) law {
	median, sum := matrix.Median(values), 0.0
	for _, v := range values {
		sum += math.Abs(v - median)
	}
	return law{median, math.Log(max(sum/float64(max(len(values), 1)), 1e-9))}
}

// unlikely is the negative logarithm of the density of a value, but for a constant.
func (l law) unlikely(v float64) float64 {
	return math.Abs(v-l.median)/portable.Exp(l.width) + l.width
}

// across returns by how many standard deviations the values next to a cut are off what the other side makes of them, the
// larger of both numbers, and whether that is a change of unit: so it is from the other side, too, or a value stands for
// another multiple of what the others say, which they say well on both sides.
func across(values, expected []float64, cut int) (off float64, isUnit bool) {
	near := [2]stretch{{max(cut-leastBlock, 0), cut}, {cut, min(cut+leastBlock, len(values))}}
	before := lineThrough(expected[:near[0].from], values[:near[0].from])
	after := lineThrough(expected[near[1].to:], values[near[1].to:])
	forth, back := before.off(expected, values, near[1]), after.off(expected, values, near[0])
	times := math.Abs(before.slope / after.slope)
	rescaled := max(times, 1/times) > leastRescaled && min(before.explained, after.explained) > leastExplained
	return max(forth, back), min(forth, back) > leastStepBack || rescaled
}

// A line is what is expected of values, by least squares.
type line struct{ slope, level, sd, explained float64 }

// lineThrough returns the line through what is observed, with the standard deviation about it and the share of the squares that
// it explains; the zero line if that is too little.
func lineThrough(x, y []float64) line {
	var n, sx, sy, xx, xy, yy float64
	for k, v := range y {
		if !isMissing(v) {
			n, sx, sy, xx, xy, yy = n+1, sx+x[k], sy+v, xx+x[k]*x[k], xy+x[k]*v, yy+v*v
		}
	}
	if n < leastBlock {
		return line{}
	}
	xx, xy, yy = xx-sx*sx/n, xy-sx*sy/n, yy-sy*sy/n
	if !(xx > 0 && yy > 0) {
		return line{}
	}
	slope := xy / xx
	return line{slope, (sy - slope*sx) / n, math.Sqrt(max(yy-slope*xy, 0) / n), slope * xy / yy}
}

// off returns by how many standard deviations values of a stretch are off the line, by their median.
func (l line) off(x, y []float64, at stretch) float64 {
	var off []float64
	for k := at.from; k < at.to; k++ {
		if !isMissing(y[k]) {
			off = append(off, y[k]-l.level-l.slope*x[k])
		}
	}
	if len(off) < leastBlock/2 || !(l.sd > 0) {
		return 0
	}
	return math.Abs(matrix.Median(off)) / l.sd
}
