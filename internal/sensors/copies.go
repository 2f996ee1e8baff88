package sensors

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/prepare"
)

// copyShare is the share of the values observed at both that a copy has in common with
// its origin: each may be at fault by itself at times.
const copyShare = 0.9

// oddUnit is how much farther from what is usual among all sensors the level and scale of
// one of two must be for its values to be in another unit.
const oddUnit = 5

// findCopies finds sensors that carry the values of another one, perhaps rounded or in
// another unit. If one of the two is in another unit than most sensors, it is the
// copy; otherwise that cannot be told, and it is the later one here.
func (f *finder) findCopies(ctx context.Context, y *mat.Dense) []prepare.Fault {
	var faults []prepare.Fault
	_, m := y.Dims()
	copied := map[int]bool{}
	odd := oddities(y)
	pairs, _ := prepare.SameSignals(ctx, y) // that it was cut short is seen by who adds the faults
	for _, pair := range pairs {
		first, second := pair[0], pair[1]
		if copied[first] || copied[second] {
			continue
		}
		how, ok := isCopy(y.RawRowView(first), y.RawRowView(second))
		if !ok {
			continue
		}
		if odd(first) > odd(second)+oddUnit { // how they differ is the same the other way round
			first, second = second, first
		}
		copied[second] = true
		faults = append(faults, prepare.Fault{
			Vertex: second, Kind: prepare.Copy, Places: matrix.Span(0, m), Origin: first,
			Sentence: "the same values as " + nameOf(f.names, first) + how,
		})
	}
	return faults
}

// oddities returns how far the level and the scale of a row are from those of most rows,
// in usual deviations.
func oddities(y *mat.Dense) func(i int) float64 {
	n, _ := y.Dims()
	levels, scales := make([]float64, n), make([]float64, n)
	for i := range n {
		level, sd := middle(y.RawRowView(i))
		levels[i], scales[i] = level, missing
		if sd > 0 {
			scales[i] = math.Log(sd)
		}
	}
	level, levelSD := middle(levels)
	scale, scaleSD := middle(scales)
	return func(i int) float64 {
		if isMissing(scales[i]) || levelSD == 0 || scaleSD == 0 {
			return 0
		}
		return math.Abs(levels[i]-level)/levelSD + math.Abs(scales[i]-scale)/scaleSD
	}
}

// isCopy reports whether the values of one row are those of another, but for the unit and
// for rounding: neighbours may be very alike, but not to the last digit. how says in which
// way they differ, to be put after the name of one of them; empty if they do not.
func isCopy(a, b []float64) (how string, ok bool) {
	both := matrix.Where(a, func(k int, v float64) bool { return !isMissing(v) && !isMissing(b[k]) })
	finest, spread := [2]float64{resolution(a), resolution(b)}, math.Abs(matrix.Describe(b).SD)
	fits := func(slope, offset float64) bool {
		rounded := 0.51*(math.Abs(slope)*finest[0]+finest[1]) + 1e-9*spread
		same := 0
		for _, k := range both {
			if math.Abs(b[k]-slope*a[k]-offset) <= rounded {
				same++
			}
		}
		return float64(same) >= copyShare*float64(len(both))
	}
	slope, offset := unitsBetween(a, b, both)
	switch {
	case !fits(slope, offset):
		return "", false
	case fits(1, 0):
		return "", true
	case fits(-1, offset): // such as answers from 1 to 5, reversed
		return " with the opposite sign", true
	case slope < 0:
		return " in another unit and with the opposite sign", true
	}
	return " in another unit", true
}

// unitsBetween returns the slope and the offset that lead from a to b, by medians.
func unitsBetween(a, b []float64, places []int) (slope, offset float64) {
	var slopes, offsets []float64
	half := len(places) / 2
	order := slices.Clone(places)
	slices.SortFunc(order, func(i, j int) int {
		if a[i] < a[j] {
			return -1
		}
		return 1
	})
	for k := range half { // values far apart, so that rounding counts for little
		i, j := order[k], order[len(order)-half+k]
		if a[i] != a[j] {
			slopes = append(slopes, (b[j]-b[i])/(a[j]-a[i]))
		}
	}
	slope = matrix.Median(slopes)
	for _, k := range places {
		offsets = append(offsets, b[k]-slope*a[k])
	}
	return slope, matrix.Median(offsets)
}

// resolution returns the power of ten that all values of a row are multiples of, 0 if
// they have more than six digits after the point.
func resolution(x []float64) float64 {
	for digits, unit := 0, 1.0; digits <= 6; digits, unit = digits+1, unit/10 {
		if !slices.ContainsFunc(x, func(v float64) bool {
			scaled := v / unit
			return !isMissing(v) && math.Abs(scaled-math.Round(scaled)) > 1e-6+1e-12*math.Abs(scaled)
		}) {
			return unit
		}
	}
	return 0
}

// nameOf quotes the name of a vertex.
func nameOf(names []string, i int) string {
	if names == nil {
		return fmt.Sprintf("v%d", i)
	}
	return fmt.Sprintf("%q", names[i])
}
