package sparse

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
)

// Atoms is a dictionary whose atoms are zero but at a few vertices.
type Atoms interface {
	Dims() (vertices, atoms int)
	// Atom returns where atom j is not zero, in order, and its values there.
	// The slices must not be changed.
	Atom(j int) (vertex []int32, value []float64)
}

// LocalOptions say how to code with local atoms. Only Sparsity is required.
type LocalOptions struct {
	Sparsity int
	Sweeps   int // how often every atom of a code is reconsidered
	// Floor is the share of a signal's largest inner product at which the search
	// ends: smaller ones may come from the truncation of atoms alone.
	Floor   float64
	Threads int // zero means 1; the result does not depend on it
}

// A LocalCoder codes by orthogonal matching pursuit in a dictionary of local
// atoms: a new atom changes the residual and the inner products only around it.
// Then, in each sweep, every atom of the code is removed in turn and put back, or
// replaced by one that fits better.
//
// Inner products are taken over the core of each atom, which holds most of its
// energy; coefficients are least squares on the whole atoms.
type LocalCoder struct {
	options LocalOptions
	atoms   Atoms
	n, j    int
	norm    []float64
	// The cores by vertex: which atoms are large there, and their values over their norms.
	start []int
	atom  []int32
	value []float64

	worker []localSearch
}

// coreShare is the share of an atom's largest value above which an entry
// belongs to its core.
const coreShare = 0.03

// NewLocalCoder prepares coding with the atoms as they are now.
func NewLocalCoder(atoms Atoms, o LocalOptions) *LocalCoder {
	o.Threads = max(o.Threads, 1)
	n, j := atoms.Dims()
	c := &LocalCoder{
		options: o, atoms: atoms, n: n, j: j,
		norm: make([]float64, j), start: make([]int, n+1), worker: make([]localSearch, o.Threads),
	}
	level := make([]float64, j)
	linalg.ForEach(o.Threads, j, func(_, k int) {
		_, value := atoms.Atom(k)
		c.norm[k] = floats.Norm(value, 2)
		for _, v := range value {
			level[k] = max(level[k], coreShare*math.Abs(v))
		}
	})
	for k := range j {
		vertex, value := atoms.Atom(k)
		for q, v := range vertex {
			if math.Abs(value[q]) > level[k] {
				c.start[v+1]++
			}
		}
	}
	for i := range n {
		c.start[i+1] += c.start[i]
	}
	c.atom, c.value = make([]int32, c.start[n]), make([]float64, c.start[n])
	next := make([]int, n)
	copy(next, c.start)
	for k := range j {
		vertex, value := atoms.Atom(k)
		for q, v := range vertex {
			if math.Abs(value[q]) > level[k] {
				c.atom[next[v]], c.value[next[v]] = int32(k), value[q]/c.norm[k]
				next[v]++
			}
		}
	}
	return c
}

// Encode codes the given signals, of which signal returns the values. If ctx
// ends, the signals not yet coded keep the codes they have.
func (c *LocalCoder) Encode(ctx context.Context, signal func(m int) []float64, dst *Code, signals []int) {
	linalg.ForEach(c.options.Threads, len(signals), func(worker, k int) {
		if ctx.Err() != nil {
			return
		}
		m := signals[k]
		c.worker[worker].code(c, signal(m))
		dst.SetColumn(m, c.worker[worker].support, c.worker[worker].coef)
	})
}

// localSearch is one goroutine's search.
type localSearch struct {
	r       []float64 // residual, over the vertices
	product []float64 // of r with the cores of all atoms
	used    []bool
	place   []float64 // scratch over the vertices

	support    []int32
	coef       []float64
	before     []float64
	gram       []float64 // of the support, T₀ to a row
	factor     []float64 // its Cholesky factor
	right      []float64 // products of its atoms with the signal
	negligible float64   // changes of r below it leave the inner products alone
}

