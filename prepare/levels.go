package prepare

import (
	"math"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"
)

// levels are the second part of a plan: what is done to the means and scales of the
// vertices and to what they have in common.
type levels struct {
	center, scale, commonMode bool
	rows                      []matrix.Row // means and scales of the signals that were decided on
}

func (l levels) none() bool { return !l.center && !l.scale && !l.commonMode }

// levelled is what was taken from signals: the shares of their energy, and the common
// mode itself, nil if it is kept.
type levelled struct {
	center, commonMode float64
	mode               []float64
}

// apply changes z itself.
func (l levels) apply(z *mat.Dense) (taken levelled) {
	if l.center {
		taken.center = energyTaken(z, func() {
			for i, r := range l.rows {
				centreRow(z.RawRowView(i), r)
			}
		})
	}
	if l.scale {
		for i, r := range l.rows {
			if r.Varies {
				matrix.Standardise(z.RawRowView(i), z.RawRowView(i), 0, r.SD)
			}
		}
	}
	if l.commonMode {
		taken.commonMode = energyTaken(z, func() { taken.mode = l.removeCommonMode(z) })
	}
	return taken
}

// undo brings signals back to the levels they had. mode is the common mode that was
// removed from each, or nil.
func (l levels) undo(z *mat.Dense, mode []float64) {
	for i, r := range l.rows {
		x := z.RawRowView(i)
		for k := range x {
			if mode != nil && r.Varies {
				x[k] += mode[k]
			}
			if l.scale && r.Varies {
				x[k] *= r.SD
			}
			if l.center {
				x[k] += r.Mean
			}
		}
	}
}

// removeCommonMode subtracts from each signal its mean over the vertices that vary
// and are observed in it, and returns these means. The other vertices are left as they
// are: they say nothing about the mode, and must not be made to vary by it.
func (l levels) removeCommonMode(z *mat.Dense) []float64 {
	_, m := z.Dims()
	mode, observed := make([]float64, m), make([]int, m)
	for i, r := range l.rows {
		if !r.Varies {
			continue
		}
		for k, v := range z.RawRowView(i) {
			if !math.IsNaN(v) {
				observed[k]++
				mode[k] += (v - mode[k]) / float64(observed[k]) // a running mean does not overflow
			}
		}
	}
	for i, r := range l.rows {
		if !r.Varies {
			continue
		}
		x := z.RawRowView(i)
		for k := range m {
			x[k] -= mode[k]
		}
	}
	return mode
}

// standardised returns a row that varies, which r describes, with mean 0 and mean square 1.
func standardised(x []float64, r matrix.Row) []float64 {
	z := make([]float64, len(x))
	matrix.Standardise(z, x, r.Mean, r.SD)
	return z
}

// centreRow subtracts the mean. A row that does not vary becomes exactly zero, so
// that it still does not.
func centreRow(x []float64, r matrix.Row) {
	for k, v := range x {
		switch {
		case math.IsNaN(v):
		case r.Varies:
			x[k] = v - r.Mean
		default:
			x[k] = 0
		}
	}
}

// energyTaken returns the share of the energy of z that change takes away.
func energyTaken(z *mat.Dense, change func()) float64 {
	unit := 0.0
	for _, row := range matrix.Each(z) {
		unit = max(unit, matrix.Describe(row).Size())
	}
	if unit == 0 {
		change()
		return 0
	}
	energy := func() (sum float64) { // over what is observed, in a unit in which no square overflows
		for _, row := range matrix.Each(z) {
			for _, v := range row {
				if !math.IsNaN(v) {
					v /= unit
					sum += v * v
				}
			}
		}
		return sum
	}
	before := energy()
	change()
	return 1 - energy()/before
}
