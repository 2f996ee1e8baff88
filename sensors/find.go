package sensors

import (
	"cmp"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/signals"
)

const (
	// leastSensors is how many there must be to tell what is usual among them.
	leastSensors = 8
	// leastObservations is how many there must be to tell what is usual of each.
	leastObservations = 60
	// mostSensors and mostValues are the most for which sensors are held against each other.
	mostSensors, mostValues = 1000, 3_000_000
)

// Checkable says whether there are enough sensors and values to find faults in, and few
// enough.
func Checkable(y *mat.Dense) bool {
	n, m := y.Dims()
	return n >= leastSensors && m >= leastObservations && n <= mostSensors && n*m <= mostValues
}

// Find returns the faults of the sensors, by vertex and time; none if the signals are
// not [Checkable]. times are those of the observations, nil if not known; names are
// those of the vertices, for sentences.
func Find(y *mat.Dense, names []string, times []time.Time) []Fault {
	if !Checkable(y) {
		return nil
	}
	f := &finder{y: mat.DenseCopyOf(y), names: names}
	// Each search looks at what the ones before have left.
	f.add(findCodes(f.y))
	f.add(findStuck(f.y))
	f.add(findCopies(f.y, names))
	course := courseOf(f.y, times)
	p := newPeers(f.y, course, times)
	if times != nil || len(course.Cycles) > 0 || p.areInTime() {
		// Without what is found, the others are predicted better.
		for _, find := range []func(*peers) []Fault{(*peers).findShifts, (*peers).findSharedShifts, (*peers).findSlips, (*peers).findNoise} {
			if found := find(p); len(found) > 0 {
				f.add(found)
				p = newPeers(f.y, course, times)
			}
		}
	}
	f.add(p.findSpikes())
	slices.SortStableFunc(f.faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Vertex, b.Vertex), cmp.Compare(a.From, b.From))
	})
	return f.faults
}

// A finder gathers faults and takes them out of the signals.
type finder struct {
	y      *mat.Dense
	names  []string
	faults []Fault
}

func (f *finder) add(faults []Fault) {
	for _, fault := range faults {
		row := f.y.RawRowView(fault.Vertex)
		fault.Places = slices.DeleteFunc(fault.Places, func(k int) bool { return isMissing(row[k]) })
		if len(fault.Places) == 0 {
			continue
		}
		if fault.Kind != Copy {
			fault.Origin = -1
		}
		fault.From, fault.To = fault.Places[0], fault.Places[len(fault.Places)-1]+1
		for _, k := range fault.Places {
			row[k] = missing
		}
		f.faults = append(f.faults, fault)
	}
}

// varying returns which rows can be told anything by.
func varying(y *mat.Dense) []int {
	var list []int
	n, _ := y.Dims()
	for i := range n {
		if x := y.RawRowView(i); signals.Varies(x) {
			list = append(list, i)
		}
	}
	return list
}

// span returns from, from + 1, … to − 1.
func span(from, to int) []int {
	places := make([]int, 0, to-from)
	for k := from; k < to; k++ {
		places = append(places, k)
	}
	return places
}
