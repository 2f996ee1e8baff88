// Package sparse finds codes: for each signal y a vector x with at most T₀
// non-zeros such that D·x is near y ([maretic2017], section 3). Coders differ in
// how they search for the support. All of them treat atoms as unit vectors
// while searching and return coefficients that belong to the atoms as they are
// in D; all but matching pursuit refit these by least squares.
package sparse

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
)

// Method names a way to search for the support of a code.
type Method string

const (
	// OMP picks the atom most correlated with the residual, then refits all
	// coefficients ([pati1993], [tropp2004]), from inner products alone
	// (Batch-OMP, [rubinstein2008]).
	OMP Method = "omp"
	// OLS picks the atom that lowers the residual most ([chen1989]).
	OLS Method = "ols"
	// Beam keeps the Width best partial supports at each size and extends
	// each of them as OLS does; width 1 is OLS.
	Beam Method = "beam"
	// MP subtracts the best single atom again and again and never refits ([mallat1993]).
	MP Method = "mp"
	// L1 follows the path of lasso solutions until it would need one atom too
	// many ([osborne2000], [efron2004]), then refits by least squares.
	L1 Method = "l1"
)

// searches are the ways to search, in the order in which Methods lists them.
var searches = []struct {
	method Method
	start  func(atoms int, o Options) searcher
}{
	{OMP, newOMP},
	{OLS, newOLS},
	{Beam, newWideBeam},
	{MP, newMatchingPursuit},
	{L1, newHomotopy},
}

// Methods lists the coders.
func Methods() []Method {
	list := make([]Method, len(searches))
	for k, s := range searches {
		list[k] = s.method
	}
	return list
}

// defaultWidth is the beam width used when none is given. With the true
// dictionary and four atoms it misses about one support in 250 at N = 20.
const defaultWidth = 4

// DefaultTolerance is the share of a signal's energy below which its residual
// counts as rounding, so that a signal of fewer atoms than allowed gets no more
// than it has. Inner products cannot resolve residuals much smaller than this.
const DefaultTolerance = 1e-13

// Options say how to code. Only Sparsity is required.
type Options struct {
	Method   Method  // zero means OMP
	Sparsity int     // T₀, the most atoms a signal may use
	Width    int     // of the beam; zero means 4
	Floor    float64 // early stop, as an energy: a residual that may be noise alone
	// AtomCost is for OMP, OLS and Beam: of the supports on the way, take the one of least
	// log(residual) + AtomCost·atoms. Zero means the last.
	AtomCost float64
	Threads  int // zero means 1; the result does not depend on it
}

// A Coder codes signals and keeps its memory between calls. One Coder must not
// be used by two goroutines at once.
type Coder struct {
	options Options
	worker  []searcher
	view    []observedView // of each worker
	atoms   int
}

// A searcher finds the code of one signal: unit-norm coefficients, written into
// a column it owns until the next call.
type searcher interface {
	search(p *Problem, m int) (atom []int32, coef []float64)
}

// NewCoder returns a coder for dictionaries of the given number of atoms.
func NewCoder(atoms int, o Options) (*Coder, error) {
	o.Method, o.Width = cmp.Or(o.Method, OMP), cmp.Or(o.Width, defaultWidth)
	o.Threads = max(o.Threads, 1)
	const op = "sparse.NewCoder"
	k := slices.Index(Methods(), o.Method)
	switch {
	case o.Sparsity < 1 || o.Sparsity > atoms:
		return nil, input.Errorf(op, input.Sparsity, "got %d, want 1 to %d (the number of atoms)", o.Sparsity, atoms)
	case k < 0:
		return nil, input.Errorf(op, "coder", "got %q, want one of %v", o.Method, Methods())
	}
	c := &Coder{options: o, atoms: atoms, view: make([]observedView, o.Threads)}
	for range o.Threads {
		c.worker = append(c.worker, searches[k].start(atoms, o))
	}
	return c, nil
}

// enough returns the energy at which the residual of a signal ends its coding.
func (o Options) enough(energy float64) float64 { return max(DefaultTolerance*energy, o.Floor) }

// Encode codes every signal of p into dst. It panics if dst does not fit p.
func (c *Coder) Encode(p *Problem, dst *Code) { c.EncodeSome(p, dst, matrix.Span(0, dst.signals)) }

// EncodeSome codes the signals of p into those columns of dst, in this order, and
// leaves the others alone.
func (c *Coder) EncodeSome(p *Problem, dst *Code, columns []int) {
	if p.Atoms != c.atoms || dst.atoms != p.Atoms || len(columns) != p.Signals || dst.sparsity < c.options.Sparsity {
		panic(fmt.Sprintf("sparse.Encode: sizes do not match: coder of %d atoms, problem of %d×%d, code of %d×%d",
			c.atoms, p.Atoms, p.Signals, dst.atoms, dst.signals))
	}
	c.each(p, func(worker, m int) { c.encode(worker, p, m, dst, columns[m]) })
}

// each calls do for every signal of p, those that miss the same entries one after the other: a worker
// then computes the atoms again only where these entries change.
func (c *Coder) each(p *Problem, do func(worker, m int)) {
	if p.Missing == nil {
		linalg.ForEach(len(c.worker), p.Signals, do)
		return
	}
	for worker := range c.view {
		c.view[worker].forget()
	}
	order := matrix.Sorted(p.Signals, func(a, b int) int { return slices.Compare(p.Missing[a], p.Missing[b]) })
	linalg.ForEach(len(c.worker), p.Signals, func(worker, k int) { do(worker, order[k]) })
}

