// Package dictionary holds the dictionary D = [p_1(L) … p_S(L)] of polynomials
// of a graph's normalised Laplacian ([thanou2014], [maretic2017]): its atoms,
// products with it that never build it, and the derivative of the fit
//
//	f(w) = ‖D(L(w))·X − Y‖²_F
//
// with respect to the edge weights w.
//
// Atoms are kernel-major: column k·N + v is kernel k centred at vertex v.
package dictionary

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/kernel"
)

// Pairs are the vertex pairs whose weights are free variables: pair e joins
// I[e] < J[e]. All other weights are zero.
type Pairs struct {
	N    int
	I, J []int32
}

// AllPairs returns every pair of n vertices, ordered by (I, J).
func AllPairs(n int) Pairs {
	p := Pairs{N: n}
	for i := range n {
		for j := i + 1; j < n; j++ {
			p.I, p.J = append(p.I, int32(i)), append(p.J, int32(j))
		}
	}
	return p
}

// EdgesOf returns the pairs joined by an edge of g, and their weights.
func EdgesOf(g *graph.Graph) (Pairs, []float64) {
	p := Pairs{N: g.Vertices()}
	var w []float64
	for _, e := range g.Undirected().Edges() {
		p.I, p.J, w = append(p.I, int32(e.I)), append(p.J, int32(e.J)), append(w, e.Weight)
	}
	return p, w
}

// Len returns the number of pairs.
func (p Pairs) Len() int { return len(p.I) }

// Edges returns the pairs of positive weight as edges.
func (p Pairs) Edges(w []float64) []graph.Edge {
	var edges []graph.Edge
	for e, v := range w {
		if v > 0 {
			edges = append(edges, graph.Edge{I: int(p.I[e]), J: int(p.J[e]), Weight: v})
		}
	}
	return edges
}

// Degrees sets d = W·1.
func (p Pairs) Degrees(d, w []float64) {
	clear(d)
	for e, v := range w {
		d[p.I[e]] += v
		d[p.J[e]] += v
	}
}

// inverseRoots sets s_i = d_i^(−1/2), and 0 for an isolated vertex.
func inverseRoots(s, d []float64) {
	for i, v := range d {
		s[i] = 0
		if v > 0 {
			s[i] = 1 / math.Sqrt(v)
		}
	}
}

// chain turns G, given at the pairs, with df = ⟨G, dL⟩ for symmetric G, into
//
//	∂f/∂w_ij = −2 s_i s_j G_ij + c_i + c_j,   c_i = (1/d_i) Σ_j G_ij A_ij,
//
// in place. Moving w_ij moves both W_ij and W_ji. c is scratch of length N.
func (p Pairs) chain(g, w, d, s, c []float64) {
	clear(c)
	for e, v := range w {
		if v > 0 {
			i, j := p.I[e], p.J[e]
			t := g[e] * v * s[i] * s[j]
			c[i] += t
			c[j] += t
		}
	}
	for i, v := range d {
		if v > 0 {
			c[i] /= v
		}
	}
	for e := range g {
		i, j := p.I[e], p.J[e]
		g[e] = -2*s[i]*s[j]*g[e] + c[i] + c[j]
	}
}

// Normalized sets a to A_ij = W_ij/√(d_i d_j) over the pairs, zero where a vertex
// is isolated. The Laplacian, and so the fit, depends on the weights w only through A.
func (p Pairs) Normalized(a, w []float64) {
	d := make([]float64, p.N)
	p.Degrees(d, w)
	for e, v := range w {
		a[e] = 0
		if v > 0 {
			a[e] = v / math.Sqrt(d[p.I[e]]*d[p.J[e]])
		}
	}
}

// WeightGradient turns g, the derivatives of a function by the normalised weights A
// over the pairs, into those by the weights w, in place.
func (p Pairs) WeightGradient(g, w []float64) {
	d, s, c := make([]float64, p.N), make([]float64, p.N), make([]float64, p.N)
	p.Degrees(d, w)
	inverseRoots(s, d)
	for e := range g {
		g[e] /= -2 // A_ij stands twice in L, with the other sign
	}
	p.chain(g, w, d, s, c)
}

// Dense returns the atoms of the kernels on the graph with Laplacian lap, an
// N×SN matrix, through the eigendecomposition of lap.
func Dense(lap mat.Symmetric, kernels []kernel.Kernel) (*mat.Dense, error) {
	n := lap.SymmetricDim()
	if n == 0 || len(kernels) == 0 {
		return nil, noAtoms("dictionary.Dense", n, len(kernels))
	}
	eig := linalg.NewEigen(n)
	for i := range n {
		for j := i; j < n; j++ {
			eig.Vectors.Data[i*n+j] = lap.At(i, j)
		}
	}
	if err := eig.Factorize(); err != nil {
		return nil, fmt.Errorf("dictionary.Dense: %w", err)
	}
	d := mat.NewDense(n, len(kernels)*n, nil)
	scaled := linalg.NewDense(n, n)
	for s, k := range kernels {
		scaleColumns(scaled, eig.Vectors, evaluate(nil, k, eig.Values))
		block := d.Slice(0, n, s*n, (s+1)*n).(*mat.Dense).RawMatrix()
		linalg.MulTransB(block, scaled, eig.Vectors)
	}
	return d, nil
}

func noAtoms(op string, vertices, kernels int) error {
	return input.Errorf(op, "", "%d vertices and %d kernels make no atoms", vertices, kernels)
}

// evaluate appends p(λ) for each λ to dst.
func evaluate(dst []float64, k kernel.Kernel, lambda []float64) []float64 {
	for _, l := range lambda {
		dst = append(dst, k.Eval(l))
	}
	return dst
}

// scaleColumns sets dst = a·diag(factor).
func scaleColumns(dst, a linalg.Dense, factor []float64) {
	for i := range a.Rows {
		to, from := linalg.Row(dst, i), linalg.Row(a, i)
		for j, f := range factor {
			to[j] = from[j] * f
		}
	}
}
