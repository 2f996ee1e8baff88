package local

import (
	"slices"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
)

// blockVertices is how many vertices are summed over at a time, so that sums do not depend on who did
// them, and how many a task has.
const blockVertices = 1024

// A spread is what the residuals of some vertices say of how evenly they are spread.
type spread struct {
	squares, fourths []float64 // by signal
	count            float64   // of vertices that are not predicted exactly
}

func newSpread(signals int) spread {
	return spread{squares: make([]float64, signals), fourths: make([]float64, signals)}
}

// add takes a residual into account.
func (s *spread) add(residual []float64, variance float64) {
	if variance <= leastVariance {
		return
	}
	s.count++
	for t, v := range residual {
		q := v * v / variance
		s.squares[t] += q
		s.fourths[t] += float64(q * q)
	}
}

// concentration returns the kurtosis of residuals over the vertices, the median of the signals.
func (l *learner) concentration() float64 {
	var parts []spread
	if l.shared != nil {
		parts = l.shared.spreads
	} else {
		parts = make([]spread, (l.x.Rows+blockVertices-1)/blockVertices)
		linalg.ForEach(l.Threads, len(parts), func(_, b int) {
			parts[b] = newSpread(l.x.Cols)
			for i := b * blockVertices; i < min((b+1)*blockVertices, l.x.Rows); i++ {
				parts[b].add(linalg.Row(l.residuals, i), l.models[i].variance)
			}
		})
	}
	all := newSpread(l.x.Cols)
	for _, p := range parts {
		linalg.Axpy(1, p.squares, all.squares)
		linalg.Axpy(1, p.fourths, all.fourths)
		all.count += p.count
	}
	return matrix.Kurtosis(all.squares, all.fourths, slices.Repeat([]float64{all.count}, l.x.Cols))
}
