package groups

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
)

// A Pool is what the units of a group have in common: the value of each pair in the group, and how it varies
// from unit to unit.
type Pool struct {
	Units int
	Floor float64 // that values of edges exceed, in size
	Pairs []Pooled
}

// Pooled is the value of a pair of vertices in a group.
type Pooled struct {
	I, J      int
	Mean      float64
	Low, High float64 // 95 % interval of the mean, across units
	// Deviation is between units, of what was measured of them.
	Deviation float64
	P, Q      float64 // of the mean exceeding the floor
}

const (
	// leastPooled is the fewest units that tell how values vary.
	leastPooled = 3
	// discoveries is the share of the edges of a group that may be false.
	discoveries = 0.05
	// floorShare is the floor of values of edges, as a share of the median of those that are not 0. Edges that
	// few units have lift the mean of a pair a little, and with many observations even a little is clear.
	floorShare = 0.1
)

// PoolOf returns what units have in common.
//
// The mean of a pair is compared with how it varies from unit to unit. With few units, that is hardly known for
// a single pair: it is moderated by what is usual for all pairs, as [smyth2004] does for genes. So the graph of a
// group says what most of its units have, and one unit with many observations counts as one.
func PoolOf(v *Values) (*Pool, error) {
	units, pairs := v.Of.Dims()
	if units < leastPooled {
		return nil, input.Errorf("groups", "units", "got %d, want at least %d for the graph of a group", units, leastPooled)
	}
	if err := v.check(); err != nil {
		return nil, err
	}
	means, variances := make([]float64, pairs), make([]float64, pairs)
	column := make([]float64, units)
	for p := range pairs {
		mat.Col(column, p, v.Of)
		means[p], variances[p] = meanVariance(column)
	}
	usual := usualVariance(variances, float64(units-1))
	df := usual.df + float64(units-1)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
	reach := t.Quantile((1 + interval) / 2)
	pool := &Pool{Units: units}
	errs := make([]float64, pairs)
	for p, pair := range v.Pairs {
		errs[p] = math.Sqrt(usual.moderated(variances[p], float64(units-1)) / float64(units))
		pool.Pairs = append(pool.Pairs, Pooled{
			I: pair[0], J: pair[1], Mean: means[p], Deviation: math.Sqrt(variances[p]),
			Low: means[p] - reach*errs[p], High: means[p] + reach*errs[p],
		})
	}
	pool.test(errs, t)
	var sizes []float64
	for _, pair := range pool.Pairs {
		if pair.Q <= discoveries {
			sizes = append(sizes, math.Abs(pair.Mean))
		}
	}
	pool.Floor = floorShare * matrix.Quantile(sizes, 0.5)
	pool.test(errs, t)
	return pool, nil
}

// test compares the means with the floor.
func (p *Pool) test(errs []float64, t distuv.StudentsT) {
	chances := make([]float64, len(p.Pairs))
	for k, pair := range p.Pairs {
		size := math.Abs(pair.Mean)
		switch {
		case errs[k] > 0:
			chances[k] = t.Survival((size-p.Floor)/errs[k]) + t.Survival((size+p.Floor)/errs[k])
		case size <= p.Floor:
			chances[k] = 1
		}
		chances[k] = min(chances[k], 1)
	}
	for k, q := range matrix.QValues(chances, len(chances)) {
		p.Pairs[k].P, p.Pairs[k].Q = chances[k], q
	}
}

// Clear returns the pairs whose value is clearly more than the floor: the edges of the group.
func (p *Pool) Clear() []Pooled {
	var list []Pooled
	for _, pair := range p.Pairs {
		if pair.Q <= discoveries && pair.Mean != 0 {
			list = append(list, pair)
		}
	}
	return list
}

// Graph returns the graph of a group whose values are partial correlations: the clear pairs, with their values as
// weights and their intervals as evidence.
func (p *Pool) Graph(names []string) (*graph.Graph, error) {
	var edges []graph.Edge
	var list []graph.Evidence
	for _, pair := range p.Clear() {
		edges = append(edges, graph.Edge{I: pair.I, J: pair.J, Weight: pair.Mean})
		list = append(list, graph.Evidence{Partial: bounded(pair.Mean), Low: bounded(pair.Low), High: bounded(pair.High), Q: pair.Q})
	}
	g, err := graph.New(names, edges)
	if err != nil || len(edges) == 0 {
		return g, err
	}
	return g.WithEvidence(list)
}

