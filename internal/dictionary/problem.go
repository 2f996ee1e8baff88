package dictionary

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/sparse"
)

// batch is the memory for the inner products of some signals with all atoms.
type batch struct {
	y, hat, scaled linalg.Dense // as many rows as there are signals
}

// Problem fills p with the coding problem of all signals in the current dictionary.
func (e *Spectral) Problem(p *sparse.Problem) {
	e.Atoms(p)
	e.Transform()
	e.Signals(p, matrix.Span(0, e.m))
}

// Atoms fills in what the coding problem p says of the atoms.
func (e *Spectral) Atoms(p *sparse.Problem) {
	v := e.eig.Vectors
	for s, ps := range e.response {
		for t := s; t < len(e.response); t++ {
			product := make([]float64, e.n)
			floats.MulTo(product, ps, e.response[t])
			scaleColumns(e.normalized, v, product)
			block := linalg.Dense{Rows: e.n, Cols: e.n, Stride: p.Atoms, Data: p.Gram[s*e.n*p.Atoms+t*e.n:]}
			e.threads.MulTransB(block, e.normalized, v)
			for i := range e.n {
				for j := range e.n {
					p.Gram[(t*e.n+j)*p.Atoms+s*e.n+i] = block.Data[i*block.Stride+j]
				}
			}
		}
	}
	if e.missing != nil {
		if p.Dictionary == nil {
			p.Dictionary = mat.NewDense(e.missing.atoms.Rows, e.missing.atoms.Cols, nil)
		}
		copy(p.Dictionary.RawMatrix().Data, e.missing.atoms.Data)
	}
	p.NormalizeAtoms()
}

// Signals makes the given signals, which p has room for, those of the coding problem
// p, whose atoms are of the current dictionary.
func (e *Spectral) Signals(p *sparse.Problem, signals []int) {
	p.Signals = len(signals)
	for k, m := range signals {
		p.Energy[k] = e.energy[m]
	}
	if e.missing != nil {
		p.Missing = p.Missing[:0]
		for _, m := range signals {
			p.Missing = append(p.Missing, e.missing.entries[m])
		}
	}
	b := &e.memory.batch
	b.scaled = resized(b.scaled, len(signals), e.n)
	hat := e.inEigenbasis(signals)
	for s, ps := range e.response {
		for k := range signals {
			floats.MulTo(linalg.Row(b.scaled, k), hat(k), ps)
		}
		corr := linalg.Dense{Rows: len(signals), Cols: e.n, Stride: p.Atoms, Data: p.Corr[s*e.n:]}
		e.threads.MulTransB(corr, b.scaled, e.eig.Vectors)
	}
	p.NormalizeSignals()
}

// Transform makes ready for all signals to be coded. Without it, Signals computes what
// it needs of each.
func (e *Spectral) Transform() {
	if e.missing == nil {
		e.yhat()
	}
}

// inEigenbasis returns the given signals in the eigenbasis, by their place in the list.
func (e *Spectral) inEigenbasis(signals []int) func(k int) []float64 {
	if yhat, _ := e.hat(); e.hasYhat {
		return func(k int) []float64 { return linalg.Row(yhat, signals[k]) }
	}
	b := &e.memory.batch
	b.y, b.hat = resized(b.y, len(signals), e.n), resized(b.hat, len(signals), e.n)
	for k, m := range signals {
		e.signal(linalg.Row(b.y, k), m)
	}
	e.threads.Mul(b.hat, b.y, e.eig.Vectors)
	return func(k int) []float64 { return linalg.Row(b.hat, k) }
}

// resized returns a matrix of that many rows, in the memory of a if it has room.
func resized(a linalg.Dense, rows, cols int) linalg.Dense {
	a.Rows, a.Cols, a.Stride, a.Data = rows, cols, max(cols, 1), resize(a.Data, rows*cols)
	return a
}
