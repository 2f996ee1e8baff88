package prepare

import (
	"math"
	"slices"
	"time"
)

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
	for k := range at {
		at[k] = math.Round(float64(times[k].Sub(times[0])) / float64(step))
	}
	return at, step
}
