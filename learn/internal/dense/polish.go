package dense

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// polishing fits weights and codes on a few edges until the signals are explained
// exactly, or it gains no more.

// polishWidths are the beams used while polishing, as signals resist.
var polishWidths = []int{4, 16, 16, 64, 64, 64, 64, 64, 64, 64}

const (
	// nearlyExact is the residual below which most supports must be right.
	nearlyExact = 1e-6
	// polishGain is what a pass must multiply the residual by, at most, to be followed by another.
	polishGain = 0.3
)

// A polished graph has weights and codes that were fitted on its edges alone.
type polished struct {
	graph     *graph.Graph
	residuals fitting.Residuals
	exact     bool // but for the last of the conditions in certificate.go
}

// Code codes what polishing comes to.
func (p *polished) Code(c *checkpoint.Coder) { c.All(&p.graph, &p.residuals, &p.exact) }

// tryPolish polishes on the edges of g. If that proves the graph, it is the answer;
// if it is all but exact, it is a candidate. Otherwise codes and kernels go back to
// what they were.
func (a *attempt) tryPolish(g *graph.Graph, found outcome) (outcome, error) {
	restore := a.snapshot()
	p, err := a.polish(g)
	if job.Failed(err) {
		return found, err
	}
	switch {
	case p.exact:
		p, err = a.dropUnneededEdges(p)
	case err == nil && a.fit.Relative(p.residuals) < nearlyExact:
		p, err = a.dropNoisyEdges(p)
	}
	if err != nil {
		return found, err
	}
	p.graph = fitting.Balance(p.graph)
	if p.exact {
		determined, err := a.weightsDetermined(&p)
		if err != nil {
			return found, err
		}
		if determined {
			found.proved, err = a.certifiedAnswer(p.graph)
			return found, err
		}
	}
	prior, residual := a.task.Side.Prior, a.fit.Relative(p.residuals)
	score := fitting.Score(a.fit, prior, p.graph, p.residuals)
	better := score < found.best.score || prior == nil && !found.best.polished
	if residual < nearlyExact && better {
		found.best = candidate{p.graph, a.fit.Code, a.fit.Engine.Kernels(), residual, score, true, a.task.Progress.Round}
	}
	restore()
	return found, err
}

// snapshot returns what puts codes and kernels back to what they are now.
func (a *attempt) snapshot() (restore func()) {
	code, kernels := a.fit.Code.Clone(), a.fit.Engine.Kernels()
	return func() {
		a.fit.Code = code
		a.fit.Engine.SetKernels(kernels)
	}
}

// negligible is the share of the typical weight below which an edge that
// polishing has left is nothing but rounding.
const negligible = 1e-6

// dropUnneededEdges removes edges that an exact fit does not need: those after the
// gap, or if the rest is not exact without them, those that polishing has driven to
// nothing.
func (a *attempt) dropUnneededEdges(p polished) (polished, error) {
	gap, _ := p.graph.CutAtGap()
	for _, fewer := range []*graph.Graph{gap, p.graph.AboveShare(negligible)} {
		if fewer.EdgeCount() == p.graph.EdgeCount() || fewer.EdgeCount() == 0 {
			continue
		}
		restore := a.snapshot()
		again, err := a.polish(fewer)
		if job.Failed(err) {
			return p, err
		}
		if again.exact {
			return again, nil
		}
		restore()
	}
	return p, nil
}

const (
	// noiseShare is the share of the typical weight that a trace of noise gives to an
	// edge at most, in multiples of its amplitude.
	noiseShare = 10
	// sameResidual is by how much the residuals of two fits differ at most that are
	// equally good: with a trace of noise, some supports are almost right.
	sameResidual = 4
	// noisyPolishes is how often the rest is polished to get there: amid noise, a polish
	// takes small steps for the end.
	noisyPolishes = 4
)

// dropNoisyEdges removes edges of a fit that is all but exact if a trace of noise may
// have given them their weights, and the rest explains the signals as well.
func (a *attempt) dropNoisyEdges(p polished) (polished, error) {
	residual := a.fit.Relative(p.residuals)
	fewer := p.graph.AboveShare(noiseShare * math.Sqrt(residual))
	if fewer.EdgeCount() == p.graph.EdgeCount() || fewer.EdgeCount() == 0 {
		return p, nil
	}
	restore := a.snapshot()
	for range noisyPolishes {
		again, err := a.polish(fewer)
		if job.Failed(err) {
			return p, err
		}
		if a.fit.Relative(again.residuals) <= sameResidual*residual {
			return again, err
		}
		if err != nil {
			restore()
			return p, err
		}
		fewer = again.graph
	}
	restore()
	return p, nil
}

// polish alternates weights on the edges of g and codes. It gives up when a pass
// gains too little. If the context ends, what it has come to comes with
// job.ErrInterrupted.
func (a *attempt) polish(g *graph.Graph) (polished, error) {
	return job.Remember(a.task.Progress, "polish", func() (polished, error) { return a.runPolish(g) }, a)
}

