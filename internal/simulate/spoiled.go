package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/synth"
)

// A spoiledField is a graph with room for signals on it that are no field of order one, as measured
// signals are not.
type spoiledField struct {
	*rand.Rand
	graph   *graph.Graph
	signals int
}

// spoiledKinds are what makes signals differ from a field of order one on their graph.
var spoiledKinds = []struct {
	name string
	draw func(f *spoiledField) (*mat.Dense, error)
}{
	{"heavy tails", (*spoiledField).heavyTails},
	{"mixed sensors", (*spoiledField).mixed},
	{"smoothed signals", (*spoiledField).smoothed},
	{"signed edges", (*spoiledField).signed},
	{"order two", (*spoiledField).orderTwo},
	{"autoregression", (*spoiledField).autoregression},
	{"places in the plane", (*spoiledField).spatial},
	{"weak edges between all", (*spoiledField).background},
	{"flow along a tree", (*spoiledField).flow},
}

// drawSpoiled draws the graph and the signals of a seed. Measurement noise is added to some.
func drawSpoiled(seed uint64, name string, draw func(*spoiledField) (*mat.Dense, error)) (*synth.FieldTruth, error) {
	r := rng.Stream(seed, "spoiled field: "+name)
	n, on := []int{20, 36, 64}[r.IntN(3)], fieldGraphs[r.IntN(len(fieldGraphs))]
	g, err := on.draw(n, seed)
	if err != nil {
		return nil, err
	}
	f := &spoiledField{r, g, []int{60, 150, 400, 1000}[r.IntN(4)]}
	y, err := draw(f)
	if err != nil {
		return nil, err
	}
	noise := f.pick(0, 0, 0.1)
	for i := range f.graph.Vertices() {
		row := y.RawRowView(i)
		deviation := noise * deviationOf(row)
		for k := range row {
			row[k] += float64(deviation * r.NormFloat64())
		}
	}
	return &synth.FieldTruth{Graph: f.graph, Signals: y}, nil
}

func deviationOf(x []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum += v
		squares += float64(v * v)
	}
	m := float64(len(x))
	return math.Sqrt(max(squares/m-sum*sum/(m*m), 0))
}

func (f *spoiledField) pick(choices ...float64) float64 { return choices[f.IntN(len(choices))] }

// precision returns the Laplacian of weights, plus some of the identity.
func (f *spoiledField) precision(w mat.Matrix) *mat.SymDense {
	n, _ := w.Dims()
	ridge := f.pick(0.01, 0.1, 0.5)
	p := mat.NewSymDense(n, nil)
	for i := range n {
		degree := ridge
		for j := range n {
			degree += math.Abs(w.At(i, j))
			if j > i {
				p.SetSym(i, j, -w.At(i, j))
			}
		}
		p.SetSym(i, i, degree)
	}
	return p
}

// drawn draws signals of a Gaussian with that precision; applied twice, its square.
func (f *spoiledField) drawn(precision *mat.SymDense, twice bool) (*mat.Dense, error) {
	var factor mat.Cholesky
	if !factor.Factorize(precision) {
		return nil, fmt.Errorf("simulate: the precision of a field is not positive definite")
	}
	z := f.normal(precision.SymmetricDim())
	var y mat.Dense
	if twice {
		return &y, factor.SolveTo(&y, z)
	}
	var upper mat.TriDense
	factor.UTo(&upper)
	return &y, y.Solve(&upper, z)
}

// normal returns independent values for n vertices.
func (f *spoiledField) normal(n int) *mat.Dense {
	z := mat.NewDense(n, f.signals, nil)
	z.Apply(func(_, _ int, _ float64) float64 { return f.NormFloat64() }, z)
	return z
}

// plain draws a field of order one.
func (f *spoiledField) plain() (*mat.Dense, error) {
	return f.drawn(f.precision(f.graph.Weights()), false)
}

