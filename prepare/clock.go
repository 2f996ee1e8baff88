package prepare

import (
	"math"
	"slices"
	"time"

	"github.com/nervure/nervure/input"
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