func (a *attempt) runPolish(g *graph.Graph) (polished, error) {
	v, w := a.fit.OnEdges(g)
	loss := fitting.NewTrimmedLoss(v, nil)
	variables, objective := w, optimise.Objective(loss.Evaluate)
	widths := polishWidths[:a.pace.polishes]
	switch {
	case a.updatedInTurns():
		widths = widths[:min(2, len(widths))] // such kernels are never exact
	case a.kernels != nil:
		variables, objective = jointWithScales(loss, w)
		w = variables[:len(w)]
	}
	newton := optimise.NewQuasiNewton(len(variables), objective)
	last := math.Inf(1)
	share, strict := 0.8, false
	limits := optimise.Limits{Steps: a.pace.polishSteps, Gain: 1e-2, Enough: fitting.RoundingShare / 100}
	var residuals fitting.Residuals
	pass := 0
	state := []any{job.InPlace(variables), newton, &pass, &last, &share, &strict, &limits.Gain, &residuals, a}
	loop, _, err := job.RememberLoop(a.task.Progress, state...)
	if err != nil {
		return polished{}, err
	}
	for ; pass < len(widths); pass++ {
		loop.Save()
		width := widths[pass]
		if residuals, err = v.RefitAt(w); err != nil {
			return polished{}, err
		}
		loss.Trim(residuals, share, strict)
		if newton.Precondition = nil; loss.Of(residuals) < gaussNewtonFrom {
			newton.Forget()
			newton.Precondition = a.gaussNewton(g, w, loss)
		}
		value := newton.Minimise(a.task.Progress.Ctx, variables, limits)
		fitting.Normalise(w, v.N)
		residuals = loss.Residuals
		if a.updatedInTurns() {
			robust := fitting.NewRobustLoss(v)
			robust.Smooth(residuals)
			_, residuals = a.kernels.Minimise(a.task.Progress.Ctx, robust, fitting.KernelSteps)
		}
		if err := v.Place(w); err != nil {
			return polished{}, err
		}
		residuals = v.Improve(fitting.Beams(width), v.Unexplained(residuals))
		now := polished{graph: fitting.GraphOf(v.Pairs, w), residuals: residuals}
		if err := a.task.Progress.Step(job.Polishing, v.Relative(residuals), value, v.Pairs, w); err != nil {
			return now, err
		}
		if exact(a.fit, now.graph, residuals) {
			now.exact = true
			return now, nil
		}
		if value > polishGain*last {
			// Near the answer, what holds it up are supports that are almost
			// right: leave out more signals.
			if value > nearlyExact || share < 0.6 {
				break
			}
			share, strict = share-0.1, true
		}
		if value < nearlyExact {
			limits.Gain = 1e-4 // supports are settled: now patience pays
		}
		last = value
	}
	return polished{graph: fitting.GraphOf(v.Pairs, w), residuals: residuals}, nil
}

// priorRefits is how often weights and codes take turns in the end, with a prior.
const priorRefits = 4

// refitOn refits weights and codes on the edges of g, an answer that does not
// prove itself. With a prior, it keeps its say. If the context ends, what it has
// come to comes with job.ErrInterrupted.
func (a *attempt) refitOn(g *graph.Graph) (*graph.Graph, error) {
	prior := a.task.Side.Prior
	if prior == nil {
		p, err := a.polish(g)
		return p.graph, err
	}
	v, w := a.fit.OnEdges(g)
	for _, width := range polishWidths[:min(priorRefits, a.pace.polishes)] {
		if err := v.Place(w); err != nil {
			return nil, err
		}
		loss, objective := fitting.Sharpening(v, prior, v.Improve(fitting.Beams(width), v.EverySignal()))
		value := fitting.Minimise(a.task.Progress.Ctx, objective, w, v.N, fitting.StepsPerSharpening, 1e-3)
		if err := a.task.Progress.Step(job.Polishing, v.Relative(loss.Residuals), value, v.Pairs, w); err != nil {
			return fitting.GraphOf(v.Pairs, w), err
		}
	}
	return fitting.GraphOf(v.Pairs, w), nil
}

// certifiedAnswer makes the answer of a graph that proves itself. A cut that is
// asked for may leave less of it.
func (a *attempt) certifiedAnswer(g *graph.Graph) (*job.Answer, error) {
	o := a.task.Settings
	kept, threshold := g, job.ThresholdOf(g, g, o.Cut.Rule)
	if o.Cut.Rule != graph.CutAuto {
		kept, threshold = job.Cut(g, o.Cut)
	}
	found, err := a.answer(g, kept, threshold, method.Converged, a.task.Progress.Round)
	if err != nil {
		return nil, err
	}
	found.Proved, found.Certified = true, kept.EdgeCount() == g.EdgeCount()
	return found, nil
}
