package intake

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// findRows says what the observations are to each other: as asked for, as another option
// implies, or as the signals say.
func findRows(ctx context.Context, s *signals.Set, r Request) (prepare.RowsFinding, error) {
	o := r.Prepare
	ordered := r.CommonMode == method.OrderedCommonMode
	if o.Rows == prepare.RowsIndependent && ordered {
		return prepare.RowsFinding{}, input.Errorf("nervure", input.Rows,
			"got independent rows, but the method %s learns from their order", r.Method)
	}
	if o.Rows == "" || o.Rows == prepare.RowsAuto {
		switch {
		case ordered:
			return prepare.RowsFinding{
				Rows:     prepare.RowsTime,
				Sentence: "rows are moments in time: the method " + r.Method + " learns from their order",
			}, nil
		case needsOrder(r) != "":
			return prepare.RowsFinding{
				Rows:     prepare.RowsTime,
				Sentence: "rows are moments in time: differences, cycles or trends were requested",
			}, nil
		case s.Whole != nil:
			return prepare.RowsFinding{Rows: prepare.RowsIndependent, Sentence: "rows are independent: they are a sample of more"}, nil
		}
	}
	return prepare.FindRows(ctx, s.Y, s.Times, o.Rows)
}

// needsOrder says what of a request can only be done with observations in their order; empty if
// nothing is.
func needsOrder(r Request) string {
	switch o := r.Prepare; {
	case r.CommonMode == method.OrderedCommonMode:
		return "the method " + r.Method
	case o.Difference == prepare.Yes:
		return "differences in time"
	case len(o.Periods) > 0 || o.Season == prepare.Yes || o.Detrend == prepare.Yes:
		return "removing cycles or trends"
	}
	return ""
}

// inOwnOrder returns an order of the columns of y that does not depend on the one they are
// in, nor on that of the rows, unless signals are equally far from the mean. Nothing that
// looks at parts of independent signals, by folds, halves or blocks, then depends on how
// they were given.
//
// Signals are ranked by a hash of their energy, each vertex in its own unit, and the ranks
// are shuffled, so that equal signals do not come together. Those alike must not be spread
// evenly, which would make parts more alike than chance does; nor may a rank by the energy
// itself always come to the same part.
func inOwnOrder(y *mat.Dense) []int {
	_, m := y.Dims()
	energy, side := make([]float64, m), make([]float64, m)
	draw := rng.Stream(1, "side of a row")
	for _, x := range matrix.Each(y) {
		weight := draw.NormFloat64()
		row := matrix.Describe(x)
		if !row.Varies {
			continue
		}
		for k, v := range x {
			if z := (v - row.Mean) / row.SD; !math.IsNaN(z) {
				energy[k] += float64(z * z)
				side[k] += float64(weight * z)
			}
		}
	}
	hashes := make([]uint64, m)
	for k, e := range energy {
		hashes[k] = scramble(uint64(math.Round(e * energyUnits)))
	}
	ranked := matrix.Sorted(m, func(a, b int) int { return cmp.Or(cmp.Compare(hashes[a], hashes[b]), cmp.Compare(side[a], side[b])) })
	order := make([]int, m)
	for k, at := range rng.Stream(1, "order of rows", m).Perm(m) {
		order[at] = ranked[k]
	}
	return order
}

// energyUnits is how finely energies are told apart: means have rounding errors of their own in
// each order, about a millionth of a millionth.
const energyUnits = 1 << 20

// scramble is the last step of the generator SplitMix64: all bits of what it returns
// depend on all bits of x.
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// reordered returns signals with their columns in another order and without times, which
// would not ascend.
func reordered(s *signals.Set, order []int) *signals.Set {
	other := *s
	other.Y, other.Times = matrix.Columns(s.Y, order), nil
	return &other
}

// placesAsGiven puts what was found in signals in another order where they were.
func placesAsGiven(found prepare.SensorFindings, order []int) prepare.SensorFindings {
	found.Faults = slices.Clone(found.Faults)
	for f := range found.Faults {
		fault := &found.Faults[f]
		fault.Places = slices.Clone(fault.Places)
		for k, at := range fault.Places {
			fault.Places[k] = order[at]
		}
		slices.Sort(fault.Places)
		fault.From, fault.To = fault.Places[0], fault.Places[len(fault.Places)-1]+1
	}
	found.OutOfScale = slices.Clone(found.OutOfScale)
	for k, at := range found.OutOfScale {
		found.OutOfScale[k] = order[at]
	}
	slices.Sort(found.OutOfScale)
	return found
}
