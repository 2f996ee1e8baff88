package sparse

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// columns are the atoms of a matrix, zeros left out.
type columns struct {
	vertex [][]int32
	value  [][]float64
	n      int
}

func columnsOf(d *mat.Dense) *columns {
	n, atoms := d.Dims()
	c := &columns{vertex: make([][]int32, atoms), value: make([][]float64, atoms), n: n}
	for j := range atoms {
		for i := range n {
			if v := d.At(i, j); v != 0 {
				c.vertex[j], c.value[j] = append(c.vertex[j], int32(i)), append(c.value[j], v)
			}
		}
	}
	return c
}

func (c *columns) Dims() (vertices, atoms int) { return c.n, len(c.vertex) }

func (c *columns) Atom(j int) (vertex []int32, value []float64) { return c.vertex[j], c.value[j] }

// local returns atoms that live on seven neighbours in a ring, and signals of t
// of them.
func local(name string, n, signals, t int) (d *mat.Dense, x *Code, y *mat.Dense) {
	r := rng.Stream(*seed, name)
	d = mat.NewDense(n, 2*n, nil)
	for j := range 2 * n {
		for k := -3; k <= 3; k++ {
			d.Set((j+k+n)%n, j, r.NormFloat64()/float64(1+k*k))
		}
	}
	x = NewCode(2*n, signals, t)
	for m := range signals {
		for _, j := range r.Perm(2 * n)[:t] {
			x.append(m, j, math.Copysign(0.5+r.Float64(), r.NormFloat64()))
		}
	}
	y = &mat.Dense{}
	y.Mul(d, x.Dense())
	return d, x, y
}

func encodeLocally(d, y *mat.Dense, o LocalOptions) *Code {
	_, atoms := d.Dims()
	_, m := y.Dims()
	signals := make([]int, m)
	for k := range signals {
		signals[k] = k
	}
	dst := NewCode(atoms, m, o.Sparsity)
	NewLocalCoder(columnsOf(d), o).Encode(context.Background(), func(m int) []float64 { return mat.Col(nil, m, y) }, dst, signals)
	return dst
}

func TestLocalCoderFindsPlantedSupports(t *testing.T) {
	d, x, y := local("local", 200, 60, 6)
	found := encodeLocally(d, y, LocalOptions{Sparsity: 6, Sweeps: 3, Threads: 2})
	right := 0
	for m := range 60 {
		if slices.Equal(support(found, m), support(x, m)) {
			right++
			_, coef := found.Column(m)
			for q, j := range first(found.Column(m)) {
				if want := x.Dense().At(int(j), m); math.Abs(coef[q]-want) > 1e-9 {
					t.Fatalf("signal %d: coefficient %v, want %v", m, coef[q], want)
				}
			}
		}
	}
	if right < 54 {
		t.Errorf("%d of 60 supports found", right)
	}
}

func first[A, B any](a A, _ B) A { return a }

// A sweep replaces an atom only where that lowers the residual, and the
// residual that is left is what least squares leaves on the support.
func TestSweepsOnlyImprove(t *testing.T) {
	d, _, y := local("sweeps", 60, 80, 10)
	var before []float64
	for sweeps := range 3 {
		c := encodeLocally(d, y, LocalOptions{Sparsity: 8, Sweeps: sweeps})
		r := residual(d, y, c)
		var now []float64
		for m := range 80 {
			col := mat.Col(nil, m, r)
			now = append(now, floats.Dot(col, col))
			for _, j := range first(c.Column(m)) {
				if dot := floats.Dot(mat.Col(nil, int(j), d), col); math.Abs(dot) > 1e-8 {
					t.Fatalf("signal %d: residual and atom %d have product %g", m, j, dot)
				}
			}
		}
		for m := range before {
			if now[m] > before[m]*(1+1e-9)+1e-20 {
				t.Errorf("signal %d: %d sweeps leave %g, fewer left %g", m, sweeps, now[m], before[m])
			}
		}
		before = now
	}
}

func TestLocalCoderDoesNotDependOnThreads(t *testing.T) {
	d, _, y := local("threads", 100, 50, 5)
	one := encodeLocally(d, y, LocalOptions{Sparsity: 5, Sweeps: 2})
	three := encodeLocally(d, y, LocalOptions{Sparsity: 5, Sweeps: 2, Threads: 3})
	if !mat.Equal(one.Dense(), three.Dense()) {
		t.Error("codes differ")
	}
}

func TestLocalCoderStopsWhenNothingIsLeft(t *testing.T) {
	d, _, y := local("few", 100, 20, 2)
	for m := range 100 {
		y.Set(m, 0, 0) // a signal of zeros
	}
	c := encodeLocally(d, y, LocalOptions{Sparsity: 6, Floor: 1e-6})
	if atom, _ := c.Column(0); len(atom) != 0 {
		t.Errorf("a signal of zeros has atoms %v", atom)
	}
	short := 0
	for m := 1; m < 20; m++ {
		if atom, _ := c.Column(m); len(atom) == 2 {
			short++
		}
	}
	if short < 12 {
		t.Errorf("%d of 19 signals of two atoms have two", short)
	}
}
