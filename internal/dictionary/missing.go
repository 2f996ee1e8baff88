package dictionary

import (
	"slices"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/sparse"
)

// missingEntries is what Spectral needs where signals have missing entries. Which
// are missing differs between signals, so atoms and residuals must be known at the
// vertices, not only in the eigenbasis. A residual is zero where its signal is
// missing; with that, all formulas for the gradient hold unchanged.
type missingEntries struct {
	entries [][]int32      // the vertices missing from each signal
	atoms   linalg.Dense   // the dictionary, N×SN; its blocks are symmetric
	scaled  linalg.Dense   // N×N
	r       []linalg.Dense // of each goroutine: some rows of (DX − Y)ᵀ, zero where an entry is missing
}

func newMissingEntries(missing [][]int32, n, kernels int) *missingEntries {
	return &missingEntries{entries: missing, atoms: linalg.NewDense(n, n*kernels), scaled: linalg.NewDense(n, n)}
}

// hide sets row to zero where signal m is missing.
func (p *missingEntries) hide(row []float64, m int) {
	for _, i := range p.entries[m] {
		row[i] = 0
	}
}

// at computes the dictionary of the graph that e has moved to.
func (p *missingEntries) at(e *Spectral) {
	for s, response := range e.response {
		scaleColumns(p.scaled, e.eig.Vectors, response)
		block := linalg.Dense{Rows: e.n, Cols: e.n, Stride: p.atoms.Stride, Data: p.atoms.Data[s*e.n:]}
		e.threads.MulTransB(block, p.scaled, e.eig.Vectors)
	}
}

// atom fills u with what signal m sees of an atom.
func (p *missingEntries) atom(u []float64, atom, m int) {
	n := p.atoms.Rows
	s, v := atom/n, atom%n
	copy(u, linalg.Row(p.atoms, v)[s*n:(s+1)*n])
	p.hide(u, m)
}

// residualRows is how many residuals go to the eigenbasis at a time.
const residualRows = 64

// fit is Spectral.fit over the observed entries, without the sum.
func (p *missingEntries) fit(e *Spectral, x *sparse.Code, refit bool) {
	rhat := e.room()
	for len(p.r) < int(e.threads) {
		p.r = append(p.r, linalg.NewDense(residualRows, e.n))
	}
	linalg.ForEach(int(e.threads), (e.m+residualRows-1)/residualRows, func(worker, block int) {
		from := block * residualRows
		r, to := p.r[worker], rhat
		r.Rows = min(residualRows, e.m-from)
		to.Rows, to.Data = r.Rows, rhat.Data[from*rhat.Stride:]
		for k := range r.Rows {
			e.residual[from+k] = p.residual(e, &e.scratch[worker], linalg.Row(r, k), x, from+k, refit)
		}
		linalg.Mul(to, r, e.eig.Vectors)
	})
	e.hasYhat, e.hasRhat = false, true
}

// residual sets res to the residual of signal m, vertex by vertex, and returns its
// energy, after solving for the coefficients if refit is set.
func (p *missingEntries) residual(e *Spectral, scratch *refitScratch, res []float64, x *sparse.Code, m int, refit bool) float64 {
	atom, coef := x.Column(m)
	scratch.room(len(atom), e.n)
	for q, j := range atom {
		p.atom(scratch.atom(q, e.n), int(j), m)
	}
	e.signal(res, m)
	return scratch.residual(res, coef, res, refit)
}

// project turns a vector in the eigenbasis v into what signal m sees of it,
// vertex by vertex.
func (p *missingEntries) project(row []float64, v linalg.Dense, m int) {
	hat := slices.Clone(row)
	for i := range row {
		row[i] = linalg.Dot(linalg.Row(v, i), hat)
	}
	p.hide(row, m)
}
