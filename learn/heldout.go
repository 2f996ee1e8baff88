package learn

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/large"
)

// heldOutFit is how a graph does on signals that it was not learned from, signal by
// signal.
type heldOutFit struct {
	Energy    []float64 // ‖y‖², in a unit where nothing overflows, like all that follows
	Residual  []float64 // ‖y − Dx‖²
	Error     []float64 // squared error of each vertex predicted from the others, summed; nil beyond mostPredictedVertices
	MeanError []float64 // the same where the mean of the others is the prediction
}

// RelativeResidual returns ‖y − Dx‖²/‖y‖² of each signal, zero for a signal that
// is zero.
func (h heldOutFit) RelativeResidual() []float64 {
	relative := make([]float64, len(h.Residual))
	for k, r := range h.Residual {
		if h.Energy[k] > 0 {
			relative[k] = r / h.Energy[k]
		}
	}
	return relative
}

// mostPredictedVertices is the most vertices that are predicted from each other: that
// takes matrices of the square of their number, and the cube of it in time.
const mostPredictedVertices = 2000

// Prediction returns the share of the errors of the mean that the graph takes away,
// zero if vertices were not predicted.
func (h heldOutFit) Prediction() float64 {
	var e, r float64
	for k, v := range h.Error {
		e, r = e+v, r+h.MeanError[k]
	}
	if r == 0 {
		return 0
	}
	return 1 - e/r
}

// codeHeldOut tries the graph g, with a model that has kernels and a sparsity, on the
// test signals. What little the prediction needs to know beside the graph comes
// from the signals of train. The vertices of g are the rows of both; missing
// entries take the mean of their vertex.
func codeHeldOut(g *graph.Graph, m Model, train, test *mat.Dense, threads int) (heldOutFit, error) {
	h, eig, err := codeSignals(g, m, train, test, threads)
	if err != nil || g.Vertices() > mostPredictedVertices {
		return h, err
	}
	if eig == nil {
		if eig, err = fitting.LaplacianEigen(g); err != nil {
			return h, err
		}
	}
	unit := canonical.UnitOf(train)
	_, first := train.Dims()
	_, rest := test.Dims()
	both := linalg.NewDense(first+rest, g.Vertices())
	complete(both, train, unit)
	complete(linalg.Dense{Rows: rest, Cols: both.Cols, Stride: both.Stride, Data: both.Data[first*both.Stride:]}, test, unit)
	h.Error, h.MeanError = fitting.PredictVertices(eig, m.Kernels, both, matrix.Span(0, first), matrix.Span(first, first+rest))
	return h, nil
}

// residualsHeldOut is codeHeldOut without the predictions.
func residualsHeldOut(g *graph.Graph, m Model, train, test *mat.Dense, threads int) (heldOutFit, error) {
	h, _, err := codeSignals(g, m, train, test, threads)
	return h, err
}

// codeSignals codes the test signals in the unit of those of train. From
// DefaultLargeFrom vertices on, atoms are truncated; below, the eigendecomposition
// of the Laplacian comes with the codes.
func codeSignals(g *graph.Graph, m Model, train, test *mat.Dense, threads int) (h heldOutFit, eig *linalg.Eigen, err error) {
	if err := m.check(g, train, test); err != nil {
		return h, nil, err
	}
	data := canonical.InUnits(test, canonical.UnitOf(train))
	data.Fill()
	data.Missing = nil
	var e fitting.Engine
	if g.Vertices() < DefaultLargeFrom {
		dense, _, fault := coded(g, m, data, 0, threads)
		if fault != nil {
			return h, nil, fault
		}
		e, eig = dense, fitting.EigenOf(dense.Spectral)
	} else if e, _, err = codedLocally(g, m, data, threads); err != nil {
		return h, nil, err
	}
	h.Residual = fitting.ResidualsOf(e)
	for s := range h.Residual {
		h.Energy = append(h.Energy, e.SignalEnergy(s))
	}
	return h, eig, nil
}

// codedLocally codes signals, filled in where values are missing, by a model on a large
// graph.
func codedLocally(g *graph.Graph, m Model, data canonical.Signals, threads int) (*fitting.LocalEngine, *sparse.Code, error) {
	e := fitting.NewLocal(context.Background(), data, fitting.Model(m), cores(threads), nil)
	pairs, w := dictionary.EdgesOf(g)
	if err := e.Place(pairs, w); err != nil {
		return nil, nil, err
	}
	code := sparse.NewCode(g.Vertices()*len(m.Kernels), data.Count(), m.Sparsity)
	e.Encode(code, fitting.CoderSetting{Width: large.Sharpenings}, nil)
	e.Refit(code)
	return e, code, nil
}

// complete fills the first rows of dst with the columns of y in the given unit, with
// means where entries are missing.
func complete(dst linalg.Dense, y *mat.Dense, unit float64) {
	n, m := y.Dims()
	canonical.TransposedInUnits(dst, y, unit)
	p := canonical.Signals{Rows: mat.NewDense(m, n, dst.Data[:m*n])}
	p.FindMissing()
	p.Fill()
}
