package sparse

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
)

// A Problem is a dictionary and a set of signals as the coders see them: only
// through inner products, after [rubinstein2008]. Fill it with NewProblem, or
// fill Gram, Corr and Energy by a cheaper route and call Normalize.
type Problem struct {
	Atoms   int // J
	Signals int // M

	Gram   []float64 // J×J by rows: ⟨d_i, d_j⟩
	Corr   []float64 // M×J by rows: ⟨d_j, y_m⟩
	Energy []float64 // ‖y_m‖²
	Norm   []float64 // ‖d_j‖, set by Normalize

	factor []float64 // by which NormalizeAtoms has multiplied the atoms

	// Missing lists the entries that signal m does not have; nil if all signals
	// are complete. Corr and Energy are then over the entries observed, Gram is
	// over all, and Dictionary holds the atoms, N×J; Normalize makes them unit
	// atoms too.
	Missing    [][]int32
	Dictionary *mat.Dense

	// Of the view of one signal: the problem that it is of, the entries that this signal does not have,
	// and which rows of Gram are there.
	whole  *Problem
	unseen []int32
	ready  []bool
}

// NewProblem returns the coding problem of the columns of y in the atoms d.
// Entries of y that are NaN are missing.
func NewProblem(d, y *mat.Dense) (*Problem, error) {
	n, atoms := d.Dims()
	rows, signals := y.Dims()
	if rows != n {
		return nil, input.Errorf("sparse.NewProblem", "signal length", "got %d, want %d", rows, n)
	}
	p := EmptyProblem(atoms, signals)
	y = p.takeMissing(d, y)
	dd, yy := d.RawMatrix(), y.RawMatrix()
	linalg.MulTransA(linalg.Dense{Rows: atoms, Cols: atoms, Stride: atoms, Data: p.Gram}, dd, dd)
	linalg.MulTransA(linalg.Dense{Rows: signals, Cols: atoms, Stride: atoms, Data: p.Corr}, yy, dd)
	for m := range signals {
		for i := range n {
			p.Energy[m] += y.At(i, m) * y.At(i, m)
		}
	}
	p.Normalize()
	return p, nil
}

// takeMissing notes which entries of y are missing and returns y with zeros in
// their place, y itself if there are none.
func (p *Problem) takeMissing(d, y *mat.Dense) *mat.Dense {
	complete := mat.DenseCopyOf(y)
	missing := make([][]int32, p.Signals)
	none := true
	complete.Apply(func(i, m int, v float64) float64 {
		if !math.IsNaN(v) {
			return v
		}
		missing[m], none = append(missing[m], int32(i)), false
		return 0
	}, complete)
	if none {
		return y
	}
	p.Missing, p.Dictionary = missing, mat.DenseCopyOf(d)
	return complete
}

// EmptyProblem returns room for a problem of the given size.
func EmptyProblem(atoms, signals int) *Problem {
	return &Problem{
		Atoms: atoms, Signals: signals,
		Gram:   make([]float64, atoms*atoms),
		Corr:   make([]float64, signals*atoms),
		Energy: make([]float64, signals),
		Norm:   make([]float64, atoms),
	}
}

// Normalize turns the inner products of the atoms into those of unit atoms
// ([maretic2017]: "this step is essential … to treat all atoms equally") and
// keeps their norms, by which coders undo it. An atom whose norm is at rounding
// level beside the largest becomes zero and is never chosen.
func (p *Problem) Normalize() {
	p.NormalizeAtoms()
	p.NormalizeSignals()
}

// NormalizeAtoms is the part of Normalize that the signals have no part in.
func (p *Problem) NormalizeAtoms() {
	var longest float64
	for j := range p.Atoms {
		p.Norm[j] = math.Sqrt(max(p.Gram[j*p.Atoms+j], 0))
		longest = max(longest, p.Norm[j])
	}
	inverse := make([]float64, p.Atoms)
	for j, norm := range p.Norm {
		if norm > 1e-12*longest {
			inverse[j] = 1 / norm
		}
	}
	p.factor = inverse
	for i := range p.Atoms {
		p.rescale(i, p.gram(i))
	}
	if p.Dictionary != nil {
		n, _ := p.Dictionary.Dims()
		for i := range n {
			floats.Mul(p.Dictionary.RawRowView(i), inverse)
		}
	}
}

// rescale multiplies the atoms in the products of atom i with all by their factors, zero or the
// inverse of their norm.
func (p *Problem) rescale(i int, row []float64) {
	factor := p.factor
	for j := range row {
		row[j] *= factor[i] * factor[j]
	}
	if factor[i] > 0 {
		row[i] = 1
	}
}

