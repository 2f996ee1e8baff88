package dense

import (
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
)

// How many atoms a signal has is told by how short a message it takes to
// describe the signals: which atoms, what they make up, and what they leave over
// ([rissanen2000]). An atom more is worth it if it takes more from the rest than
// naming it costs. For n entries of energy e, T of J atoms and a residual r,
//
//	length = (n−T)/2·log(r/(n−T)) + T/2·log((e−r)/T) + ½·log(T(n−T)) + log C(J, T)   nats.

const (
	// describableResidual is the residual up to which a description says how many
	// atoms there are. Beyond it, what is left is not noise but what the model does
	// not say.
	describableResidual = 0.1
	// exactResidual is the residual below which nothing is worth another atom: a
	// thousandth of a signal's size may come from weights that are not exact.
	exactResidual = 1e-6
	// mostAtoms is the most atoms per signal that are looked at.
	mostAtoms = 16
)

// chooseSparsity learns again with as many atoms per signal as the answer asks
// for, until it asks for none other, if the number is to be chosen. If the context
// ends, the answer that there is comes with job.ErrInterrupted: better a whole one than
// half of another.
func (a *attempt) chooseSparsity(found *job.Answer, err error) (*job.Answer, error) {
	tried := map[int]bool{}
	for range job.SparsityTries {
		if err != nil || !a.task.ChooseSparsity {
			return found, err
		}
		if found.Proved {
			found.Model.Sparsity = enoughAtoms(a.fit, found)
			return found, nil
		}
		tried[a.fit.Sparsity] = true
		var residual float64
		atoms, err := job.Remember(a.task.Progress, "sparsity", func() (atoms int, err error) {
			atoms, residual, err = shortestDescription(a.fit, found.Graph)
			return atoms, err
		}, &residual)
		if err != nil {
			return nil, err
		}
		if atoms > a.fit.Sparsity && found.Residual < exactResidual {
			return found, nil // there is nothing left for more atoms to explain
		}
		if tried[atoms] || a.task.lowPass && residual > describableResidual {
			return found, nil
		}
		other := a.withSparsity(atoms)
		next, err := other.learn()
		switch {
		case job.Interrupted(err):
			return found.EndedBy(err)
		case err != nil:
			return nil, err
		}
		a, found = other, next
	}
	return found, nil
}

// shortestDescription returns the number of atoms per signal that makes the
// message shortest on the graph g, with the residual it leaves.
func shortestDescription(f *fitting.DenseFit, g *graph.Graph) (atoms int, residual float64, err error) {
	v, w := f.OnEdges(g)
	if err := v.Place(w); err != nil {
		return 0, 0, err
	}
	best := math.Inf(1)
	for t := 1; t <= min(mostAtoms, f.N/2) && t <= atoms+3; t++ {
		code := sparse.NewCode(f.Engine.AtomCount, f.M, t)
		f.Engine.EncodeWith(f.Engine.NewCoder(sparse.Options{Method: sparse.Beam, Sparsity: t}), code, nil)
		f.Engine.Refit(code)
		residuals := fitting.ResidualsOf(f.Engine)
		if length := f.DescriptionLength(code, residuals, f.EverySignal(), exactResidual); length < best {
			best, atoms, residual = length, t, f.Relative(residuals)
		}
	}
	return max(atoms, 1), residual, nil
}

// enoughAtoms returns the number of atoms that suffice for all but one in fifty of
// the signals explained exactly; the others may have found a longer way.
func enoughAtoms(f *fitting.DenseFit, found *job.Answer) int {
	var used []int
	for _, m := range f.Explained(found.Residuals) {
		atom, _ := found.Codes.Column(m)
		used = append(used, len(atom))
	}
	if len(used) == 0 {
		return f.Sparsity
	}
	slices.Sort(used)
	return max(used[len(used)-1-len(used)/50], 1)
}
