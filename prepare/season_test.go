package prepare

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"
)

// cyclic returns autocorrelated rows with a cycle of their own of the given periods.
func cyclic(n, m int, amplitude float64, stream uint64, periods ...float64) *mat.Dense {
	return apply(wander(n, m, 0.6, stream), func(i, k int, v float64) float64 {
		for _, p := range periods {
			v += amplitude * math.Sin(2*math.Pi*float64(k)/p+float64(i))
		}
		return v
	})
}

func periodsOf(c Course) []float64 {
	var list []float64
	for _, cycle := range c.Cycles {
		list = append(list, cycle.Period)
	}
	return list
}

func hours(m int) []time.Time {
	times := make([]time.Time, m)
	for k := range times {
		times[k] = time.Date(2024, 3, 1, k, 0, 0, 0, time.UTC)
	}
	return times
}

func TestCyclesAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		y     *mat.Dense
		times []time.Time
		want  []float64
	}{
		"a day":               {cyclic(10, 1000, 1, 1, 24), nil, []float64{24}},
		"of another length":   {cyclic(10, 1000, 1, 2, 37), nil, []float64{37}},
		"a day and a week":    {cyclic(10, 2000, 1, 3, 24, 168), hours(2000), []float64{168}}, // of seven days
		"tides":               {cyclic(10, 2000, 1, 4, 12), hours(2000), []float64{12}},
		"few times, and weak": {cyclic(10, 72, 0.5, 5, 24), nil, nil},
		"none":                {cyclic(10, 1000, 0, 6, 24), nil, nil},
	} {
		if got := periodsOf(courseIn(t, c.y, c.times)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// Of recordings without a cycle, one may seem to have one by chance.
func TestNoiseHasNoCycles(t *testing.T) {
	found := 0
	for k := range uint64(15) {
		phi := []float64{0, 0.3, 0.6, 0.9, 0.98}[k%5]
		if c := courseIn(t, wander(8, 250, phi, 300+k), nil); len(c.Cycles) > 0 {
			found++
		}
	}
	if found > 1 {
		t.Errorf("%d of 15 have cycles", found)
	}
}

// What is removed of a cycle is the cycle: what is left is the noise without it, but for
// what the mean over its turns has of noise.
func TestRemovingCyclesLeavesTheRest(t *testing.T) {
	const n, m = 6, 2400
	noise, y := wander(n, m, 0.6, 7), cyclic(n, m, 2, 7, 24)
	c := courseIn(t, y, nil)
	if len(c.Cycles) != 1 || !slices.Contains(c.Cycles[0].Harmonics, 1) || len(c.Cycles[0].Harmonics) > 3 {
		t.Fatalf("got %+v", c)
	}
	taken, _ := c.remove(t.Context(), y, nil, nil)
	if want := 2.0 / 3; math.Abs(taken.cycles[0]-want) > 0.05 { // A²/2 of 1 + A²/2
		t.Errorf("the cycle has %g of the variation, want %g", taken.cycles[0], want)
	}
	for i := range n {
		x, before := y.RawRowView(i), noise.RawRowView(i)
		left, was := standardised(x, matrix.Describe(x)), standardised(before, matrix.Describe(before))
		if got := correlation(left, was); got < 0.99 {
			t.Errorf("vertex %d: what is left has correlation %g with the noise", i, got)
		}
	}
}

// Harmonics are those of the discrete Fourier transform: all of them give the profile,
// and a sine is on its own alone.
func TestProfilesAreSumsOfTheirHarmonics(t *testing.T) {
	for _, bins := range []int{7, 12} {
		profile := wander(1, bins, 0.5, 8).RawRowView(0)
		var all []int
		mean := 0.0
		for b := range bins {
			mean += profile[b] / float64(bins)
		}
		for b := range profile {
			profile[b] -= mean
		}
		for h := 1; h <= bins/2; h++ {
			all = append(all, h)
		}
		for b, v := range onHarmonics(profile, all) {
			if math.Abs(v-profile[b]) > 1e-12 {
				t.Errorf("%d bins: phase %d is %g, want %g", bins, b, v, profile[b])
			}
		}
		sine := make([]float64, bins)
		for b := range sine {
			sine[b] = math.Sin(2 * math.Pi * 2 * float64(b) / float64(bins))
		}
		for b, v := range onHarmonics(sine, []int{1, 3}) {
			if math.Abs(v) > 1e-12 {
				t.Errorf("phase %d of a second harmonic has %g on others", b, v)
			}
		}
	}
}

// Months are not equally long, and are steps of the clock all the same.
func TestMonthsAreSteps(t *testing.T) {
	const m = 240
	times := make([]time.Time, m)
	for k := range times {
		times[k] = time.Date(2000, time.Month(1+k), 1, 0, 0, 0, 0, time.UTC)
	}
	y := cyclic(8, m, 3, 12, 12)
	c := courseIn(t, y, times)
	if len(c.Cycles) != 1 || math.Abs(c.Cycles[0].Period-12) > 0.01 {
		t.Fatalf("got %v", c)
	}
	if taken, _ := c.remove(t.Context(), y, times, nil); taken.cycles[0] < 0.7 {
		t.Errorf("the cycle has %g of the variation", taken.cycles[0])
	}
}

// A design that repeats every fourth row of a table is no season: rows without times that
// do not follow each other have none.
func TestDesignsAreNoSeasons(t *testing.T) {
	y := apply(noise(10, 120, 14), func(_, k int, v float64) float64 {
		if k%4 == 0 {
			v += 2
		}
		return v
	})
	if c := courseIn(t, y, nil); len(c.Cycles) > 0 {
		t.Errorf("got %v", c)
	}
}

// A cycle alone makes no trend, however strong.
func TestCyclesMakeNoTrends(t *testing.T) {
	for stream := range uint64(2) {
		if c := courseIn(t, cyclic(8, 240+7*int(stream), 8, 20+stream, 24), hours(240+7*int(stream))); c.Trend || len(c.Cycles) != 1 {
			t.Errorf("got %v", c)
		}
	}
}

func TestTimesMustAscend(t *testing.T) {
	times := hours(40)
	times[7], times[8] = times[8], times[7]
	if _, _, err := Signals(t.Context(), cyclic(4, 40, 1, 10, 8), Options{Times: times}); err == nil || err.Error() != "prepare: times: observation 9 is before observation 8: sort them by time" {
		t.Errorf("got %v", err)
	}
}

// A gap in the times does not move the cycle.
func TestCyclesGoOnThroughGaps(t *testing.T) {
	const n, m = 8, 1200
	y, times := cyclic(n, m, 2, 9, 24), hours(m)
	var kept []int
	for k := range m {
		if k < 400 || k >= 431 {
			kept = append(kept, k)
		}
	}
	part := mat.NewDense(n, len(kept), nil)
	var when []time.Time
	for at, k := range kept {
		when = append(when, times[k])
		for i := range n {
			part.Set(i, at, y.At(i, k))
		}
	}
	c := courseIn(t, part, when)
	if got := periodsOf(c); !slices.Equal(got, []float64{24}) {
		t.Fatalf("got %v", got)
	}
	if taken, _ := c.remove(t.Context(), part, when, nil); taken.cycles[0] < 0.6 {
		t.Errorf("the cycle has %g of the variation", taken.cycles[0])
	}
}

func TestPeriodsGivenAreChecked(t *testing.T) {
	y := cyclic(4, 40, 1, 10, 8)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Periods: []float64{1}}, "prepare: season: got a period of 1 observations, want at least 2"},
		{Options{Periods: []float64{30}}, "prepare: season: got a period of 30 observations, want at most half of the 40 that the signals span"},
		{Options{Periods: []float64{8}, Season: No}, "prepare: season: got periods for cycles that are to be kept"},
		{Options{Times: hours(3)}, "prepare: times: got 3, want 40, one for each observation"},
	} {
		if _, _, err := Signals(t.Context(), y, c.o); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if _, r, err := Signals(t.Context(), y, Options{Periods: []float64{8}}); err != nil || !r.Season.Done {
		t.Errorf("got %v, %v", r, err)
	}
}

func TestPeriodsInWords(t *testing.T) {
	for _, c := range []struct {
		period float64
		step   time.Duration
		want   string
	}{
		{24, 0, "24 observations"},
		{24, time.Hour, "1 day"},
		{168, time.Hour, "7 days"},
		{288, 5 * time.Minute, "1 day"},
		{12.42, time.Hour, "12.4 hours"},
		{30, time.Second, "30 seconds"},
	} {
		if got := periodWords(c.period, c.step); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func courseIn(t *testing.T, y *mat.Dense, times []time.Time) Course {
	t.Helper()
	c, err := FindCourse(t.Context(), y, times)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
