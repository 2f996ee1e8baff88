package assess

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/kernel"
)

// FieldModel is the field with a kernel on a graph as a model of signals, fitted to the columns
// of train as by [FitField].
func FieldModel(train *mat.Dense, g *graph.Graph, k kernel.Kernel, fixed bool, threads int) (SignalModel, error) {
	m, err := FitField(train, g, k, fixed, threads)
	if err != nil {
		return nil, err
	}
	return &fieldModel{m, g, threads}, nil
}

type fieldModel struct {
	*FieldGaussian
	graph   *graph.Graph
	threads int
}

// LogDensity keeps the contract of [SignalModel].
func (m *fieldModel) LogDensity(y *mat.Dense) ([]float64, error) {
	read, err := m.Read(context.Background(), y, m.graph, m.threads)
	if err != nil {
		return nil, err
	}
	density := read.Gain // over that of vertices on their own
	z := m.standardised(y)
	for i, scale := range m.Scale {
		for k, v := range linalg.Row(z, i) {
			density[k] -= float64(v*v)/2 + math.Log(scale)
		}
	}
	return density, nil
}

// Predict keeps the contract of [SignalModel].
func (m *fieldModel) Predict(y *mat.Dense, hidden []int) (*mat.Dense, error) {
	_, signals := y.Dims()
	seen := mat.DenseCopyOf(y)
	for _, i := range hidden {
		for k := range signals {
			seen.Set(i, k, math.NaN())
		}
	}
	read, err := m.Read(context.Background(), seen, m.graph, m.threads)
	if err != nil {
		return nil, err
	}
	expected := mat.NewDense(len(hidden), signals, nil)
	for a, i := range hidden {
		for k := range signals {
			v := read.Field.At(i, k)
			if math.IsNaN(v) { // nothing of its component is seen
				v = m.Mean[i]
			}
			expected.Set(a, k, v)
		}
	}
	return expected, nil
}
