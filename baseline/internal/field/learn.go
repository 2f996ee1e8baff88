package field

import (
	"context"
	"errors"
	"math"

	"github.com/nervure/nervure/internal/linalg"
)

// learnSteps is how many steps the likelihood of all signals is maximised by, at most.
const learnSteps = 60

// A Learned is a field that was learned from signals.
type Learned struct {
	Model                // on the edges that are significant
	Scores     []float64 // of these edges: weights in standard errors
	Candidates *Model    // before edges were removed
}

// Learn fits a field of the given kernel to signals, rows of y with zero means, and keeps the
// edges that are significant. observations is how many independent signals they count for. If
// ctx ends, the best so far comes with its cause.
func Learn(ctx context.Context, y linalg.Dense, k Kernel, observations float64, threads linalg.Threads) (*Learned, error) {
	moments := momentsOf(y, threads)
	s, err := spectrumOf(moments, threads)
	if err != nil {
		return nil, err
	}
	e := newEvaluation(moments, threads)
	m := start(s, k, threads)
	e.calibrate(m)
	if math.IsInf(newFit(e, m).run(ctx, learnSteps), 1) {
		return nil, errNoField
	}
	l := &Learned{Candidates: m.clone(), Model: *m}
	l.Scores = e.prune(ctx, &l.Model, observations)
	return l, context.Cause(ctx)
}

var errNoField = errors.New("the signals have no field of this kernel")

// momentsOf returns the second moments of the rows of y.
func momentsOf(y linalg.Dense, threads linalg.Threads) linalg.Dense {
	moments := linalg.NewDense(y.Cols, y.Cols)
	threads.MulTransA(moments, y, y)
	scale(moments.Data, 1/float64(y.Rows))
	return moments
}

// Partial returns what an edge weighs: its entry of Θ over the root of the diagonal entries
// of its ends, which for order one is the partial correlation.
func (m *Model) Partial() []float64 {
	diagonal := append([]float64(nil), m.Diagonal...)
	for k, p := range m.Pairs {
		diagonal[p.I] += m.Weights[k]
		diagonal[p.J] += m.Weights[k]
	}
	partial := make([]float64, len(m.Pairs))
	for k, p := range m.Pairs {
		if d := diagonal[p.I] * diagonal[p.J]; d > 0 && diagonal[p.I] > 0 {
			partial[k] = m.Weights[k] / math.Sqrt(d)
		}
	}
	return partial
}
