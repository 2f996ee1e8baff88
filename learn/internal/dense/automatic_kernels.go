package dense

import (
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/kernelparam"
)

// Automatic choice of the kernels. Nothing here knows the truth:
//
//   - kernels that lead to an answer which proves itself are right;
//   - their scales are learned too, and those of two low-pass kernels, and kept if
//     that proves itself, or leads to a clear gap in the weights and explains the
//     signals better;
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

// try explores with a model. If the context ends, what it has found comes with
// job.ErrInterrupted.
func (t problem) try(m fitting.Model, free kernelparam.Parameters, most effort) (trial, error) {
	a := newAttempt(t, m, free)
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
	found, err := job.Remember(t.task.Progress, "explore", t.codeOutcome, func() (outcome, error) {
		t.task.Progress.Start = usual + 1
		return t.hop(t.outcome)
	})
	return trial{t.attempt, found}, err
}

// conclude makes an answer of a trial, with as many atoms per signal as it asks
// for, or fewer steps if err is that of an interruption.
func (t trial) conclude(err error) (*job.Answer, error) {
	return t.chooseSparsity(t.attempt.conclude(t.outcome, err))
}

// learnWithAutomaticKernels learns with kernels that nobody gave.
func (t problem) learnWithAutomaticKernels() (*job.Answer, error) {
	first, err := t.try(t.Model, nil, once)
	if first.settled() || err != nil {
		return first.conclude(err)
	}
	chosen := first
	for _, kernels := range [][]kernel.Kernel{t.Model.Kernels, kernelparam.Heat(2, 0.5)} {
		scaled, err := t.try(fitting.Model{Kernels: kernels, Sparsity: t.Model.Sparsity}, kernelparam.Scales{}, once)
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
		return chosen.conclude(nil)
	}
	scores, better, err := t.compareKernels(chosen.model())
	if err != nil {
		return chosen.conclude(err)
	}
	var found *job.Answer
	if better == nil {
		found, err = chosen.conclude(nil)
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