// bounded is a partial correlation that is one, whatever was added to it.
func bounded(x float64) float64 { return max(-1, min(1, x)) }

// Unit returns the graph of one unit, which borrows from the others: each value is drawn towards the mean of
// the group by as much as it is noise, and the pairs that are then clearly not 0 are edges. observed is how many
// independent observations the unit has: the value of a pair has the variance (1 − ρ²)²/observed.
func (p *Pool) Unit(v *Values, unit int, observed float64) (*graph.Graph, error) {
	if !(observed > 1) {
		return nil, input.Errorf("groups", "observations", "got %g of unit %d, want more than 1", observed, unit+1)
	}
	row := v.Of.RawRowView(unit)
	between := p.between(observed)
	chances := make([]float64, len(row))
	list := make([]graph.Evidence, len(row))
	normal := distuv.UnitNormal
	reach := normal.Quantile((1 + interval) / 2)
	for k, pair := range p.Pairs {
		noise := noiseOf(pair.Mean, observed)
		own := between / (between + noise) // how much of the unit's own value counts
		value := pair.Mean + own*(row[k]-pair.Mean)
		shared := (pair.High - pair.Low) / (2 * reach) * (1 - own)
		err := math.Sqrt(own*noise + float64(shared*shared))
		chances[k] = 2 * normal.Survival(math.Abs(value)/err)
		list[k] = graph.Evidence{Partial: bounded(value), Low: bounded(value - reach*err), High: bounded(value + reach*err)}
	}
	var edges []graph.Edge
	var kept []graph.Evidence
	for k, q := range matrix.QValues(chances, len(chances)) {
		if q <= discoveries && math.Abs(list[k].Partial) > p.Floor {
			list[k].Q = q
			edges, kept = append(edges, graph.Edge{I: p.Pairs[k].I, J: p.Pairs[k].J, Weight: list[k].Partial}), append(kept, list[k])
		}
	}
	g, err := graph.New(v.Names, edges)
	if err != nil || len(edges) == 0 {
		return g, err
	}
	return g.WithEvidence(kept)
}

// between returns the variance of values between units that is not noise of that many observations: the median
// over the pairs that are edges, for a pair that none has does not vary.
func (p *Pool) between(observed float64) float64 {
	var all []float64
	for _, pair := range p.Pairs {
		if pair.Q <= discoveries {
			all = append(all, float64(pair.Deviation*pair.Deviation)-noiseOf(pair.Mean, observed))
		}
	}
	return max(matrix.Quantile(all, 0.5), 0)
}

// noiseOf is the variance of a partial correlation of that many observations.
func noiseOf(partial, observed float64) float64 {
	rest := max(1-float64(partial*partial), 0)
	return max(float64(rest*rest), 1e-6) / observed
}

// A prior of variances is what is usual for all pairs, and how many degrees of freedom that counts for.
type prior struct{ variance, df float64 }

// moderated draws a variance towards the usual one.
func (u prior) moderated(variance, df float64) float64 {
	return (u.df*u.variance + df*variance) / (u.df + df)
}

// mostFreedom stands for variances that are all alike.
const mostFreedom = 1e6

// usualVariance fits the prior to the logarithms of variances with df degrees of freedom: their mean and their
// variance are known functions of its two numbers.
func usualVariance(variances []float64, df float64) prior {
	var logs []float64
	for _, v := range variances {
		if v > 0 {
			logs = append(logs, math.Log(v)-mathext.Digamma(df/2)+math.Log(df/2))
		}
	}
	if len(logs) < 2 {
		return prior{}
	}
	mean, spread := meanVariance(logs)
	freedom := min(2*inverseTrigamma(spread-mathext.Zeta(2, df/2)), mostFreedom)
	return prior{portable.Exp(mean + mathext.Digamma(freedom/2) - math.Log(freedom/2)), freedom}
}

// inverseTrigamma returns the x whose trigamma function, ζ(2, x), is y; it falls from infinity to 0. Where y is not
// positive, x is as large as can be.
func inverseTrigamma(y float64) float64 {
	low, high := 1e-6, mostFreedom
	if y <= mathext.Zeta(2, high) {
		return high
	}
	for range 200 {
		middle := math.Sqrt(low * high)
		if mathext.Zeta(2, middle) > y {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
