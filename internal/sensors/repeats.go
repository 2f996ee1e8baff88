package sensors

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
)

const (
	// codeDistance is how far from the median a code is, at least, in standard deviations,
	// and codeGap how far from all other values.
	codeDistance, codeGap = 4, 1
	// usualDistance is codeDistance for numbers that are usual as codes.
	usualDistance = 10
	// codeRepeats is how often another number must come, and codeShare below which share of the
	// values: what a sensor shows more often is one of its levels.
	codeRepeats, codeShare = 4, 0.25
)

// findCodes finds numbers that stand for something else than a measurement: they come
// again and again, far from all other values.
func findCodes(ctx context.Context, y *mat.Dense) []prepare.Fault {
	var faults []prepare.Fault
	rows := matrix.Varying(y)
	zero := zeroIsAValue(y, rows)
	for a := range run.While(ctx, len(rows)) {
		i := rows[a]
		x := slices.Clone(y.RawRowView(i))
		for {
			code, places := codeIn(x, zero)
			if places == nil {
				break
			}
			for _, k := range places {
				x[k] = missing
			}
			faults = append(faults, prepare.Fault{
				Vertex: i, Kind: prepare.MissingCode, Places: places,
				Sentence: fmt.Sprintf("the value %g, %s, far from all others", code, words.Plural(len(places), "time")),
			})
		}
	}
	return faults
}

// codeIn returns the least or largest value of a row if it is a code, and where it is. Zero is none where it is a
// value.
func codeIn(x []float64, zeroIsValue bool) (code float64, places []int) {
	median, sd := middle(x)
	if sd == 0 {
		return 0, nil
	}
	values := observed(x)
	slices.Sort(values)
	for _, code := range []float64{values[0], values[len(values)-1]} {
		if zeroIsValue && code == 0 {
			continue
		}
		distance, repeats, share := float64(codeDistance), codeRepeats, codeShare
		if slices.Contains(matrix.MissingCodes, code) {
			distance, repeats, share = usualDistance, 1, 0.5
		}
		gap := math.Inf(1)
		var places []int
		for k, v := range x {
			switch {
			case isMissing(v):
			case v == code:
				places = append(places, k)
			default:
				gap = min(gap, math.Abs(v-code))
			}
		}
		if len(places) >= repeats && float64(len(places)) < share*float64(len(values)) && math.Abs(code-median) > distance*sd &&
			gap > codeGap*sd {
			return code, places
		}
	}
	return 0, nil
}

const (
	// leastRun is the shortest run of equal values that is a fault.
	leastRun = 8
	// runAlarm is how often a run may come by chance in a row of a recording.
	runAlarm = 1e-4
	// usualRuns is how many times as long as usual in other sensors it must be.
	usualRuns = 2
)

// findStuck finds values that come far more often in a row than chance allows, and
// than other sensors repeat theirs.
func findStuck(ctx context.Context, y *mat.Dense) []prepare.Fault {
	rows := matrix.Varying(y)
	n, m := y.Dims()
	repeating := make([]int, m) // sensors that repeat their value
	runs := make([][]valueRun, n)
	var longest []float64
	for a := range run.While(ctx, len(rows)) {
		i := rows[a]
		runs[i] = runsIn(y.RawRowView(i))
		most := 1
		for _, r := range runs[i] {
			most = max(most, r.count)
			for k := r.from + 1; k < r.to; k++ {
				repeating[k]++
			}
		}
		longest = append(longest, float64(most))
	}
	zero := zeroIsAValue(y, rows)
	typical := max(usualRuns*matrix.Quantile(longest, 0.75), leastRun)
	var faults []prepare.Fault
	for a := range run.While(ctx, len(rows)) {
		i := rows[a]
		x := y.RawRowView(i)
		chance := longestByChance(runs[i], len(x))
		var stuck []prepare.Fault
		left := len(observed(x))
		for _, r := range runs[i] {
			if float64(r.count) < max(typical, chance) || r.isShared(repeating, len(rows)) || zero && x[r.from] == 0 {
				continue
			}
			if same := ofValue(x, runs[i], x[r.from]); same != nil && float64(r.count) < longestByChance(same, len(x)) {
				continue
			}
			left -= r.count
			stuck = append(stuck, prepare.Fault{
				Vertex: i, Kind: prepare.Stuck, Places: matrix.Span(r.from, r.to),
				Sentence: fmt.Sprintf("the value %g, %d times in a row", x[r.from], r.count),
			})
		}
		// A sensor that does nothing but stay at values is no broken one: rows are sorted by it.
		if left > 0 {
			faults = append(faults, stuck...)
		}
	}
	return faults
}

