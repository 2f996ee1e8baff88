package learn

import (
	"math"
	"slices"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/sparse"
)

// How many atoms a signal has is told by how short a message it takes to
// describe the signals exactly: which atoms, their coefficients, and what is left
// over ([rissanen1978]). An atom more is worth it if it takes more from the rest
// than naming it costs. With n vertices, J atoms and a mean residual r,
//
//	length(T) = (n/2)·log r + log C(J, T) + (T/2)·log n   nats a signal.

// describedWell is the residual up to which a description says how many atoms
// there are. Beyond it, what is left is not noise but what the model does not say.
const describedWell = 0.1

// describedFully is the residual below which nothing is worth another atom: a
// thousandth of a signal's size may come from weights that are not exact.
const describedFully = 1e-6

// mostAtoms is the most atoms a signal that are looked at.
const mostAtoms = 16

// shortest returns the number of atoms a signal that makes the message shortest
// on the graph g, with the residual it leaves.
func (r *run) shortest(g *graph.Graph) (atoms int, residual float64) {
	pairs, w := dictionary.EdgesOf(g)
	r.engine.SetPairs(pairs)
	defer r.engine.SetPairs(r.all)
	if r.err = r.engine.Place(w); r.err != nil {
		return r.sparsity, 0
	}
	total := r.n * len(r.kernels)
	entries := float64(r.spareEntries() + r.sparsity)
	best, choices := math.Inf(1), 0.0 // log C(J, T)
	for t := 1; t <= min(mostAtoms, r.n-1) && t <= atoms+3; t++ {
		choices += math.Log(float64(total-t+1) / float64(t))
		coder, err := sparse.NewCoder(total, sparse.Options{Method: sparse.Beam, Sparsity: t, Threads: r.threads})
		if err != nil {
			panic(err) // t is between 1 and the number of atoms
		}
		code := sparse.NewCode(total, r.m, t)
		coder.Encode(r.dense.problem, code)
		left := max(r.engine.Refit(code)/r.energy, describedFully)
		length := entries/2*math.Log(left) + choices + float64(t)/2*math.Log(entries)
		if length < best {
			best, atoms, residual = length, t, left
		}
	}
	return atoms, residual
}

// enoughAtoms returns the number of atoms that suffice for all but one in fifty of
// the signals explained exactly; the others may have found a longer way.
func (r *run) enoughAtoms(code *sparse.Code) int {
	var used []int
	for _, m := range r.explained() {
		atom, _ := code.Column(m)
		used = append(used, len(atom))
	}
	if len(used) == 0 {
		return r.sparsity
	}
	slices.Sort(used)
	return max(used[len(used)-1-len(used)/50], 1)
}
