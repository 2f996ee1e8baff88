package learn

import (
	"math"
	"slices"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/sparse"
)

// How many atoms a signal has is told by how short a message it takes to
// describe the signals: which atoms, what they make up, and what they leave over
// ([rissanen2000]). An atom more is worth it if it takes more from the rest than
// naming it costs. For n entries of energy e, T of J atoms and a residual r,
//
//	length = (n−T)/2·log(r/(n−T)) + T/2·log((e−r)/T) + ½·log(T(n−T)) + log C(J, T)   nats.

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
	best := math.Inf(1)
	for t := 1; t <= min(mostAtoms, r.n/2) && t <= atoms+3; t++ {
		coder, err := sparse.NewCoder(total, sparse.Options{Method: sparse.Beam, Sparsity: t, Threads: r.threads})
		if err != nil {
			panic(err) // t is between 1 and the number of atoms
		}
		code := sparse.NewCode(total, r.m, t)
		coder.Encode(r.dense.problem, code)
		left := r.engine.Refit(code) / r.energy
		if length := r.description(code); length < best {
			best, atoms, residual = length, t, left
		}
	}
	return max(atoms, 1), residual
}

// description returns how long a message the code, as last fitted, makes of the signals.
func (r *run) description(code *sparse.Code) float64 {
	var length float64
	for m, left := range r.engine.Residuals() {
		energy := r.engine.SignalEnergy(m)
		atom, _ := code.Column(m)
		n, t := float64(r.n), float64(len(atom))
		if r.missing != nil {
			n -= float64(len(r.missing[m]))
		}
		if energy == 0 || t == 0 || t >= n {
			continue
		}
		left = min(max(left/energy, describedFully), 1-describedFully)
		length += (n-t)/2*math.Log(left/(n-t)) + t/2*math.Log((1-left)/t) + math.Log(t*(n-t))/2
		for k := range len(atom) {
			length += math.Log(float64(r.n*len(r.kernels)-k) / float64(k+1))
		}
	}
	return length
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
