// Package sparse finds codes: for each signal y a vector x with at most T₀
// non-zeros such that D·x is near y ([maretic2017], section 3). Coders differ in
// how they search for the support. All of them treat atoms as unit vectors
// while searching and return coefficients that belong to the atoms as they are
// in D; all but matching pursuit refit these by least squares.
package sparse

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

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

// Clone returns an independent copy.
func (c *Code) Clone() *Code {
	d := NewCode(c.atoms, c.signals, c.sparsity)
	copy(d.count, c.count)
	copy(d.atom, c.atom)
	copy(d.coef, c.coef)
	return d
}
