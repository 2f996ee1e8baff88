package simulate

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// FaultKind is a way in which a sensor breaks.
type FaultKind string

// The kinds of faults. Standard deviations are those of the sensor's values, cycles
// and all, unless those of the field are meant.
const (
	FaultStuck  FaultKind = "stuck"      // one value for 5 to 40 % of the time
	FaultCode   FaultKind = "code"       // 2 to 10 % of the values are a number that means none, such as -999, 85 or 0, in runs
	FaultSpikes FaultKind = "spikes"     // 0.5 to 2 % of the values are off by 6 to 30 standard deviations
	FaultNoise  FaultKind = "noise"      // for 5 to 40 % of the time, noise of heavy tails and 5 to 20 standard deviations of the field
	FaultJump   FaultKind = "unit jump"  // the last 5 to 40 % are in another unit: °F, Pa or mm
	FaultDrift  FaultKind = "drift"      // over 10 to 40 % of the time, 5 to 12 standard deviations of the field away, and then back
	FaultSlip   FaultKind = "clock slip" // the last 10 to 40 % are 2 to 12 hours too early or too late
	FaultCopy   FaultKind = "copy"       // all values are those of another sensor, half of the time in another unit
)

// FaultKinds returns all kinds.
func FaultKinds() []FaultKind {
	return []FaultKind{FaultStuck, FaultCode, FaultSpikes, FaultNoise, FaultJump, FaultDrift, FaultSlip, FaultCopy}
}

// digital reports whether a fault befalls numbers, after rounding, and not the sensor.
func (k FaultKind) digital() bool { return k == FaultCode || k == FaultJump || k == FaultCopy }

// A SensorFault is what is wrong with a sensor.
type SensorFault struct {
	Vertex   int
	Kind     FaultKind
	From, To int // the observations it lies in: From ≤ m < To
	Entries  int // how many of these are at fault, gaps included
	Source   int // copy: the sensor whose values these are; for other kinds Vertex
}

// drawFaults draws which sensors break, how, and whose values a copy has: those of a
// sensor that does not break.
func (s MessySpec) drawFaults(n int) []SensorFault {
	r := rng.Stream(s.Seed, "messy faults")
	count := s.Broken
	if count == 0 {
		count = max(1, int(math.Round(float64((3+r.IntN(4))*n)/40)))
	}
	order := r.Perm(n)
	broken, whole := order[:min(count, n-1)], order[min(count, n-1):]
	slices.Sort(broken)
	var faults []SensorFault
	for _, i := range broken {
		f := SensorFault{Vertex: i, Kind: s.Kinds[r.IntN(len(s.Kinds))], Source: i}
		if source := whole[r.IntN(len(whole))]; f.Kind == FaultCopy {
			f.Source = source
		}
		faults = append(faults, f)
	}
	return faults
}

// longestSlip is how many hours a clock is wrong at most.
const longestSlip = 12

// A breaker breaks a sensor.
type breaker struct {
	row      []float64 // its values, to be changed
	ahead    []float64 // what it would show, and some hours more
	quantity quantity
	field    float64 // standard deviation of the field in its values
	all      float64 // and of all in them
	r        *rand.Rand
}

// apply draws where the fault lies and changes the values. Copies are made later.
func (b *breaker) apply(f *SensorFault) {
	last := len(b.row)
	switch f.Kind {
	case FaultStuck:
		b.within(f, 0.05, 0.4)
		b.each(f, func(int) float64 { return b.row[f.From] })
	case FaultNoise:
		b.within(f, 0.05, 0.4)
		size := b.field * between(b.r, 5, 20)
		b.each(f, func(t int) float64 { return b.row[t] + size*b.heavy() })
	case FaultDrift:
		b.within(f, 0.1, 0.4)
		size, power := b.sign()*b.field*between(b.r, 5, 12), between(b.r, 1, 2)
		b.each(f, func(t int) float64 {
			return b.row[t] + size*math.Pow(float64(t-f.From+1)/float64(f.To-f.From), power)
		})
	case FaultJump:
		f.From, f.To = last-b.share(0.05, 0.4), last
		b.each(f, func(t int) float64 { return rounded(b.quantity.convert(b.row[t]), 0.01) })
	case FaultSlip:
		f.From, f.To = last-b.share(0.1, 0.4), last
		shift := int(b.sign()) * (2 + b.r.IntN(longestSlip-1))
		b.each(f, func(t int) float64 { return b.ahead[t+shift] })
	case FaultSpikes:
		hit := b.r.Perm(last)[:b.share(0.005, 0.02)]
		b.scatter(f, hit, func(t int) float64 { return b.row[t] + b.sign()*b.all*between(b.r, 6, 30) })
	case FaultCode:
		code := b.quantity.codes[b.r.IntN(len(b.quantity.codes))]
		b.scatter(f, b.runs(b.share(0.02, 0.1)), func(int) float64 { return code })
	case FaultCopy:
		f.From, f.To, f.Entries = 0, last, last
	}
}

