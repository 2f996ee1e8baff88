package learn

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
)

// HeldOutFit is how a graph does on signals that it was not learned from, signal by
// signal.
type HeldOutFit struct {
	Energy    []float64 // ‖y‖², in a unit where nothing overflows, like all that follows
	Residual  []float64 // ‖y − Dx‖²
	Error     []float64 // squared error of each vertex predicted from the others, summed; see vertex_prediction.go
	MeanError []float64 // the same where the mean of the others is the prediction
}

// RelativeResidual returns ‖y − Dx‖²/‖y‖² of each signal, zero for a signal that
// is zero.
func (h HeldOutFit) RelativeResidual() []float64 {
	relative := make([]float64, len(h.Residual))
	for k, r := range h.Residual {
		if h.Energy[k] > 0 {
			relative[k] = r / h.Energy[k]
		}
	}
	return relative
}

// Prediction returns the share of the errors of the mean that the graph takes away.
func (h HeldOutFit) Prediction() float64 {
	var e, r float64
	for k, v := range h.Error {
		e, r = e+v, r+h.MeanError[k]
	}
	if r == 0 {
		return 0
	}
	return 1 - e/r
}

// CodeHeldOut tries the graph g, with a model that has kernels and a sparsity, on the
// test signals. What little the prediction needs to know beside the graph comes
// from the signals of train. The vertices of g are the rows of both; missing
// entries take the mean of their vertex.
func CodeHeldOut(g *graph.Graph, m Model, train, test *mat.Dense, threads int) (HeldOutFit, error) {
	if err := m.check(g, train, test); err != nil {
		return HeldOutFit{}, err
	}
	unit := unitOf(train)
	train, test = complete(train, unit), complete(test, unit)
	engine, _, err := coded(g, m, test, threads)
	if err != nil {
		return HeldOutFit{}, err
	}
	h := HeldOutFit{Residual: residualsOf(engine)}
	for s := range h.Residual {
		h.Energy = append(h.Energy, engine.SignalEnergy(s))
	}
	_, first := train.Dims()
	var both mat.Dense
	both.Augment(train, test)
	_, all := both.Dims()
	h.Error, h.MeanError = predictVertices(eigenOf(engine.Spectral), m.Kernels, linalg.Transposed(&both), upTo(0, first), upTo(first, all))
	return h, nil
}

// complete returns y in the given unit, with means where entries are missing.
func complete(y *mat.Dense, unit float64) *mat.Dense {
	data := prepared{y: inUnits(y, unit)}
	data.findMissing()
	return data.filled()
}
