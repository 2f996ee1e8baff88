// Package dense searches for a graph with all pairs of vertices and whole atoms.
package dense

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// A problem is a task, and what was found out about its signals.
type problem struct {
	job.Task
	lowPass bool // low-pass kernels were chosen: neither gaps nor description lengths say much
}

// Learn does a task with all pairs of vertices and whole atoms.
func Learn(t job.Task) (*job.Answer, error) {
	p := problem{Task: t}
	switch t.Settings.Kernels {
	case job.KernelsAuto:
		return p.learnWithAutomaticKernels()
	case job.KernelsScaled:
		return p.learnWith(t.Model, fitting.Scales{})
	case job.KernelsFree:
		return p.learnWithFreeKernels()
	}
	return p.learnWithGivenKernels()
}

// An attempt learns a graph that is not large with one model: that many atoms
// per signal and that many kernels, which may move.
type attempt struct {
	task    problem
	fit     *fitting.DenseFit
	pairs   dictionary.Pairs          // that may have a weight
	kernels *fitting.DenseKernelMover // moves the kernels; nil if they stay
	pace    pace                      // of finishing
	rival   *outcome                  // of another model, to begin with and to keep up with; nil if there is none
}

// newAttempt makes ready to learn with a model. A nil free leaves the kernels as
// they are.
func newAttempt(t problem, m fitting.Model, free fitting.Parameters) *attempt {
	e := fitting.NewDense(t.Data, m, t.Settings.Threads, t.Memory)
	a := &attempt{
		task: t, fit: fitting.New(t.Data, m, e, &t.Progress.Gradients),
		pairs: t.Side.Allowed.List(len(t.Data.Vertices)), pace: inFull,
	}
	if free != nil {
		a.kernels = fitting.NewKernelMover(a.fit, free)
	}
	return a
}

// withSparsity returns an attempt like a that begins with its kernels.
func (a *attempt) withSparsity(atoms int) *attempt {
	var free fitting.Parameters
	if a.kernels != nil {
		free = a.kernels.Free
	}
	return newAttempt(a.task, fitting.Model{Kernels: a.fit.Engine.Kernels(), Sparsity: atoms}, free)
}

// updatedInTurns reports whether a polish moves the kernels in turns with the weights.
func (a *attempt) updatedInTurns() bool { return a.kernels != nil && a.kernels.Free.UpdatedInTurns() }

// A candidate is a point that no certificate was found for.
type candidate struct {
	weights  *graph.Graph
	code     *sparse.Code
	kernels  []kernel.Kernel
	residual float64
	score    float64 // see score
	polished bool    // weights are refitted on the edges before the gap
	rounds   int
}

// noCandidate is worse than any point.
func noCandidate() candidate { return candidate{score: math.Inf(1)} }

// hasClearGap reports whether the weights show a clear gap.
func (c candidate) hasClearGap() bool {
	if c.weights == nil {
		return false
	}
	kept, gap := c.weights.CutAtGap()
	return c.polished || job.ClearGap(c.weights, kept, gap.Ratio)
}

// hasLargeGap reports whether the weights show a gap that leaves no doubt.
func (c candidate) hasLargeGap() bool {
	if c.weights == nil {
		return false
	}
	_, gap := c.weights.CutAtGap()
	return gap.Ratio >= job.LargeGap
}

// An outcome is what a search comes to: an answer that proves itself, or else the
// best point on its way.
type outcome struct {
	proved *job.Answer
	best   candidate
	left   []float64 // share of the signals' energy, after each round of the last search
	noise  bool      // what its last round left looks like noise
	status method.Status
}

// settled reports whether there is nothing to search for any more: an answer proves
// itself, or is polished and all but exact, which will not be bettered.
func (o outcome) settled() bool { return o.proved != nil || o.best.polished }

// conclude makes an answer of what was found: if it did not prove itself, the best
// point is cut, refitted and coded again, in short if the context has ended.
func (a *attempt) conclude(found outcome, err error) (*job.Answer, error) {
	switch {
	case found.proved != nil:
		return found.proved, nil
	case job.Interrupted(err):
		return a.finishSoon(found.best)
	case err != nil:
		return nil, err
	}
	pruned, err := job.Remember(a.task.Progress, "finish", func() (*job.Answer, error) { return a.finish(found.best, found.status) }, a)
	if err != nil {
		return pruned, err
	}
	return job.Remember(a.task.Progress, "reopen", func() (*job.Answer, error) { return a.reopen(pruned, found) }, a)
}

// learn explores and concludes.
func (a *attempt) learn() (*job.Answer, error) { return a.conclude(a.explore(thorough)) }

// learnWith learns with a model and its number of atoms or, if that is to be
// chosen, as many as the signals ask for.
func (t problem) learnWith(m fitting.Model, free fitting.Parameters) (*job.Answer, error) {
	a := newAttempt(t, m, free)
	return a.chooseSparsity(a.learn())
}

// Code codes an outcome.
func (o *outcome) Code(c *checkpoint.Coder) {
	b := &o.best
	c.All(&o.proved, &o.status, &o.left, &o.noise, &b.weights, &b.code, &b.kernels, &b.residual, &b.score, &b.polished, &b.rounds)
}

// Code codes the codes and kernels that an attempt has come to.
func (a *attempt) Code(c *checkpoint.Coder) { c.All(&a.fit.Code, a.kernels) }
