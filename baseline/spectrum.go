package baseline

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
)

// A spectrum is the eigendecomposition of the second moments C = YYᵀ/M of
// signals in some unit.
type spectrum struct {
	values  []float64 // c, descending, at least 0
	vectors linalg.Dense
	// space numbers the eigenspaces: equal for vectors whose values differ by
	// no more than rounding. Within a space the vectors are arbitrary.
	space []int
	// perron is the unit vector nearest to the vector of ones in the space
	// nearest to it: the eigenvector of one sign if that is a space of its own.
	perron      []float64
	perronSpace int
}

// eigenTie is the share of the largest eigenvalue by which two must differ not
// to count as one: some thousand times the rounding of the decomposition.
const eigenTie = 1e-12

// moments decomposes YYᵀ/M, with y in a unit near its largest entry.
func moments(y *mat.Dense) (*spectrum, error) {
	n, signals := y.Dims()
	raw := unscaled(y).RawMatrix()
	eig := linalg.NewEigen(n)
	linalg.MulTransB(eig.Vectors, raw, raw)
	for k := range eig.Vectors.Data {
		eig.Vectors.Data[k] /= float64(signals)
	}
	if err := eig.Factorize(); err != nil {
		return nil, err
	}
	s := &spectrum{values: make([]float64, n), vectors: linalg.NewDense(n, n), space: make([]int, n)}
	order := matrix.Sorted(n, func(a, b int) int { return cmp.Compare(eig.Values[b], eig.Values[a]) })
	for k, from := range order {
		s.values[k] = max(eig.Values[from], 0)
		for i := range n {
			s.vectors.Data[i*n+k] = eig.Vectors.Data[i*n+from]
		}
		if k > 0 {
			s.space[k] = s.space[k-1]
			if s.values[k-1]-s.values[k] > eigenTie*s.values[0] {
				s.space[k]++
			}
		}
	}
	s.findPerron()
	return s, nil
}

// findPerron looks for the eigenvector of one sign. Its cosine with the vector of
// ones is mean(√d)/√mean(d) for degrees d: unless they vary wildly its square is
// above 1/2, and no other eigenvector can be nearer.
func (s *spectrum) findPerron() {
	n := len(s.values)
	share := make([]float64, n) // of the vector of ones, for each space
	along := make([]float64, n) // its product with each eigenvector
	for k := range n {
		for i := range n {
			along[k] += s.vectors.Data[i*n+k]
		}
		share[s.space[k]] += along[k] * along[k]
	}
	for space, v := range share {
		if v > share[s.perronSpace]*(1+tieSlack) {
			s.perronSpace = space
		}
	}
	s.perron = make([]float64, n)
	for k := range n {
		if s.space[k] == s.perronSpace {
			for i := range n {
				s.perron[i] += along[k] * s.vectors.Data[i*n+k]
			}
		}
	}
	norm := math.Sqrt(share[s.perronSpace])
	for i := range s.perron {
		s.perron[i] /= norm
	}
}

// cutAtGap cuts normalised weights A = D^(−1/2) W D^(−1/2) at their largest gap.
// [graph.Graph.CutAtGap] normalises what it is given, so it is given W, whose
// degrees are the squares of the Perron vector's entries.
func (s *spectrum) cutAtGap(g *graph.Graph) *graph.Graph {
	edges := g.Edges()
	for k, e := range edges {
		edges[k].Weight *= math.Abs(s.perron[e.I] * s.perron[e.J])
	}
	cut, _ := mustGraph(g.Names(), edges).CutAtGap()
	kept := map[[2]int]bool{}
	for _, e := range cut.Edges() {
		kept[[2]int{e.I, e.J}] = true
	}
	return mustGraph(g.Names(), slices.DeleteFunc(g.Edges(), func(e graph.Edge) bool { return !kept[[2]int{e.I, e.J}] }))
}
