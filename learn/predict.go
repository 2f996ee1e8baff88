package learn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/sparse"
)

// Predict returns y with its missing entries, NaN, replaced by what the model
// says they are on the graph g, whose vertices are the rows of y: each signal is
// coded by the entries it has, and the codes tell the others. The model must have
// kernels and a sparsity.
func Predict(g *graph.Graph, m Model, y *mat.Dense, threads int) (*mat.Dense, error) {
	spectral, code, err := coded(g, m, y, threads)
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
				filled.Set(i, s, v)
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

// HeldOut is how a graph does on signals that it was not learned from, signal by
// signal.
type HeldOut struct {
	Residual []float64 // ‖y − Dx‖²/‖y‖², zero for a signal that is zero
	Error    []float64 // squared error of each vertex predicted from the others, summed; see neighbourly.go
	Rival    []float64 // the same of the mean of the others
}

// Prediction returns the share of the rival's errors that the graph takes away.
func (h HeldOut) Prediction() float64 {
	var e, r float64
	for k, v := range h.Error {
		e, r = e+v, r+h.Rival[k]
	}
	if r == 0 {
		return 0
	}
	return 1 - e/r
}

// HoldOut tries the graph g, with a model that has kernels and a sparsity, on the
// test signals. What little the prediction needs to know beside the graph comes
// from the signals of train. The vertices of g are the rows of both; missing
// entries take the mean of their vertex.
func HoldOut(g *graph.Graph, m Model, train, test *mat.Dense, threads int) (HeldOut, error) {
	data := prepared{y: train}
	data.findMissing()
	train = data.filled()
	data = prepared{y: test}
	data.findMissing()
	test = data.filled()
	spectral, _, err := coded(g, m, test, threads)
	if err != nil {
		return HeldOut{}, err
	}
	var h HeldOut
	for s, r := range spectral.Residuals() {
		if energy := spectral.SignalEnergy(s); energy > 0 {
			r /= energy
		}
		h.Residual = append(h.Residual, r)
	}
	_, first := train.Dims()
	var both mat.Dense
	both.Augment(train, test)
	_, all := both.Dims()
	h.Error, h.Rival = neighbourly(spectral.Eigen(), m.Kernels, linalg.Transposed(&both), upTo(0, first), upTo(first, all))
	return h, nil
}

func upTo(from, to int) []int {
	var list []int
	for k := from; k < to; k++ {
		list = append(list, k)
	}
	return list
}

// Signals returns y, from which the result was learned, as its codes see it:
// with each signal's mean over the vertices taken out if the result is Levelled,
// else y itself.
func (r *Result) Signals(y *mat.Dense) *mat.Dense {
	if !r.Levelled {
		return y
	}
	return prepared{y: y}.levelled().y
}
