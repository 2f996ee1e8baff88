package learn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
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
//     on a connected component, leaves them explained (see determined).
//
// The last is what keeps repeated signals, signals of low rank, kernels that do
// not see the graph and supports that span everything from proving anything.

// exact says whether the signals explained on g, as last computed, meet all
// conditions but the last.
func (r *run) exact(g *graph.Graph) bool {
	if !r.mostlyExplained() {
		return false
	}
	explained := r.explained()
	label, components := g.Components()
	vertices, spare := make([]int, components), make([]int, components)
	for _, c := range label {
		vertices[c]++
	}
	for _, e := range g.Edges() {
		spare[label[e.I]] -= 2
	}
	used, seen, centre := make([]int, components), make([]int, components), make([]bool, r.n)
	for _, m := range explained {
		clear(used)
		atom, _ := r.code.Column(m)
		for _, j := range atom {
			used[label[int(j)%r.n]]++
			centre[int(j)%r.n] = true
		}
		r.countSeen(seen, vertices, label, m)
		for c, k := range used {
			if k > 0 { // a signal says nothing about components it does not touch
				spare[c] += max(seen[c]-k, 0)
			}
		}
	}
	return slices.Min(spare) >= 0 && (r.reach() > 1 || !slices.Contains(centre, false))
}

// mostlyExplained says whether all but one in fifty of the signals, as last
// computed, are explained exactly.
func (f *fitter) mostlyExplained() bool { return 50*len(f.unexplained()) <= len(f.explained()) }

// countSeen sets seen to how many vertices of each component signal m has values at.
func (f *fitter) countSeen(seen, vertices, label []int, m int) {
	copy(seen, vertices)
	if f.missing != nil {
		for _, i := range f.missing[m] {
			seen[label[i]]--
		}
	}
}

// reach is how many edges away from its centre an atom is felt.
func (f *fitter) reach() int {
	reach := 0
	for _, k := range f.kernels {
		reach = max(reach, k.Degree())
	}
	return reach
}

// leastInformation is the ratio of the smallest to the largest eigenvalue of
// the information about the log-weights above which they count as determined.
// Right answers have 1e-5 and more; where there is a freedom, rounding leaves
// less than 1e-10.
const leastInformation = 1e-8

// noInformation is where information, which is relative to the signals' energy,
// is nothing but rounding.
const noInformation = 1e-10

// determined says whether the signals explained on g fix its weights up to a
// factor for each component. It looks at few signals first, and at more only
// if they do not suffice.
func (r *run) determined(g *graph.Graph) bool {
	pairs, w := dictionary.EdgesOf(g)
	r.engine.SetPairs(pairs)
	defer r.engine.SetPairs(r.all)
	if r.err = r.engine.At(w); r.err != nil {
		return false
	}
	r.engine.Refit(r.code)
	directions, ok := r.scaleDirections()
	if !ok {
		return false
	}
	signals := r.explained()
	size := len(w) + parameters(directions)
	info := make([]float64, size*size)
	for from, upto := 0, 8+4*size/r.spareEntries(); from < len(signals); from, upto = upto, 2*upto {
		upto = min(upto, len(signals))
		r.dense.AddInformation(info, r.code, signals[from:upto], directions)
		if fullRank(info, g) {
			return true
		}
	}
	return false
}

// fullRank says whether info, the upper triangle of a matrix over the edges of
// g and whatever else is free, is far from singular once the directions that scale a component are filled
// in: whether it stays positive definite when a share of its norm, which bounds
// its largest eigenvalue, is taken from its diagonal.
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
