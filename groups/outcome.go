package groups

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
)

func meanVariance(x []float64) (mean, variance float64) {
	if len(x) < 2 {
		return portable.Mean(x), 0
	}
	return portable.MeanVariance(x)
}

// power is the share of studies that find a difference that [Comparison.Detects] calls found.
const power = 0.8

// comparison puts together what was counted.
func (t *tally) comparison(v *Values, d Design, o Options) *Comparison {
	c := &Comparison{
		Question: d.question(), Levels: t.levels, Counts: t.counts, Units: t.units, Adjusted: len(t.nuisance) > 0,
		Permutations: o.Permutations, LeastP: max(t.least, 1/float64(o.Permutations+1)),
	}
	if d.Subjects != nil {
		c.Subjects = len(t.blocks)
	}
	normal := distuv.UnitNormal
	for _, contrast := range t.contrasts {
		c.Detects = max(c.Detects, (normal.Quantile(1-significant/2)+normal.Quantile(power))/math.Sqrt(contrast.squares))
	}
	c.Whole.P = together(t.most[0], t.sums[0])
	c.Strength = t.effects(t.pairs + t.vertices)
	c.Strength.P = t.chance(t.alone[t.pairs+t.vertices], o)
	t.addVertices(c, o)
	t.addEdges(c, v, o)
	return c
}

// chance is the p-value of what a number of permutations have reached, the units as they are being one more.
func (t *tally) chance(reached int, o Options) float64 {
	return float64(reached+1) / float64(o.Permutations+1)
}

func (t *tally) addVertices(c *Comparison, o Options) {
	chances := make([]float64, t.vertices)
	for i := range t.vertices {
		s := t.effects(t.pairs + i)
		s.P = t.chance(t.alone[t.pairs+i], o)
		chances[i] = together(t.most[i+1], t.sums[i+1])
		c.Vertices = append(c.Vertices, Vertex{Vertex: i, Strength: s})
	}
	for i, q := range matrix.QValues(chances, len(chances)) {
		c.Vertices[i].Outcome = Outcome{P: chances[i], Q: q}
	}
}

func (t *tally) addEdges(c *Comparison, v *Values, o Options) {
	for p, pair := range v.Pairs {
		e := Edge{Effects: t.effects(p), I: pair[0], J: pair[1], PAny: t.chance(t.any[p], o)}
		e.P = t.chance(t.alone[p], o)
		c.Edges = append(c.Edges, e)
	}
	for p, q := range matrix.QValues(t.all.chances(t.seen[:t.pairs], o.Permutations), t.pairs) {
		c.Edges[p].Q = q
	}
}

// effects estimates the means and differences of a column.
func (t *tally) effects(column int) Effects {
	values := mat.Col(nil, column, t.values)
	rest := mat.Col(nil, column, t.rest)
	left, between := portable.Dot(rest, rest), 0.0
	for _, b := range t.interest {
		along := portable.Dot(rest, b)
		between += float64(along * along)
	}
	left -= between
	deviation := math.Sqrt(max(left, 0) / t.df)
	reach := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: t.df}.Quantile((1 + interval) / 2)
	e := Effects{}
	if deviation > 0 {
		e.Statistic = between / float64(len(t.interest)) / (deviation * deviation)
	}
	var halves []float64
	if t.separate {
		e.Statistic, halves = t.welchOf(values)
	}
	for k, c := range t.contrasts {
		d := Difference{Size: portable.Dot(c.weights, values)}
		half := reach * deviation / math.Sqrt(c.squares)
		if t.separate {
			half = halves[k]
		}
		d.Low, d.High = d.Size-half, d.Size+half
		if deviation > 0 {
			d.Standardised = d.Size / deviation
		}
		e.Differences = append(e.Differences, d)
	}
	if len(e.Differences) == 1 {
		e.Statistic = math.Copysign(math.Sqrt(e.Statistic), e.Differences[0].Size)
	}
	if t.levels == nil {
		return e
	}
	first := portable.Mean(values)
	for k, d := range e.Differences {
		first -= d.Size * float64(t.counts[k+1]) / float64(t.units)
	}
	e.Means = []float64{first}
	for _, d := range e.Differences {
		e.Means = append(e.Means, first+d.Size)
	}
	return e
}
