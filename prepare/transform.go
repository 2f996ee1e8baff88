package prepare

import (
	"context"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
)

// A Transform is what was done to signals, to be repeated on new signals of the
// same vertices: means and scales are those of the first ones, trends and cycles, with
// the same periods, those of the new ones. The zero Transform does nothing.
type Transform struct {
	inTime
	levels
}

// A TransformRecord is a [Transform] as plain values, to be kept in a file.
type TransformRecord struct {
	Log        bool
	LogOffset  float64
	Trend      bool    // a trend of each vertex is removed
	Cycles     []Cycle // that are, too
	Difference bool
	// Autoregression has the partial autocorrelations at lags 1, 2, … that are removed, about
	// the Level of each vertex; none if nothing is.
	Autoregression, Level     []float64
	Center, Scale, CommonMode bool
	Mean, SD                  []float64 // of each vertex, in the order of the vertices
	Varies                    []bool    // whether a vertex did
}

// Record returns the transform as plain values.
func (t Transform) Record() TransformRecord {
	r := TransformRecord{
		Log: t.log, LogOffset: t.logOffset, Trend: t.course.Trend, Cycles: t.course.Cycles,
		Difference: t.difference, Autoregression: t.past.partial, Level: t.past.level, Center: t.center, Scale: t.scale, CommonMode: t.commonMode,
	}
	for _, row := range t.rows {
		r.Mean, r.SD, r.Varies = append(r.Mean, row.Mean), append(r.SD, row.SD), append(r.Varies, row.Varies)
	}
	return r
}

// Transform returns the transform of a record for the named vertices, or what is wrong
// with it: there are too few or too many numbers, or not finite ones.
func (r TransformRecord) Transform(names []string) (Transform, error) {
	t := Transform{
		inTime{log: r.Log, logOffset: r.LogOffset, course: Course{r.Trend, r.Cycles}, difference: r.Difference, names: names},
		levels{center: r.Center, scale: r.Scale, commonMode: r.CommonMode},
	}
	n := len(names)
	if len(r.Autoregression) > 0 {
		t.past = newAutoregression(r.Autoregression, r.Level)
		if err := t.past.check(n); err != nil {
			return Transform{}, err
		}
	}
	for _, length := range []int{len(r.Mean), len(r.SD), len(r.Varies)} {
		if length != n {
			return Transform{}, input.Errorf(op, input.Vertices,
				"got a mean, a standard deviation and whether they vary for %d, %d and %d, want %d", len(r.Mean), len(r.SD), len(r.Varies), n)
		}
	}
	if !matrix.Finite(r.LogOffset) {
		return Transform{}, input.Errorf(op, input.LogOffset, "got %g, want a finite number", r.LogOffset)
	}
	for _, c := range r.Cycles {
		if err := c.check(); err != nil {
			return Transform{}, err
		}
	}
	for i := range n {
		row := matrix.Row{Mean: r.Mean[i], SD: r.SD[i], Varies: r.Varies[i]}
		if !matrix.Finite(row.Mean, row.SD) || row.SD < 0 || row.Varies && row.SD == 0 {
			return Transform{}, input.Errorf(op, input.Scale,
				"vertex %q: got mean %g and standard deviation %g, want finite ones, the latter positive if the vertex varies", names[i], row.Mean, row.SD)
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
		return nil, nil, input.Errorf(op, input.Vertices, "got %d, want %d as in the signals that were preprocessed first", n,
			len(t.rows))
	}
	var course *mat.Dense // what was removed
	if _, m := y.Dims(); !t.course.none() {
		if err := t.course.fits(times, m); err != nil {
			return nil, nil, err
		}
		course = mat.NewDense(n, m, nil)
	}
	values := t.inTime
	values.past = autoregression{}
	z, _, err = values.apply(context.Background(), y, times, course)
	if err != nil {
		return nil, nil, err
	}
	measured := z
	if !t.past.none() {
		z = t.past.innovations(z)
	}
	if z == y {
		z = mat.DenseCopyOf(y)
	}
	taken := t.levels.apply(z)
	if t.difference {
		return z, nil, nil
	}
	return z, func(z *mat.Dense) *mat.Dense { return t.undo(z, taken.mode, measured, course) }, nil
}

// undo brings signals back into the units they came in. mode is the common mode
// that was removed from each, measured the values that innovations are of, and course the
// trends and cycles, or nil.
func (t Transform) undo(z *mat.Dense, mode []float64, measured, course *mat.Dense) *mat.Dense {
	y := mat.DenseCopyOf(z)
	t.levels.undo(y, mode)
	if !t.past.none() {
		y = t.past.values(y, measured)
	}
	if course != nil {
		y.Add(y, course)
	}
	if t.log {
		y.Apply(func(_, _ int, v float64) float64 { return portable.Exp(v) - t.logOffset }, y)
	}
	return y
}
