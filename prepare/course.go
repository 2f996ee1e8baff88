package prepare

import (
	"context"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
)

// A Course is what signals do in the course of time whatever their graph is: a smooth
// trend of each vertex, and cycles, each with a profile of its own at each vertex.
type Course struct {
	Trend  bool
	Cycles []Cycle
}

// A Cycle is what comes again and again.
type Cycle struct {
	Period    float64 // in steps from observation to observation: 24 for a day of hourly values
	Harmonics []int   // that its profile is made of, 1 for the period itself; nil means all
}

// FindCourse returns the trends and cycles that are clear in signals. times are those of
// the observations, nil if not known. Trends are found only where observations
// surely follow one another in time: where times are known or there are cycles. Rows
// of a table that is sorted by something may have trends as well. If ctx ends first, there
// is only its cause.
func FindCourse(ctx context.Context, y *mat.Dense, times []time.Time) (Course, error) {
	return findCourse(ctx, y, times, Auto, Auto)
}

// findCourse is FindCourse where some is decided already.
func findCourse(ctx context.Context, y *mat.Dense, times []time.Time, trend, season Choice) (Course, error) {
	_, m := y.Dims()
	c := Course{Trend: trend == Yes}
	if m < trendObservations {
		return c, nil
	}
	if season == No && (trend == Yes || trend == No) { // there is nothing to find out
		return c, context.Cause(ctx)
	}
	at, step := ticks(times, m)
	basis := trendBasis(at)
	var rows, before [][]float64 // without a trend, and with it
	described := matrix.DescribeRows(y)
	for i := range run.While(ctx, len(described)) {
		if !described[i].Varies {
			continue
		}
		x := standardised(y.RawRowView(i), described[i])
		rest := withoutTrend(x, basis)
		if r := matrix.Describe(rest); r.Varies {
			before, rows = append(before, x), append(rows, standardised(rest, r))
		}
	}
	if len(rows) == 0 {
		return c, context.Cause(ctx)
	}
	if season != No && (step > 0 || followEachOther(rows)) {
		c.Cycles = findCycles(ctx, rows, at, calendar(step))
	}
	inTime := step > 0 || len(c.Cycles) > 0
	c.Trend = c.Trend || trend != No && inTime && trendIsClear(ctx, before, c.Cycles, at, basis)
	if err := context.Cause(ctx); err != nil {
		return Course{}, err
	}
	return c, nil
}

func withoutTrend(x []float64, basis [][]float64) []float64 {
	fit, rest := fitTrend(x, basis), slices.Clone(x)
	for k := range rest {
		rest[k] -= fit.at(k, basis)
	}
	return rest
}

// inOrder is the median correlation of values with the ones before from which on rows
// without times are taken to follow each other: every fourth row of a table may be alike
// because of how it was made, and that is no season.
const inOrder = 0.2

func followEachOther(rows [][]float64) bool {
	next := make([]float64, len(rows))
	for i, x := range rows {
		next[i] = correlation(x[:len(x)-1], x[1:])
	}
	return matrix.Median(next) > max(inOrder, chanceAutocorrelation/math.Sqrt(float64(len(rows[0]))))
}

// trendIsClear reports whether trends have more of the energy of rows without their cycles
// than chance leaves them of values that depend on one another.
func trendIsClear(ctx context.Context, rows [][]float64, cycles []Cycle, at []float64, basis [][]float64) bool {
	f := courseFitter{clocks: clocksOf(cycles, at), profile: (*clock).means}
	var shares, effective []float64
	for i := range run.While(ctx, len(rows)) {
		flat := slices.Clone(rows[i])
		f.take(flat, make([]float64, len(flat))) // first: what a cycle has of a polynomial is no trend
		rest := withoutTrend(flat, basis)
		if !matrix.Varies(rest) {
			continue
		}
		unit := unitOf(flat)
		shares = append(shares, 1-energyAround(rest, unit)/energyAround(flat, unit))
		effective = append(effective, effectiveOf(rest, transformLimit))
	}
	if len(shares) == 0 {
		return false
	}
	return matrix.Median(shares) > max(trendEnergy, trendTimes*trendDegree/matrix.Median(effective))
}

// calendar returns periods that recordings often have, in steps of the clock.
func calendar(step time.Duration) []float64 {
	if step <= 0 {
		return nil
	}
	const day = 24 * time.Hour
	const year = 365.2425
	var list []float64
	for _, p := range []float64{0.5, 1, 7, year / 12, year} {
		list = append(list, p*float64(day)/float64(step))
	}
	return list
}

// sweeps is how often trends and cycles are fitted in turn: they are all but
// orthogonal, but for gaps and cycles that are not whole at the ends.
const sweeps = 3

// none says that there is nothing to remove.
func (c Course) none() bool { return !c.Trend && len(c.Cycles) == 0 }

// courseShares are the shares of the variation of a vertex that its trend was and each
// cycle, on average.
type courseShares struct {
	trend  float64
	cycles []float64
}

// remove subtracts trends and mean cycles from the rows of y, but not their means, and
// adds them to removed, which may be nil. If ctx ends first, its cause is returned, and
// y is done in part.
func (c Course) remove(ctx context.Context, y *mat.Dense, times []time.Time, removed *mat.Dense) (courseShares, error) {
	return c.fitter(times, y).removeFrom(ctx, y, removed)
}

// RemoveRobustly subtracts trends and cycles from the rows of y, but not their means:
// medians of cycles, and trends of most of the recording, so that neither single values
// nor a stretch that is off change them. If ctx ends first, its cause is returned, and y
// is done in part.
func (c Course) RemoveRobustly(ctx context.Context, y *mat.Dense, times []time.Time) error {
	f := c.fitter(times, y)
	f.profile, f.fitTrend = (*clock).medians, fitTrendOfMost
	_, err := f.removeFrom(ctx, y, nil)
	return err
}

