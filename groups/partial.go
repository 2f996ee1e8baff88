package groups

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
)

// OfCorrelations returns the partial correlations of each unit, given its correlations.
//
// Those of a unit by itself would need more observations than vertices, and many more to be any good. So they
// come from one step of Newton's method from the mean of all units: if R is that mean and Ω its inverse, a unit
// with correlations R + D has the inverse Ω − ΩDΩ to first order. That is linear in D: nothing is inverted
// but the mean, values of units have no bias that depends on how many observations there are, and their
// mean in a group is the value of the group's mean. Who is in which group does not matter to R, so that units
// can be permuted.
func OfCorrelations(names []string, units []*mat.SymDense) (*Values, error) {
	if len(units) == 0 {
		return nil, input.Errorf("groups", "units", "got none")
	}
	n := units[0].SymmetricDim()
	mean := mat.NewSymDense(n, nil)
	for k, r := range units {
		if r.SymmetricDim() != n {
			return nil, input.Errorf("groups", "units", "number %d has %d vertices, the first %d", k+1, r.SymmetricDim(), n)
		}
		mean.AddSym(mean, r)
	}
	mean.ScaleSym(1/float64(len(units)), mean)
	c, err := centreAt(names, mean, spreadOf(units, mean))
	if err != nil {
		return nil, err
	}
	all := mat.NewDense(len(units), len(c.pairs), nil)
	marginal := mat.NewDense(len(units), len(c.pairs), nil)
	moved, half, change := mat.NewSymDense(n, nil), mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for u, r := range units {
		for i := range n {
			for j := i; j < n; j++ {
				moved.SetSym(i, j, r.At(i, j)-mean.At(i, j))
			}
		}
		half.Mul(c.inverse, moved)
		change.Mul(half, c.inverse)
		c.partials(all.RawRowView(u), func(i, j int) float64 { return -change.At(i, j) })
		for p, pair := range c.pairs {
			i, j := pair[0], pair[1]
			marginal.Set(u, p, marginalOf(mean.At(i, j), r.At(i, j), r.At(i, i), r.At(j, j)))
		}
	}
	return &Values{Names: names, Pairs: c.pairs, Of: all, Marginal: marginal, Typical: c.partial}, nil
}

// OfRows returns the partial correlations of units that are one observation each, such as people who have
// answered the same questions: y has vertices in rows and units in columns, each vertex with mean 0 and
// variance 1. A single observation y has correlations yyᵀ, and all is as in [OfCorrelations].
func OfRows(names []string, y *mat.Dense) (*Values, error) {
	n, m := y.Dims()
	if m == 0 {
		return nil, input.Errorf("groups", "units", "got none")
	}
	mean := mat.NewSymDense(n, nil)
	spread := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sum, squares := 0.0, 0.0
			a, b := y.RawRowView(i), y.RawRowView(j)
			for k, x := range a {
				product := x * b[k]
				sum += product
				squares += float64(product * product)
			}
			average := sum / float64(m)
			mean.SetSym(i, j, average)
			spread.SetSym(i, j, (squares/float64(m)-float64(average*average))/float64(m))
		}
	}
	c, err := centreAt(names, mean, spread)
	if err != nil {
		return nil, err
	}
	all := mat.NewDense(m, len(c.pairs), nil)
	var w mat.Dense
	w.Mul(c.inverse, y)
	at, own := make([]float64, n), make([]float64, n)
	marginal := mat.NewDense(m, len(c.pairs), nil)
	for u := range m {
		mat.Col(at, u, &w)
		mat.Col(own, u, y)
		for p, pair := range c.pairs {
			a, b := own[pair[0]], own[pair[1]]
			marginal.Set(u, p, marginalOf(mean.At(pair[0], pair[1]), float64(a*b), float64(a*a), float64(b*b)))
		}
		c.partials(all.RawRowView(u), func(i, j int) float64 { return c.explained.At(i, j) - float64(at[i]*at[j]) })
	}
	return &Values{Names: names, Pairs: c.pairs, Of: all, Marginal: marginal, Typical: c.partial}, nil
}

// marginalOf returns the correlation of a pair in a unit by one step from the mean of all units: the product of
// the two vertices there, less what only their sizes there make of it. Where both sizes are 1, as those of a
// whole recording are, it is the product.
func marginalOf(mean, product, sizeA, sizeB float64) float64 {
	return product + float64(mean/2*(2-sizeA-sizeB))
}

