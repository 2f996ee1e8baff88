package learn

import (
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

// Free kernels on a graph that is not known. Polynomials without any shape would
// fit any graph a little; so kernels of known families first find, with their
// scales, a graph that is nearly right, and polynomials go on from these.

// learnWithFreeKernels learns polynomials with the graph.
func (t problem) learnWithFreeKernels() (*answer, error) {
	count := t.settings.KernelCount
	if count == 0 && t.data.count() < leastToChoose {
		count = 2
	}
	if count == 0 {
		var err error
		if count, t.side.init, err = t.bestKernelCount(); err != nil {
			return nil, err
		}
	}
	free, err := t.tryFree(innerModel{Kernels: kernelFamilies(count), Sparsity: t.model.Sparsity})
	if free.proved != nil {
		return free.conclude(nil) // kernels of known families did so
	}
	found, err := free.conclude(err)
	if found == nil {
		return nil, err
	}
	if fault := t.finalise(found, free.kernels.free); fault != nil {
		return nil, fault
	}
	return found, err
}

// tryFree learns the scales of the model's kernels, and then polynomials that
// begin as these. If the context ends, what it has found comes with errInterrupted.
func (t problem) tryFree(m innerModel) (trial, error) {
	scaled, err := t.try(m, kernelScales{}, brief)
	if scaled.proved != nil || err != nil {
		return scaled, err
	}
	free := freePolynomials{newPolynomialBounds(t.settings.KernelDegree, 0, 0)}
	if m.Kernels, err = free.approximating(scaled.best.kernels); err != nil {
		return scaled, err
	}
	onwards := t
	onwards.side.init = scaled.best.weights
	found, err := onwards.try(m, free, brief)
	found.task = t // what comes after starts as usual
	return found, err
}

// bestKernelCount returns how many kernels describe held-out signals best. If the
// context ends, it returns the number it has come to and the graph to begin from.
func (t problem) bestKernelCount() (int, *graph.Graph, error) {
	all, sparsity := t.data, t.model.Sparsity
	m := all.count()
	order := rng.Stream(t.settings.Seed, "kernels").Perm(m)
	order = order[:min(m, comparedSignals)]
	test, train := slices.Clone(order[:len(order)/heldOutShare]), slices.Clone(order[len(order)/heldOutShare:])
	slices.Sort(test)
	slices.Sort(train)
	held := all.subset(test)
	t.data = all.subset(train)
	var residuals [][]float64
	for count := 1; count <= mostKernels; count++ {
		free, err := t.tryFree(innerModel{Kernels: kernelFamilies(count), Sparsity: sparsity})
		switch {
		case free.proved != nil:
			return count, t.side.init, nil
		case interrupted(err):
			return count, free.best.weights, nil
		case err != nil:
			return 0, nil, err
		}
		e, err := heldOutResiduals(held, free.best.weights, free.model(), t.settings.Threads)
		if err != nil {
			return 0, nil, err
		}
		residuals = append(residuals, e)
	}
	return chooseByScore(scoreCounts(residuals, len(all.vertices), sparsity)), t.side.init, nil
}

// finalise puts the kernels of an answer into the form in which they are returned.
func (t problem) finalise(found *answer, free kernelParameters) error {
	a := newAttempt(t, found.model, free)
	v, w := a.fit.onEdges(found.codedOn)
	if err := v.at(w); err != nil {
		return err
	}
	a.fit.code = found.codes
	if _, err := a.kernels.finalise(); err != nil {
		return err
	}
	found.codes, found.model.Kernels = a.fit.code, a.fit.engine.Kernels()
	return nil
}
