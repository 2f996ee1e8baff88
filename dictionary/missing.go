package dictionary

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/sparse"
)

// missingEntries is what Spectral needs where signals have missing entries. Which
// are missing differs between signals, so atoms and residuals must be known at the
// vertices, not only in the eigenbasis. A residual is zero where its signal is
// missing; with that, all formulas for the gradient hold unchanged.
type missingEntries struct {
	entries [][]int32    // the vertices missing from each signal
	atoms   linalg.Dense // the dictionary, N×SN; its blocks are symmetric
	scaled  linalg.Dense // N×N
	r       linalg.Dense // (DX − Y)ᵀ, M×N, zero where an entry is missing
}

// newMissingEntries sets the missing entries, NaN, of the signals in the rows of yt
// to zero and remembers them; it returns nil if there are none.
func newMissingEntries(yt linalg.Dense, kernels int) *missingEntries {
	missing := make([][]int32, yt.Rows)
	none := true
	for m := range missing {
		row := linalg.Row(yt, m)
		for i, v := range row {
			if math.IsNaN(v) {
				missing[m], row[i], none = append(missing[m], int32(i)), 0, false
			}
		}
	}
	if none {
		return nil
	}
	n := yt.Cols
	return &missingEntries{
		entries: missing, atoms: linalg.NewDense(n, n*kernels),
		scaled: linalg.NewDense(n, n), r: linalg.NewDense(yt.Rows, n),
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

// describe says in a coding problem what is missing.
func (p *missingEntries) describe(problem *sparse.Problem) {
	if problem.Dictionary == nil {
		problem.Dictionary = mat.NewDense(p.atoms.Rows, p.atoms.Cols, nil)
	}
	copy(problem.Dictionary.RawMatrix().Data, p.atoms.Data)
	problem.Missing = p.entries
}

// atom fills u with what signal m sees of an atom.
func (p *missingEntries) atom(u []float64, atom, m int) {
	n := p.atoms.Rows
	s, v := atom/n, atom%n
	copy(u, linalg.Row(p.atoms, v)[s*n:(s+1)*n])
	for _, i := range p.entries[m] {
		u[i] = 0
	}
}

// fit is Spectral.fit over the observed entries.
func (p *missingEntries) fit(e *Spectral, x *sparse.Code, refit bool) float64 {
	linalg.ForEach(int(e.threads), e.m, func(worker, m int) {
		r := &e.scratch[worker]
		atom, coef := x.Column(m)
		r.room(len(atom), e.n)
		for q, j := range atom {
			p.atom(r.atom(q, e.n), int(j), m)
		}
		e.residual[m] = r.residual(linalg.Row(p.r, m), coef, linalg.Row(e.yt, m), refit)
	})
	e.threads.Mul(e.rhat, p.r, e.eig.Vectors)
	return floats.Sum(e.residual)
}

// project turns a vector in the eigenbasis v into what signal m sees of it,
// vertex by vertex.
func (p *missingEntries) project(row []float64, v linalg.Dense, m int) {
	hat := slices.Clone(row)
	for i := range row {
		row[i] = linalg.Dot(linalg.Row(v, i), hat)
	}
	for _, i := range p.entries[m] {
		row[i] = 0
	}
}