// NormalizeSignals is the rest of Normalize. With it, other signals can follow in the
// same atoms: after Corr, Energy and Missing were filled again.
func (p *Problem) NormalizeSignals() {
	for m := range p.Signals {
		floats.Mul(p.corr(m), p.factor)
	}
}

func (p *Problem) corr(m int) []float64 { return p.Corr[m*p.Atoms : (m+1)*p.Atoms : (m+1)*p.Atoms] }

// leastSeen is the share of an atom's energy that must lie on the observed
// entries of a signal for the atom to be chosen there. Without noise a little is
// enough: with a tenth instead, one signal in six stays unexplained when one entry
// in ten is missing.
const leastSeen = 1e-3

// An observedView is the coding problem of one signal with missing entries, over
// its observed entries alone. It owns its memory, so that coders need not know
// of missing entries at all.
type observedView struct{ problem *Problem }

// of returns the problem of signal m of p, as its only signal. A search looks at the products of few
// atoms with the others: these are taken from those of p when they are asked for.
func (v *observedView) of(p *Problem, m int) *Problem {
	if v.problem == nil {
		v.problem = EmptyProblem(p.Atoms, 1)
		v.problem.factor, v.problem.ready = make([]float64, p.Atoms), make([]bool, p.Atoms)
	}
	q := v.problem
	if q.whole == nil || !slices.Equal(q.unseen, p.Missing[m]) {
		q.seeOnly(p, p.Missing[m])
	}
	copy(q.Corr, p.corr(m))
	q.Energy[0] = p.Energy[m]
	q.NormalizeSignals()
	return q
}

// forget says that atoms change.
func (v *observedView) forget() {
	if v.problem != nil {
		v.problem.whole = nil
	}
}

// seeOnly makes the atoms of p those of another problem without some entries.
func (p *Problem) seeOnly(whole *Problem, unseen []int32) {
	p.whole, p.unseen = whole, unseen
	clear(p.ready)
	for j := range p.Atoms {
		seen := whole.Gram[j*p.Atoms+j]
		for _, i := range unseen {
			a := whole.Dictionary.At(int(i), j)
			seen = math.FMA(-a, a, seen) // as Axpy rounds
		}
		p.factor[j], p.Norm[j] = 0, 0
		if seen > leastSeen {
			p.factor[j], p.Norm[j] = 1/math.Sqrt(seen), whole.Norm[j]*math.Sqrt(seen)
		}
	}
}

// gram returns the products of atom i with all.
func (p *Problem) gram(i int) []float64 {
	row := p.Gram[i*p.Atoms : (i+1)*p.Atoms : (i+1)*p.Atoms]
	if p.whole == nil || p.ready[i] {
		return row
	}
	copy(row, p.whole.gram(i))
	for _, entry := range p.unseen {
		atoms := p.whole.Dictionary.RawRowView(int(entry))
		linalg.Axpy(-atoms[i], atoms, row)
	}
	p.rescale(i, row)
	p.ready[i] = true
	return row
}

// square returns the product of an atom with itself: 1, or 0 of one that is not to be chosen.
func (p *Problem) square(i int) float64 {
	switch {
	case p.whole == nil:
		return p.Gram[i*p.Atoms+i]
	case p.factor[i] > 0:
		return 1
	}
	return 0
}

// SolveNormalEquations finds least-squares coefficients: gram is the Gram matrix of atoms, of
// which the lower triangle is used and overwritten by its Cholesky factor; coef
// holds their products with the signal and receives the coefficients. An atom
// that depends on those before it gets coefficient zero.
func SolveNormalEquations(gram, coef []float64) {
	t := len(coef)
	for i := range t {
		factorRow(gram, t, i)
	}
	solveFactored(gram, t, coef)
}

// factorRow turns row i of a Gram matrix, whose rows are stride apart, into that
// of its Cholesky factor. The rows before it must be factored.
func factorRow(gram []float64, stride, i int) {
	row := gram[i*stride : i*stride+i+1]
	norm := row[i]
	for j := range i {
		other := gram[j*stride : j*stride+j+1]
		row[j] = divide(row[j]-linalg.Dot(row[:j], other[:j]), other[j])
	}
	rest := norm - linalg.Dot(row[:i], row[:i])
	row[i] = 0
	if rest > 1e-12*norm {
		row[i] = math.Sqrt(rest)
	}
}

// solveFactored solves with a Cholesky factor, in place.
func solveFactored(factor []float64, stride int, coef []float64) {
	for i := range coef {
		row := factor[i*stride : i*stride+i+1]
		coef[i] = divide(coef[i]-linalg.Dot(row[:i], coef[:i]), row[i])
	}
	for i := len(coef) - 1; i >= 0; i-- {
		row := factor[i*stride : i*stride+i+1]
		coef[i] = divide(coef[i], row[i])
		linalg.Axpy(-coef[i], row[:i], coef[:i])
	}
}

func divide(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