// removeFrom subtracts what is fitted to the rows of y, and adds it to removed, which
// may be nil.
func (f courseFitter) removeFrom(ctx context.Context, y, removed *mat.Dense) (courseShares, error) {
	n, _ := y.Dims()
	taken, rows := make([]float64, 1+len(f.clocks)), 0.0
	for i := range run.While(ctx, n) {
		x := y.RawRowView(i)
		if !matrix.Varies(x) {
			continue
		}
		rows++
		course := make([]float64, len(x))
		for k, share := range f.take(x, course) {
			taken[k] += share
		}
		if removed != nil {
			removed.SetRow(i, course)
		}
	}
	for k := range taken {
		taken[k] /= max(rows, 1)
	}
	return courseShares{taken[0], taken[1:]}, context.Cause(ctx)
}

// A courseFitter fits a course to one row after another.
type courseFitter struct {
	trend    bool
	basis    [][]float64
	clocks   []*clock
	fitTrend func(x []float64, basis [][]float64) trendFit
	profile  func(*clock, []float64) []float64
}

func (c Course) fitter(times []time.Time, y *mat.Dense) courseFitter {
	_, m := y.Dims()
	at, _ := ticks(times, m)
	return courseFitter{c.Trend, trendBasis(at), clocksOf(c.Cycles, at), fitTrend, (*clock).means}
}

func clocksOf(cycles []Cycle, at []float64) []*clock {
	var clocks []*clock
	for _, cycle := range cycles {
		clock := newClock(at, cycle.Period)
		clock.harmonics = cycle.Harmonics
		clocks = append(clocks, clock)
	}
	return clocks
}

// take subtracts the course of a row from it and adds it to another. It returns the
// share of the row's energy that the trend had and each cycle; none if the row has none.
func (f courseFitter) take(x, course []float64) []float64 {
	shares := make([]float64, 1+len(f.clocks))
	unit := unitOf(x)
	before := energyAround(x, unit)
	energy := before
	taking := func(part int, at func(k int) float64) {
		for k := range x {
			x[k] -= at(k)
			course[k] += at(k)
		}
		left := energyAround(x, unit)
		shares[part] += energy - left
		energy = left
	}
	for range sweeps {
		if f.trend {
			fit := f.fitTrend(x, f.basis)
			taking(0, func(k int) float64 { return fit.at(k, f.basis) })
		}
		for c, around := range f.clocks {
			profile := f.profile(around, x)
			taking(c+1, func(k int) float64 { return profile[around.phase[k]] })
		}
	}
	for k := range shares {
		if before > 0 {
			shares[k] /= before
		}
	}
	return shares
}

// energyAround returns Σ (x − mean)² over what is observed, with x in units of 2^unit.
func energyAround(x []float64, unit int) float64 {
	r := matrix.Describe(x)
	sd := math.Ldexp(r.SD, -unit)
	return float64(r.Observed) * sd * sd
}

// unitOf returns the power of two in which the squares of a row are neither too large nor
// too small for numbers.
func unitOf(x []float64) int {
	_, unit := math.Frexp(matrix.Describe(x).SD)
	return unit
}

// check refuses a cycle that cannot be.
func (c Cycle) check() error {
	if !(c.Period >= 2) || math.IsInf(c.Period, 0) {
		return input.Errorf(op, input.Season, "got a period of %g observations, want at least 2", c.Period)
	}
	for _, h := range c.Harmonics {
		if most := int(math.Round(c.Period)) / 2; h < 1 || h > most {
			return input.Errorf(op, input.Season, "got harmonic %d, want 1 to %d", h, most)
		}
	}
	return nil
}

// checkCycles refuses cycles that cannot be told from the recording.
func checkCycles(cycles []Cycle, times []time.Time, m int) error {
	at, _ := ticks(times, m)
	for _, c := range cycles {
		if err := c.check(); err != nil {
			return err
		}
		if span := at[m-1] + 1; 2*c.Period > span {
			return input.Errorf(op, input.Season,
				"got a period of %g observations, want at most half of the %g that the signals span", c.Period, span)
		}
	}
	return nil
}

// fits refuses new signals that are too few to remove the same course from.
func (c Course) fits(times []time.Time, m int) error {
	at, _ := ticks(times, m)
	for _, cycle := range c.Cycles {
		if 2*cycle.Period > at[m-1]+1 {
			return input.Completef(op, input.Signals,
				"cycles of %g observations were removed from the signals learned from, so that new signals must span at least %g, and these span %g",
				cycle.Period, 2*cycle.Period, at[m-1]+1)
		}
	}
	if c.Trend && m < trendObservations {
		return input.Completef(op, input.Signals,
			"trends were removed from the signals learned from, so that there must be at least %d new signals, and these are %d", trendObservations, m)
	}
	return nil
}

// courseAsked returns the trends and cycles that are to be removed.
func courseAsked(ctx context.Context, z *mat.Dense, o Options) (Course, error) {
	_, m := z.Dims()
	if o.Rows == RowsIndependent {
		return Course{}, nil
	}
	if o.Detrend == Yes && m < trendObservations {
		return Course{}, input.Errorf(op, input.Detrend, "got %d observations, want at least %d to tell a trend", m, trendObservations)
	}
	if len(o.Periods) == 0 {
		return findCourse(ctx, z, o.Times, o.Detrend, o.Season)
	}
	c, err := findCourse(ctx, z, o.Times, o.Detrend, No)
	if err != nil {
		return c, err
	}
	for _, p := range o.Periods {
		c.Cycles = append(c.Cycles, Cycle{Period: p})
	}
	return c, checkCycles(c.Cycles, o.Times, m)
}
