package model

import (
	"context"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/modelfile"
	"github.com/nervure/nervure/kernel"
)

// An Expected is what a learned field says of new signals.
type Expected struct {
	// Denoised is what is expected of the field, given the signals, in their units: the signals
	// without noise and gaps. Vertices without edges are as given. Those that were learned as one,
	// because their values are equal, are the same. It is nil if the model is of differences, which
	// cannot be put together again.
	Denoised *mat.Dense
	// Residuals are what values differ by from what is expected of them given all other vertices,
	// in standard deviations of that; NaN where a value is missing and at vertices that are not
	// judged. Of differences, there is one signal fewer.
	Residuals *mat.Dense
	// ChiSquare is the energy of each signal in standard units, as the field has it at each
	// frequency, over the number of its values: about 1 if it is like those learned from.
	ChiSquare []float64
	// Unusual are the signals that are further from the field than one in a thousand is, from 0.
	Unusual []int
	// Unjudged are the names of vertices of which nothing was learned, because they had no values
	// or did not vary: theirs count as missing.
	Unjudged []string
}

// HasField reports whether [Model.Expect] can be used.
func (m *Model) HasField() bool { return m.field != nil }

// Expect says what the learned field makes of new signals of the same vertices, matched by name,
// after the preprocessing that the first ones had. It needs a model that was learned by the
// method field.
func (m *Model) Expect(s *nervure.Signals) (*Expected, error) {
	if m.field == nil {
		return nil, input.Errorf("nervure", "method", "%s learns no field: learn the graph with field", m.Method)
	}
	s, err := s.OnVertices("nervure", m.Graph.Names())
	if err != nil {
		return nil, err
	}
	merged := m.merged(s.Y)
	read, undo, err := m.read(merged, s.Times)
	if err != nil {
		return nil, err
	}
	r := &Expected{Residuals: read.Residual, ChiSquare: read.ChiSquare, Unjudged: m.unjudged()}
	if undo != nil {
		r.Denoised = undo(read.Field)
		m.copyEqual(r.Denoised)
		m.copyEqual(read.Field)
		for i, row := range matrix.DescribeRows(read.Field) {
			if row.Observed == 0 { // nothing is known of its component, or of the vertex itself
				r.Denoised.SetRow(i, s.Y.RawRowView(i))
			}
		}
	}
	if err := m.judgeEqual(r, s, merged); err != nil {
		return nil, err
	}
	for k := range r.ChiSquare {
		if read.Known[k] == 0 {
			r.ChiSquare[k] = 1
			continue
		}
		if isUnusual(r.ChiSquare[k], float64(read.Known[k])) {
			r.Unusual = append(r.Unusual, k)
		}
		r.ChiSquare[k] /= float64(read.Known[k])
	}
	return r, nil
}

// read is what the field says of signals without equal vertices, and how to bring its values back
// into their units.
func (m *Model) read(y *mat.Dense, times []time.Time) (*assess.FieldReading, func(*mat.Dense) *mat.Dense, error) {
	z, undo, err := m.transform.Apply(y, times)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range m.aside { // their means and scales stand for nothing
		for k := range z.RawRowView(a.Vertex) {
			z.Set(a.Vertex, k, math.NaN())
		}
	}
	read, err := m.field.Read(context.Background(), z, m.distinct(), m.threads())
	return read, undo, err
}

// unjudged returns the names of vertices that were set aside, and of those learned as one with them.
func (m *Model) unjudged() (names []string) {
	for _, a := range m.aside {
		names = append(names, a.Name)
		for _, e := range m.equal {
			if e.Origin == a.Vertex {
				names = append(names, m.Graph.Names()[e.Vertex])
			}
		}
	}
	return names
}

