package sensors

import (
	"context"
	"fmt"
	"math"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/prepare"
)

const (
	// leastBlock is the fewest observations that tell a level and a scale, and usualBlocks
	// how many blocks long recordings have.
	leastBlock, usualBlocks = 12, 50
	// leastShift is by how many standard deviations of a sensor its level moves if that
	// is a fault, and leastNoise how many times as much as usual it varies.
	leastShift, leastNoise = 1.5, 3
	// extendedShift is how many usual deviations of its level a block next to a fault is off
	// if it is part of it.
	extendedShift = 1.5
	// aloneShift is how many times as far a level must move for a single block.
	aloneShift = 2
)

// blocks returns where blocks of consecutive observations begin, and the end.
func (p *peers) blocks() []int {
	m := p.z.Cols
	count := max(min(m/leastBlock, usualBlocks), 1)
	bounds := make([]int, count+1)
	for b := range bounds {
		bounds[b] = b * m / count
	}
	return bounds
}

// byBlock returns a number for each row of some series and block; NaN where too little is
// observed.
func (p *peers) byBlock(ctx context.Context, series linalg.Dense, bounds []int, number func(values []float64) float64) [][]float64 {
	table := make([][]float64, len(p.rows))
	for a := range run.While(ctx, len(p.rows)) {
		row := linalg.Row(series, a)
		table[a] = make([]float64, len(bounds)-1)
		for b := range table[a] {
			table[a][b] = missing
			if values := observed(row[bounds[b]:bounds[b+1]]); 2*len(values) >= bounds[b+1]-bounds[b] {
				table[a][b] = number(values)
			}
		}
	}
	return table
}

// findShifts finds stretches at another level than the rest: after a jump, or as the end of
// a drift.
func (p *peers) findShifts(ctx context.Context) []prepare.Fault { return p.findLevels(ctx, p.residual) }

// findSharedShifts finds those of sensors that moved together, and so predict each
// other.
func (p *peers) findSharedShifts(ctx context.Context) []prepare.Fault { return p.findLevels(ctx, p.z) }

func (p *peers) findLevels(ctx context.Context, series linalg.Dense) []prepare.Fault {
	bounds := p.blocks()
	levels := p.byBlock(ctx, series, bounds, matrix.Median)
	if ctx.Err() != nil {
		return nil
	}
	spread := make([]float64, len(levels))
	for a, row := range levels {
		median, sd := middle(row)
		spread[a] = sd
		for b := range row {
			row[b] -= median
		}
	}
	typical := matrix.Median(append([]float64{}, spread...))
	extremes := make([]float64, len(levels)) // of each sensor
	for a, row := range levels {
		for _, v := range observed(row) {
			extremes[a] = max(extremes[a], math.Abs(v)/max(spread[a], typical))
		}
	}
	bound := max(usual(extremes, tails), 6)
	var faults []prepare.Fault
	for a, row := range levels {
		least := max(bound*max(spread[a], typical), leastShift)
		for _, s := range stretches(row, func(v float64) bool { return math.Abs(v) > least }) {
			if s.length() == 1 && math.Abs(row[s.from]) < aloneShift*least {
				continue
			}
			s = extended(row, s, extendedShift*max(spread[a], typical))
			kind, words := prepare.UnitJump, "jumps by"
			if isGradual(row[s.from:s.to]) {
				kind, words = prepare.Drift, "drifts away by up to"
			}
			most := 0.0
			for _, v := range observed(row[s.from:s.to]) {
				most = max(most, math.Abs(v))
			}
			faults = append(faults, prepare.Fault{
				Vertex: p.rows[a], Kind: kind, Places: p.widened(linalg.Row(series, a), bounds, s, least/2),
				Sentence: fmt.Sprintf("its level %s %.2g standard deviations", words, most),
			})
		}
	}
	return faults
}

// extended returns a stretch with the blocks next to it on either side that lie on the
// same side by at least so much: a drift begins before it is plain to see.
func extended(row []float64, s stretch, least float64) stretch {
	side := 0.0
	for _, v := range observed(row[s.from:s.to]) {
		side += v
	}
	same := func(b int) bool { return isMissing(row[b]) || row[b]*math.Copysign(1, side) > least }
	for s.from > 0 && same(s.from-1) {
		s.from--
	}
	for s.to < len(row) && same(s.to) {
		s.to++
	}
	return s
}

// isGradual reports whether a level is on its way for much of a stretch: a jump is there at
// once.
func isGradual(levels []float64) bool {
	const onTheWay, much = 0.7, 0.3
	values, most := observed(levels), 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	count := 0
	for _, v := range values {
		if math.Abs(v) < onTheWay*most {
			count++
		}
	}
	return float64(count) > much*float64(len(values))
}

// A stretch is some that follow one another: from ≤ k < to.
type stretch struct{ from, to int }

func (r stretch) length() int { return r.to - r.from }

// stretches returns where a test holds, block by block; a block that does not, or of
// which nothing is known, between two that do is part of it.
func stretches(row []float64, holds func(float64) bool) []stretch {
	var list []stretch
	for b, v := range row {
		if isMissing(v) || !holds(v) {
			continue
		}
		if last := len(list) - 1; last >= 0 && b-list[last].to <= 1 {
			list[last].to = b + 1
		} else {
			list = append(list, stretch{b, b + 1})
		}
	}
	return list
}

// widened returns the observations of some blocks of a row, and those next to them on either
// side, as far as a block, whose residuals are mostly as large.
func (p *peers) widened(row []float64, bounds []int, s stretch, large float64) []int {
	from, to := bounds[s.from], bounds[s.to]
	first, last := bounds[max(s.from-1, 0)], bounds[min(s.to+1, len(bounds)-1)]
	for from > first && (isMissing(row[from-1]) || math.Abs(row[from-1]) > large) {
		from--
	}
	for to < last && (isMissing(row[to]) || math.Abs(row[to]) > large) {
		to++
	}
	return matrix.Span(from, to)
}

// findNoise finds stretches in which a sensor varies far more than it usually does, when
// the others do not.
func (p *peers) findNoise(ctx context.Context) []prepare.Fault {
	bounds := p.blocks()
	scales := p.byBlock(ctx, p.residual, bounds, func(values []float64) float64 {
		_, sd := middle(values)
		return math.Log(max(sd, 1e-9))
	})
	if ctx.Err() != nil {
		return nil
	}
	for a := range scales {
		median, _ := middle(scales[a])
		for b := range scales[a] {
			scales[a][b] -= median
		}
	}
	column := make([]float64, len(scales))
	for b := range len(bounds) - 1 { // what all do at a time is no fault
		for a := range scales {
			column[a] = scales[a][b]
		}
		median, _ := middle(column)
		for a := range scales {
			scales[a][b] -= median
		}
	}
	extremes := make([]float64, len(scales))
	for a := range scales {
		for _, v := range observed(scales[a]) {
			extremes[a] = max(extremes[a], v)
		}
	}
	bound := max(usual(extremes, tails), math.Log(leastNoise))
	var faults []prepare.Fault
	for a, row := range scales {
		for _, s := range stretches(row, func(v float64) bool { return v > bound }) {
			most := 0.0
			for _, v := range observed(row[s.from:s.to]) {
				most = max(most, v)
			}
			faults = append(faults, prepare.Fault{
				Vertex: p.rows[a], Kind: prepare.Noisy, Places: p.widened(linalg.Row(p.residual, a), bounds, s, 4),
				Sentence: fmt.Sprintf("it varies %.2g times as much as usual", portable.Exp(most)),
			})
		}
	}
	return faults
}
