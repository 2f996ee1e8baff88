package prepare

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/signals"
)

// A Transform is what was done to signals, to be repeated on new signals of the
// same vertices: means and scales are those of the first ones. The zero Transform
// does nothing.
type Transform struct {
	log        bool
	logOffset  float64
	difference bool
	center     bool
	scale      bool
	commonMode bool
	rows       []signals.Row // of the signals whose means and scales they are
	names      []string
}

// newTransform describes the steps of a report. rows are those that means and
// scales come from.
func newTransform(r *Report, o Options, rows []signals.Row) Transform {
	return Transform{
		log: r.Log.Done, logOffset: o.LogOffset, difference: r.Difference.Done,
		center: r.Center.Done, scale: r.Scale.Done, commonMode: r.CommonMode.Done, rows: rows, names: o.Names,
	}
}

// Apply returns new signals, which are not modified, as they would have been
// prepared with the first ones, and how to bring signals in that form, such as
// denoised ones, back into the units of y. Differences cannot be undone: undo is
// nil if they were taken.
func (t Transform) Apply(y *mat.Dense) (z *mat.Dense, undo func(*mat.Dense) *mat.Dense, err error) {
	n, _ := y.Dims()
	if t.rows != nil && n != len(t.rows) {
		return nil, nil, input.Errorf(op, input.Vertices, "got %d, want %d as in the signals that were preprocessed first", n, len(t.rows))
	}
	z = mat.DenseCopyOf(y)
	if t.log {
		if err := takeLogs(z, Options{Log: true, LogOffset: t.logOffset, Names: t.names}); err != nil {
			return nil, nil, err
		}
	}
	if t.difference {
		if z, err = differences(z); err != nil {
			return nil, nil, err
		}
	}
	for i, r := range t.rows {
		if t.center {
			centreRow(z.RawRowView(i), r)
		}
		if t.scale && r.Varies {
			scaleRow(z.RawRowView(i), r)
		}
	}
	var mode []float64
	if t.commonMode {
		mode = commonMode(z, t.rows)
		removeCommonMode(z, t.rows)
	}
	if t.difference {
		return z, nil, nil
	}
	return z, func(z *mat.Dense) *mat.Dense { return t.undo(z, mode) }, nil
}

// undo brings signals back into the units they came in. mode is the common mode
// that was removed from each, or nil.
func (t Transform) undo(z *mat.Dense, mode []float64) *mat.Dense {
	y := mat.DenseCopyOf(z)
	for i, r := range t.rows {
		x := y.RawRowView(i)
		for k := range x {
			if mode != nil && r.Varies {
				x[k] += mode[k]
			}
			if t.scale && r.Varies {
				x[k] *= r.SD
			}
			if t.center {
				x[k] += r.Mean
			}
		}
	}
	if t.log {
		y.Apply(func(_, _ int, v float64) float64 { return portable.Exp(v) - t.logOffset }, y)
	}
	return y
}