// zeroIsAValue reports whether zero is what sensors measure when there is nothing, such as rain, events,
// ink or an oxide: but for usual codes no value is below it, and at least a third of the sensors have it often, or
// close to their other values. Rare zeros far from all else are an outage.
func zeroIsAValue(y *mat.Dense, rows []int) bool {
	const often = 0.05 // of the values of a sensor
	with := 0
	for _, i := range rows {
		x := y.RawRowView(i)
		zeros, others, next := 0, 0, math.Inf(1)
		for _, v := range x {
			switch {
			case isMissing(v) || slices.Contains(matrix.MissingCodes, v):
			case v < 0:
				return false
			case v == 0:
				zeros++
			default:
				others, next = others+1, min(next, v)
			}
		}
		if zeros == 0 {
			continue
		}
		if _, sd := middle(x); float64(zeros) >= often*float64(zeros+others) || next <= codeGap*sd {
			with++
		}
	}
	return 3*with >= len(rows)
}

// A valueRun is observations of the same value, one after another, but for missing ones.
type valueRun struct {
	stretch
	count int // those not missing
}

// isShared reports whether most sensors repeat their values for most of the run: at night
// there is no sun at any of them.
func (r valueRun) isShared(repeating []int, sensors int) bool {
	shared := 0
	for k := r.from + 1; k < r.to; k++ {
		if 2*(repeating[k]-1) > sensors-1 {
			shared++
		}
	}
	return 2*shared > r.to-r.from
}

// runsIn returns the runs of equal values, those of a single one as well. A missing
// value does not end a run.
func runsIn(x []float64) []valueRun {
	var runs []valueRun
	for k, v := range x {
		if isMissing(v) {
			continue
		}
		if last := len(runs) - 1; last >= 0 && x[runs[last].from] == v {
			runs[last].to = k + 1
			runs[last].count++
		} else {
			runs = append(runs, valueRun{stretch{k, k + 1}, 1})
		}
	}
	return runs
}

// mostRuns is how many of the longest runs may be faults, and are not taken for usual.
const mostRuns = 5

// longestByChance returns the length of the runs that a sensor has by chance with
// probability runAlarm, if it repeats its values as often as it does in all but the longest
// of some runs, among that many values.
func longestByChance(runs []valueRun, values int) float64 {
	lengths := make([]int, len(runs))
	for k, r := range runs {
		lengths[k] = r.count
	}
	slices.Sort(lengths)
	for k := range min(mostRuns, len(lengths)) {
		if at := len(lengths) - 1 - k; lengths[at] > leastRun {
			lengths[at] = 0
		}
	}
	repeats, count := 0, 0
	for _, length := range lengths {
		repeats += max(length-1, 0)
		count += length
	}
	return longestAt(float64(repeats)/max(float64(count), 1), values)
}

// ofValue returns the runs of a value that a sensor often has for a short time, such as
// its least one; none if it has it rarely, or never for a short time.
func ofValue(x []float64, runs []valueRun, value float64) []valueRun {
	var same []valueRun
	short := 0
	for _, r := range runs {
		if x[r.from] == value {
			same = append(same, r)
			if r.count < leastRun {
				short++
			}
		}
	}
	if len(same) <= 2*mostRuns || 2*short < len(same) {
		return nil
	}
	return same
}

// longestAt returns the length of runs of which one comes by chance with probability
// runAlarm among that many values, each of which repeats the one before at this rate.
func longestAt(rate float64, values int) float64 {
	rate = max(rate, 0.01)
	if rate >= 0.95 {
		return math.Inf(1) // it hardly ever changes
	}
	return 1 + math.Log(runAlarm/float64(max(values, 1)))/math.Log(rate)
}
