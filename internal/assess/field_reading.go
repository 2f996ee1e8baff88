package assess

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
)

// A FieldReading is what a [FieldGaussian] says of new signals.
type FieldReading struct {
	// Field is what the model expects the signals to be without noise, in their units, with
	// gaps filled. Vertices without edges are as given.
	Field *mat.Dense
	// Residual is what each value differs by from what the model expects of it given all other
	// vertices, in standard deviations of that; NaN where the value is missing.
	Residual *mat.Dense
	// ChiSquare is zᵀΣ⁻¹z of the known values z of each signal: as much as there are of them,
	// on average, if signals are like those learned from.
	ChiSquare []float64
	Known     []int     // values of each signal
	Gain      []float64 // how much likelier each is than without edges, in nats, as [EdgeGaussian.Gain]
}

// Read says what the model, on its graph, makes of the columns of y. Missing values are NaN.
func (m *FieldGaussian) Read(ctx context.Context, y *mat.Dense, g *graph.Graph, threads int) (*FieldReading, error) {
	n, signals := y.Dims()
	if n != len(m.Mean) {
		return nil, input.Errorf("assess.FieldGaussian.Read", "vertices", "got %d, want %d", n, len(m.Mean))
	}
	connected, kept := g.WithoutIsolated()
	l, err := gsp.New(connected, gsp.Normalized)
	if err != nil {
		return nil, err
	}
	l.Threads = threads
	r := &FieldReading{
		Field: mat.DenseCopyOf(y), Residual: mat.NewDense(n, signals, nil),
		ChiSquare: make([]float64, signals), Known: make([]int, signals), Gain: make([]float64, signals),
	}
	z := (&Gaussian{mean: m.Mean, scale: m.Scale}).standardised(y)
	r.Residual.Copy(mat.NewDense(n, signals, z.Data))
	for i := range n { // as if no vertex had an edge
		for k, v := range linalg.Row(z, i) {
			if !math.IsNaN(v) {
				r.ChiSquare[k] += float64(v * v)
				r.Known[k]++
			}
		}
	}
	part := matrix.Rows(mat.NewDense(n, signals, z.Data), kept)
	filled, err := l.Fill(ctx, part, gsp.FillOptions{Prior: m.Prior(l)})
	if err != nil {
		return nil, err
	}
	for row, i := range kept {
		for k, v := range filled.Smooth.RawRowView(row) {
			r.Field.Set(i, k, m.Mean[i]+float64(m.Scale[i]*v))
		}
	}
	return r, m.weigh(r, part, filled.Y, kept, l)
}

// weigh fills in what takes Σ⁻¹: with the gaps of z filled by what is expected there, Σ⁻¹z is
// zero in them, and that of the known values alone elsewhere.
func (m *FieldGaussian) weigh(r *FieldReading, part, filled *mat.Dense, kept []int, l *gsp.Laplacian) error {
	s, err := l.Spectrum()
	if err != nil {
		return err
	}
	for i := range kept { // components without a known value: those have none to weigh
		row := filled.RawRowView(i)
		for k, v := range row {
			if math.IsNaN(v) {
				row[k] = 0
			}
		}
	}
	inverse := func(e float64) float64 { return 1 / m.Variance(e) }
	weighed, err := s.Filter(filled, inverse)
	if err != nil {
		return err
	}
	one := mat.NewDense(len(kept), len(kept), nil)
	for i := range kept {
		one.Set(i, i, 1)
	}
	precision, err := s.Filter(one, inverse)
	if err != nil {
		return err
	}
	logDet := 0.0
	for _, e := range s.Values {
		logDet -= math.Log(m.Variance(e))
	}
	alone := append([]float64{}, r.ChiSquare...)
	for row, i := range kept {
		unit := math.Sqrt(precision.At(row, row))
		for k, v := range part.RawRowView(row) {
			if !math.IsNaN(v) {
				r.Residual.Set(i, k, weighed.At(row, k)/unit)
				r.ChiSquare[k] += float64(v*weighed.At(row, k)) - float64(v*v)
			}
		}
	}
	inGaps := map[string]float64{} // log det (Σ⁻¹)_uu of the gaps u, which is what leaving them out takes
	for k := range r.Gain {
		var missing []int
		pattern := make([]byte, len(kept))
		for row := range kept {
			if math.IsNaN(part.At(row, k)) {
				missing, pattern[row] = append(missing, row), 1
			}
		}
		if _, known := inGaps[string(pattern)]; !known {
			inGaps[string(pattern)] = logDetOf(precision, missing)
		}
		r.Gain[k] = (logDet - inGaps[string(pattern)] - r.ChiSquare[k] + alone[k]) / 2
	}
	return nil
}

// logDetOf returns the logarithm of the determinant of some rows and columns of a matrix, 0
// of none.
func logDetOf(a *mat.Dense, some []int) float64 {
	if len(some) == 0 {
		return 0
	}
	part := mat.NewSymDense(len(some), nil)
	for p, i := range some {
		for q := p; q < len(some); q++ {
			part.SetSym(p, q, a.At(i, some[q]))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(part) {
		return math.NaN()
	}
	return chol.LogDet()
}

// Check refuses what is no model on a graph, as it may be in a file.
func (m *FieldGaussian) Check(g *graph.Graph) error {
	const op = "assess.FieldGaussian"
	n := g.Vertices()
	switch {
	case n > MostFieldVertices || g.EdgeCount() == 0 || g.Directed():
		return fmt.Errorf("%s: got a graph of %d vertices and %d edges, want at most %d and at least one, none of them an arrow",
			op, n, g.EdgeCount(), MostFieldVertices)
	case m.Kernel.Family() == "":
		return fmt.Errorf("%s: %s is no kernel of a field", op, m.Kernel.Name)
	}
	if len(m.Mean) != n || len(m.Scale) != n {
		return input.Errorf(op, "means and scales", "got %d and %d, want %d", len(m.Mean), len(m.Scale), n)
	}
	for i := range n {
		if !matrix.Finite(m.Mean[i], m.Scale[i]) || m.Scale[i] <= 0 {
			return fmt.Errorf("%s: vertex %d: got mean %g and scale %g, want finite numbers, the last positive", op, i, m.Mean[i],
				m.Scale[i])
		}
	}
	if !matrix.Finite(m.Size, m.Noise) || m.Size <= 0 || m.Noise < 0 {
		return fmt.Errorf("%s: got size %g and noise %g, want a positive number and one of at least 0", op, m.Size, m.Noise)
	}
	return nil
}
