package assess

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
)

// A Gaussian is a Gaussian model of signals whose precision matrix has only the
// edges of a graph.
type Gaussian struct {
	mean, scale []float64     // of each vertex in the signals it was fitted to
	theta       *mat.SymDense // precision matrix of the signals less the mean, over the scale
	logDet      float64       // log det Θ
	moments     linalg.Dense  // correlations it was fitted to
}

const (
	fitTolerance = 1e-7 // of correlations
	fitSweeps    = 500
)

// FitGaussian returns the likeliest Gaussian for the columns of y among those with a
// precision matrix that is zero wherever g has no edge ([dempster1972]); the weights of g
// do not matter. So any graph, learned by whatever method, makes the same kind of
// statement about signals, and graphs can be held against each other.
//
// Vertices are brought to mean 0 and variance 1 first; one that does not vary keeps
// its unit. Correlations are those of the signals and one more, on which the
// vertices do not depend on each other. That makes the model exist for any
// signals, fewer of them than vertices included.
func FitGaussian(y *mat.Dense, g *graph.Graph) (*Gaussian, error) {
	return fitGaussian(y, g, precision{fitTolerance, fitSweeps})
}

// A precision says how finely a model is fitted.
type precision struct {
	tolerance float64 // of correlations
	sweeps    int     // at most
}

func fitGaussian(y *mat.Dense, g *graph.Graph, precise precision) (*Gaussian, error) {
	n, signals := y.Dims()
	if g.Vertices() != n {
		return nil, input.Errorf("assess.FitGaussian", "vertices of the graph", "got %d, want %d", g.Vertices(), n)
	}
	if n == 0 || signals < 2 {
		return nil, fmt.Errorf("assess.FitGaussian: got %d vertices and %d signals, want at least 1 and 2", n, signals)
	}
	m := unitsOf(y)
	z, moments := m.standardised(y), linalg.NewDense(n, n)
	linalg.MulTransB(moments, z, z)
	for k := range moments.Data {
		moments.Data[k] /= float64(signals + 1)
	}
	for i := range n {
		moments.Data[i*n+i] = 1
	}
	m.moments = moments
	model := linalg.NewCompletion(moments)
	for _, e := range g.Undirected().Edges() {
		model.Join(e.I, e.J)
	}
	model.Solve(precise.tolerance, precise.sweeps) // wherever it ends, W is a covariance
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(n, model.W.Data)) {
		return nil, errors.New("assess.FitGaussian: the covariance of the signals is singular")
	}
	m.theta, m.logDet = mat.NewSymDense(n, nil), -chol.LogDet()
	if err := chol.InverseTo(m.theta); err != nil && !isCondition(err) {
		return nil, fmt.Errorf("assess.FitGaussian: %w", err)
	}
	return m, nil
}

// isCondition says that an inverse is there, if not to many digits.
func isCondition(err error) bool {
	_, ok := errors.AsType[mat.Condition](err)
	return ok
}

// meanAndScale returns the mean and the standard deviation of a row, or 1 if it is
// the same everywhere.
func meanAndScale(row []float64) (mean, scale float64) {
	unit := 0.0 // so that nothing overflows
	for _, v := range row {
		unit = max(unit, math.Abs(v))
	}
	if unit == 0 {
		return 0, 1
	}
	for _, v := range row {
		mean += v / unit
	}
	mean /= float64(len(row))
	sum := 0.0
	for _, v := range row {
		sum += (v/unit - mean) * (v/unit - mean)
	}
	scale = math.Sqrt(sum / float64(len(row)))
	if scale <= 1e-12 {
		scale = 1
	}
	return mean * unit, scale * unit
}

// unitsOf returns a model that has only the means and scales of the rows of y.
func unitsOf(y *mat.Dense) *Gaussian {
	n, _ := y.Dims()
	m := &Gaussian{mean: make([]float64, n), scale: make([]float64, n)}
	for i := range n {
		m.mean[i], m.scale[i] = meanAndScale(y.RawRowView(i))
	}
	return m
}

// standardised returns y in the units of the model.
func (m *Gaussian) standardised(y *mat.Dense) linalg.Dense {
	n, signals := y.Dims()
	z := linalg.NewDense(n, signals)
	for i := range n {
		matrix.Standardise(linalg.Row(z, i), y.RawRowView(i), m.mean[i], m.scale[i])
	}
	return z
}

// LogDensity returns the log density of each column of y, in the units of the
// model and without the constant −N/2·log 2π: differences between models that were
// fitted to the same signals are what matters.
func (m *Gaussian) LogDensity(y *mat.Dense) []float64 {
	n, signals := y.Dims()
	z := m.standardised(y)
	weighed := linalg.NewDense(n, signals)
	linalg.Mul(weighed, m.fullTheta(), z)
	density := make([]float64, signals)
	for k := range density {
		density[k] = m.logDet / 2
	}
	for i := range n {
		a, b := linalg.Row(z, i), linalg.Row(weighed, i)
		for k := range density {
			density[k] -= a[k] * b[k] / 2
		}
	}
	return density
}

func (m *Gaussian) fullTheta() linalg.Dense {
	n := m.theta.SymmetricDim()
	full := linalg.NewDense(n, n)
	for i := range n {
		for j := range n {
			full.Data[i*n+j] = m.theta.At(i, j)
		}
	}
	return full
}

// Predict returns the values that the model expects at the hidden vertices of the
// columns of y, given those at all others: −Θ_hh⁻¹ Θ_hv z_v in its units, a row for each
// hidden vertex. It does not look at the hidden rows.
func (m *Gaussian) Predict(y *mat.Dense, hidden []int) (*mat.Dense, error) {
	n, signals := y.Dims()
	z := m.standardised(y)
	for _, i := range hidden {
		clear(linalg.Row(z, i))
	}
	pull := mat.NewDense(len(hidden), signals, nil) // Θ_hv z_v
	block := mat.NewSymDense(len(hidden), nil)
	for a, i := range hidden {
		for j := range n {
			if t := m.theta.At(i, j); t != 0 {
				to := pull.RawRowView(a)
				for k, v := range linalg.Row(z, j) {
					to[k] -= t * v
				}
			}
		}
		for b := a; b < len(hidden); b++ {
			block.SetSym(a, b, m.theta.At(i, hidden[b]))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(block) {
		return nil, errors.New("assess: the precision matrix is singular at the hidden vertices")
	}
	var expected mat.Dense
	if err := chol.SolveTo(&expected, pull); err != nil && !isCondition(err) {
		return nil, fmt.Errorf("assess: hidden values: %w", err)
	}
	for a, i := range hidden {
		row := expected.RawRowView(a)
		for k := range row {
			row[k] = m.mean[i] + m.scale[i]*row[k]
		}
	}
	return &expected, nil
}
