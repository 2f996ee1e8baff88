package prepare

import (
	"context"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
)

// An inTime is the first part of a plan: what is done to each vertex in the course of
// time, in the order of its fields.
type inTime struct {
	log        bool
	logOffset  float64
	course     Course // the trends and cycles to remove
	difference bool
	names      []string // of the vertices, for messages; nil means v0, v1, …
}

// chooseInTime decides what is done in time: what the options ask for, and the trends
// and cycles that are clear.
func chooseInTime(ctx context.Context, y *mat.Dense, o Options) (inTime, error) {
	p := inTime{log: o.Log, logOffset: o.LogOffset, difference: o.Difference == Yes, names: o.Names}
	if p.log {
		y = mat.DenseCopyOf(y)
		if err := p.takeLogs(y); err != nil {
			return p, err
		}
	}
	var err error
	p.course, err = courseAsked(ctx, y, o)
	return p, err
}

// apply returns signals after what is done in time: y itself, which is not modified, if
// nothing is. Trends and cycles are added to removed, which may be nil.
func (p inTime) apply(ctx context.Context, y *mat.Dense, times []time.Time, removed *mat.Dense) (z *mat.Dense, taken courseShares, err error) {
	z = y
	if p.log || !p.course.none() {
		z = mat.DenseCopyOf(y)
	}
	if p.log {
		if err := p.takeLogs(z); err != nil {
			return nil, taken, err
		}
	}
	if !p.course.none() {
		if taken, err = p.course.remove(ctx, z, times, removed); err != nil {
			return nil, taken, err
		}
	}
	if p.difference {
		z, err = differences(z)
	}
	return z, taken, err
}

// takeLogs replaces each entry x by log(x + offset).
func (p inTime) takeLogs(y *mat.Dense) error {
	n, _ := y.Dims()
	for i := range n {
		x := y.RawRowView(i)
		for m, v := range x {
			if v+p.logOffset <= 0 {
				return logFault(v, p.logOffset, nameOf(p.names, i), m)
			}
			x[m] = math.Log(v + p.logOffset)
		}
	}
	return nil
}

func logFault(v, offset float64, vertex string, m int) error {
	if offset == 0 {
		return input.Errorf(op, input.Log, "vertex %q, observation %d: %g has no logarithm: add an offset to every value first", vertex, m+1, v)
	}
	return input.Errorf(op, input.Log, "vertex %q, observation %d: %g + %g has no logarithm: use a larger offset", vertex, m+1, v, offset)
}

// differences returns the changes from each observation to the next.
func differences(y *mat.Dense) (*mat.Dense, error) {
	n, m := y.Dims()
	if m < 2 {
		return nil, input.Errorf(op, input.Difference, "got %d observation, want at least 2", m)
	}
	d := mat.NewDense(n, m-1, nil)
	for i := range n {
		x, to := y.RawRowView(i), d.RawRowView(i)
		for k := range to {
			to[k] = x[k+1] - x[k]
		}
	}
	return d, nil
}