func (c *Coder) encode(worker int, p *Problem, m int, dst *Code, column int) {
	if p.Missing != nil && len(p.Missing[m]) > 0 {
		p, m = c.view[worker].of(p, m), 0
	}
	atom, coef := c.worker[worker].search(p, m)
	for q, j := range atom {
		coef[q] /= p.Norm[j]
	}
	dst.SetColumn(column, atom, coef)
}

// A Code is the matrix X of sparse codes, atoms × signals, with at most
// Sparsity entries per column. Atom k·N + v is kernel k centred at vertex v.
type Code struct {
	atoms    int
	signals  int
	sparsity int
	count    []int     // entries used in each column
	atom     []int32   // column m owns [m·sparsity, m·sparsity + count[m])
	coef     []float64 // alongside atom
}

// NewCode returns an all-zero code with room for sparsity entries per column.
func NewCode(atoms, signals, sparsity int) *Code {
	return &Code{
		atoms: atoms, signals: signals, sparsity: sparsity,
		count: make([]int, signals),
		atom:  make([]int32, signals*sparsity),
		coef:  make([]float64, signals*sparsity),
	}
}

// FromDense returns the code with the non-zeros of x; its sparsity is the
// largest number of non-zeros in a column.
func FromDense(x mat.Matrix) *Code {
	atoms, signals := x.Dims()
	sparsity := 0
	for m := range signals {
		n := 0
		for j := range atoms {
			if x.At(j, m) != 0 {
				n++
			}
		}
		sparsity = max(sparsity, n)
	}
	c := NewCode(atoms, signals, sparsity)
	for m := range signals {
		for j := range atoms {
			if v := x.At(j, m); v != 0 {
				c.append(m, j, v)
			}
		}
	}
	return c
}

// Columns returns the code of the signals numbered, in that order.
func (c *Code) Columns(signals []int) *Code {
	some := NewCode(c.atoms, len(signals), c.sparsity)
	for to, from := range signals {
		some.count[to] = c.count[from]
		copy(some.atom[to*c.sparsity:(to+1)*c.sparsity], c.atom[from*c.sparsity:(from+1)*c.sparsity])
		copy(some.coef[to*c.sparsity:(to+1)*c.sparsity], c.coef[from*c.sparsity:(from+1)*c.sparsity])
	}
	return some
}

// Dims returns the number of atoms and of signals.
func (c *Code) Dims() (atoms, signals int) { return c.atoms, c.signals }

// Sparsity returns T₀, the most entries a column can have.
func (c *Code) Sparsity() int { return c.sparsity }

// NonZeros returns the number of entries in all columns together.
func (c *Code) NonZeros() int {
	n := 0
	for _, k := range c.count {
		n += k
	}
	return n
}

// Column returns the atoms used by signal m and their coefficients, in the
// order they were chosen. The slices belong to the code: coefficients may be
// changed in place, atoms must not be.
func (c *Code) Column(m int) (atom []int32, coef []float64) {
	lo := m * c.sparsity
	hi := lo + c.count[m]
	return c.atom[lo:hi:hi], c.coef[lo:hi:hi]
}

// SetColumn replaces the entries of signal m. It panics if there are more than
// Sparsity, or if the two slices differ in length.
func (c *Code) SetColumn(m int, atom []int32, coef []float64) {
	if len(atom) != len(coef) || len(atom) > c.sparsity {
		panic(fmt.Sprintf("sparse.SetColumn: %d atoms and %d coefficients for sparsity %d", len(atom), len(coef), c.sparsity))
	}
	lo := m * c.sparsity
	copy(c.atom[lo:], atom)
	copy(c.coef[lo:], coef)
	c.count[m] = len(atom)
}

func (c *Code) append(m, atom int, coef float64) {
	k := m*c.sparsity + c.count[m]
	c.atom[k], c.coef[k] = int32(atom), coef
	c.count[m]++
}

// Dense returns X as a matrix, atoms × signals.
func (c *Code) Dense() *mat.Dense {
	x := mat.NewDense(c.atoms, c.signals, nil)
	for m := range c.signals {
		atom, coef := c.Column(m)
		for k, j := range atom {
			x.Set(int(j), m, coef[k])
		}
	}
	return x
}

// codeParts are what a code is made of.
type codeParts struct {
	Atoms, Signals, Sparsity int
	Count                    []int
	Atom                     []int32
	Coef                     []float64
}

// MarshalBinary returns the code as bytes, to the last bit.
func (c *Code) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(codeParts{c.atoms, c.signals, c.sparsity, c.count, c.atom, c.coef})
	return b.Bytes(), err
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (c *Code) UnmarshalBinary(data []byte) error {
	var p codeParts
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&p); err != nil {
		return err
	}
	*c = Code{p.Atoms, p.Signals, p.Sparsity, p.Count, p.Atom, p.Coef}
	return nil
}

// Clone returns an independent copy.
func (c *Code) Clone() *Code {
	d := NewCode(c.atoms, c.signals, c.sparsity)
	copy(d.count, c.count)
	copy(d.atom, c.atom)
	copy(d.coef, c.coef)
	return d
}