// A centre is what units are close to.
type centre struct {
	pairs     [][2]int
	inverse   *mat.SymDense // Ω, of R
	explained *mat.SymDense // ΩSΩ with the mean S before it was shrunk to R
	partial   []float64     // of each pair
}

// spreadOf returns the variance of the mean of units.
func spreadOf(units []*mat.SymDense, mean *mat.SymDense) *mat.SymDense {
	n := mean.SymmetricDim()
	spread := mat.NewSymDense(n, nil)
	if len(units) < 2 {
		return spread
	}
	scale := 1 / (float64(len(units)) * float64(len(units)-1))
	for i := range n {
		for j := i; j < n; j++ {
			squares := 0.0
			for _, r := range units {
				d := r.At(i, j) - mean.At(i, j)
				squares += float64(d * d)
			}
			spread.SetSym(i, j, squares*scale)
		}
	}
	return spread
}

// centreAt inverts the mean, shrunk towards no correlation by as much as its entries are uncertain
// ([schafer2005]).
func centreAt(names []string, mean, spread *mat.SymDense) (*centre, error) {
	n := mean.SymmetricDim()
	if n < 2 || len(names) != n {
		return nil, input.Errorf("groups", "vertices", "got %d names for %d vertices, want at least 2 of each", len(names), n)
	}
	uncertain, squares := 0.0, 0.0
	for i := range n {
		for j := i + 1; j < n; j++ {
			uncertain += spread.At(i, j)
			squares += float64(mean.At(i, j) * mean.At(i, j))
		}
	}
	shrink := 1.0
	if squares > 0 {
		shrink = min(1, uncertain/squares)
	}
	shrunk := mat.NewSymDense(n, nil)
	var factor mat.Cholesky
	for {
		for i := range n {
			shrunk.SetSym(i, i, mean.At(i, i))
			for j := i + 1; j < n; j++ {
				shrunk.SetSym(i, j, (1-shrink)*mean.At(i, j))
			}
		}
		if factor.Factorize(shrunk) && factor.Cond() < worstCondition {
			break
		}
		if shrink == 1 { // a vertex that does not vary
			return nil, input.Completef("groups", "signals", "a vertex does not vary")
		}
		shrink = min(1, max(2*shrink, leastShrink))
	}
	c := &centre{pairs: AllPairs(n), inverse: mat.NewSymDense(n, nil), explained: mat.NewSymDense(n, nil)}
	if err := factor.InverseTo(c.inverse); err != nil {
		return nil, err
	}
	var half, whole mat.Dense
	half.Mul(c.inverse, mean)
	whole.Mul(&half, c.inverse)
	for i := range n {
		for j := i; j < n; j++ {
			c.explained.SetSym(i, j, whole.At(i, j))
		}
	}
	c.partial = make([]float64, len(c.pairs))
	for p, pair := range c.pairs {
		i, j := pair[0], pair[1]
		c.partial[p] = -c.inverse.At(i, j) / math.Sqrt(c.inverse.At(i, i)*c.inverse.At(j, j))
	}
	return c, nil
}

const (
	// worstCondition is the condition of correlations from which on their inverse is noise.
	worstCondition = 1e6
	leastShrink    = 1e-4
)

// partials writes the partial correlations of a unit for which the inverse changes.
func (c *centre) partials(to []float64, change func(i, j int) float64) {
	n := c.inverse.SymmetricDim()
	own := make([]float64, n)
	for i := range n {
		own[i] = change(i, i) / c.inverse.At(i, i)
	}
	for p, pair := range c.pairs {
		i, j := pair[0], pair[1]
		scale := math.Sqrt(c.inverse.At(i, i) * c.inverse.At(j, j))
		to[p] = c.partial[p] - change(i, j)/scale - float64(c.partial[p]*(own[i]+own[j])/2)
	}
}

// Correlations returns those of signals, whose rows are vertices. A vertex that does not vary has none with
// others.
func Correlations(y *mat.Dense) *mat.SymDense {
	n, m := y.Dims()
	z := mat.DenseCopyOf(y)
	for i := range n {
		row := z.RawRowView(i)
		mean, variance := portable.PopMeanVariance(row)
		scale := 0.0
		if variance > 0 {
			scale = 1 / math.Sqrt(variance)
		}
		for k := range row {
			row[k] = (row[k] - mean) * scale
		}
	}
	r := mat.NewSymDense(n, nil)
	for i := range n {
		r.SetSym(i, i, 1)
		for j := i + 1; j < n; j++ {
			r.SetSym(i, j, portable.Dot(z.RawRowView(i), z.RawRowView(j))/float64(m))
		}
	}
	return r
}
