package dictionary

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/sparse"
)

// batch is the memory for the inner products of some signals with all atoms.
type batch struct {
	y, hat, scaled linalg.Dense // as many rows as there are signals
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

// refitScratch is one worker's memory for least squares on small supports.
type refitScratch struct {
	atoms []float64 // the support's atoms in the eigenbasis, by rows
	gram  []float64
}

// fit computes the residual of signal m, which is y in the eigenbasis, into res and
// returns its energy, after solving for the coefficients if refit is set. res may be
// y.
func (r *refitScratch) fit(e *Spectral, x *sparse.Code, m int, y, res []float64, refit bool) float64 {
	atom, coef := x.Column(m)
	n := e.n
	r.room(len(atom), n)
	for q, j := range atom {
		floats.MulTo(r.atom(q, n), e.response[int(j)/n], linalg.Row(e.eig.Vectors, int(j)%n))
	}
	return r.residual(res, coef, y, refit)
}

// room makes room for t atoms of length n.
func (r *refitScratch) room(t, n int) {
	if len(r.atoms) < t*n {
		r.atoms, r.gram = make([]float64, t*n), make([]float64, t*t)
	}
}

func (r *refitScratch) atom(q, n int) []float64 { return r.atoms[q*n : (q+1)*n] }

// residual sets res = Σ coef·atom − y, after solving for the coefficients if
// refit is set, and returns its energy. res may be y.
func (r *refitScratch) residual(res, coef, y []float64, refit bool) float64 {
	n := len(y)
	if refit {
		r.solve(coef, y, n)
	}
	for i, v := range y {
		res[i] = -v
	}
	for q, c := range coef {
		linalg.Axpy(c, r.atom(q, n), res)
	}
	return linalg.Dot(res, res)
}

// solve sets coef to the least-squares coefficients of y in the atoms.
func (r *refitScratch) solve(coef, y []float64, n int) {
	t := len(coef)
	for i := range t {
		for j := range i + 1 {
			r.gram[i*t+j] = linalg.Dot(r.atom(i, n), r.atom(j, n))
		}
		coef[i] = linalg.Dot(r.atom(i, n), y)
	}
	sparse.SolveNormalEquations(r.gram, coef)
}