func (s *localSearch) code(c *LocalCoder, y []float64) {
	limit := c.options.Sparsity
	if s.r == nil {
		s.r, s.product, s.used, s.place = make([]float64, c.n), make([]float64, c.j), make([]bool, c.j), make([]float64, c.n)
		s.gram, s.factor = make([]float64, limit*limit), make([]float64, limit*limit)
	}
	copy(s.r, y)
	clear(s.product)
	energy := portable.Dot(y, y)
	s.support, s.coef, s.right = s.support[:0], s.coef[:0], s.right[:0]
	s.negligible = 1e-3 * math.Sqrt(energy/float64(limit))
	for i, v := range y {
		if math.Abs(v) > s.negligible/10 {
			c.addToProducts(s.product, i, v)
		}
	}
	floor := 0.0
	for len(s.support) < limit {
		j := s.largest()
		if j < 0 || math.Abs(s.product[j]) <= floor {
			break
		}
		floor = max(floor, c.options.Floor*math.Abs(s.product[j]))
		s.push(c, y, int32(j))
		s.refit(c)
	}
	for range c.options.Sweeps {
		if !s.sweep(c, y) {
			break
		}
	}
	for _, j := range s.support {
		s.used[j] = false
	}
}

// addToProducts adds v times row i of the dictionary to the inner products.
func (c *LocalCoder) addToProducts(product []float64, i int, v float64) {
	lo, hi := c.start[i], c.start[i+1]
	atom, value := c.atom[lo:hi], c.value[lo:hi]
	for k, j := range atom {
		product[j] += v * value[k]
	}
}

// largest returns the unused atom of the largest inner product, or −1.
func (s *localSearch) largest() int {
	best, most := -1, 0.0
	for j, v := range s.product {
		if v = math.Abs(v); v > most && !s.used[j] {
			best, most = j, v
		}
	}
	return best
}

// push adds atom j to the support, with coefficient zero.
func (s *localSearch) push(c *LocalCoder, y []float64, j int32) {
	k := len(s.support)
	s.support, s.coef, s.right = append(s.support, j), append(s.coef, 0), append(s.right, 0)
	s.set(c, y, k, j)
}

// set makes j the atom at place k of the support.
func (s *localSearch) set(c *LocalCoder, y []float64, k int, j int32) {
	s.support[k] = j
	s.used[j] = true
	vertex, value := c.atoms.Atom(int(j))
	s.right[k] = 0
	for q, v := range vertex {
		s.place[v] = value[q]
		s.right[k] += value[q] * y[v]
	}
	limit := c.options.Sparsity
	for q, other := range s.support {
		at, x := c.atoms.Atom(int(other))
		var dot float64
		for p, v := range at {
			dot += x[p] * s.place[v]
		}
		s.gram[k*limit+q], s.gram[q*limit+k] = dot, dot
	}
	for _, v := range vertex {
		s.place[v] = 0
	}
	// The rows of the factor from k on depend on it.
	for i := k; i < len(s.support); i++ {
		copy(s.factor[i*limit:i*limit+i+1], s.gram[i*limit:])
		factorRow(s.factor, limit, i)
	}
}

// refit solves for the coefficients and brings residual and products up to date.
func (s *localSearch) refit(c *LocalCoder) {
	s.before = append(s.before[:0], s.coef...)
	copy(s.coef, s.right)
	solveFactored(s.factor, c.options.Sparsity, s.coef)
	for k := range s.support {
		s.add(c, k, s.before[k]-s.coef[k])
	}
}

// add adds a multiple of atom k of the support to the residual.
func (s *localSearch) add(c *LocalCoder, k int, multiple float64) {
	j := s.support[k]
	vertex, value := c.atoms.Atom(int(j))
	matters := math.Abs(multiple)*c.norm[j] > s.negligible
	for q, v := range vertex {
		d := multiple * value[q]
		s.r[v] += d
		if matters && math.Abs(d) > s.negligible/10 {
			c.addToProducts(s.product, int(v), d)
		}
	}
}

// sweep reconsiders every atom of the support and reports whether one was replaced.
func (s *localSearch) sweep(c *LocalCoder, y []float64) bool {
	changed := false
	for k := range s.support {
		old := s.support[k]
		energy := portable.Dot(s.r, s.r)
		s.add(c, k, s.coef[k])
		kept := s.coef[k]
		s.coef[k] = 0
		s.used[old] = false
		j := s.largest()
		if j < 0 || int32(j) == old {
			s.used[old] = true
			s.coef[k] = kept
			s.add(c, k, -kept)
			continue
		}
		s.set(c, y, k, int32(j))
		s.refit(c)
		if portable.Dot(s.r, s.r) < energy {
			changed = true
			continue
		}
		s.add(c, k, s.coef[k])
		s.coef[k] = 0
		s.used[j] = false
		s.set(c, y, k, old)
		s.refit(c)
	}
	return changed
}
