package dense

import (
	"cmp"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
)

// Kernels may have other scales than those that were given or begun with. False edges then explain what the
// kernels do not, and halves of the signals agree on them. So unless the signals are explained exactly, scales
// may move on the edges that were found. If that explains the signals clearly better, they are learned from
// again with these kernels, and so on. Where kernels are given, only the edges are those of the kernels that
// fit; weights and codes are of those given.

const (
	// scaleTries bounds how often scales move and signals are learned from again.
	scaleTries = 4
	// numbersForScales is how many numbers signals have at least for each pair, beyond those that their
	// codes take up. With fewer, kernels that are right may seem to be wrong.
	numbersForScales = 3
)

// learnWithGivenKernels learns with the kernels of the task.
func (t problem) learnWithGivenKernels() (*job.Answer, error) {
	a := newAttempt(t, t.Model, nil)
	found, err := a.learn()
	return a.fitScales(found, err, t.onEdgesOf)
}

// fitScales goes on with an answer of few atoms, or with what scales that fit have led to, as adopt makes
// it. They are looked for before the number of atoms is chosen: more of them make up for wrong kernels, too.
// Whatever is tried counts among the steps and gradients; starts and rounds are those of the answer.
func (a *attempt) fitScales(found *job.Answer, err error, adopt func(*job.Answer) (*job.Answer, error)) (*job.Answer, error) {
	t, p := a.task, a.task.Progress
	if err != nil || !a.mayHaveOtherScales(found) {
		return a.chooseSparsity(found, err)
	}
	start, round := p.Start, p.Round
	fit, err := t.learnWithOtherScales(found)
	if job.Failed(err) {
		return nil, err
	}
	startOfFit, roundOfFit := p.Start, p.Round
	if fit == nil || !fit.Proved {
		p.Start, p.Round = start, round
		if err == nil {
			found, err = a.chooseSparsity(found, nil)
		}
		switch {
		case job.Failed(err):
			return nil, err
		case fit == nil || t.descriptionLength(fit) >= t.descriptionLength(found):
			return found.EndedBy(err)
		}
	}
	p.Start, p.Round = startOfFit, roundOfFit
	adopted, ended := adopt(fit)
	if job.Failed(ended) {
		return nil, ended
	}
	return adopted.EndedBy(cmp.Or(ended, err))
}

// mayHaveOtherScales reports whether other scales of the kernels may explain the signals better than an
// answer does.
func (a *attempt) mayHaveOtherScales(found *job.Answer) bool {
	t := a.task
	return !found.Proved && found.Residual > nearlyExact && found.Graph.EdgeCount() > 0 &&
		t.Side.Prior == nil && t.Settings.Cut.Rule == graph.CutAuto &&
		slices.ContainsFunc(t.Model.Kernels, func(k kernel.Kernel) bool { return k.Family() != "" }) &&
		a.fit.M*a.fit.SpareEntries() >= numbersForScales*a.pairs.Len()
}

// learnWithOtherScales learns with scales that explain the signals better on the edges of an answer, and
// then on those found with these, as long as that makes a shorter message of the signals; nil if none does.
// It leaves the start and the round of what it returns.
func (t problem) learnWithOtherScales(found *job.Answer) (fit *job.Answer, err error) {
	best, m, p := found, t.Model, t.Progress
	start, round := p.Start, p.Round // of fit
	defer func() { p.Start, p.Round = start, round }()
	for range scaleTries {
		if m.Kernels, t.Side.Init, err = t.betterScales(best); m.Kernels == nil || err != nil {
			return fit, err
		}
		last := best
		for _, free := range []fitting.Parameters{nil, fitting.Scales{}} { // scales halfway may lead nowhere if they stay
			next, err := t.learnWith(m, free)
			switch {
			case err != nil:
				return fit, err
			case next.Proved:
				start, round = p.Start, p.Round
				return next, nil
			case next.Residual < nearlyExact:
				return nil, nil // signals that do not determine a graph do not determine kernels
			}
			if t.descriptionLength(next) < t.descriptionLength(best) {
				best, fit = next, next
				start, round = p.Start, p.Round
				break
			}
		}
		if best == last {
			return fit, nil
		}
	}
	return fit, nil
}

// betterScales returns the kernels of an answer with scales that explain the signals clearly better on
// its edges, and the graph refitted with them; nil if none do.
func (t problem) betterScales(found *job.Answer) ([]kernel.Kernel, *graph.Graph, error) {
	given := newAttempt(t, found.Model, nil)
	as, err := given.polish(found.Graph)
	if err != nil {
		return nil, nil, err
	}
	moved := newAttempt(t, found.Model, fitting.Scales{})
	other, err := moved.polish(found.Graph)
	if err != nil || moved.fit.Relative(other.residuals) >= job.ExplainsBetter*given.fit.Relative(as.residuals) {
		return nil, nil, err
	}
	return moved.fit.Engine.Kernels(), other.graph, nil
}

// onEdgesOf returns an answer with the edges of fit, which kernels that fit have led to, and with weights
// of these edges and codes of the kernels of the task.
func (t problem) onEdgesOf(fit *job.Answer) (*job.Answer, error) {
	a := newAttempt(t, fitting.Model{Kernels: t.Model.Kernels, Sparsity: fit.Model.Sparsity}, nil)
	kept, ended := a.refitOn(fit.Graph)
	if ended != nil && !job.Interrupted(ended) {
		return nil, ended
	}
	kept = fitting.Balance(kept)
	threshold := fit.Threshold
	threshold.Value = fitting.Lightest(kept)
	found, err := a.answer(reweighed(fit.Weights, kept), kept, threshold, fit.Status, fit.Rounds)
	if err != nil {
		return nil, err
	}
	found.Path, found.Fitting = fit.Path, fit.Model.Kernels
	return found.EndedBy(ended)
}

// reweighed returns weights with those of the edges kept replaced by what they weigh now.
func reweighed(weights, kept *graph.Graph) *graph.Graph {
	others := slices.DeleteFunc(weights.Edges(), func(e graph.Edge) bool { return kept.HasEdge(e.I, e.J) })
	g, err := graph.New(weights.Names(), append(others, kept.Edges()...))
	if err != nil {
		panic(err) // edges of two graphs on the same vertices, each once
	}
	return g
}

// descriptionLength returns how long a message an answer makes of the signals.
func (t problem) descriptionLength(found *job.Answer) float64 {
	f := newAttempt(t, found.Model, nil).fit
	return f.DescriptionLength(found.Codes, found.Residuals, f.EverySignal(), exactResidual)
}
