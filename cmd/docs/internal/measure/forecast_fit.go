package measure

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// A series is signals in the order of time, less the mean of each vertex and over its standard
// deviation in the first columns, those that may be learned from.
type series struct {
	z     *mat.Dense // a row a vertex, a column a moment
	scale []float64  // standard deviations
	train int        // columns that may be learned from
}

func newSeries(y *mat.Dense, train int) series {
	n, count := y.Dims()
	s := series{z: mat.NewDense(n, count, nil), scale: make([]float64, n), train: train}
	for v := range n {
		mean, deviation := stat.MeanStdDev(y.RawRowView(v)[:train], nil)
		if deviation == 0 {
			deviation = 1
		}
		s.scale[v] = deviation
		for t, value := range y.RawRowView(v) {
			s.z.Set(v, t, (value-mean)/deviation)
		}
	}
	return s
}

// moments are sums of products over a span of time: of the values that forecasts are made from
// with each other, and with those that are forecast.
type moments struct{ before, across mat.Dense }

// moments sums from forecasts of the columns from…to-1, a number of steps ahead, that know columns from
// `from` on.
func (s series) moments(from, to, ahead int) *moments {
	n, _ := s.z.Dims()
	x, y := s.z.Slice(0, n, from, to-ahead), s.z.Slice(0, n, from+ahead, to)
	m := &moments{}
	m.before.Mul(x, x.T())
	m.across.Mul(x, y.T())
	return m
}

// fit returns the coefficients of a linear forecast by ridge regression: row v has those of vertex v,
// which are zero but for the vertices in sources[v]. It is false where they are not determined.
func (m *moments) fit(sources [][]int, penalty float64) (*mat.Dense, bool) {
	n := len(sources)
	b := mat.NewDense(n, n, nil)
	for v, from := range sources {
		a, c := mat.NewSymDense(len(from), nil), mat.NewVecDense(len(from), nil)
		for i, p := range from {
			for j, q := range from[:i+1] {
				a.SetSym(i, j, m.before.At(p, q))
			}
			a.SetSym(i, i, a.At(i, i)+penalty)
			c.SetVec(i, m.across.At(p, v))
		}
		var chol mat.Cholesky
		var x mat.VecDense
		if !chol.Factorize(a) || chol.SolveVecTo(&x, c) != nil {
			return nil, false
		}
		for i, p := range from {
			b.Set(v, p, x.AtVec(i))
		}
	}
	return b, true
}

// errors returns what is missed of the columns from…to-1 in the unit of the signals: a row a vertex.
func (s series) errors(b *mat.Dense, from, to, ahead int) *mat.Dense {
	n, _ := s.z.Dims()
	var e mat.Dense
	e.Mul(b, s.z.Slice(0, n, from-ahead, to-ahead))
	e.Sub(s.z.Slice(0, n, from, to), &e)
	e.Apply(func(v, _ int, x float64) float64 { return x * s.scale[v] }, &e)
	return &e
}

// ridges are those that are tried.
func ridges() []float64 {
	list := []float64{0}
	for e := -1.0; e <= 5; e += 0.5 {
		list = append(list, math.Pow(10, e))
	}
	return list
}

// learn fits a forecast to the columns that may be learned from. The penalty is that of the least
// squared error in their last fifth, by a fit to the others.
func (s series) learn(sources [][]int, ahead int) (b *mat.Dense, penalty float64) {
	held := s.train - s.train/5
	some := s.moments(0, held, ahead)
	least := math.Inf(1)
	for _, p := range ridges() {
		b, ok := some.fit(sources, p)
		if !ok {
			continue
		}
		if e := meanSquare(s.errors(b, held, s.train, ahead)); e < least {
			least, penalty = e, p
		}
	}
	b, _ = s.moments(0, s.train, ahead).fit(sources, penalty)
	return b, penalty
}

func meanSquare(e *mat.Dense) float64 {
	n, count := e.Dims()
	norm := mat.Norm(e, 2)
	return norm * norm / float64(n*count)
}
