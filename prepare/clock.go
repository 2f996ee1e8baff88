package prepare

import (
	"context"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
)

// CheckTimes refuses times, which may be nil, that are not those of m observations in
// ascending order: an [input.Error].
func CheckTimes(times []time.Time, m int) error {
	if times == nil {
		return nil
	}
	if len(times) != m {
		return input.Errorf(op, input.Times, "got %d, want %d, one for each observation", len(times), m)
	}
	for k := range times[1:] {
		if times[k+1].Before(times[k]) {
			return input.Errorf(op, input.Times, "observation %d is before observation %d: sort them by time", k+2, k+1)
		}
	}
	return nil
}

// ticks returns when each of m observations was made, in steps between observations:
// 0, 1, 2, …, with gaps where the times, which may be nil, have them. step is zero if
// the times are not known.
func ticks(times []time.Time, m int) (at []float64, step time.Duration) {
	at = make([]float64, m)
	for k := range at {
		at[k] = float64(k)
	}
	if len(times) != m || m < 2 {
		return at, 0
	}
	steps := make([]time.Duration, m-1)
	for k := range steps {
		steps[k] = times[k+1].Sub(times[k])
	}
	slices.Sort(steps)
	step = steps[len(steps)/2]
	if step <= 0 {
		return at, 0
	}
	if steps[len(steps)-1] <= step*6/5 && steps[0] >= step*4/5 {
		return at, times[m-1].Sub(times[0]) / time.Duration(m-1) // such as months, which are not equally long
	}
	for k := range at {
		at[k] = math.Round(seconds(times[0], times[k]) / step.Seconds())
	}
	return at, step
}

// seconds returns how long it is between two times, however far apart.
func seconds(from, to time.Time) float64 {
	return float64(to.Unix()-from.Unix()) + float64(to.Nanosecond()-from.Nanosecond())/1e9
}

// A clock is where observations are in a cycle.
type clock struct {
	phase []int // of each observation, below bins
	turn  []int // which time round each is, below count
	bins  int   // phases that are told apart
	count int   // times round, the last one perhaps not whole

	harmonics []int // that a profile is made of; nil means all
}

func newClock(at []float64, period float64) *clock {
	c := &clock{phase: make([]int, len(at)), turn: make([]int, len(at)), bins: int(math.Round(period))}
	last := 0.0
	for k, t := range at {
		turn := math.Floor(t / period)
		if k > 0 && turn != last {
			c.count++ // of turns without an observation there may be very many
		}
		last = turn
		c.turn[k] = c.count
		c.phase[k] = min(int((t-turn*period)/period*float64(c.bins)), c.bins-1)
	}
	c.count++
	return c
}

// means returns the mean of a row at each phase, less the mean of all; 0 where
// nothing is observed.
func (c *clock) means(x []float64) []float64 {
	return c.profile(x, func(values []float64) float64 {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return sum / float64(len(values))
	})
}

// medians is means by medians, which single values do not change.
func (c *clock) medians(x []float64) []float64 { return c.profile(x, matrix.Median) }

func (c *clock) profile(x []float64, middle func([]float64) float64) []float64 {
	at := make([][]float64, c.bins)
	for k, v := range x {
		if !math.IsNaN(v) {
			at[c.phase[k]] = append(at[c.phase[k]], v)
		}
	}
	profile, mean, seen := make([]float64, c.bins), 0.0, 0.0
	for b, values := range at {
		if len(values) > 0 {
			profile[b] = middle(values)
			seen++
			mean += (profile[b] - mean) / seen
		}
	}
	for b, values := range at {
		if len(values) > 0 {
			profile[b] -= mean
		}
	}
	return onHarmonics(profile, c.harmonics)
}

// halfOf returns in which half of the turns an observation is.
func (c *clock) halfOf(k int) int {
	if c.turn[k] < c.count/2 {
		return 0
	}
	return 1
}

// halfMeans returns the mean of a row at each phase in each half of the turns, less the
// mean of all phases.
func (c *clock) halfMeans(x []float64) (means [2][]float64) {
	var seen [2][]float64
	for h := range means {
		means[h], seen[h] = make([]float64, c.bins), make([]float64, c.bins)
	}
	for k, v := range x {
		if !math.IsNaN(v) {
			h := c.halfOf(k)
			means[h][c.phase[k]] += v
			seen[h][c.phase[k]]++
		}
	}
	for h := range means {
		mean := 0.0
		for b := range means[h] {
			means[h][b] /= max(seen[h][b], 1)
			mean += means[h][b] / float64(c.bins)
		}
		for b := range means[h] {
			means[h][b] -= mean
		}
	}
	return means
}

// An inTime is the first part of a plan: what is done to each vertex in the course of
// time, in the order of its fields.
type inTime struct {
	log        bool
	logOffset  float64
	course     Course // the trends and cycles to remove
	difference bool
	past       autoregression // what each observation takes from the ones before
	names      []string       // of the vertices, for messages; nil means v0, v1, …
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
func (p inTime) apply(ctx context.Context, y *mat.Dense, times []time.Time, removed *mat.Dense) (z *mat.Dense, taken courseShares,
	err error,
) {
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
	if !p.past.none() {
		z = p.past.innovations(z)
	}
	return z, taken, err
}

// takeLogs replaces each entry x by log(x + offset).
func (p inTime) takeLogs(y *mat.Dense) error {
	for i, x := range matrix.Each(y) {
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
		return input.Errorf(op, input.Log, "vertex %q, observation %d: %g has no logarithm: add an offset to every value first",
			vertex, m+1, v)
	}
	return input.Errorf(op, input.Log, "vertex %q, observation %d: %g + %g has no logarithm: use a larger offset", vertex, m+1, v,
		offset)
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