// share draws a share of the values, as a number of them: at least 2.
func (b *breaker) share(low, high float64) int {
	return max(2, int(math.Round(between(b.r, low, high)*float64(len(b.row)))))
}

// within lays the fault somewhere in the recording.
func (b *breaker) within(f *SensorFault, low, high float64) {
	length := b.share(low, high)
	f.From = b.r.IntN(len(b.row) - length + 1)
	f.To = f.From + length
}

// each changes all values from From to To.
func (b *breaker) each(f *SensorFault, value func(t int) float64) {
	for t := f.From; t < f.To; t++ {
		b.row[t] = value(t)
	}
	f.Entries = f.To - f.From
}

// scatter changes some values, in the order of time.
func (b *breaker) scatter(f *SensorFault, hit []int, value func(t int) float64) {
	slices.Sort(hit)
	hit = slices.Compact(hit)
	for _, t := range hit {
		b.row[t] = value(t)
	}
	f.From, f.To, f.Entries = hit[0], hit[len(hit)-1]+1, len(hit)
}

// runs draws observations in runs of up to a day, which may meet, until there are so
// many.
func (b *breaker) runs(count int) []int {
	var hit []int
	for len(hit) < count {
		from := b.r.IntN(len(b.row))
		for k := range min(1+b.r.IntN(24), count-len(hit), len(b.row)-from) {
			hit = append(hit, from+k)
		}
	}
	return hit
}

func (b *breaker) sign() float64 { return float64(2*b.r.IntN(2) - 1) }

// heavy draws from Student's t distribution with 3 degrees of freedom, over its
// standard deviation √3.
func (b *breaker) heavy() float64 {
	square := 0.0
	for range 3 {
		v := b.r.NormFloat64()
		square += v * v
	}
	return b.r.NormFloat64() / math.Sqrt(square)
}

// copyRows gives copies the values of their sources, with the same gaps: as they are,
// or in another unit.
func copyRows(y *mat.Dense, faults []SensorFault, q quantity, seed uint64) {
	for _, f := range faults {
		if f.Kind != FaultCopy {
			continue
		}
		row := y.RawRowView(f.Vertex)
		copy(row, y.RawRowView(f.Source))
		if rng.Stream(seed, "messy copy", f.Vertex).IntN(2) == 0 {
			continue
		}
		for t, v := range row {
			row[t] = rounded(q.convert(v), 0.01)
		}
	}
}

// leaveGaps takes values away: 1 % of them one by one, up to three stretches of each
// sensor, from 3 hours to 3 % of the time, and now and then all of the sensors near
// one corner, whose gateway is down for 2 to 24 hours.
func leaveGaps(y *mat.Dense, coordinates [][2]float64, seed uint64) {
	n, m := y.Dims()
	longest := max(3, 3*m/100)
	for i := range n {
		row, r := y.RawRowView(i), rng.Stream(seed, "messy gaps", i)
		for t := range row {
			if r.Float64() < 0.01 {
				row[t] = math.NaN()
			}
		}
		for range r.IntN(4) {
			blank(row, r.IntN(m), 3+r.IntN(longest-2))
		}
	}
	r := rng.Stream(seed, "messy gateway")
	reach := 0.6 + 0.3*r.Float64() // from the corner, where the square has a diagonal of √2
	for range r.IntN(4) {
		from, length := r.IntN(m), 2+r.IntN(23)
		for i, at := range coordinates {
			if math.Hypot(at[0], at[1]) < reach {
				blank(y.RawRowView(i), from, length)
			}
		}
	}
}

func blank(row []float64, from, length int) {
	for t := from; t < min(from+length, len(row)); t++ {
		row[t] = math.NaN()
	}
}