// judgeEqual adds the residuals of equal vertices, each from signals in which it stands for the first
// of them, and the energy of these where it is larger: vertices that are no longer equal cannot both
// be as expected. Residuals are still those of merged, as are the energies, which are sums here.
func (m *Model) judgeEqual(r *Expected, s *nervure.Signals, merged *mat.Dense) error {
	first := mat.DenseCopyOf(r.Residuals)
	_, count := first.Dims()
	_, given := s.Y.Dims()
	lost := given - count // 1 of differences, which are of two values each
	setResiduals := func(i int, row []float64) {
		for k, v := range row {
			if math.IsNaN(s.Y.At(i, k+lost)) || math.IsNaN(s.Y.At(i, k)) {
				v = math.NaN() // another vertex has it
			}
			r.Residuals.Set(i, k, v)
		}
	}
	for _, t := range m.turns(s.Y, merged) {
		residual := first
		if t.differ {
			read, _, err := m.read(t.y, s.Times)
			if err != nil {
				return err
			}
			residual = read.Residual
			for k, energy := range read.ChiSquare {
				r.ChiSquare[k] = max(r.ChiSquare[k], energy)
			}
		}
		for _, e := range t.equal {
			setResiduals(e.Vertex, residual.RawRowView(e.Origin))
			setResiduals(e.Origin, first.RawRowView(e.Origin))
		}
	}
	return nil
}

// isUnusual reports whether fewer than one in a thousand sums of squares of that many standard
// normal numbers are as large, by the cube root that makes them nearly normal ([wilson1931]).
func isUnusual(sum, count float64) bool {
	const oneInAThousand = 3.0902
	spread := 2 / (9 * count)
	return (math.Cbrt(sum/count)-(1-spread))/math.Sqrt(spread) > oneInAThousand
}

// fitField adds the field that was learned, if there is one, and chooses what the score is by.
func (m *Model) fitField(a *nervure.Analysis, y *mat.Dense) {
	told := a.Field()
	if told == nil || y == nil {
		return
	}
	k, err := kernel.Parse(told.Kernel, 1, kernel.Chebyshev) // whose function is used, not its polynomial
	if err != nil {
		return
	}
	m.field = assess.NewField(y, k, told.Size, told.Noise)
	if m.gaussian == nil {
		return
	}
	_, signals := y.Dims()
	g := m.distinct()
	read, err := m.field.Read(context.Background(), y, g, m.threads())
	byEdges, fault := m.gaussian.Gain(y)
	if err != nil || fault != nil {
		return
	}
	// Akaike's criterion: a number that was fitted counts as a nat.
	const fieldNumbers = 3
	difference := float64(g.EdgeCount()-fieldNumbers) / float64(signals)
	for k, gain := range read.Gain {
		difference += (gain - byEdges[k]) / float64(signals)
	}
	m.scoredByField = difference > 0
}

// gains returns how much likelier signals in the units of the model are than without edges.
func (m *Model) gains(z *mat.Dense) ([]float64, error) {
	if !m.scoredByField {
		return m.gaussian.Gain(z)
	}
	read, err := m.field.Read(context.Background(), z, m.distinct(), m.threads())
	if err != nil {
		return nil, err
	}
	return read.Gain, nil
}

func (m *Model) fieldDocument() *modelfile.Field {
	f := m.field
	if f == nil {
		return nil
	}
	return &modelfile.Field{Kernel: f.Kernel.Name, Size: f.Size, Noise: f.Noise, Mean: f.Mean, Scale: f.Scale, Scores: m.scoredByField}
}

func (m *Model) readField(d *modelfile.Document) error {
	f := d.Field
	if f == nil {
		return nil
	}
	k, err := kernel.Parse(f.Kernel, 1, kernel.Chebyshev)
	if err != nil {
		return err
	}
	m.field = &assess.FieldGaussian{Mean: f.Mean, Scale: f.Scale, Kernel: k, Size: f.Size, Noise: f.Noise}
	m.scoredByField = f.Scores && m.gaussian != nil
	return m.field.Check(m.distinct())
}
