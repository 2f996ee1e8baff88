package prepare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
)

const (
	// leastCycles is how often a cycle must come to be taken for one: four times in each
	// half, for fewer hardly differ from chance.
	leastCycles = 8
	// shortestPeriod is that of a cycle, in observations: what alternates from one to
	// the next is no season.
	shortestPeriod = 3
	// mostPeriod is the longest period that is searched for.
	mostPeriod = 5000
	// seasonEnergy is the share of the energy from which on a cycle is removed unasked.
	seasonEnergy = 0.02
	// seasonAlarm is the probability at which a cycle is beyond chance, for all periods that
	// are tried together; those of the calendar are tried each for itself.
	seasonAlarm, calendarAlarm = 0.01, 0.001
	// samePeriod is the share of the energy of the best period from which on a
	// shorter one is as good: multiples of a period have all of its energy.
	samePeriod = 0.9
	// mostSeasons is how many cycles are removed unasked: of a day, a week and a year.
	mostSeasons = 3
	// seasonRows is how many vertices periods are searched in, and seasonTries how many of
	// all periods are looked at closely.
	seasonRows, seasonTries = 100, 30
)

// findCycles returns the cycles in rows of mean 0 and mean square 1, the clearest first.
// calendar are periods that are to be expected. It takes the cycles out of the rows. What it
// returns after the end of ctx means nothing.
func findCycles(ctx context.Context, rows [][]float64, at, calendar []float64) []Cycle {
	length := at[len(at)-1] + 1
	candidates := candidatePeriods(min(length/leastCycles, mostPeriod), calendar)
	var found []Cycle
	for range mostSeasons {
		some := someOf(rows, seasonRows)
		best := bestPeriod(ctx, some, at, likeliest(ctx, some, at, candidates))
		if best == 0 || ctx.Err() != nil {
			break
		}
		best = shortestPart(ctx, some, at, best)
		c := newClock(at, best)
		found = append(found, Cycle{best, c.findHarmonics(ctx, rows)})
		c.harmonics = found[len(found)-1].Harmonics
		for i := range run.While(ctx, len(rows)) {
			x := rows[i]
			profile := c.means(x)
			for k := range x {
				x[k] -= profile[c.phase[k]]
			}
		}
	}
	return found
}

// shortestPart returns the shortest period that a whole number of times is the given one and
// has nearly all of its energy.
func shortestPart(ctx context.Context, rows [][]float64, at []float64, period float64) float64 {
	all, _ := newClock(at, period).energy(rows)
	for times := math.Floor(period / shortestPeriod); times > 1 && run.Ended(ctx) == nil; times-- {
		part := period / times
		if math.Abs(part-math.Round(part)) > 1e-9 {
			continue
		}
		if energy, _ := newClock(at, part).energy(rows); energy >= samePeriod*all {
			return math.Round(part)
		}
	}
	return period
}

// likeliest returns the candidates that are worth a close look: those of the calendar, and
// those at whose multiples rows are most correlated with themselves.
func likeliest(ctx context.Context, rows [][]float64, at []float64, candidates []candidate) []candidate {
	m := int(at[len(at)-1]) + 1
	if m > 2*len(at) { // mostly gaps
		return slices.DeleteFunc(slices.Clone(candidates), func(c candidate) bool { return c.alarm != calendarAlarm })
	}
	var sums []float64
	line := make([]float64, m)
	for i := range run.While(ctx, len(rows)) {
		for k := range line {
			line[k] = math.NaN()
		}
		for k, v := range rows[i] {
			line[int(at[k])] = v
		}
		if !matrix.Varies(line[:min(m, transformLimit)]) {
			continue
		}
		for lag, v := range autocorrelation(line[:min(m, transformLimit)]) {
			if lag == len(sums) {
				sums = append(sums, 0)
			}
			sums[lag] += v
		}
	}
	score := func(c candidate) float64 {
		if c.alarm == calendarAlarm {
			return math.Inf(1)
		}
		sum, weight := 0.0, 0.0
		for lag := int(c.period); lag < len(sums); lag += int(c.period) {
			sum += sums[lag]
			weight += 1 - float64(lag)/float64(m)
		}
		return sum / weight
	}
	best := slices.Clone(candidates)
	slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(score(b), score(a)) })
	best = best[:min(len(best), seasonTries)]
	slices.SortFunc(best, func(a, b candidate) int { return cmp.Compare(a.period, b.period) })
	return best
}

// someOf returns at most that many rows, at equal distances.
func someOf(rows [][]float64, most int) [][]float64 {
	if len(rows) <= most {
		return rows
	}
	some := make([][]float64, most)
	for k := range some {
		some[k] = rows[k*len(rows)/most]
	}
	return some
}

// A candidate is a period to try, and the probability at which its cycle is beyond chance.
type candidate struct{ period, alarm float64 }

// candidatePeriods are the whole numbers up to the longest period, and those of the
// calendar.
func candidatePeriods(longest float64, calendar []float64) []candidate {
	var list []candidate
	for p := float64(shortestPeriod); p <= longest; p++ {
		list = append(list, candidate{p, 0})
	}
	for k := range list {
		list[k].alarm = seasonAlarm / float64(len(list))
	}
	for _, p := range calendar {
		if p < shortestPeriod || p > longest {
			continue
		}
		if whole := int(p) - shortestPeriod; p == math.Trunc(p) {
			list[whole].alarm = calendarAlarm
		} else {
			list = append(list, candidate{p, calendarAlarm})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Compare(a.period, b.period) })
	return list
}