// heavyTails has signals of different size, as those of a t distribution with four degrees of freedom, or
// values with tails of their own.
func (f *spoiledField) heavyTails() (*mat.Dense, error) {
	y, err := f.plain()
	if err != nil {
		return nil, err
	}
	n, m := y.Dims()
	if f.IntN(2) == 0 {
		for k := range m {
			sum := 0.0
			for range 4 {
				z := f.NormFloat64()
				sum += float64(z * z)
			}
			for i := range n {
				y.Set(i, k, y.At(i, k)/math.Sqrt(sum/4))
			}
		}
		return y, nil
	}
	for i := range n {
		row := y.RawRowView(i)
		unit := deviationOf(row)
		for k, v := range row {
			row[k] = (portable.Exp(v/unit) - portable.Exp(-v/unit)) / 2
		}
	}
	return y, nil
}

// mixed has some vertices that measure a part of a neighbour.
func (f *spoiledField) mixed() (*mat.Dense, error) {
	y, err := f.plain()
	if err != nil {
		return nil, err
	}
	n, m := y.Dims()
	clean := mat.DenseCopyOf(y)
	some := f.Perm(n)[:max(1, int(f.pick(0.1, 0.3)*float64(n)))]
	for _, v := range some {
		var neighbours []int
		for _, e := range f.graph.Edges() {
			if e.I == v {
				neighbours = append(neighbours, e.J)
			} else if e.J == v {
				neighbours = append(neighbours, e.I)
			}
		}
		if len(neighbours) == 0 {
			continue
		}
		from, share := neighbours[f.IntN(len(neighbours))], f.pick(0.2, 0.5)
		for k := range m {
			y.Set(v, k, (1-share)*clean.At(v, k)+share*clean.At(from, k))
		}
	}
	return y, nil
}

// smoothed adds to each vertex a part of the mean of its neighbours.
func (f *spoiledField) smoothed() (*mat.Dense, error) {
	y, err := f.plain()
	if err != nil {
		return nil, err
	}
	n, _ := y.Dims()
	means, share := mat.DenseCopyOf(f.graph.Weights()), f.pick(0.2, 0.5)
	for i := range n {
		if degree := mat.Sum(means.RowView(i)); degree > 0 {
			for j := range n {
				means.Set(i, j, share*means.At(i, j)/degree)
			}
		}
		means.Set(i, i, 1)
	}
	var sum mat.Dense
	sum.Mul(means, y)
	return &sum, nil
}

// signed has a third of the edges negative.
func (f *spoiledField) signed() (*mat.Dense, error) {
	w := mat.DenseCopyOf(f.graph.Weights())
	for _, e := range f.graph.Edges() {
		if f.Float64() < 0.35 {
			w.Set(e.I, e.J, -e.Weight)
			w.Set(e.J, e.I, -e.Weight)
		}
	}
	return f.drawn(f.precision(w), false)
}

func (f *spoiledField) orderTwo() (*mat.Dense, error) {
	return f.drawn(f.precision(f.graph.Weights()), true)
}

// autoregression has signals that keep a part of the one before.
func (f *spoiledField) autoregression() (*mat.Dense, error) {
	y, err := f.plain()
	if err != nil {
		return nil, err
	}
	n, m := y.Dims()
	kept := f.pick(0.5, 0.7, 0.9)
	for k := 1; k < m; k++ {
		for i := range n {
			y.Set(i, k, kept*y.At(i, k-1)+math.Sqrt(1-kept*kept)*y.At(i, k))
		}
	}
	return y, nil
}

