package dense

import (
	"math"
	"time"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// finish makes the answer of the best point: cut, refitted and coded again. If the
// context ends, that is done again in short.
func (a *attempt) finish(best candidate, status method.Status) (*job.Answer, error) {
	found, err := a.finishAtPace(best, status)
	if job.Interrupted(err) {
		return a.finishSoon(best)
	}
	return found, err
}

// finishAtPace does so, or returns job.ErrInterrupted if the context ends.
func (a *attempt) finishAtPace(best candidate, status method.Status) (*job.Answer, error) {
	a.fit.Code = best.code.Clone()
	a.fit.Engine.SetKernels(best.kernels)
	o := a.task.Settings
	kept, threshold := job.Cut(best.weights, o.Cut)
	var path []job.PathPoint
	var err error
	switch {
	case o.Cut.Rule == graph.CutAuto && best.polished:
		kept, threshold = best.weights, job.ThresholdOf(best.weights, best.weights, o.Cut.Rule)
	case o.Cut.Rule != graph.CutThreshold && kept.EdgeCount() > 0:
		if kept, path, err = a.prune(best.weights, kept, threshold); err == nil {
			kept, err = a.refitOn(kept)
		}
		if err != nil {
			return nil, err
		}
		kept = fitting.Balance(kept)
		threshold = job.ThresholdOf(best.weights, kept, o.Cut.Rule)
	}
	found, err := a.answer(best.weights, kept, threshold, status, best.rounds)
	if err == nil {
		found.Path = path
	}
	return found, err
}

// finishSoon makes the answer after the context has ended: in short, but pruned and
// refitted like one that is finished. If there is no time for that, it is as it is.
// A cut at a threshold needs neither.
func (a *attempt) finishSoon(best candidate) (*job.Answer, error) {
	p := a.task.Progress
	outer, pace := p.Ctx, a.pace
	defer func() { p.Ctx, a.pace = outer, pace }()
	p.Ctx, a.pace = run.Grace(outer), shortPace(a.fit.N, a.fit.M)
	if end, ok := p.Ctx.Deadline(); ok && time.Until(end) < littleTime {
		a.pace = inShort
	}
	if p.Ctx.Err() != nil || a.task.Settings.Cut.Rule == graph.CutThreshold {
		return a.unfinished(best)
	}
	best, err := a.goOn(best)
	if err != nil {
		return nil, err
	}
	found, err := a.finishAtPace(best, method.Interrupted)
	switch {
	case job.Interrupted(err):
		return a.unfinished(best)
	case err != nil:
		return nil, err
	}
	return found.EndedBy(job.ErrInterrupted)
}

// goOn takes rounds from the best point on until there have been as many as edges need
// to show, if it was found before.
func (a *attempt) goOn(best candidate) (candidate, error) {
	p, v := a.task.Progress, a.fit.OverPairs(a.pairs)
	w := make([]float64, a.pairs.Len())
	fitting.MoveTowards(best.weights, 1, a.pairs, w)
	fitting.Revive(a.pairs, w)
	a.fit.Code = best.code.Clone()
	a.fit.Engine.SetKernels(best.kernels)
	loss := fitting.NewRobustLoss(v)
	newton := optimise.NewQuasiNewton(len(w), a.task.Side.Prior.Penalised(loss.Evaluate, a.pairs))
	for p.Round = best.rounds; p.Round < min(a.pace.rounds, a.task.Settings.Rounds) && !best.polished && p.Ctx.Err() == nil; {
		p.Round++
		residuals, err := v.Recode(w, fitting.Beams(pathWidth))
		if err != nil {
			return best, err
		}
		loss.Smooth(residuals)
		value, residuals := a.updateGraph(newton, loss, w)
		best = a.better(best, fitting.GraphOf(a.pairs, w), residuals)
		if err := p.Step(job.GraphUpdate, v.Relative(residuals), value, a.pairs, w); job.Failed(err) {
			return best, err
		}
	}
	return best, nil
}

// unfinished makes an answer of the best point that takes no time: its edges are
// cut, but its codes are those of all weights.
func (a *attempt) unfinished(best candidate) (*job.Answer, error) {
	kept, threshold := job.Cut(best.weights, a.task.Settings.Cut)
	found := &job.Answer{
		Model:   fitting.Model{Kernels: best.kernels, Sparsity: a.fit.Sparsity},
		Weights: best.weights, Graph: kept, Codes: best.code, CodedOn: best.weights,
		Residual: best.residual, Objective: best.residual, Threshold: threshold, Rounds: best.rounds,
		Unexplained: a.fit.M, Entries: a.fit.SpareEntries() + a.fit.Sparsity,
	}
	return found.EndedBy(job.ErrInterrupted)
}

// lastWidth is the beam for signals that still resist when the weights are exact.
const lastWidth = 256

// answer codes all signals once more on the edges kept: with exact weights the
// coder sees where fewer atoms suffice, and signals that still resist get the
// widest beam.
func (a *attempt) answer(weights, kept *graph.Graph, threshold job.Threshold, status method.Status, rounds int) (*job.Answer, error) {
	v, w := a.fit.OnEdges(kept)
	if err := v.Place(w); err != nil {
		return nil, err
	}
	residuals := v.Improve(fitting.Beams(polishWidths[0]), v.EverySignal())
	if resisting := v.Unexplained(residuals); 10*len(resisting) <= v.M {
		residuals = v.Improve(fitting.Beams(lastWidth), resisting)
	}
	floor := 0.0
	// A few signals that resist where all others are exact are not noise, and what
	// low-pass kernels leave of a smooth field is none either.
	if v.Relative(residuals) > noNoise && !a.task.lowPass && !v.MostlyExplained(residuals) {
		var err error
		if residuals, floor, err = stopAtNoise(a.fit, kept); err != nil {
			return nil, err
		}
	}
	found := job.AnswerOf(v.Fit, residuals)
	found.Model = fitting.Model{Kernels: v.Engine.Kernels(), Sparsity: v.Sparsity, NoiseFloor: math.Sqrt(floor) * a.task.Data.Unit}
	found.Weights, found.Graph, found.CodedOn = weights, kept, kept
	found.Threshold, found.Rounds, found.Status = threshold, rounds, status
	return found, nil
}

const (
	// noNoise is the residual up to which there is no noise to speak of.
	noNoise = 1e-9
	// noiseMargin is how many standard deviations above its mean the energy of noise
	// alone is still taken for noise.
	noiseMargin = 2
)

// stopAtNoise codes all signals once more on g, each with no more atoms than it
// takes until the residual may be noise, and returns the residuals and the energy from
// which on they are more than that.
func stopAtNoise(f *fitting.DenseFit, g *graph.Graph) (residuals fitting.Residuals, floor float64, err error) {
	v, w := f.OnEdges(g)
	if err := v.Place(w); err != nil {
		return nil, 0, err
	}
	entries := float64(f.SpareEntries() + f.Sparsity)
	spare := float64(f.M)*entries - float64(f.Code.NonZeros()+g.EdgeCount())
	variance := f.Engine.Refit(f.Code) / max(spare, 1)
	floor = variance * entries * (1 + noiseMargin*math.Sqrt(2/entries))
	f.Engine.EncodeWith(f.Engine.NoiseCoder(f.Sparsity, floor), f.Code, nil)
	return f.Refit(), floor, nil
}
