package learn

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/sparse"
)

// Predict returns y with its missing entries, NaN, replaced by what the model
// says they are on the graph g, whose vertices are the rows of y: each signal is
// coded by the entries it has, and the codes tell the others. The model must have
// kernels and a sparsity.
func Predict(g *graph.Graph, m Model, y *mat.Dense, threads int) (*mat.Dense, error) {
	if err := checkFinite(y, g.Names()); err != nil {
		return nil, err
	}
	unit := unitOf(y)
	spectral, code, err := coded(g, m, inUnits(y, unit), threads)
	if err != nil {
		return nil, err
	}
	filled := mat.DenseCopyOf(y)
	n, signals := y.Dims()
	said := make([]float64, n)
	for s := range signals {
		spectral.Synthesise(said, code, s)
		for i, v := range said {
			if math.IsNaN(y.At(i, s)) {
				filled.Set(i, s, v*unit)
			}
		}
	}
	return filled, nil
}

// coded codes signals on a graph.
func coded(g *graph.Graph, m Model, y *mat.Dense, threads int) (*dictionary.Spectral, *sparse.Code, error) {
	_, signals := y.Dims()
	atoms := g.Vertices() * len(m.Kernels)
	coder, err := sparse.NewCoder(atoms, sparse.Options{Method: sparse.Beam, Sparsity: m.Sparsity, Threads: threads})
	if err != nil {
		return nil, nil, err
	}
	spectral := dictionary.NewSpectral(y, m.Kernels, threads)
	pairs, w := dictionary.EdgesOf(g)
	spectral.SetPairs(pairs)
	if err := spectral.At(w); err != nil {
		return nil, nil, err
	}
	problem, code := sparse.EmptyProblem(atoms, signals), sparse.NewCode(atoms, signals, m.Sparsity)
	spectral.Problem(problem)
	coder.Encode(problem, code)
	spectral.Refit(code)
	return spectral, code, nil
}

// HeldOutFit is how a graph does on signals that it was not learned from, signal by
// signal.
type HeldOutFit struct {
	Energy   []float64 // ‖y‖², in a unit where nothing overflows, like all that follows
	Residual []float64 // ‖y − Dx‖²
	Error    []float64 // squared error of each vertex predicted from the others, summed; see neighbourly.go
	Rival    []float64 // the same of the mean of the others
}

// Left returns the share of each signal that its code leaves over, zero for a
// signal that is zero.
func (h HeldOutFit) Left() []float64 {
	left := make([]float64, len(h.Residual))
	for k, r := range h.Residual {
		if h.Energy[k] > 0 {
			left[k] = r / h.Energy[k]
		}
	}
	return left
}

// Prediction returns the share of the rival's errors that the graph takes away.
func (h HeldOutFit) Prediction() float64 {
	var e, r float64
	for k, v := range h.Error {
		e, r = e+v, r+h.Rival[k]
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
	if err := errors.Join(checkFinite(train, g.Names()), checkFinite(test, g.Names())); err != nil {
		return HeldOutFit{}, err
	}
	unit := unitOf(train)
	train, test = complete(train, unit), complete(test, unit)
	spectral, _, err := coded(g, m, test, threads)
	if err != nil {
		return HeldOutFit{}, err
	}
	h := HeldOutFit{Residual: spectral.Residuals()}
	for s := range h.Residual {
		h.Energy = append(h.Energy, spectral.SignalEnergy(s))
	}
	_, first := train.Dims()
	var both mat.Dense
	both.Augment(train, test)
	_, all := both.Dims()
	h.Error, h.Rival = neighbourly(eigenOf(spectral), m.Kernels, linalg.Transposed(&both), upTo(0, first), upTo(first, all))
	return h, nil
}

// complete returns y in the given unit, with means where entries are missing.
func complete(y *mat.Dense, unit float64) *mat.Dense {
	data := prepared{y: inUnits(y, unit)}
	data.findMissing()
	return data.filled()
}

// inUnits returns y divided by a unit, whose inverse may be infinite.
func inUnits(y *mat.Dense, unit float64) *mat.Dense {
	var out mat.Dense
	out.Apply(func(_, _ int, v float64) float64 { return v / unit }, y)
	return &out
}

func upTo(from, to int) []int {
	var list []int
	for k := from; k < to; k++ {
		list = append(list, k)
	}
	return list
}

// Signals returns y, from which the result was learned, as its codes see it: if
// Options.RemoveCommonMode says so, with the mean of each signal, over the vertices that
// vary, taken out of these; else y itself.
func (r *Result) Signals(y *mat.Dense) *mat.Dense {
	screening, err := signals.Screen("learn", y, r.Options.Names)
	if !r.Options.RemoveCommonMode || err != nil {
		return y
	}
	data := prepare(y, screening.Vertices)
	level := data.levelled()
	out := mat.DenseCopyOf(y)
	for k, i := range data.vertices {
		for c, s := range data.signals {
			out.Set(i, s, level.y.At(k, c)*data.unit)
		}
	}
	return out
}