// spatial has a covariance that falls with the distance of places in the plane; edges are those of the
// Gabriel graph, which joins places with no other one in the circle between them.
func (f *spoiledField) spatial() (*mat.Dense, error) {
	at, err := f.places()
	if err != nil {
		return nil, err
	}
	n := len(at)
	covariance := mat.NewSymDense(n, nil)
	reach, rough, own := f.pick(0.15, 0.3, 0.6), f.IntN(2) == 0, f.pick(0.01, 0.05, 0.2)
	for i := range n {
		for j := range i {
			d := math.Sqrt(distance(at[i], at[j])) / reach
			if rough {
				covariance.SetSym(i, j, portable.Exp(-d))
			} else { // Matérn's of order 3/2
				covariance.SetSym(i, j, (1+math.Sqrt(3)*d)*portable.Exp(-math.Sqrt(3)*d))
			}
		}
		covariance.SetSym(i, i, 1+own)
	}
	var factor mat.Cholesky
	if !factor.Factorize(covariance) {
		return nil, fmt.Errorf("simulate: the covariance of places is not positive definite")
	}
	var upper mat.TriDense
	var y mat.Dense
	factor.UTo(&upper)
	y.Mul(upper.T(), f.normal(n))
	return &y, nil
}

// background has, beside the edges, weak ones between vertices that are two edges apart, and weaker ones
// between others: no partial correlation is zero.
func (f *spoiledField) background() (*mat.Dense, error) {
	if _, err := f.places(); err != nil {
		return nil, err
	}
	n, strength := f.graph.Vertices(), f.pick(0.1, 0.2, 0.3)
	w := mat.DenseCopyOf(f.graph.Weights())
	var two mat.Dense
	two.Mul(w, w)
	for i := range n {
		for j := range i {
			if w.At(i, j) > 0 || f.Float64() > 0.6 {
				continue
			}
			weak := strength * math.Abs(f.NormFloat64())
			if two.At(i, j) == 0 {
				weak *= 0.15
			}
			w.Set(i, j, weak)
			w.Set(j, i, weak)
		}
	}
	return f.drawn(f.precision(w), false)
}

// places draws places in the plane and makes their Gabriel graph the graph.
func (f *spoiledField) places() ([][2]float64, error) {
	at := make([][2]float64, f.graph.Vertices())
	for i := range at {
		at[i] = [2]float64{f.Float64(), f.Float64()}
	}
	var edges []graph.Edge
	for j := range at {
		for i := range j {
			free := true
			for k := range at {
				free = free && (k == i || k == j || distance(at[i], at[k])+distance(at[j], at[k]) >= distance(at[i], at[j]))
			}
			if free {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: 0.5 + f.Float64()})
			}
		}
	}
	var err error
	f.graph, err = graph.New(graph.DefaultNames(len(at)), edges)
	return at, err
}

// distance is the square of that of two places.
func distance(a, b [2]float64) float64 {
	x, y := a[0]-b[0], a[1]-b[1]
	return float64(x*x) + float64(y*y)
}

// flow has signals that are carried down a tree, partly within a step of time and partly to the next.
func (f *spoiledField) flow() (*mat.Dense, error) {
	const now, next, excitation = 0.4, 0.6, 0.5
	n := f.graph.Vertices()
	parent := make([]int, n)
	var edges []graph.Edge
	for i := 1; i < n; i++ {
		parent[i] = max(0, i-1-f.IntN(3))
		edges = append(edges, graph.Edge{I: parent[i], J: i, Weight: 1})
	}
	var err error
	if f.graph, err = graph.New(graph.DefaultNames(n), edges); err != nil {
		return nil, err
	}
	kept, carried := f.pick(0.6, 0.9), f.pick(0.3, 0.6)
	y := mat.NewDense(n, f.signals, nil)
	for k := range f.signals {
		before := func(i int) float64 {
			if k == 0 {
				return 0
			}
			return y.At(i, k-1)
		}
		for i := range n {
			v := excitation * f.NormFloat64()
			if i == 0 {
				v += kept * before(i)
			} else {
				v += kept*(1-carried)*before(i) + carried*(next*before(parent[i])+now*y.At(parent[i], k))
			}
			y.Set(i, k, v)
		}
	}
	return y, nil
}
