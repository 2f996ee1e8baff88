package dictionary

import (
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/sparse"
)

// A Memory is room for as many numbers as there are in the signals, for evaluators
// that are used in turns: with many signals, each of them having its own would be
// most of what a program needs. An evaluator that finds it taken computes again what it
// needs, to the same bits. It must not be used by two goroutines at once.
type Memory struct {
	data  []float64
	owner any // the evaluator whose numbers it has
	batch batch
}

// take returns room for m×n numbers to owner, and whether what is there is its own.
func (r *Memory) take(owner any, m, n int) (room linalg.Dense, own bool) {
	own = r.owner == owner
	if len(r.data) < m*n {
		r.data = nil // the old room may go before the new one comes
		r.data, own = make([]float64, m*n), false
	}
	r.owner = owner
	return linalg.Dense{Rows: m, Cols: n, Stride: max(n, 1), Data: r.data[:m*n]}, own
}

// roomForBoth is the most numbers in the signals for which Spectral keeps both signals
// and residuals in the eigenbasis. Beyond, residuals take the place of the signals,
// and these are recomputed where they are needed again.
const roomForBoth = 1 << 19

// hat returns the room for signals and that for residuals, which may be one.
func (e *Spectral) hat() (yhat, rhat linalg.Dense) {
	if e.inPlace {
		room, own := e.memory.take(e, e.m, e.n)
		e.hasYhat, e.hasRhat = e.hasYhat && own, e.hasRhat && own
		return room, room
	}
	room, own := e.memory.take(e, 2*e.m, e.n)
	e.hasYhat, e.hasRhat = e.hasYhat && own, e.hasRhat && own
	yhat, rhat = room, room
	yhat.Rows, rhat.Rows, rhat.Data = e.m, e.m, room.Data[e.m*e.n:]
	return yhat, rhat
}

// room returns where residuals go.
func (e *Spectral) room() linalg.Dense {
	_, rhat := e.hat()
	return rhat
}

// yhat returns YᵀV.
func (e *Spectral) yhat() linalg.Dense {
	yhat, _ := e.hat()
	if !e.hasYhat {
		e.threads.Mul(yhat, e.yt, e.eig.Vectors)
		e.hasYhat, e.hasRhat = true, e.hasRhat && !e.inPlace
	}
	return yhat
}

// rhat returns (DX − Y)ᵀV for the code of the last fit.
func (e *Spectral) rhat(x *sparse.Code) linalg.Dense {
	_, rhat := e.hat()
	if !e.hasRhat {
		e.fit(x, false)
	}
	return rhat
}
