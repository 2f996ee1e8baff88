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

// An EdgeGaussian is a [Gaussian] in as few numbers as it takes: one for each vertex and
// each edge. It can be kept in a file, and says of new signals how much likelier its edges
// make them.
type EdgeGaussian struct {
	Mean, Scale []float64 // of each vertex in the signals it was fitted to
	Diagonal    []float64 // Θ_ii of the precision matrix in units of Scale
	Pairs       [][2]int  // the vertices that have an edge
	Precision   []float64 // Θ_ij of each pair
	LogDet      float64   // log det Θ
}

// MostGaussianVertices is for how many vertices a Gaussian is fitted to be kept. It takes
// matrices of the square of their number, and the cube of it in time: some seconds.
const MostGaussianVertices = 2000

// Entries of the precision matrix where there is no edge are left out, which are what the
// tolerance of the fit has left of zero. Where vertices all but determine each other that is
// much, and the fit has to be finer.
const (
	fineTolerance = 1e-12
	fineSweeps    = 20_000
	lostLikeness  = 1e-3 // nats a signal that the entries may be worth
)

// FitEdges is [FitGaussian] without what it has where there is no edge. It refuses more than
// [MostGaussianVertices] vertices.
func FitEdges(y *mat.Dense, g *graph.Graph) (*EdgeGaussian, error) {
	if n := g.Vertices(); n > MostGaussianVertices {
		return nil, fmt.Errorf("assess.FitEdges: got %d vertices, want at most %d", n, MostGaussianVertices)
	}
	for _, precise := range []precision{{fitTolerance, fitSweeps}, {fineTolerance, fineSweeps}} {
		full, err := fitGaussian(y, g, precise)
		if err != nil {
			return nil, err
		}
		if m := full.onEdges(g); m != nil {
			return m, nil
		}
	}
	return nil, errors.New("assess.FitEdges: the vertices all but determine each other, so that no Gaussian with these edges can be fitted")
}

// onEdges returns the model without the entries of Θ that have no edge; nil if they are
// worth more than rounding.
func (m *Gaussian) onEdges(g *graph.Graph) *EdgeGaussian {
	n := g.Vertices()
	e := &EdgeGaussian{Mean: m.mean, Scale: m.scale, Diagonal: make([]float64, n), Pairs: g.Undirected().Pairs()}
	theta := mat.NewSymDense(n, nil)
	trace := 0.0 // of ΘS, which is n at the likeliest Θ, as S and Θ⁻¹ agree on the edges
	for i := range n {
		e.Diagonal[i] = m.theta.At(i, i)
		theta.SetSym(i, i, e.Diagonal[i])
		trace += e.Diagonal[i]
	}
	for _, p := range e.Pairs {
		v := m.theta.At(p[0], p[1])
		e.Precision = append(e.Precision, v)
		theta.SetSym(p[0], p[1], v)
		trace += 2 * v * m.moments.Data[p[0]*m.moments.Stride+p[1]]
	}
	var chol mat.Cholesky
	if !chol.Factorize(theta) {
		return nil
	}
	e.LogDet = chol.LogDet()
	if lost := (m.logDet - float64(n)) - (e.LogDet - trace); !(math.Abs(lost) <= 2*lostLikeness) {
		return nil
	}
	return e
}

// Check refuses what is no model of n vertices, as it may be in a file.
func (m *EdgeGaussian) Check(n int) error {
	const op = "assess.EdgeGaussian"
	for _, list := range [][]float64{m.Mean, m.Scale, m.Diagonal} {
		if len(list) != n {
			return input.Errorf(op, "means, scales and diagonal", "got %d, want %d", len(list), n)
		}
	}
	if len(m.Precision) != len(m.Pairs) {
		return input.Errorf(op, "entries of edges", "got %d, want %d", len(m.Precision), len(m.Pairs))
	}
	for i := range n {
		if !matrix.Finite(m.Mean[i], m.Scale[i], m.Diagonal[i]) || m.Scale[i] <= 0 || m.Diagonal[i] <= 0 {
			return fmt.Errorf("%s: vertex %d: got mean %g, scale %g and precision %g, want finite numbers, the last two positive",
				op, i, m.Mean[i], m.Scale[i], m.Diagonal[i])
		}
	}
	for k, p := range m.Pairs {
		if min(p[0], p[1]) < 0 || max(p[0], p[1]) >= n || !matrix.Finite(m.Precision[k]) {
			return fmt.Errorf("%s: edge %d: got vertices %d and %d with precision %g, want vertices from 0 to %d and a finite number", op, k, p[0], p[1], m.Precision[k], n-1)
		}
	}
	if !matrix.Finite(m.LogDet) {
		return fmt.Errorf("%s: log determinant: got %g, want a finite number", op, m.LogDet)
	}
	return nil
}

// Gain returns for each column of y how much likelier it is under the model than under the
// one without edges, in nats: ½ log det Θ − ½ zᵀ(Θ − I)z. A missing value counts as the mean
// of its vertex.
func (m *EdgeGaussian) Gain(y *mat.Dense) ([]float64, error) {
	n, signals := y.Dims()
	if n != len(m.Mean) {
		return nil, input.Errorf("assess.EdgeGaussian.Gain", "vertices", "got %d, want %d", n, len(m.Mean))
	}
	full := &Gaussian{mean: m.Mean, scale: m.Scale}
	z := full.standardised(y)
	gain := make([]float64, signals)
	for k := range gain {
		gain[k] = m.LogDet / 2
	}
	for i := range n {
		for k, v := range linalg.Row(z, i) {
			if math.IsNaN(v) {
				linalg.Row(z, i)[k] = 0
			} else {
				gain[k] -= (m.Diagonal[i] - 1) * v * v / 2
			}
		}
	}
	for e, p := range m.Pairs {
		a, b := linalg.Row(z, p[0]), linalg.Row(z, p[1])
		for k := range gain {
			gain[k] -= m.Precision[e] * a[k] * b[k]
		}
	}
	return gain, nil
}
