package assess

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/margins"
	"github.com/nervure/nervure/internal/matrix"
)

// FreeMargins is the model of a field whose values have any distribution at each vertex: a rising
// curve makes them normal, and then signals have a Gaussian, or a t distribution if some are
// larger than others as a whole. It is what tells codes from heavy tails: signals that are few
// atoms and signals of a field that are skewed, counted or now and then wild are all
// likelier by codes than by a Gaussian of their values.
//
// learn is given the normal scores of the columns of train and returns the edges that the Gaussian
// has; without, it has all.
func FreeMargins(train *mat.Dense, learn func(scores *mat.Dense) (*graph.Graph, error)) (SignalModel, error) {
	n, signals := train.Dims()
	if n == 0 || signals < 2 {
		return nil, fmt.Errorf("assess.FreeMargins: got %d vertices and %d signals, want at least 1 and 2", n, signals)
	}
	m := freeMargins{units: unitsOf(train), curves: make([]*margins.Curve, n)}
	for i := range n {
		if c, ok := margins.NewCurve(train.RawRowView(i)); ok {
			m.curves[i] = &c
		}
	}
	z, _ := m.scores(train)
	student := margins.FitStudent(matrix.Rows(z, m.varying()))
	m.freedom = student.Freedom
	weighed := student.Weigh(z)
	if learn == nil {
		full, err := FullGaussian(weighed)
		if err != nil {
			return nil, err
		}
		m.field = full.(fullModel).Gaussian
		return &m, nil
	}
	g, err := learn(weighed)
	if err != nil {
		return nil, err
	}
	m.field, err = FitGaussian(weighed, g)
	return &m, err
}

type freeMargins struct {
	units   *Gaussian        // means and scales, for vertices that did not vary
	curves  []*margins.Curve // nil for those
	field   *Gaussian        // of scores
	freedom float64
}

// varying lists the vertices that did vary.
func (m *freeMargins) varying() []int {
	return matrix.Where(m.curves, func(_ int, c *margins.Curve) bool { return c != nil })
}

// scores returns the scores of signals, and of each the logarithm of the product of the
// derivatives.
func (m *freeMargins) scores(y *mat.Dense) (z *mat.Dense, logSlopes []float64) {
	n, signals := y.Dims()
	z, logSlopes = mat.NewDense(n, signals, nil), make([]float64, signals)
	for i, to := range matrix.Each(z) {
		for k, v := range y.RawRowView(i) {
			if m.curves[i] == nil {
				to[k] = (v - m.units.mean[i]) / m.units.scale[i]
				logSlopes[k] -= math.Log(m.units.scale[i])
				continue
			}
			score, slope := m.curves[i].At(v)
			to[k] = score
			logSlopes[k] += slope
		}
	}
	return z, logSlopes
}

// LogDensity keeps the contract of [SignalModel].
func (m *freeMargins) LogDensity(y *mat.Dense) ([]float64, error) {
	z, density := m.scores(y)
	n, _ := z.Dims()
	student := margins.StudentDensity(n, m.freedom)
	for k, gaussian := range m.field.LogDensity(z) { // ½·log det Θ − ½·zᵀΘz
		form := m.field.logDet - 2*gaussian
		density[k] += m.field.inUnits(m.field.logDet/2 + student(form))
	}
	return density, nil
}

// Predict keeps the contract of [SignalModel]: it is the value whose score is expected.
func (m *freeMargins) Predict(y *mat.Dense, hidden []int) (*mat.Dense, error) {
	z, _ := m.scores(y)
	expected, err := m.field.Predict(z, hidden)
	if err != nil {
		return nil, err
	}
	for a, i := range hidden {
		row := expected.RawRowView(a)
		for k, v := range row {
			if m.curves[i] == nil {
				row[k] = m.units.mean[i] + float64(m.units.scale[i]*v)
				continue
			}
			row[k] = m.curves[i].Value(v)
		}
	}
	return expected, nil
}
