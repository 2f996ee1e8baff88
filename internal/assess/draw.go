package assess

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/internal/matrix"
)

// Coloured makes signals of white noise, in which every value is from N(0, 1): they have the means
// and the covariance of the model.
func (m *Gaussian) Coloured(noise *mat.Dense) (*mat.Dense, error) {
	// Θ = UᵀU, and U⁻¹ times white noise has the covariance Θ⁻¹.
	var chol mat.Cholesky
	if !chol.Factorize(m.theta) {
		return nil, errors.New("assess.Coloured: the precision matrix is singular")
	}
	var u mat.TriDense
	chol.UTo(&u)
	n, count := noise.Dims()
	y := mat.NewDense(n, count, nil)
	if err := y.Solve(&u, noise); err != nil && !isCondition(err) {
		return nil, err
	}
	m.restore(y)
	return y, nil
}

// restore puts signals from the units of the model into those that it was fitted to.
func (m *Gaussian) restore(y *mat.Dense) {
	for i, scale := range m.scale {
		row := y.RawRowView(i)
		for k, v := range row {
			row[k] = m.mean[i] + float64(scale*v)
		}
	}
}

// Coloured makes signals of white noise, in which every value is from N(0, 1): a field on g with
// the covariance of the model.
func (m *FieldGaussian) Coloured(g *graph.Graph, noise *mat.Dense) (*mat.Dense, error) {
	connected, kept := g.WithoutIsolated()
	l, err := gsp.New(connected, gsp.Normalized)
	if err != nil {
		return nil, err
	}
	s, err := l.Spectrum()
	if err != nil {
		return nil, err
	}
	waves := matrix.Rows(noise, kept)
	for k, lambda := range s.Values {
		size := math.Sqrt(m.Variance(lambda))
		row := waves.RawRowView(k)
		for t := range row {
			row[t] *= size
		}
	}
	field, err := s.Inverse(waves)
	if err != nil {
		return nil, err
	}
	y := mat.DenseCopyOf(noise) // vertices without edges are on their own
	for k, i := range kept {
		y.SetRow(i, field.RawRowView(k))
	}
	(&Gaussian{mean: m.Mean, scale: m.Scale}).restore(y)
	return y, nil
}
