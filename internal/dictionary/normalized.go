package dictionary

import "math"

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