// bestPeriod returns the period of the cycle with the most energy among those that are
// clear, 0 if none is.
func bestPeriod(ctx context.Context, rows [][]float64, at []float64, candidates []candidate) float64 {
	energies, most := make([]float64, len(candidates)), 0.0
	for k := range run.While(ctx, len(candidates)) {
		c := candidates[k]
		energy, p := newClock(at, c.period).energy(rows)
		if energy > seasonEnergy && p < c.alarm {
			energies[k] = energy
			most = max(most, energy)
		}
	}
	if most == 0 {
		return 0
	}
	return simplest(candidates, energies)
}

// simplest returns the period with the most energy, or the shortest that it is a
// multiple of or the one of the calendar next to it, if that has nearly as much.
func simplest(candidates []candidate, energies []float64) float64 {
	best := 0
	for k := range candidates {
		if energies[k] > energies[best] {
			best = k
		}
	}
	longest := candidates[best].period
	for k, c := range candidates {
		if energies[k] < samePeriod*energies[best] {
			continue
		}
		times := longest / c.period
		isPart := times > 1.5 && math.Abs(times-math.Round(times)) < 0.02
		isNext := c.alarm == calendarAlarm && math.Abs(times-1) < 0.05
		if isPart || isNext {
			return c.period
		}
	}
	return longest
}

// energy returns the share of the energy of rows of mean square 1 that a cycle has, and
// the probability that it is so much or more by chance. It is what the halves of the
// recording agree on: the product of the mean cycle of one with the cycles of the
// other. On average, noise has none of it, autocorrelated or not. What is chance
// follows by Student's test from the differences between the cycles of a half.
func (c *clock) energy(rows [][]float64) (energy, p float64) {
	products, observed := make([]float64, c.count), make([]float64, c.count)
	half := c.count / 2
	for _, x := range rows {
		means := c.halfMeans(x)
		for k, v := range x {
			if !math.IsNaN(v) {
				products[c.turn[k]] += v * means[1-c.halfOf(k)][c.phase[k]]
				observed[c.turn[k]]++
			}
		}
	}
	// Cycles of which less than half is observed tell too little.
	var values [2][]float64
	for t, product := range products {
		if observed[t] > float64(len(rows)*c.bins)/2 {
			h := 0
			if t >= half {
				h = 1
			}
			values[h] = append(values[h], product/observed[t])
		}
	}
	first, errFirst := meanAndError(values[0])
	second, errSecond := meanAndError(values[1])
	energy = (first + second) / 2
	if energy <= 0 {
		return energy, 1
	}
	// The halves have the same mean, of the same products. They tell no more than one.
	score := energy / math.Sqrt((errFirst*errFirst+errSecond*errSecond)/2)
	freedom := float64(min(len(values[0]), len(values[1])) - 1)
	return energy, upperTail(score, freedom)
}

// upperTail returns the probability that Student's law with that many degrees of
// freedom exceeds t.
func upperTail(t, freedom float64) float64 {
	if freedom <= 0 || math.IsNaN(t) {
		return 1
	}
	return mathext.RegIncBeta(freedom/2, 0.5, freedom/(freedom+t*t)) / 2
}

// meanAndError returns the mean of values and its standard error, infinite for one.
func meanAndError(values []float64) (mean, stdErr float64) {
	n := float64(len(values))
	if n < 2 {
		return 0, math.Inf(1)
	}
	for _, v := range values {
		mean += v / n
	}
	sum := 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sum / (n * (n - 1)))
}

// harmonicShare is the share of the energy of a cycle from which on a harmonic is part of
// it. What a mean over few cycles has of the others is noise.
const harmonicShare = 0.002

// findHarmonics returns the harmonics that a cycle is made of: those that the halves
// of the recording agree on. 1 is the cycle itself, 2 comes twice in it, and so on.
func (c *clock) findHarmonics(ctx context.Context, rows [][]float64) []int {
	all := make([]float64, c.bins/2+1)
	for i := range run.While(ctx, len(rows)) {
		halves := c.halfMeans(rows[i])
		for h := range all {
			a, b := harmonicOf(halves[0], h), harmonicOf(halves[1], h)
			all[h] += real(a)*real(b) + imag(a)*imag(b)
		}
	}
	sum := 0.0
	for _, energy := range all[1:] {
		sum += max(energy, 0)
	}
	return matrix.Where(all, func(h int, energy float64) bool { return h > 0 && energy > harmonicShare*sum })
}

// harmonicOf returns the coefficient of a harmonic of a profile.
func harmonicOf(profile []float64, h int) complex128 {
	var sum complex128
	for b, v := range profile {
		sin, cos := math.Sincos(2 * math.Pi * float64(h*b%len(profile)) / float64(len(profile)))
		sum += complex(v*cos, -v*sin)
	}
	return sum / complex(float64(len(profile)), 0)
}

// onHarmonics returns the part of a profile that is on some harmonics; nil means all.
func onHarmonics(profile []float64, harmonics []int) []float64 {
	if harmonics == nil {
		return profile
	}
	part := make([]float64, len(profile))
	for _, h := range harmonics {
		twice := 2.0
		if 2*h == len(profile) {
			twice = 1
		}
		c := harmonicOf(profile, h)
		for b := range part {
			sin, cos := math.Sincos(2 * math.Pi * float64(h*b%len(profile)) / float64(len(profile)))
			part[b] += twice * (real(c)*cos - imag(c)*sin)
		}
	}
	return part
}
