package dense

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/kernelparam"
)

const (
	// comparedSignals is the most signals by which kernels are compared.
	comparedSignals = 400
	// clearlyBetter is how many standard errors a prediction must be better by. Where
	// the kernels begun with are right, that of low-pass ones is next to nothing.
	clearlyBetter = 1
	// nearlyBest is the share of the best prediction that is good enough. Of the
	// low-pass kernels within it, those on signals without their common mode come
	// first, because a common mode is no sum of few atoms, and then the narrowest,
	// because wider ones need more edges for the same field.
	nearlyBest = 0.95
	// lowPassAtoms is how many atoms a signal of a smooth field is coded with at
	// most, a quarter of the vertices if that is less: it has no few atoms of its own.
	lowPassAtoms = 8
)

// lowPassScales are the scales of the low-pass kernels that are tried.
var lowPassScales = []float64{1, 2}

// compareKernels compares low-pass kernels with those of the model. It returns the
// scores, and of these the one that is better, nil if none is.
func (t problem) compareKernels(first fitting.Model) (scores []job.KernelScore, better *job.KernelScore, err error) {
	atoms := first.Sparsity
	if t.ChooseSparsity {
		atoms = max(min(lowPassAtoms, len(t.Data.Vertices)/4), 1)
	}
	scores = []job.KernelScore{{Model: first}}
	for _, removed := range []bool{true, false} {
		for _, scale := range lowPassScales {
			scores = append(scores, job.KernelScore{CommonModeRemoved: removed, Model: fitting.Model{Kernels: kernelparam.Heat(scale), Sparsity: atoms}})
		}
	}
	m := t.Data.Count()
	order := rng.Stream(t.Settings.Seed, "kernels").Perm(m)
	order = order[:min(m, comparedSignals)]
	slices.Sort(order)
	some := t.Data.Subset(order)
	errors := make([][]float64, len(scores))
	for k := range scores {
		s := &scores[k]
		var meanErrors []float64
		t.Data = s.Signals(some)
		errors[k], err = job.Remember(t.Progress, "kernels", func(c *checkpoint.Coder, e *[]float64) {
			c.Floats(e)
			c.Floats(&meanErrors)
		}, func() (e []float64, err error) {
			e, meanErrors, err = t.predictHeldOut(s.Model)
			return e, err
		})
		if err != nil {
			return nil, nil, err
		}
		s.Kernels, s.Sparsity = kernel.Names(s.Model.Kernels), s.Model.Sparsity
		if total := portable.Sum(meanErrors); total > 0 {
			s.Prediction = 1 - portable.Sum(errors[k])/total
		}
	}
	best := 0.0
	for _, s := range scores[1:] {
		best = max(best, s.Prediction)
	}
	for k, s := range scores {
		if k == 0 || s.Prediction < nearlyBest*best || best == 0 || errors[0] == nil || errors[k] == nil {
			continue
		}
		if mean, err := meanDifference(errors[0], errors[k]); mean > clearlyBetter*err {
			return scores, &scores[k], nil
		}
	}
	return scores, nil, nil
}

// predictHeldOut learns with a model from three quarters of the signals, by one
// start, and returns the errors of its predictions in the others and those of the
// mean; see predictVertices. It returns none if no graph is found.
func (t problem) predictHeldOut(m fitting.Model) (errors, meanErrors []float64, err error) {
	all := t.Data
	signals := all.Count()
	var train, test []int
	for k := range signals {
		if k%4 == 0 {
			test = append(test, k)
		} else {
			train = append(train, k)
		}
	}
	t.Data = all.Subset(train)
	a := newAttempt(t, m, nil)
	t.Progress.Start = 1
	found, err := a.search(1, noCandidate())
	weights := found.best.weights
	switch {
	case found.proved != nil:
		weights = found.proved.Weights
	case err != nil:
		return nil, nil, err
	case weights == nil:
		return nil, nil, nil
	}
	v, w := a.fit.OnEdges(weights)
	if err := v.At(w); err != nil {
		return nil, nil, err
	}
	errors, meanErrors = fitting.PredictVertices(fitting.EigenOf(v.Engine.Spectral), v.Engine.Kernels(), all.Rows.RawMatrix(), train, test)
	return errors, meanErrors, nil
}

// meanDifference returns the mean of a − b and its standard error.
func meanDifference(a, b []float64) (mean, err float64) {
	n := float64(len(a))
	for k := range a {
		mean += (a[k] - b[k]) / n
	}
	for k := range a {
		d := a[k] - b[k] - mean
		err += d * d
	}
	return mean, math.Sqrt(err / (n - 1) / n)
}
