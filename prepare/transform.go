package prepare

import (
	"context"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/signals"
)

// A Transform is what was done to signals, to be repeated on new signals of the
// same vertices: means and scales are those of the first ones, trends and cycles, with
// the same periods, those of the new ones. The zero Transform does nothing.
type Transform struct {
	log        bool
	logOffset  float64
	course     Course
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
		log: r.Log.Done, logOffset: o.LogOffset, course: r.Course, difference: r.Difference.Done,
		center: r.Center.Done, scale: r.Scale.Done, commonMode: r.CommonMode.Done, rows: rows, names: o.Names,
	}
}

// A TransformRecord is a [Transform] as plain values, to be kept in a file.
type TransformRecord struct {
	Log                       bool
	LogOffset                 float64
	Trend                     bool    // a trend of each vertex is removed
	Cycles                    []Cycle // that are, too
	Difference                bool
	Center, Scale, CommonMode bool
	Mean, SD                  []float64 // of each vertex, in the order of the vertices
	Varies                    []bool    // whether a vertex did
}

// Record returns the transform as plain values.
func (t Transform) Record() TransformRecord {
	r := TransformRecord{Log: t.log, LogOffset: t.logOffset, Trend: t.course.Trend, Cycles: t.course.Cycles, Difference: t.difference, Center: t.center, Scale: t.scale, CommonMode: t.commonMode}
	for _, row := range t.rows {
		r.Mean, r.SD, r.Varies = append(r.Mean, row.Mean), append(r.SD, row.SD), append(r.Varies, row.Varies)
	}
	return r
}

// Transform returns the transform of a record for the named vertices, or what is wrong
// with it: there are too few or too many numbers, or not finite ones.
func (r TransformRecord) Transform(names []string) (Transform, error) {
	t := Transform{
		log: r.Log, logOffset: r.LogOffset, course: Course{r.Trend, r.Cycles}, difference: r.Difference,
		center: r.Center, scale: r.Scale, commonMode: r.CommonMode, names: names,
	}
	n := len(names)
	for _, length := range []int{len(r.Mean), len(r.SD), len(r.Varies)} {
		if length != n {
			return Transform{}, input.Errorf(op, input.Vertices, "got a mean, a standard deviation and whether they vary for %d, %d and %d, want %d", len(r.Mean), len(r.SD), len(r.Varies), n)
		}
	}
	finite := func(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
	if !finite(r.LogOffset) {
		return Transform{}, input.Errorf(op, input.LogOffset, "got %g, want a finite number", r.LogOffset)
	}
	for _, c := range r.Cycles {
		if err := c.check(); err != nil {
			return Transform{}, err
		}
	}
	for i := range n {
		row := signals.Row{Mean: r.Mean[i], SD: r.SD[i], Varies: r.Varies[i]}
		if !finite(row.Mean) || !finite(row.SD) || row.SD < 0 || row.Varies && row.SD == 0 {
			return Transform{}, input.Errorf(op, input.Scale, "vertex %q: got mean %g and standard deviation %g, want finite ones, the latter positive if the vertex varies", names[i], row.Mean, row.SD)
		}
		t.rows = append(t.rows, row)
	}
	return t, nil
}

// Apply returns new signals, which are not modified, as they would have been
// prepared with the first ones, and how to bring signals in that form, such as
// denoised ones, back into the units of y. Differences cannot be undone: undo is
// nil if they were taken. times are those of the new signals, nil if not known.
func (t Transform) Apply(y *mat.Dense, times []time.Time) (z *mat.Dense, undo func(*mat.Dense) *mat.Dense, err error) {
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
	var course *mat.Dense
	if !t.course.none() {
		_, m := y.Dims()
		if err := t.course.fits(times, m); err != nil {
			return nil, nil, err
		}
		course = mat.NewDense(n, m, nil)
		if _, _, err := t.course.remove(context.Background(), z, t.course.fitter(times, z), course); err != nil {
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
	return z, func(z *mat.Dense) *mat.Dense { return t.undo(z, mode, course) }, nil
}

// undo brings signals back into the units they came in. mode is the common mode
// that was removed from each, and course the trends and cycles, or nil.
func (t Transform) undo(z *mat.Dense, mode []float64, course *mat.Dense) *mat.Dense {
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
	if course != nil {
		y.Add(y, course)
	}
	if t.log {
		y.Apply(func(_, _ int, v float64) float64 { return portable.Exp(v) - t.logOffset }, y)
	}
	return y
}
