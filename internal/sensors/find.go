package sensors

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/prepare"
)

const (
	// leastSensors is how many there must be to tell what is usual among them.
	leastSensors = 8
	// leastObservations is how many there must be to tell what is usual of each.
	leastObservations = 60
	// mostSensors and mostValues are the most for which sensors are held against each other.
	mostSensors, mostValues = 1000, 3_000_000
)

// Checkable reports whether there are enough sensors and values to find faults in, and few
// enough.
func Checkable(y *mat.Dense) bool {
	n, m := y.Dims()
	return n >= leastSensors && m >= leastObservations && n <= mostSensors && n*m <= mostValues
}

// Find returns the faults of the sensors, by vertex and time; none if the signals are
// not [Checkable]. times are those of the observations, nil if not known; names are
// those of the vertices, for sentences. Of rows that are independent, only what needs no
// order is looked for: codes, copies and spikes.
//
// Kinds of faults are searched for one after another. If ctx ends first, the faults of
// the kinds that were done come with its cause: there may be more.
func Find(ctx context.Context, y *mat.Dense, names []string, times []time.Time, rows prepare.Rows) ([]prepare.Fault, error) {
	if !Checkable(y) {
		return nil, nil
	}
	f := &finder{y: mat.DenseCopyOf(y), names: names, times: times, inTime: rows != prepare.RowsIndependent}
	err := f.search(ctx)
	slices.SortStableFunc(f.faults, func(a, b prepare.Fault) int {
		return cmp.Or(cmp.Compare(a.Vertex, b.Vertex), cmp.Compare(a.From, b.From))
	})
	return f.faults, err
}

// A finder gathers faults and takes them out of the signals.
type finder struct {
	y      *mat.Dense
	names  []string
	times  []time.Time
	inTime bool // the observations have an order
	faults []prepare.Fault
}

// search goes through the kinds of faults. Each search looks at what the ones before
// have left.
func (f *finder) search(ctx context.Context) error {
	kinds := []func(context.Context, *mat.Dense) []prepare.Fault{findCodes, findStuck, f.findCopies}
	if !f.inTime {
		kinds = slices.Delete(kinds, 1, 2)
	}
	for _, find := range kinds {
		if err := f.add(ctx, find(ctx, f.y)); err != nil {
			return err
		}
	}
	var course prepare.Course
	var err error
	if f.inTime {
		if course, err = courseOf(ctx, f.y, f.times); err != nil {
			return err
		}
	}
	p, err := newPeers(ctx, f.y, course, f.times)
	if err != nil {
		return err
	}
	if f.inTime && (f.times != nil || len(course.Cycles) > 0 || p.areInTime()) {
		steps := func(p *peers, ctx context.Context) []prepare.Fault {
			if course.Trend || len(course.Cycles) > 0 { // which a step bends
				if p, err = newPeers(ctx, f.y, prepare.Course{}, f.times); err != nil {
					return nil // the cause is that of ctx
				}
			}
			return p.findSteps(ctx)
		}
		for _, find := range []func(*peers, context.Context) []prepare.Fault{
			steps, (*peers).findShifts, (*peers).findSharedShifts,
			(*peers).findSlips, (*peers).findNoise,
		} {
			found := find(p, ctx)
			if err := f.add(ctx, found); err != nil {
				return err
			}
			if len(found) == 0 {
				continue
			}
			// Without what is found, the others are predicted better.
			if p, err = newPeers(ctx, f.y, course, f.times); err != nil {
				return err
			}
		}
	}
	return f.add(ctx, p.findSpikes(ctx))
}

// add takes in the faults that a search has found, unless ctx has ended, which may have cut
// it short.
func (f *finder) add(ctx context.Context, faults []prepare.Fault) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	for _, fault := range faults {
		row := f.y.RawRowView(fault.Vertex)
		fault.Places = slices.DeleteFunc(fault.Places, func(k int) bool { return isMissing(row[k]) })
		if len(fault.Places) == 0 {
			continue
		}
		if fault.Kind != prepare.Copy {
			fault.Origin = -1
		}
		fault.From, fault.To = fault.Places[0], fault.Places[len(fault.Places)-1]+1
		for _, k := range fault.Places {
			row[k] = missing
		}
		f.faults = append(f.faults, fault)
	}
	return nil
}
