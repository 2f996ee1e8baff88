package learn

import "github.com/nervure/nervure/kernel"

// Automatic choice of the kernels. Nothing here knows the truth:
//
//   - kernels that lead to an answer which proves itself are right;
//   - their scales are learned too, and those of two low-pass kernels, and kept if
//     that proves itself, or leads to a clear gap in the weights and explains the
//     signals better;
//   - otherwise kernels are compared by how well the graphs that they lead to
//     predict vertices from others, in signals not learned from: see
//     vertex_prediction.go. How well they code says nothing about them. Beside the
//     kernels to begin with, low-pass ones are tried, which suit measured fields;
//   - how many atoms a signal has is told by the shortest description of the
//     signals, see sparsity.go, where they are described well.

// A trial is what an attempt has come to, before it makes an answer of it.
type trial struct {
	*attempt
	outcome
}

// try explores with a model. If the context ends, what it has found comes with
// errInterrupted.
func (t problem) try(m innerModel, free kernelParameters, most effort) (trial, error) {
	a := newAttempt(t, m, free)
	found, err := a.explore(most)
	return trial{a, found}, err
}

// hopOn goes on with a trial whose usual start alone was explored, if signals may be
// exact and more starts are allowed.
func (t trial) hopOn() (trial, error) {
	usual := t.usualStart()
	if usual >= t.task.settings.Starts || !t.mayBeExact(t.best) {
		return t, nil
	}
	found, err := remembered(t.task.progress, "explore", t.codeOutcome, func() (outcome, error) {
		t.task.progress.start = usual + 1
		return t.hop(t.outcome)
	})
	return trial{t.attempt, found}, err
}

// conclude makes an answer of a trial, with as many atoms per signal as it asks
// for, or fewer steps if err is that of an interruption.
func (t trial) conclude(err error) (*answer, error) {
	return t.chooseSparsity(t.attempt.conclude(t.outcome, err))
}

// learnWithAutomaticKernels learns with kernels that nobody gave.
func (t problem) learnWithAutomaticKernels() (*answer, error) {
	first, err := t.try(t.model, nil, once)
	if first.settled() || err != nil {
		return first.conclude(err)
	}
	chosen := first
	for _, kernels := range [][]kernel.Kernel{t.model.Kernels, heatKernels(2, 0.5)} {
		scaled, err := t.try(innerModel{Kernels: kernels, Sparsity: t.model.Sparsity}, kernelScales{}, once)
		switch {
		case scaled.proved != nil:
			return scaled.conclude(nil)
		case failed(err):
			return nil, err
		case scaled.best.hasClearGap() && scaled.best.residual < explainsBetter*chosen.best.residual:
			chosen = scaled
		}
		if err != nil {
			return chosen.conclude(err)
		}
	}
	same := chosen.attempt == first.attempt
	first, err = first.hopOn()
	if first.settled() || failed(err) {
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
	var found *answer
	if better == nil {
		found, err = chosen.conclude(nil)
	} else {
		t.lowPass = true
		t.data = better.signals(t.data)
		found, err = t.learnWith(better.model, nil)
	}
	if found != nil {
		found.scores, found.commonModeRemoved = scores, better != nil && better.CommonModeRemoved
	}
	return found, err
}

// model returns what the best point was found with.
func (t trial) model() innerModel {
	return innerModel{Kernels: t.best.kernels, Sparsity: t.fit.sparsity}
}
