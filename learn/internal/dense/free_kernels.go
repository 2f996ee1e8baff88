package dense

import (
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/kernelparam"
	"github.com/nervure/nervure/learn/internal/ongraph"
)

// Free kernels on a graph that is not known. Polynomials without any shape would
// fit any graph a little; so kernels of known families first find, with their
// scales, a graph that is nearly right, and polynomials go on from these.

// learnWithFreeKernels learns polynomials with the graph.
func (t problem) learnWithFreeKernels() (*job.Answer, error) {
	count := t.Settings.KernelCount
	if count == 0 && t.Data.Count() < ongraph.LeastToChoose {
		count = 2
	}
	if count == 0 {
		var err error
		if count, t.Side.Init, err = t.bestKernelCount(); err != nil {
			return nil, err
		}
	}
	free, err := t.tryFree(fitting.Model{Kernels: kernelparam.Families(count), Sparsity: t.Model.Sparsity})
	if free.proved != nil {
		return free.conclude(nil) // kernels of known families did so
	}
	found, err := free.conclude(err)
	if found == nil {
		return nil, err
	}
	if fault := t.finalise(found, free.kernels.Free); fault != nil {
		return nil, fault
	}
	return found, err
}

// tryFree learns the scales of the model's kernels, and then polynomials that
// begin as these. If the context ends, what it has found comes with job.ErrInterrupted.
func (t problem) tryFree(m fitting.Model) (trial, error) {
	scaled, err := t.try(m, kernelparam.Scales{}, brief)
	if scaled.proved != nil || err != nil {
		return scaled, err
	}
	free := kernelparam.Polynomials{Bounds: kernelparam.NewBounds(t.Settings.KernelDegree, 0, 0)}
	if m.Kernels, err = free.Approximating(scaled.best.kernels); err != nil {
		return scaled, err
	}
	onwards := t
	onwards.Side.Init = scaled.best.weights
	found, err := onwards.try(m, free, brief)
	found.task = t // what comes after starts as usual
	return found, err
}

// bestKernelCount returns how many kernels describe held-out signals best. If the
// context ends, it returns the number it has come to and the graph to begin from.
func (t problem) bestKernelCount() (int, *graph.Graph, error) {
	all, sparsity := t.Data, t.Model.Sparsity
	m := all.Count()
	order := rng.Stream(t.Settings.Seed, "kernels").Perm(m)
	order = order[:min(m, comparedSignals)]
	test, train := slices.Clone(order[:len(order)/ongraph.HeldOutShare]), slices.Clone(order[len(order)/ongraph.HeldOutShare:])
	slices.Sort(test)
	slices.Sort(train)
	held := all.Subset(test)
	t.Data = all.Subset(train)
	var residuals [][]float64
	for count := 1; count <= ongraph.MostKernels; count++ {
		free, err := t.tryFree(fitting.Model{Kernels: kernelparam.Families(count), Sparsity: sparsity})
		switch {
		case free.proved != nil:
			return count, t.Side.Init, nil
		case job.Interrupted(err):
			return count, free.best.weights, nil
		case err != nil:
			return 0, nil, err
		}
		e, err := ongraph.HeldOutResiduals(held, free.best.weights, free.model(), t.Settings.Threads)
		if err != nil {
			return 0, nil, err
		}
		residuals = append(residuals, e)
	}
	return ongraph.ChooseByScore(ongraph.ScoreCounts(residuals, len(all.Vertices), sparsity)), t.Side.Init, nil
}

// finalise puts the kernels of an answer into the form in which they are returned.
func (t problem) finalise(found *job.Answer, free kernelparam.Parameters) error {
	a := newAttempt(t, found.Model, free)
	v, w := a.fit.OnEdges(found.CodedOn)
	if err := v.At(w); err != nil {
		return err
	}
	a.fit.Code = found.Codes
	if _, err := a.kernels.Finalise(); err != nil {
		return err
	}
	found.Codes, found.Model.Kernels = a.fit.Code, a.fit.Engine.Kernels()
	return nil
}
