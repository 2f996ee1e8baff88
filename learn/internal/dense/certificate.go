package dense

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn/internal/fitting"
)

// An answer proves itself if all of these hold:
//
//   - all but one in fifty of the signals are explained to rounding error, each
//     relative to its own energy;
//   - those bring, on each connected component, at least twice the numbers that
//     the weights can absorb, after what their codes do;
//   - every vertex is the centre of an atom they use, if no atom reaches beyond
//     the neighbours of its centre: edges between other vertices are not felt;
//   - they determine the weights: no change of the weights, other than a factor
//     on a connected component, leaves them explained (see determine).
//
// The last is what keeps repeated signals, signals of low rank, kernels that do
// not see the graph and supports that span everything from proving anything.

// exact reports whether the residuals on g meet all conditions but the last.
func exact(f *fitting.DenseFit, g *graph.Graph, residuals fitting.Residuals) bool {
	if !f.MostlyExplained(residuals) {
		return false
	}
	label, components := g.Components()
	vertices, spare := make([]int, components), make([]int, components)
	for _, c := range label {
		vertices[c]++
	}
	for _, e := range g.Edges() {
		spare[label[e.I]] -= 2
	}
	used, seen, centre := make([]int, components), make([]int, components), make([]bool, f.N)
	for _, m := range f.Explained(residuals) {
		clear(used)
		atom, _ := f.Code.Column(m)
		for _, j := range atom {
			used[label[int(j)%f.N]]++
			centre[int(j)%f.N] = true
		}
		copy(seen, vertices) // how many vertices of each component the signal has values at
		if f.Missing != nil {
			for _, i := range f.Missing[m] {
				seen[label[i]]--
			}
		}
		for c, k := range used {
			if k > 0 { // a signal says nothing about components it does not touch
				spare[c] += max(seen[c]-k, 0)
			}
		}
	}
	return slices.Min(spare) >= 0 && (f.Engine.Reach() > 1 || !slices.Contains(centre, false))
}

// leastInformation is the ratio of the smallest to the largest eigenvalue of
// the information about the log-weights above which they count as determined.
// Right answers have 1e-5 and more; where there is a freedom, rounding leaves
// less than 1e-10.
const leastInformation = 1e-8

// noInformation is where information, which is relative to the signals' energy,
// is nothing but rounding.
const noInformation = 1e-10

// weightsDetermined reports whether the signals that p explains fix its weights up to a
// factor for each component. It looks at few signals first, and at more only if
// they do not suffice. The residuals of p are recomputed.
func (a *attempt) weightsDetermined(p *polished) (bool, error) {
	v, w := a.fit.OnEdges(p.graph)
	var err error
	if p.residuals, err = v.RefitAt(w); err != nil {
		return false, err
	}
	directions, ok := a.kernelDirections()
	if !ok {
		return false, nil
	}
	signals := v.Explained(p.residuals)
	size := len(w) + fitting.CountDirections(directions)
	info := make([]float64, size*size)
	for from, upto := 0, 8+4*size/v.SpareEntries(); from < len(signals); from, upto = upto, 2*upto {
		upto = min(upto, len(signals))
		v.Engine.AddInformation(info, v.Code, signals[from:upto], directions)
		if fullRank(info, p.graph) {
			return true, nil
		}
	}
	return false, nil
}

// kernelDirections returns how the kernels move with their free scales, nil if
// they do not move; false if more of them is free, which nothing can prove.
func (a *attempt) kernelDirections() (directions [][][]float64, ok bool) {
	switch {
	case a.kernels == nil:
		return nil, true
	case a.updatedInTurns():
		return nil, false
	}
	return a.kernels.Free.Directions(a.fit.Engine.Kernels(), a.fit.Engine.Eigenvalues()), true
}

// fullRank reports whether info, the upper triangle of a matrix over the edges of g
// and whatever else is free, is far from singular once the directions that scale a
// component are filled in: whether it stays positive definite when a share of its
// norm, which bounds its largest eigenvalue, is taken from its diagonal.
func fullRank(info []float64, g *graph.Graph) bool {
	_, ok := factorised(info, g, leastInformation)
	return ok
}

// factorised returns the Cholesky factor of info with the directions that scale a
// component of g, which signals say nothing about, filled in, less a share of its
// norm; false if that is not positive definite.
func factorised(info []float64, g *graph.Graph, share float64) (*mat.Cholesky, bool) {
	label, components := g.Components()
	edges := g.Edges()
	n := int(math.Sqrt(float64(len(info))) + 0.5)
	size := make([]float64, components)
	for _, e := range edges {
		size[label[e.I]]++
	}
	largest := noInformation
	for k := range n {
		largest = max(largest, info[k*n+k])
	}
	filled := slices.Clone(info)
	for i, a := range edges {
		for j := i; j < len(edges); j++ {
			if c := label[a.I]; c == label[edges[j].I] {
				filled[i*n+j] += largest / size[c]
			}
		}
	}
	matrix := mat.NewSymDense(n, filled)
	taken := share * mat.Norm(matrix, 1)
	for k := range n {
		filled[k*n+k] -= taken
	}
	var factor mat.Cholesky
	ok := factor.Factorize(matrix)
	return &factor, ok
}
