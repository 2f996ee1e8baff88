package dense

import (
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
)

// Automatic choice of the kernels. Nothing here knows the truth:
//
//   - kernels that lead to an answer which proves itself are right;
//   - their scales are learned too, and those of two low-pass kernels, and kept if
//     that proves itself, or leads to a clear gap in the weights and explains the
//     signals better;
//   - scales may move once more on the edges that were found, see other_scales.go: among
//     all pairs, weights that make up for wrong scales hide them;
//   - otherwise kernels are compared by how well the graphs that they lead to
//     predict vertices from others, in signals not learned from: see
//     fitting.PredictVertices. How well they code says nothing about them. Beside the
//     kernels to begin with, low-pass ones are tried, which suit measured fields;
//   - how many atoms a signal has is told by the shortest description of the
//     signals, see sparsity.go, where they are described well.

// A trial is what an attempt has come to, before it makes an answer of it.
type trial struct {
	*attempt
	outcome
}

// try explores with a model, from what its rival has found and as long as it keeps up with that,
// if there is one. If the context ends, what it has found comes with job.ErrInterrupted.
func (t problem) try(m fitting.Model, free fitting.Parameters, most effort, rival *outcome) (trial, error) {
	a := newAttempt(t, m, free)
	a.rival = rival
	found, err := a.explore(most)
	return trial{a, found}, err
}

// hopOn goes on with a trial whose usual start alone was explored, if signals may be
// exact and more starts are allowed.
func (t trial) hopOn() (trial, error) {
	usual := t.usualStart()
	if usual >= t.task.Settings.Starts || !t.mayBeExact(t.best) {
		return t, nil
	}
	found, err := job.Remember(t.task.Progress, "explore", func() (outcome, error) {
		t.task.Progress.Start = usual + 1
		return t.hop(t.outcome)
	}, t.attempt)
	return trial{t.attempt, found}, err
}

// conclude makes an answer of a trial, with as many atoms per signal as it asks
// for, or fewer steps if err is that of an interruption.
func (t trial) conclude(err error) (*job.Answer, error) {
	return t.chooseSparsity(t.attempt.conclude(t.outcome, err))
}

// concludeWithScales is conclude where nothing ended the search, with other scales if these fit better.
func (t trial) concludeWithScales() (*job.Answer, error) {
	found, err := t.attempt.conclude(t.outcome, nil)
	return t.fitScales(found, err, func(fit *job.Answer) (*job.Answer, error) { return fit, nil })
}

// learnWithAutomaticKernels learns with kernels that nobody gave.
func (t problem) learnWithAutomaticKernels() (*job.Answer, error) {
	first, err := t.try(t.Model, nil, once, nil)
	if first.settled() || err != nil {
		return first.conclude(err)
	}
	chosen := first
	var rival *outcome
	if first.best.hasClearGap() {
		rival = &first.outcome
	}
	for _, kernels := range [][]kernel.Kernel{t.Model.Kernels, fitting.Heat(2, 0.5)} {
		scaled, err := t.try(fitting.Model{Kernels: kernels, Sparsity: t.Model.Sparsity}, fitting.Scales{}, once, rival)
		switch {
		case scaled.proved != nil:
			return scaled.conclude(nil)
		case job.Failed(err):
			return nil, err
		case scaled.best.hasClearGap() && scaled.best.residual < job.ExplainsBetter*chosen.best.residual:
			chosen = scaled
		}
		if err != nil {
			return chosen.conclude(err)
		}
	}
	same := chosen.attempt == first.attempt
	first, err = first.hopOn()
	if first.settled() || job.Failed(err) {
		return first.conclude(err)
	}
	if same {
		chosen = first
	}
	if err != nil {
		return chosen.conclude(err)
	}
	if chosen.best.hasClearGap() {
		return chosen.concludeWithScales()
	}
	scores, better, err := t.compareKernels(chosen.model())
	if err != nil {
		return chosen.conclude(err)
	}
	var found *job.Answer
	if better == nil {
		found, err = chosen.concludeWithScales()
	} else {
		t.lowPass = true
		t.Data = better.Signals(t.Data)
		found, err = t.learnWith(better.Model, nil)
	}
	if found != nil {
		found.Scores, found.CommonModeRemoved = scores, better != nil && better.CommonModeRemoved
	}
	return found, err
}

// model returns what the best point was found with.
func (t trial) model() fitting.Model {
	return fitting.Model{Kernels: t.best.kernels, Sparsity: t.fit.Sparsity}
}

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
			m := fitting.Model{Kernels: fitting.Heat(scale), Sparsity: atoms}
			scores = append(scores, job.KernelScore{CommonModeRemoved: removed, Model: m})
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
		errors[k], err = job.Remember(t.Progress, "kernels", func() (e []float64, err error) {
			e, meanErrors, err = t.predictHeldOut(s.Model)
			return e, err
		}, &meanErrors)
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

// Free kernels on a graph that is not known. Polynomials without any shape would
// fit any graph a little; so kernels of known families first find, with their
// scales, a graph that is nearly right, and polynomials go on from these.

// learnWithFreeKernels learns polynomials with the graph.
func (t problem) learnWithFreeKernels() (*job.Answer, error) {
	count := t.Settings.KernelCount
	if count == 0 && t.Data.Count() < fitting.LeastToChoose {
		count = 2
	}
	if count == 0 {
		var err error
		if count, t.Side.Init, err = t.bestKernelCount(); err != nil {
			return nil, err
		}
	}
	free, err := t.tryFree(fitting.Model{Kernels: fitting.Families(count), Sparsity: t.Model.Sparsity})
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
	scaled, err := t.try(m, fitting.Scales{}, brief, nil)
	if scaled.proved != nil || err != nil {
		return scaled, err
	}
	free := fitting.Polynomials{Bounds: fitting.NewBounds(t.Settings.KernelDegree, 0, 0)}
	if m.Kernels, err = free.Approximating(scaled.best.kernels); err != nil {
		return scaled, err
	}
	onwards := t
	onwards.Side.Init = scaled.best.weights
	found, err := onwards.try(m, free, brief, nil)
	found.task = t // what comes after starts as usual
	return found, err
}

// bestKernelCount returns how many kernels describe held-out signals best. If the
// context ends, it returns the number it has come to and the graph to begin from.
func (t problem) bestKernelCount() (int, *graph.Graph, error) {
	all, sparsity := t.Data, t.Model.Sparsity
	m := all.Count()
	order := rng.Stream(t.Settings.Seed, "kernels").Perm(m)
	train, test := fitting.HoldOut(order[:min(m, comparedSignals)])
	held := all.Subset(test)
	t.Data = all.Subset(train)
	var residuals [][]float64
	for count := 1; count <= fitting.MostKernels; count++ {
		free, err := t.tryFree(fitting.Model{Kernels: fitting.Families(count), Sparsity: sparsity})
		switch {
		case free.proved != nil:
			return count, t.Side.Init, nil
		case job.Interrupted(err):
			return count, free.best.weights, nil
		case err != nil:
			return 0, nil, err
		}
		e, err := fitting.HeldOutResiduals(held, free.best.weights, free.model(), t.Settings.Threads)
		if err != nil {
			return 0, nil, err
		}
		residuals = append(residuals, e)
	}
	return fitting.ChooseByScore(fitting.ScoreCounts(residuals, len(all.Vertices), sparsity)), t.Side.Init, nil
}

// finalise puts the kernels of an answer into the form in which they are returned.
func (t problem) finalise(found *job.Answer, free fitting.Parameters) error {
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
